//! What some processors have no kernels for: subkeys by vectors, RC4 with S in registers.

use crate::kernels::passes::Passes;
use crate::kernels::schedule::Words;

/// Subkeys by vector instructions: not made here.
pub(crate) fn subkeys(_: u64, _: &mut [u64; 16]) -> bool {
    false
}

/// A schedule by vector instructions: not made here.
pub(crate) fn schedule<const N: usize>(_: &mut Words<N>, _: &Passes) -> bool {
    false
}

/// RC4 with S in registers.
pub(crate) mod rc4_registers {
    use crate::kernels::cpu::Feature;
    use crate::kernels::rc4_state::State;

    /// Has no value, as in a processor without look-ups in registers.
    #[derive(Clone, Copy, Debug)]
    enum Never {}

    /// No kernels.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Kernels(Never);

    impl Kernels {
        pub(crate) fn of(_: Feature) -> Option<Self> {
            None
        }
    }

    /// Of no key.
    pub(crate) fn set_up(kernels: Kernels, _: &mut State, _: &[u8]) {
        match kernels.0 {}
    }

    /// No keystream.
    pub(crate) fn apply(kernels: Kernels, _: &mut State, _: &mut [u8]) {
        match kernels.0 {}
    }
}
