//! The backends that this processor can run: of the table's rows those whose feature it has.

use super::few::Few;
use crate::backend::costs::{Slices, Tables};
use crate::backend::{Backend, Policy, Strategy};
use crate::kernels::Shape;
use crate::kernels::bitslice::Width;
use crate::kernels::cpu::{FEATURES, Feature, MODELS, Vendor, model, of_model};

/// Backends that a processor can run, and those for each kind of work.
#[derive(Clone, Copy)]
pub(crate) struct Available {
    vendor: Vendor,
    backends: [Backend; Backend::EVERY.len()],
    count: usize,
    /// For DES and for Triple-DES, by policy.
    few: [[Few; 2]; 2],
    /// For RC4, by policy.
    stream: [Backend; 2],
    sliced: Backend,
}

/// Of the processor that this runs on.
#[inline]
pub(crate) fn available() -> &'static Available {
    static AVAILABLE: [Available; MODELS] = {
        let mut all = [Available::with(0, Vendor::Amd); MODELS];
        let mut n = 0;
        while n < MODELS {
            let (set, vendor) = of_model(n);
            all[n] = Available::with(set, vendor);
            n += 1;
        }
        all
    };
    &AVAILABLE[model()]
}

impl Available {
    /// With a set of features, a bit for each of [`FEATURES`].
    pub(super) const fn with(set: usize, vendor: Vendor) -> Self {
        let mut all = Self {
            vendor,
            backends: [Backend::Table; Backend::EVERY.len()],
            count: 0,
            few: [[Few::only(Backend::Bitslice); 2]; 2],
            stream: [Backend::Rc4Scan; 2],
            sliced: Backend::Bitslice,
        };
        // From the last one on, so that the first one stays.
        let mut n = Backend::EVERY.len();
        while n > 0 {
            n -= 1;
            let row = Backend::EVERY[n].row();
            if can_run(set, row.needs) && matches!(row.strategy, Strategy::Slices(_)) {
                all.sliced = Backend::EVERY[n];
            }
        }
        while n < Backend::EVERY.len() {
            if can_run(set, Backend::EVERY[n].row().needs) {
                all.backends[all.count] = Backend::EVERY[n];
                all.count += 1;
            }
            n += 1;
        }
        let mut policy = 0;
        while policy < 2 {
            all.few[0][policy] = all.make_few(0, policy);
            all.few[1][policy] = all.make_few(1, policy);
            all.stream[policy] = all.first(STREAM, policy);
            policy += 1;
        }
        all
    }

    const fn make_few(&self, column: usize, policy: usize) -> Few {
        let single = self.first(CHAIN + column, policy);
        let interleaved = self.first(BLOCKS + column, policy);
        let (from, group) = (self.interleaved_from(), self.cheaper_group(column));
        let few = Few { single, interleaved, from, little: 0, group };
        Few { little: self.most_little(few, column), ..few }
    }

    /// The width of slices of which a call costs less.
    const fn cheaper_group(&self, column: usize) -> Width {
        let Some(slices) = slices(self.sliced, self.vendor) else { return Width::Wide };
        let Slices { wide, narrow, .. } = &slices[column];
        if narrow.key + narrow.group < wide.key + wide.group { Width::Narrow } else { Width::Wide }
    }

    /// How many blocks look-ups do at most for no more than any call of slices costs.
    const fn most_little(&self, few: Few, column: usize) -> usize {
        let costs = [look_ups(few.single, self.vendor), look_ups(few.interleaved, self.vendor)];
        let ([Some(single), Some(interleaved)], Some(slices)) =
            (costs, slices(self.sliced, self.vendor))
        else {
            return 0;
        };
        let least = slices[column].least_call();
        let some = most(&single[column], few.single, least);
        let many = most(&interleaved[column], few.interleaved, least);
        if some < few.from - 1 {
            some
        } else if many < few.from {
            few.from - 1
        } else {
            many
        }
    }

    /// The backend that does a kind of work for less than those before it in the table.
    const fn first(&self, kind: usize, policy: usize) -> Backend {
        let mut first = if kind == STREAM { Backend::Rc4Scan } else { self.sliced };
        let mut n = 0;
        while n < self.count {
            let backend = self.backends[n];
            let is_allowed = policy == Policy::Fastest as usize || backend.is_constant_time();
            let [own, least] = [cost(backend, kind, self.vendor), cost(first, kind, self.vendor)];
            if is_allowed && is_less(own, least) {
                first = backend;
            }
            n += 1;
        }
        first
    }

    /// Whose processor it counts as.
    pub(crate) fn vendor(&self) -> Vendor {
        self.vendor
    }

    /// All of them, in the order of the table.
    pub(crate) fn backends(&self) -> &[Backend] {
        &self.backends[..self.count]
    }

    /// The backends for little work that the policy allows.
    #[inline]
    pub(crate) const fn few(&self, shape: Shape, policy: Policy) -> Few {
        self.few[column(shape)][policy as usize]
    }

    /// How many blocks are worth another backend than one of them gets: on Intel's processors four are done sooner by
    /// tables than in half a vector.
    #[inline]
    pub(crate) const fn interleaved_from(&self) -> usize {
        match self.vendor {
            Vendor::Intel => 5,
            _ => 4,
        }
    }

    /// The fastest one for a stream that the policy allows.
    #[inline]
    pub(crate) fn stream(&self, policy: Policy) -> Backend {
        self.stream[policy as usize]
    }

