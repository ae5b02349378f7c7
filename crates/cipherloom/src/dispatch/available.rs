//! The backends that this processor can run: of the table's rows those whose feature it has.

use crate::backend::costs::{Slices, Tables};
use crate::backend::{Backend, Policy, Strategy};
use crate::kernels::Shape;
use crate::kernels::cpu::{FEATURES, Feature, Vendor, features, vendor};

/// Backends that a processor can run, and the first ones for each kind of work.
#[derive(Clone, Copy)]
pub(crate) struct Available {
    vendor: Vendor,
    backends: [Backend; Backend::EVERY.len()],
    count: usize,
    /// For a chain of DES, of Triple-DES, and a stream of RC4, by policy.
    first: [[Backend; 2]; 3],
    registers: Option<Backend>,
    sliced: Backend,
}

/// Of the processor that this runs on.
#[inline]
pub(crate) fn available() -> &'static Available {
    const SETS: usize = 1 << FEATURES.len();
    /// For each maker and set of features.
    static AVAILABLE: [[Available; SETS]; Vendor::EVERY.len()] = {
        let mut all = [[Available::with(0, Vendor::Amd); SETS]; Vendor::EVERY.len()];
        let mut n = 0;
        while n < SETS * Vendor::EVERY.len() {
            let vendor = Vendor::EVERY[n / SETS];
            all[vendor as usize][n % SETS] = Available::with(n % SETS, vendor);
            n += 1;
        }
        all
    };
    &AVAILABLE[vendor() as usize][features() & (SETS - 1)]
}

impl Available {
    /// With a set of features, a bit for each of [`FEATURES`].
    pub(super) const fn with(set: usize, vendor: Vendor) -> Self {
        let mut all = Self {
            vendor,
            backends: [Backend::Table; Backend::EVERY.len()],
            count: 0,
            first: [[Backend::Bitslice; 2], [Backend::Bitslice; 2], [Backend::Rc4Scan; 2]],
            registers: None,
            sliced: Backend::Bitslice,
        };
        // From the last one on, so that the first ones stay.
        let mut n = Backend::EVERY.len();
        while n > 0 {
            n -= 1;
            let backend = Backend::EVERY[n];
            if can_run(set, backend.row().needs) {
                match backend.row().strategy {
                    Strategy::Registers(_) => all.registers = Some(backend),
                    Strategy::Slices(_) => all.sliced = backend,
                    Strategy::Tables(_) | Strategy::Rc4Loop(_) | Strategy::Rc4Scan(_) => {}
                }
            }
        }
        while n < Backend::EVERY.len() {
            let backend = Backend::EVERY[n];
            if can_run(set, backend.row().needs) {
                all.backends[all.count] = backend;
                all.count += 1;
                all.consider(backend);
            }
            n += 1;
        }
        all
    }

    /// Makes a backend the first for what it does for less than the one before it.
    const fn consider(&mut self, backend: Backend) {
        let mut kind = 0;
        while kind < self.first.len() {
            let firsts = &mut self.first[kind];
            let mut policy = 0;
            while policy < firsts.len() {
                let is_allowed = policy == Policy::Fastest as usize || backend.is_constant_time();
                let cost = chain(backend, kind, self.vendor);
                if is_allowed && cost < chain(firsts[policy], kind, self.vendor) {
                    firsts[policy] = backend;
                }
                policy += 1;
            }
            kind += 1;
        }
    }

    /// All of them, in the order of the table.
    pub(crate) fn backends(&self) -> &[Backend] {
        &self.backends[..self.count]
    }

    /// The fastest one for a chain that the policy allows.
    #[inline]
    pub(crate) fn chain(&self, shape: Shape, policy: Policy) -> Backend {
        self.first[column(shape)][policy as usize]
    }

    /// The fastest one for a stream that the policy allows.
    #[inline]
    pub(crate) fn stream(&self, policy: Policy) -> Backend {
        self.first[RC4][policy as usize]
    }

    /// What a backend costs here that looks up; none if it is sliced.
    #[inline]
    pub(super) fn tables(&self, backend: Backend, shape: Shape) -> Option<&'static Tables> {
        match backend.row().strategy {
            Strategy::Tables(costs) | Strategy::Registers(costs) => {
                Some(&costs.of(self.vendor)[column(shape)])
            }
            Strategy::Slices(_) | Strategy::Rc4Loop(_) | Strategy::Rc4Scan(_) => None,
        }
    }

    /// What a backend's slices cost here; none if it has no slices.
    #[inline]
    pub(super) fn slices(&self, backend: Backend, shape: Shape) -> Option<&'static Slices> {
        match backend.row().strategy {
            Strategy::Slices(costs) => Some(&costs.of(self.vendor)[column(shape)]),
            _ => None,
        }
    }

    /// The fastest one with look-ups inside registers.
    #[inline]
    pub(super) fn registers(&self) -> Option<Backend> {
        self.registers
    }

    /// The fastest one for more blocks than any register has lanes.
    #[inline]
    pub(super) fn sliced(&self) -> Backend {
        self.sliced
    }
}

/// DES, then Triple-DES.
pub(super) const fn column(shape: Shape) -> usize {
    match shape {
        Shape::Single => 0,
        Shape::Ede | Shape::Eee => 1,
    }
}

/// Behind these, RC4.
const RC4: usize = 2;

/// What a block of a chain costs, or some bytes of a stream; as much as can be if it is not for that.
const fn chain(backend: Backend, kind: usize, vendor: Vendor) -> usize {
    match (backend.row().strategy, kind) {
        (Strategy::Rc4Loop(costs) | Strategy::Rc4Scan(costs), RC4) => *costs.of(vendor),
        (Strategy::Tables(costs) | Strategy::Registers(costs), 0..RC4) => {
            costs.of(vendor)[kind].chain
        }
        (Strategy::Slices(costs), 0..RC4) => costs.of(vendor)[kind].least_call(),
        _ => usize::MAX,
    }
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
                let chains = [Shape::Single, Shape::Ede].map(|shape| all.chain(shape, policy));
                for (kind, first) in chains.into_iter().chain([all.stream(policy)]).enumerate() {
                    assert!(all.backends().contains(&first));
                    assert!(policy == Policy::Fastest || first.is_constant_time());
                    let own = all.backends().iter().filter(|own| own.family() == first.family());
                    for other in
                        own.filter(|own| policy == Policy::Fastest || own.is_constant_time())
                    {
                        let [first, other] =
                            [first, *other].map(|one| chain(one, kind, all.vendor));
                        assert!(first <= other && first < usize::MAX);
                    }
                }
            }
            assert!(matches!(all.sliced().row().strategy, Strategy::Slices(_)));
        }
    }
}
