//! Latencies and ports along a trace.

use std::collections::HashMap;

use super::cost::{Cost, Place};
use super::trace::Trace;
use crate::target::cpu::{Cpu, Kind};

/// Cycles below which a processor cannot get, by its cost model. Caches hit,
/// branches are foreseen, and what is loaded from a state is not what was just stored there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// From the first instruction of one unit of work to its last result, if it were alone. All
    /// its pieces together: they are woven, not done one after the other.
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
            ports: trace.marginal_ports(costs, cpu) / pieces,
            width: trace
                .marginal(|lines| f64::from(operations(lines, costs)) / f64::from(cpu.width))
                / pieces,
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
    let of = |kind| cpu.row(kind).latency;
    let mut ready: HashMap<Place, u32> = HashMap::new();
    let mut last = 0;
    for cost in lines.iter().filter_map(|&line| costs[line].as_ref()) {
        let at = |place: &Place| ready.get(place).copied().unwrap_or(0);
        let loaded = if cost.loads {
            let address = cost.address.iter().map(|&register| at(&Place::Register(register)));
            let slots = cost.reads.iter().filter(|place| matches!(place, Place::Slot(_))).map(at);
            address.chain(slots).max().unwrap_or(0) + of(Kind::Load)
        } else {
            0
        };
        let others = cost.reads.iter().filter(|place| !matches!(place, Place::Slot(_))).map(at);
        let done = others.max().unwrap_or(0).max(loaded) + cost.kind.map_or(0, of);
        for place in &cost.writes {
            ready.insert(*place, done);
        }
        last = last.max(done);
    }
    last
}

impl Trace<'_> {
    /// The bound of ports: for every set of ports, the operations that no other port can do,
    /// divided by how many ports these are.
    fn marginal_ports(&self, costs: &[Option<Cost>], cpu: &Cpu) -> f64 {
        let all = cpu.rows.iter().fold(0, |ports, row| ports | row.ports);
        let sets = (1..=all).filter(|set| set & !all == 0);
        let mut needs: HashMap<u16, f64> = HashMap::new();
        for row in cpu.rows.iter().filter(|row| row.ports != 0) {
            let count = self.marginal(|lines| {
                let costs = lines.iter().filter_map(|&line| costs[line].as_ref());
                costs.map(|cost| needs_of(cost, row.kind)).sum()
            });
            *needs.entry(row.ports).or_default() += count;
        }
        let bound = |set: u16| {
            let bound_to = needs.iter().filter(|(ports, _)| **ports & !set == 0);
            bound_to.map(|(_, count)| count).sum::<f64>() / f64::from(set.count_ones())
        };
        sets.map(bound).fold(0.0, f64::max)
    }
}

/// How often an instruction needs a port of a kind.
fn needs_of(cost: &Cost, kind: Kind) -> f64 {
    let own = cost.kind == Some(kind) && !cost.fused;
    let load = cost.loads && kind == Kind::Load;
    let store = cost.stores && kind == Kind::Store;
    f64::from(u8::from(own) + u8::from(load) + u8::from(store))
}