    /// What a backend costs here that looks up; none if it is sliced.
    #[inline]
    pub(super) fn tables(&self, backend: Backend, shape: Shape) -> Option<&'static Tables> {
        look_ups(backend, self.vendor).map(|costs| &costs[column(shape)])
    }

    /// What a backend's slices cost here; none if it has no slices.
    #[inline]
    pub(super) fn slices(&self, backend: Backend, shape: Shape) -> Option<&'static Slices> {
        slices(backend, self.vendor).map(|costs| &costs[column(shape)])
    }

    /// The fastest one for more blocks than any register has lanes.
    #[inline]
    pub(super) fn sliced(&self) -> Backend {
        self.sliced
    }
}

/// The most blocks that a backend that looks up does for so much.
const fn most(costs: &Tables, backend: Backend, least: usize) -> usize {
    let mut blocks = least / costs.block;
    while blocks > 0 && costs.blocks(blocks, backend.together()) > least {
        blocks -= 1;
    }
    blocks
}

/// What a backend costs that looks up, for DES and for Triple-DES; none if it is sliced.
const fn look_ups(backend: Backend, vendor: Vendor) -> Option<&'static [Tables; 2]> {
    match backend.row().strategy {
        Strategy::Tables(costs) | Strategy::Registers(costs) => Some(costs.of(vendor)),
        _ => None,
    }
}

/// What a backend's slices cost, for DES and for Triple-DES; none if it has no slices.
const fn slices(backend: Backend, vendor: Vendor) -> Option<&'static [Slices; 2]> {
    match backend.row().strategy {
        Strategy::Slices(costs) => Some(costs.of(vendor)),
        _ => None,
    }
}

/// DES, then Triple-DES.
pub(super) const fn column(shape: Shape) -> usize {
    match shape {
        Shape::Single => 0,
        Shape::Ede | Shape::Eee => 1,
    }
}

// Kinds of work: a chain of DES and of Triple-DES, a few blocks of either, and a stream of RC4.
const CHAIN: usize = 0;
const BLOCKS: usize = 2;
const STREAM: usize = 4;

/// What a block costs, or some bytes of a stream; as much as can be if a backend is not for that.
const fn cost(backend: Backend, kind: usize, vendor: Vendor) -> usize {
    match (backend.row().strategy, kind) {
        (
            Strategy::Rc4Loop(costs)
            | Strategy::Rc4Words(costs)
            | Strategy::Rc4Registers(costs)
            | Strategy::Rc4Scan(costs),
            STREAM,
        ) => *costs.of(vendor),
        (Strategy::Tables(costs) | Strategy::Registers(costs), CHAIN..BLOCKS) => {
            costs.of(vendor)[kind - CHAIN].chain
        }
        (Strategy::Tables(costs) | Strategy::Registers(costs), BLOCKS..STREAM) => {
            costs.of(vendor)[kind - BLOCKS].block
        }
        // A call, however little it does.
        (Strategy::Slices(costs), CHAIN..STREAM) => costs.of(vendor)[kind % BLOCKS].least_call(),
        _ => usize::MAX,
    }
}

/// Whether a cost is less than another by more than either may be wrong.
const fn is_less(cost: usize, than: usize) -> bool {
    cost.saturating_add(cost / 64) < than
}

/// Whether a processor with these features has what kernels need.
const fn can_run(set: usize, needs: Option<Feature>) -> bool {
    let Some(feature) = needs else { return true };
    let mut n = 0;
    while n < FEATURES.len() {
        if FEATURES[n] as u8 == feature as u8 {
            return set >> n & 1 != 0;
        }
        n += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Available> {
        let vendors = Vendor::EVERY.into_iter();
        vendors.flat_map(|vendor| {
            (0..1 << FEATURES.len()).map(move |set| Available::with(set, vendor))
        })
    }

    /// Whatever the processor: something serves every kind of work under every policy, and nothing that is
    /// allowed costs less.
    #[test]
    fn the_first_backend_is_the_cheapest_that_is_allowed() {
        for all in all() {
            for policy in [Policy::Fastest, Policy::ConstantTime] {
                for kind in CHAIN..=STREAM {
                    let first = all.first(kind, policy as usize);
                    assert!(all.backends().contains(&first));
                    assert!(policy == Policy::Fastest || first.is_constant_time());
                    let own = all.backends().iter().filter(|own| own.family() == first.family());
                    for other in
                        own.filter(|own| policy == Policy::Fastest || own.is_constant_time())
                    {
                        let [first, other] = [first, *other].map(|one| cost(one, kind, all.vendor));
                        assert!(!is_less(other, first) && first < usize::MAX);
                    }
                }
            }
            assert!(matches!(all.sliced().row().strategy, Strategy::Slices(_)));
        }
    }

    /// What the documentation says of chains: look-ups in registers, and where there are none the slices that serve all
    /// other work.
    #[test]
    fn chains_in_constant_time_are_of_registers_or_of_the_widest_slices() {
        for all in all() {
            for shape in [Shape::Single, Shape::Ede] {
                let single = all.few(shape, Policy::ConstantTime).single;
                let is_in_registers = matches!(single.row().strategy, Strategy::Registers(_));
                assert!(
                    is_in_registers || single == all.sliced(),
                    "{single:?}, {:?}, {:?}",
                    all.vendor,
                    all.backends()
                );
            }
        }
    }
}
