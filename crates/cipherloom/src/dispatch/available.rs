//! The backends that this processor can run: of the table's rows those whose feature it has.

use crate::backend::{Backend, Family, Policy, Strategy};
use crate::kernels::cpu::{FEATURES, Feature, features};

/// Backends that a processor can run, and the first ones for each kind of work.
#[derive(Clone, Copy)]
pub(crate) struct Available {
    backends: [Backend; Backend::EVERY.len()],
    count: usize,
    /// By family and policy.
    first: [[Backend; 2]; 2],
    registers: Option<Backend>,
    sliced: Backend,
}

/// Of the processor that this runs on.
#[inline]
pub(crate) fn available() -> &'static Available {
    const SETS: usize = 1 << FEATURES.len();
    /// For each set of features.
    static AVAILABLE: [Available; SETS] = {
        let mut all = [Available::with(0); SETS];
        let mut set = 0;
        while set < SETS {
            all[set] = Available::with(set);
            set += 1;
        }
        all
    };
    &AVAILABLE[features() & (AVAILABLE.len() - 1)]
}

impl Available {
    /// With a set of features, a bit for each of [`FEATURES`].
    const fn with(set: usize) -> Self {
        let mut all = Self {
            backends: [Backend::Table; Backend::EVERY.len()],
            count: 0,
            first: [[Backend::Table; 2]; 2],
            registers: None,
            sliced: Backend::Bitslice,
        };
        // From the last one on, so that the first ones stay.
        let mut n = Backend::EVERY.len();
        while n > 0 {
            n -= 1;
            let backend = Backend::EVERY[n];
            if can_run(set, backend.row().needs) {
                let first = &mut all.first[backend.family() as usize];
                first[Policy::Fastest as usize] = backend;
                if backend.is_constant_time() {
                    first[Policy::ConstantTime as usize] = backend;
                }
                match backend.row().strategy {
                    Strategy::Registers(_) => all.registers = Some(backend),
                    Strategy::Slices(_) => all.sliced = backend,
                    Strategy::Tables(_) | Strategy::Rc4Loop | Strategy::Rc4Scan => {}
                }
            }
        }
        while n < Backend::EVERY.len() {
            if can_run(set, Backend::EVERY[n].row().needs) {
                all.backends[all.count] = Backend::EVERY[n];
                all.count += 1;
            }
            n += 1;
        }
        all
    }

    /// All of them, in the order of the table.
    pub(crate) fn backends(&self) -> &[Backend] {
        &self.backends[..self.count]
    }

    /// The fastest one for a chain or stream: the first that the policy allows.
    #[inline]
    pub(crate) fn first(&self, family: Family, policy: Policy) -> Backend {
        self.first[family as usize][policy as usize]
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

    /// Whatever the processor: something serves every family under every policy.
    #[test]
    fn the_first_backend_is_the_first_one_that_is_allowed() {
        for all in (0..1 << FEATURES.len()).map(Available::with) {
            for family in [Family::Des, Family::Rc4] {
                let mut own = all.backends().iter().filter(|one| one.family() == family);
                assert_eq!(Some(&all.first(family, Policy::Fastest)), own.clone().next());
                let first = own.find(|one| one.is_constant_time());
                assert_eq!(Some(&all.first(family, Policy::ConstantTime)), first);
            }
            assert!(matches!(all.sliced().row().strategy, Strategy::Slices(_)));
        }
    }
}
