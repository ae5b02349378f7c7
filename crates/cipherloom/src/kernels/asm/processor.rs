//! A processor without kernels in assembly: types that have no value, and so no code that runs.

use super::libdes::Functions;
use crate::kernels::bitslice::{Keys, Lanes, Operation, Width};
use crate::kernels::cpu::{FEATURES, Feature};
use crate::kernels::rc4_state::State;
use crate::kernels::{Direction, Key, Schedule};

#[path = "common/absent.rs"]
mod absent;

pub(crate) use absent::{rc4_registers, schedule, subkeys};

const _: () = assert!(FEATURES.is_empty(), "features are for kernels that are there");

/// Has no value. (In private fields, so that who uses these types is not told that the rest of a
/// function is never reached.)
#[derive(Clone, Copy, Debug)]
enum Never {}

/// The kernels of each strategy.
macro_rules! strategies {
    ($($name:ident)*) => {$(
        /// No kernels.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(Never);

        impl $name {
            pub(crate) fn of(_: Feature) -> Option<Self> {
                None
            }
        }
    )*};
}

strategies! { Table Registers Bitslice }

/// No kernels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rc4(Never);

impl Rc4 {
    pub(crate) fn of(_: Feature, _: usize) -> Option<Self> {
        None
    }

    pub(crate) fn entry(self) -> usize {
        match self.0 {}
    }

    pub(crate) fn set_up(self, _: &mut State, _: &[u8]) {
        match self.0 {}
    }

    pub(crate) fn apply(self, _: &mut State, _: &mut [u8]) {
        match self.0 {}
    }
}

/// No kernels.
pub fn kernels_in_memory() -> impl Iterator<Item = (&'static str, &'static [u8])> + Clone {
    core::iter::empty()
}

/// No tables.
pub fn tables_in_memory() -> impl Iterator<Item = (&'static str, &'static [u8])> + Clone {
    core::iter::empty()
}

impl Table {
    pub(crate) fn fetch(self) {
        match self.0 {}
    }

    pub(crate) fn encrypt_chain(self, _: &Schedule, _: &mut [u8; 8], _: &mut [[u8; 8]]) {
        match self.0 {}
    }

    pub(crate) fn crypt(self, _: &Schedule, _: Direction, _: &mut [[u8; 8]]) {
        match self.0 {}
    }

    pub(crate) fn one(self, _: &Schedule, _: Direction, _: &mut [[u8; 8]]) {
        match self.0 {}
    }
}

impl Registers {
    pub(crate) fn encrypt_chain(self, _: &Key<'_>, _: &mut [u8; 8], _: &mut [[u8; 8]]) {
        match self.0 {}
    }

    pub(crate) fn crypt(self, _: &Key<'_>, _: Direction, _: &mut [[u8; 8]]) {
        match self.0 {}
    }

    pub(crate) fn filled(self, _: usize) -> usize {
        match self.0 {}
    }
}

impl Bitslice {
    pub(crate) const fn lanes(self, _: Width) -> usize {
        match self.0 {}
    }

    pub(crate) fn run(self, _: Width, _: &Key<'_>, _: Operation<'_>) {
        match self.0 {}
    }

    pub(crate) fn with_lanes(
        self,
        _: Width,
        _: Keys<'_>,
        _: Direction,
        _: &mut dyn FnMut(&mut dyn Lanes),
    ) {
        match self.0 {}
    }
}

/// Functions for libdes' words: none.
pub(crate) fn libdes_functions() -> Option<&'static Functions> {
    None
}

/// RC4.
pub(crate) mod rc4 {
    use super::{Never, Rc4};

    pub(crate) const INTERLEAVED: usize = 1;

    /// Streams that move together.
    pub(crate) struct Streams<'s>(Never, core::marker::PhantomData<&'s ()>);

    impl Streams<'_> {
        pub(crate) fn with<R>(kernels: Rc4, _: impl FnOnce(Self) -> R) -> R {
            match kernels.0 {}
        }

        pub(crate) fn count(&self) -> usize {
            match self.0 {}
        }

        pub(crate) fn add(&mut self, _: &[&[u8]]) {
            match self.0 {}
        }

        pub(crate) fn keystreams(&mut self, _: &mut [u8]) {
            match self.0 {}
        }

        pub(crate) fn remove(&mut self, _: usize) {
            match self.0 {}
        }

        pub(crate) fn finish(&mut self, _: &mut [u8]) {
            match self.0 {}
        }
    }
}
