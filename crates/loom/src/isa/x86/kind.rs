//! What instructions on virtual registers cost: their scheduling classes.

use super::costs::SchedulingClass;
use super::inst::Inst;
use super::operand::{Source, VectorSource};
use crate::ir::Bytes;

/// What an instruction costs: its class, and whether a load comes before it.
pub(super) fn kind(inst: &Inst) -> (SchedulingClass, bool) {
    match inst {
        Inst::Alu { b, .. } => (SchedulingClass::Logic, matches!(b, Source::Mem(_))),
        Inst::Not { .. } | Inst::AndNot { .. } | Inst::Imm { .. } | Inst::Zero { .. } => {
            (SchedulingClass::Logic, false)
        }
        Inst::Shift { .. } | Inst::Rorx { .. } | Inst::Shrx { .. } => {
            (SchedulingClass::Shift, false)
        }
        Inst::Bits { mask, .. } => (SchedulingClass::Bits, matches!(mask, Source::Mem(_))),
        Inst::Bswap { .. } => (SchedulingClass::Swap, false),
        Inst::Copy { .. } | Inst::MoveByte { .. } => (SchedulingClass::Copy, false),
        Inst::Load { .. } | Inst::Reload { .. } | Inst::Argument { .. } => {
            (SchedulingClass::Load, false)
        }
        Inst::Store { .. } | Inst::Spill { .. } => (SchedulingClass::Store, false),
        // Which registers it gets is not known yet: most get another one.
        Inst::LowByte { .. } => (SchedulingClass::Low, false),
        Inst::LowWord { .. } => (SchedulingClass::Extend, false),
        Inst::HighByte { .. } => (SchedulingClass::High, false),
        Inst::Lea { .. } | Inst::Tables { .. } => (SchedulingClass::Address, false),
        Inst::SelectEq { .. } | Inst::BranchLoad { .. } => (SchedulingClass::Select, false),
        Inst::Bitwise { shape, b: source, .. } => {
            let kind =
                if shape.bits == 512 { SchedulingClass::Wide } else { SchedulingClass::Vector };
            (kind, !matches!(source, VectorSource::Reg(_)))
        }
        Inst::Ternary { shape, c: source, .. } => {
            let kind = if shape.bits == 512 {
                SchedulingClass::WideTernary
            } else {
                SchedulingClass::Ternary
            };
            (kind, !matches!(source, VectorSource::Reg(_)))
        }
        Inst::ShiftParts { shape, .. } if shape.bits == 512 => (SchedulingClass::WideShift, false),
        Inst::ShiftParts { .. } => (SchedulingClass::VectorShift, false),
        Inst::LoadVector { .. } | Inst::Repeat { .. } | Inst::LoadLow { .. } => {
            (SchedulingClass::Load, false)
        }
        Inst::StoreVector { .. } => (SchedulingClass::Store, false),
        Inst::Splat { .. } | Inst::ToVector { .. } => (SchedulingClass::Splat, false),
        Inst::FromVector { .. } => (SchedulingClass::FromVector, false),
        Inst::Ones { .. } => (SchedulingClass::Vector, false),
        Inst::Bytes { op, shape, b: source, .. } => {
            let wide = shape.bits == 512;
            let kind = match op {
                Bytes::Shuffle
                | Bytes::Evens
                | Bytes::Interleave
                | Bytes::InterleavePairs
                | Bytes::InterleaveWords
                | Bytes::InterleaveParts
                | Bytes::UpperPairs
                | Bytes::UpperWords
                | Bytes::UpperParts => {
                    if wide {
                        SchedulingClass::WideShuffle
                    } else {
                        SchedulingClass::Shuffle
                    }
                }
                Bytes::NextWithin if wide => SchedulingClass::WideShuffle,
                Bytes::NextWithin => SchedulingClass::Shuffle,
                Bytes::Halves | Bytes::LowHalves | Bytes::Next => SchedulingClass::Across,
                Bytes::Sum | Bytes::Equal if wide => SchedulingClass::Wide,
                Bytes::Sum | Bytes::Equal => SchedulingClass::Vector,
                Bytes::Pick => SchedulingClass::Pick,
                Bytes::Matrix => SchedulingClass::Matrix,
                Bytes::Distance => SchedulingClass::Distance,
                Bytes::Sign => SchedulingClass::Sign,
                Bytes::Move | Bytes::Pairs => unreachable!("no instruction for `{}`", op.name()),
            };
            (kind, !matches!(source, VectorSource::Reg(_)))
        }
        Inst::InsertByte { .. } => (SchedulingClass::Shuffle, true),
        Inst::PickTwo { high, .. } => {
            (SchedulingClass::PickTwo, !matches!(high, VectorSource::Reg(_)))
        }
        // The comparison, which waits as long as a move across a vector does.
        Inst::SelectBytes { .. } => (SchedulingClass::Across, false),
        Inst::StoreLow { .. } => (SchedulingClass::Store, false),
    }
}
