//! From a key and an amount of work to the kernel that does it.
//!
//! | file | subject |
//! |---|---|
//! | `costs.rs` | what kernels cost |
//! | `scales.rs` | what follows from that: which kernel does how much |
//! | `lookups.rs` | the kernels behind the backends |
//! | `work.rs` | chains, and independent blocks |

mod costs;
mod lookups;
mod scales;
mod work;

use crate::backend::{Backend, Family, Policy};
use crate::error::Error;
use crate::kernels::Shape;
use crate::kernels::bitslice::Edition;
use crate::kernels::x86_64::{Avx2, Avx512, Bmi2, Vbmi, X64};
use crate::selftest;
pub(crate) use lookups::LookUps;
pub(crate) use scales::{Load, Scales};
pub(crate) use work::{Bulk, Chain};

/// The fastest backend here for a chain or stream: of [`Backend::all`] the first that the policy
/// allows.
#[inline]
pub(crate) fn first(family: Family, policy: Policy) -> Backend {
    match (family, policy) {
        (Family::Des, Policy::Fastest) if Bmi2::detect().is_some() => Backend::X64Bmi2Table,
        (Family::Des, Policy::Fastest) if X64::detect().is_some() => Backend::X64Table,
        (Family::Des, Policy::Fastest) => Backend::Table,
        (Family::Des, Policy::ConstantTime) => registers().unwrap_or_else(many),
        (Family::Rc4, Policy::Fastest) if X64::detect().is_some() => Backend::X64Rc4Loop,
        (Family::Rc4, Policy::Fastest) => Backend::Rc4Loop,
        (Family::Rc4, Policy::ConstantTime) => Backend::Rc4Scan,
    }
}

/// The fastest backend for `blocks` independent blocks; a short rest may be left to another.
pub(crate) fn fastest(shape: Shape, blocks: usize, policy: Policy) -> Backend {
    let few = Few::fastest(shape, policy);
    if Scales::new(few, many(), shape).plan(blocks).is_sliced() { many() } else { few.of(blocks) }
}

/// The backends for little work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few {
    /// For a chain, and blocks that are not enough to be woven.
    pub(crate) single: Backend,
    /// For blocks woven together.
    pub(crate) woven: Backend,
}

impl Few {
    /// How many blocks are worth weaving by another backend than one of them gets.
    pub(crate) const WOVEN: usize = 4;

    #[inline]
    fn fastest(shape: Shape, policy: Policy) -> Self {
        let single = first(Family::Des, policy);
        let block = |backend| costs::tables(backend, shape).map(|tables| tables.block);
        let woven = registers().filter(|other| block(*other) < block(single));
        Self { single, woven: woven.unwrap_or(single) }
    }

    /// One for everything.
    #[inline]
    fn only(backend: Backend) -> Self {
        Self { single: backend, woven: backend }
    }

    #[inline]
    fn of(self, blocks: usize) -> Backend {
        if blocks < Self::WOVEN { self.single } else { self.woven }
    }
}

/// The fastest backend with look-ups inside registers.
#[inline]
fn registers() -> Option<Backend> {
    if Vbmi::detect().is_some() {
        Some(Backend::X64VbmiRegisters)
    } else {
        Avx2::detect().map(|_| Backend::X64Avx2Registers)
    }
}

/// The fastest backend for more blocks than any register has lanes.
#[inline]
fn many() -> Backend {
    if Avx512::detect().is_some() {
        Backend::X64Avx512Bitslice
    } else if Avx2::detect().is_some() {
        Backend::X64Avx2Bitslice
    } else if X64::detect().is_some() {
        Backend::X64Bitslice
    } else {
        Backend::Bitslice
    }
}

/// The kernels for some work, look-ups, lanes or both, by the names of their backends: what is made
/// of these is quickly made again, and would take longer to be handed on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernels {
    shape: Shape,
    few: Few,
    /// Which of these is for work of this size.
    picked: Backend,
    many: Backend,
}

impl Kernels {
    /// Of the backends that an object may use, those that work: for a little work only the first
    /// one is asked.
    #[inline(always)]
    pub(crate) fn pick(shape: Shape, choice: Choice, blocks: usize) -> Result<Self, Error> {
        let wanted = choice.forced.map_or_else(|| Few::fastest(shape, choice.policy()), Few::only);
        let picked = choice.pick(wanted.of(blocks))?;
        let few = if picked == wanted.of(blocks) { wanted } else { Few::only(picked) };
        let wanted = choice.forced.unwrap_or(many());
        let is_enough = LookUps::of(picked).is_some()
            && (blocks < Few::WOVEN || !Scales::new(few, wanted, shape).plan(blocks).is_sliced());
        let many = if is_enough { picked } else { choice.pick(wanted)? };
        Ok(Self { shape, few, picked, many })
    }

