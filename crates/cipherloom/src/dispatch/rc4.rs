//! The kernels of RC4's backends.

use crate::backend::{Backend, Strategy};
use crate::kernels::asm;

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
}
