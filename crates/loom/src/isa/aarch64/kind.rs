//! What instructions cost: their scheduling classes.

use super::costs::SchedulingClass;
use super::inst::{Bytes, Inst};
use super::operand::Shift;
use super::{VECTOR_0, VECTORS};
use crate::isa::Reg;

/// What an instruction costs.
pub(super) fn kind(inst: &Inst) -> SchedulingClass {
    use SchedulingClass as S;
    match inst {
        Inst::Logic { shift, .. } | Inst::Sum { shift, .. } if *shift != Shift::NONE => S::Shifted,
        Inst::Logic { .. }
        | Inst::LogicImm { .. }
        | Inst::Sum { .. }
        | Inst::SumImm { .. }
        | Inst::Move { .. }
        | Inst::Keep { .. }
        | Inst::Mask { .. }
        | Inst::Not { .. }
        | Inst::TablePage { .. }
        | Inst::TableOffset { .. } => S::Logic,
        Inst::Field { .. } | Inst::Place { .. } => S::Field,
        Inst::Rotate { .. } => S::Rotate,
        Inst::Reverse { .. } => S::Reverse,
        Inst::Copy { dst, .. } if is_vector(*dst) => S::VectorCopy,
        Inst::Copy { .. } => S::Copy,
        Inst::Load { .. } => S::Load,
        Inst::Reload { slot, .. } if slot.class == VECTORS => S::VectorLoad,
        Inst::Reload { .. } => S::Load,
        Inst::Spill { slot, .. } if slot.class == VECTORS => S::VectorStore,
        Inst::Store { .. } | Inst::Spill { .. } => S::Store,
        Inst::SelectEq { .. } | Inst::BranchEq { .. } | Inst::BranchLoad { .. } => S::Select,
        // Zeros come by renaming, where copies do.
        Inst::Fill { imm: 0, .. } => S::VectorCopy,
        Inst::Bitwise { .. } | Inst::NotVector { .. } | Inst::Fill { .. } => S::VectorLogic,
        Inst::Three { .. } | Inst::RotateXor { .. } => S::VectorThree,
        Inst::Select { .. } => S::VectorSelect,
        Inst::ShiftParts { .. } | Inst::ShiftInto { .. } => S::VectorShift,
        Inst::Bytes { op: Bytes::Move, .. } => S::VectorMove,
        Inst::Bytes { .. } | Inst::Transpose { .. } => S::VectorBytes,
        Inst::LookUp { tables, .. } if tables.len() <= 2 => S::VectorLookUp,
        Inst::LookUp { .. } => S::VectorLookUpFar,
        Inst::LoadVector { .. } => S::VectorLoad,
        Inst::StoreVector { .. } => S::VectorStore,
        Inst::Repeat { .. } => S::VectorRepeat,
        Inst::Splat { .. } | Inst::ToVector { .. } => S::ToVector,
        Inst::FromVector { .. } => S::FromVector,
    }
}

/// Whether a register of the processor is one for vectors.
pub(super) fn is_vector(reg: Reg) -> bool {
    matches!(reg, Reg::Physical(number) if number >= VECTOR_0)
}
