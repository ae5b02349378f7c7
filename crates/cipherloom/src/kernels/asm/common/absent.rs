//! What some processors have no kernels for: look-ups in registers, subkeys by vectors. The types have no
//! value, and so no code runs.

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

/// Subkeys by vector instructions: not made here.
pub(crate) fn subkeys(_: u64, _: &mut [u64; 16]) -> bool {
    false
}

/// RC4 with S in registers.
pub(crate) mod rc4_registers {
    use super::{Never, Registers};

    /// A stream.
    #[derive(Clone)]
    pub(crate) struct State(Never);

    impl State {
        pub(crate) fn blank(kernels: Registers) -> Self {
            match kernels.0 {}
        }

        pub(crate) fn set_up(&mut self, _: &[u8]) -> &mut Self {
            match self.0 {}
        }

        pub(crate) fn apply(&mut self, _: &mut [u8]) {
            match self.0 {}
        }
    }
}
