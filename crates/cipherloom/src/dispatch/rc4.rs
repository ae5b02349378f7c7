//! The kernels of RC4's backends.

use crate::backend::{Backend, Strategy};
use crate::kernels::rc4_state::State;
use crate::kernels::{asm, rc4, rc4_scan, scrubbed};

/// What makes the streams of a backend.
#[derive(Clone, Copy)]
pub(crate) enum StreamKernels {
    /// Portable Rust.
    Loop,
    /// The same in constant time.
    Scan,
    /// Assembly.
    Asm(asm::Rc4),
    /// The same with S in registers.
    Registers(asm::rc4_registers::Kernels),
}

impl StreamKernels {
    /// Those of a backend; none if it has none, or the processor cannot run them.
    #[inline(always)]
    pub(crate) fn of(backend: Backend) -> Option<Self> {
        let row = backend.row();
        match (row.strategy, row.needs) {
            (Strategy::Rc4Loop(_), None) => Some(Self::Loop),
            (Strategy::Rc4Loop(_), Some(feature)) => asm::Rc4::of(feature, 1).map(Self::Asm),
            (Strategy::Rc4Words(_), Some(feature)) => asm::Rc4::of(feature, 4).map(Self::Asm),
            (Strategy::Rc4Scan(_), _) => Some(Self::Scan),
            (Strategy::Rc4Registers(_), Some(feature)) => {
                asm::rc4_registers::Kernels::of(feature).map(Self::Registers)
            }
            _ => None,
        }
    }

    /// Makes a blank state that of a key (KSA). `key` has 1 to 256 bytes; callers check.
    #[inline]
    pub(crate) fn set_up(self, state: &mut State, key: &[u8]) {
        match self {
            Self::Loop => rc4::begin(state, key),
            Self::Scan => rc4_scan::set_up(state, key),
            Self::Asm(kernels) => kernels.set_up(state, key),
            Self::Registers(kernels) => asm::rc4_registers::set_up(kernels, state, key),
        }
    }

    /// XORs the next bytes of the keystream into `data`.
    #[inline]
    pub(crate) fn apply(self, state: &mut State, data: &mut [u8]) {
        match self {
            Self::Loop => scrubbed(0, || rc4::go_on(state, data)),
            // Masks for all of S.
            Self::Scan => scrubbed(1024, || rc4_scan::apply(state, data)),
            Self::Asm(kernels) => kernels.apply(state, data),
            Self::Registers(kernels) => asm::rc4_registers::apply(kernels, state, data),
        }
    }

    /// Bytes of an entry of S where a state is S, i and j as RC4 is printed.
    pub(crate) fn entry(self) -> Option<usize> {
        match self {
            Self::Loop => Some(4),
            Self::Asm(kernels) => Some(kernels.entry()),
            Self::Scan | Self::Registers(_) => None,
        }
    }
}
