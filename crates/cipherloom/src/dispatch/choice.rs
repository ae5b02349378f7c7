//! What one object may use: all that its policy allows, or one backend.

use super::available::available;
use super::selftest;
use crate::backend::{Backend, Family, Policy};
use crate::error::Error;

/// What one object may use: all that its policy allows, or one backend.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    policy: Policy,
    pub(super) forced: Option<Backend>,
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
        if backend.family() != family
            || !self.allows(backend)
            || !available().backends().contains(&backend)
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
        self.pick_among(wanted, available().backends(), selftest::is_usable)
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
