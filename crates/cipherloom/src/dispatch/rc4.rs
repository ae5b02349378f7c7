//! The kernels of RC4's backends.

use crate::backend::{Backend, Strategy};
use crate::kernels::asm;

/// The kernels in assembly of a backend; none if it has none, or the processor cannot run them.
pub(crate) fn rc4(backend: Backend) -> Option<asm::Rc4> {
    let row = backend.row();
    match (row.strategy, row.needs) {
        (Strategy::Rc4Loop(_), Some(feature)) => asm::Rc4::of(feature),
        _ => None,
    }
}

/// The same with S in registers.
pub(crate) fn rc4_registers(backend: Backend) -> Option<asm::rc4_registers::Kernels> {
    let row = backend.row();
    match (row.strategy, row.needs) {
        (Strategy::Rc4Registers(_), Some(feature)) => asm::rc4_registers::Kernels::of(feature),
        _ => None,
    }
}