    #[inline]
    pub(crate) fn look_ups(self) -> Option<LookUps> {
        LookUps::of(self.picked).or_else(|| LookUps::of(self.many))
    }

    #[inline]
    pub(crate) fn slices(self) -> Option<Edition> {
        Edition::of(self.many).or_else(|| Edition::of(self.picked))
    }

    #[inline]
    pub(crate) fn scales(self) -> Scales {
        Scales::new(self.few, self.many, self.shape)
    }
}

/// What one object may use: all that its policy allows, or one backend.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    policy: Policy,
    forced: Option<Backend>,
}

impl Choice {
    /// Constant time also ends the use of a forced backend that is not constant-time.
    pub(crate) fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
        self.forced = self.forced.filter(|&backend| self.allows(backend));
    }

    pub(crate) fn policy(self) -> Policy {
        self.policy
    }

    pub(crate) fn force(&mut self, backend: Backend, family: Family) -> Result<(), Error> {
        if backend.family() != family || !self.allows(backend) || !Backend::all().contains(&backend)
        {
            return Err(Error::Backend(backend));
        }
        self.forced = Some(backend);
        Ok(())
    }

    fn allows(self, backend: Backend) -> bool {
        self.policy == Policy::Fastest || backend.is_constant_time()
    }

    /// The forced backend or `wanted`; where that failed its self-test, another that is allowed.
    #[inline]
    pub(crate) fn pick(self, wanted: Backend) -> Result<Backend, Error> {
        let first = self.forced.unwrap_or(wanted);
        if selftest::is_usable(first) {
            return Ok(first);
        }
        self.pick_among(wanted, Backend::all(), selftest::is_usable)
    }

    #[cold]
    fn pick_among(
        self,
        wanted: Backend,
        all: &[Backend],
        is_usable: impl Fn(Backend) -> bool,
    ) -> Result<Backend, Error> {
        let first = self.forced.unwrap_or(wanted);
        if is_usable(first) {
            return Ok(first);
        }
        let others = all.iter().copied().filter(|&other| {
            self.forced.is_none() && other.family() == first.family() && self.allows(other)
        });
        others.into_iter().find(|&other| is_usable(other)).ok_or(Error::SelfTest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DES: [Backend; 2] = [Backend::Table, Backend::Bitslice];

    #[test]
    fn the_first_backend_is_the_first_one_that_is_allowed() {
        for (family, policy) in [Family::Des, Family::Rc4]
            .into_iter()
            .flat_map(|family| [Policy::Fastest, Policy::ConstantTime].map(|p| (family, p)))
        {
            let mut choice = Choice::default();
            choice.set_policy(policy);
            let mut own = Backend::all().iter().filter(|one| one.family() == family);
            assert_eq!(Some(&first(family, policy)), own.find(|one| choice.allows(**one)));
        }
    }

    #[test]
    fn a_failed_backend_is_replaced_and_the_last_one_is_an_error() {
        let any = Choice::default();
        let only = |works: Backend| move |backend| backend == works;
        assert_eq!(any.pick_among(Backend::Table, &DES, only(Backend::Bitslice)), Ok(DES[1]));
        assert_eq!(any.pick_among(Backend::Bitslice, &DES, only(Backend::Table)), Ok(DES[0]));
        assert_eq!(any.pick_among(Backend::Table, &DES, |_| false), Err(Error::SelfTest));
    }

    #[test]
    fn constant_time_never_falls_back_to_tables() {
        let mut choice = Choice::default();
        choice.set_policy(Policy::ConstantTime);
        let table_only = |backend| backend == Backend::Table;
        assert_eq!(choice.pick_among(Backend::Bitslice, &DES, table_only), Err(Error::SelfTest));
        assert_eq!(
            choice.force(Backend::Table, Family::Des),
            Err(Error::Backend(Backend::Table)),
            "a table cannot be forced on a constant-time key",
        );
    }

    #[test]
    fn a_forced_backend_stands_alone() {
        let mut choice = Choice::default();
        choice.force(Backend::Table, Family::Des).unwrap();
        let sliced_only = |backend| backend == Backend::Bitslice;
        assert_eq!(choice.pick_among(Backend::Bitslice, &DES, sliced_only), Err(Error::SelfTest));
        choice.set_policy(Policy::ConstantTime);
        assert_eq!(choice.pick_among(Backend::Bitslice, &DES, sliced_only), Ok(Backend::Bitslice));
    }

    #[test]
    fn families_do_not_mix() {
        let mut choice = Choice::default();
        assert!(choice.force(Backend::Rc4Loop, Family::Des).is_err());
        assert!(choice.force(Backend::Table, Family::Rc4).is_err());
    }
}
