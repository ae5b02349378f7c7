//! A processor that looks up in no registers: a type that has no value, and so no code that runs.

use crate::kernels::cpu::Feature;
use crate::kernels::{Direction, Key};

/// Has no value. (In private fields, so that who uses these types is not told that the rest of a
/// function is never reached.)
#[derive(Clone, Copy, Debug)]
enum Never {}

/// No kernels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers(Never);

impl Registers {
    pub(crate) fn of(_: Feature) -> Option<Self> {
        None
    }

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
