//! Latencies and ports along a trace.

use std::collections::HashMap;

use super::trace::Trace;
use crate::isa::costs::{Class, Cpu};
use crate::isa::timing::{Cost, Resource};

/// Cycles below which a processor cannot get, by its cost model. Caches hit,
/// branches are foreseen, and what is loaded from a state is not what was just stored there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// From the first instruction of one unit of work to its last result, if it were alone. All
    /// its pieces together: they are interleaved, not done one after the other.
    pub path: f64,
    /// What a further piece adds to the longest chain of results that wait for each other.
    pub chain: f64,
    /// What a further piece takes of the ports that can do its operations.
    pub ports: f64,
    /// What a further piece takes of the operations that can be begun in a cycle.
    pub width: f64,
}

impl Bounds {
    pub(super) fn new(trace: &Trace<'_>, costs: &[Option<Cost>], cpu: &Cpu, pieces: usize) -> Self {
        let pieces = pieces as f64;
        let latency = |lines: &[usize]| f64::from(latency(lines, costs, cpu));
        Self {
            path: latency(&trace.once()),
            chain: trace.marginal(latency) / pieces,
            ports: ports(trace.marginal_lines(), costs, cpu) / pieces,
            width: trace
                .marginal(|lines| f64::from(operations(lines, costs)) / f64::from(cpu.width))
                / pieces,
        }
    }

    /// Those of a loop with such a body, for each time that it is done.
    pub(crate) fn of_loop(body: &[usize], costs: &[Option<Cost>], cpu: &Cpu) -> Self {
        let latency = |times: usize| f64::from(latency(&body.repeat(times), costs, cpu));
        let each = body.iter().map(|&line| (line, 1.0));
        Self {
            path: latency(1),
            chain: latency(3) - latency(2),
            ports: ports(each, costs, cpu),
            width: f64::from(operations(body, costs)) / f64::from(cpu.width),
        }
    }

    /// The highest of those that hold in a long run.
    #[must_use]
    pub fn highest(&self) -> f64 {
        self.chain.max(self.ports).max(self.width)
    }
}

/// Operations that take a place each: a load with its arithmetic counts once.
fn operations(lines: &[usize], costs: &[Option<Cost>]) -> u32 {
    lines.iter().filter_map(|&line| costs[line].as_ref()).filter(|cost| !cost.fused).count() as u32
}

/// Cycles until the last result is there, if nothing is in short supply.
fn latency(lines: &[usize], costs: &[Option<Cost>], cpu: &Cpu) -> u32 {
    let load = cpu.row(Class::LOAD).latency;
    let all = |cost: &Cost| [&cost.address[..], &cost.reads, &cost.writes, &cost.whole].concat();
    let places = costs.iter().flatten().flat_map(all);
    let places = places.map(|place| place.number() + 1).max().unwrap_or(0);
    let mut ready = vec![0; places];
    let mut state = vec![State::Whole(None); places];
    let mut last = 0;
    for cost in lines.iter().filter_map(|&line| costs[line].as_ref()) {
        let at = |place: &Resource| ready[place.number()];
        // A whole register, of which a part may have been written.
        let all = |place: &Resource| {
            at(place)
                + match state[place.number()] {
                    State::Whole(_) | State::Cleared => 0,
                    State::Part => cpu.partial(false),
                    State::PartOfCleared => cpu.partial(true),
                }
        };
        let address = |place: &Resource| {
            all(place)
                + match state[place.number()] {
                    State::Whole(Some(class)) => cpu.address(class),
                    _ => 0,
                }
        };
        let loaded = if cost.loads {
            let slots = cost.reads.iter().filter(|place| place.is_slot());
            cost.address.iter().map(address).chain(slots.map(at)).max().unwrap_or(0) + load
        } else {
            0
        };
        // A load of a class of its own has all its time from that.
        let others = cost.reads.iter().filter(|place| !cost.loads || !place.is_slot()).map(at);
        let others = others.chain(cost.whole.iter().map(all));
        let own = cost.class.map_or(0, |class| cpu.row(class).latency);
        let done = others.max().unwrap_or(0).max(loaded) + own;
        for place in &cost.writes {
            ready[place.number()] = done;
            let state = &mut state[place.number()];
            *state = match (cost.part, cost.clears, *state) {
                (true, _, State::Cleared | State::PartOfCleared) => State::PartOfCleared,
                (true, ..) => State::Part,
                (_, true, _) => State::Cleared,
                _ => State::Whole(cost.class),
            };
        }
        last = last.max(done);
    }
    last
}

/// What was written to a register last.
#[derive(Clone, Copy)]
enum State {
    /// All of it, by a class of instructions if it was no load.
    Whole(Option<Class>),
    Cleared,
    Part,
    PartOfCleared,
}

/// The bound of ports: for every set of ports, the operations that no other port can do, divided
/// by how many ports these are; of lines, and how often each is done.
fn ports(lines: impl IntoIterator<Item = (usize, f64)>, costs: &[Option<Cost>], cpu: &Cpu) -> f64 {
    let mut needs: HashMap<u16, f64> = HashMap::new();
    for (line, times) in lines {
        let Some(cost) = &costs[line] else { continue };
        let own = cost.class.filter(|_| !cost.fused);
        let load = cost.loads.then_some(Class::LOAD);
        let store = cost.stores.then_some(Class::STORE);
        for class in [own, load, store].into_iter().flatten() {
            let row = cpu.row(class);
            *needs.entry(row.ports).or_default() += times * f64::from(row.times);
        }
    }
    needs.remove(&0);
    let all = needs.keys().fold(0, |all, ports| all | ports);
    let bound = |set: u16| {
        let bound_to = needs.iter().filter(|(ports, _)| **ports & !set == 0);
        bound_to.map(|(_, count)| count).sum::<f64>() / f64::from(set.count_ones())
    };
    (1..=all).filter(|set| set & !all == 0).map(bound).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::costs::{Pipeline, Row};

    #[test]
    fn a_port_that_is_taken_for_two_cycles_counts_twice() {
        let row = |class, ports| Row { class, latency: 3, ports, times: 1 };
        let bounds = |of_class: Row| {
            let rows = Box::leak(Box::new([row(Class::LOAD, 0b100), of_class]));
            let pipeline = Pipeline::OutOfOrder(&[]);
            let cpu = Cpu { name: "", doc: "", width: 4, rows, pipeline };
            let register = Resource::register(1);
            let chained = Cost {
                class: Some(of_class.class),
                reads: vec![register],
                writes: vec![register],
                ..Cost::default()
            };
            let body = [0, 0, 0, 0];
            Bounds::of_loop(&body, &[Some(chained)], &cpu)
        };
        let class = Class(2);
        let once = bounds(row(class, 0b11));
        assert_eq!((once.chain, once.ports, once.width), (12.0, 2.0, 1.0));
        let twice = bounds(row(class, 0b11).times(2));
        assert_eq!((twice.chain, twice.ports, twice.width), (12.0, 4.0, 1.0));
    }

    #[test]
    fn what_is_kept_on_the_stack_is_waited_for() {
        let (to, from) = (Class(2), Class(3));
        let row = |class, latency| Row { class, latency, ports: 1, times: 1 };
        let rows = Box::leak(Box::new([
            row(Class::LOAD, 4),
            row(Class::STORE, 1),
            row(to, 2),
            row(from, 5),
        ]));
        let cpu = Cpu { name: "", doc: "", width: 4, rows, pipeline: Pipeline::OutOfOrder(&[]) };
        let (register, slot) = (Resource::register(1), Resource::slot(16, &mut Vec::new()));
        let chain = |store: Cost, load: Cost| {
            let store = Cost { reads: vec![register], writes: vec![slot], ..store };
            let load = Cost { reads: vec![slot], writes: vec![register], ..load };
            Bounds::of_loop(&[0, 1], &[Some(store), Some(load)], &cpu).chain
        };
        let of = |class: Class| Cost { class: Some(class), ..Cost::default() };
        let words =
            [Cost { stores: true, ..Cost::default() }, Cost { loads: true, ..Cost::default() }];
        let [store, load] = words;
        assert_eq!(chain(store, load), 4.0);
        // By classes of their own, as vectors.
        assert_eq!(chain(of(to), of(from)), 7.0);
    }
}
