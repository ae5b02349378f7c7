//! AMD Zen 5; six integer units as ports 0 to 5, four loads as 6 to 9, two stores as 10 and 11.
//!
//! Measured on an EPYC of family 26, model 2, with chains and floods of each instruction. A load
//! takes 4 cycles from a plain base and index, and 5 with a scale or a displacement, as look-ups
//! have them. Arithmetic in place reached four a cycle, `movzx` and `lea` six.
//!
//! Vectors, measured the same way at every width: logic and interleaving take 2 cycles, four begin in
//! each; shifts and shuffles take 2, `vpermb` 5, matrices 3, two begin in each. A table of three inputs
//! takes 3 cycles, and two begin in each where a source is a result of the last twenty operations, as it
//! is in circuits (four where none is). Not measured: what is left, as in Zen 4.
//!
//! By hand, before there was `loom calibrate`, and plans rest on it; what that measured is in `turin.rs`.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "zen5",
    doc: "AMD Zen 5; six integer units as ports 0 to 5, four loads as 6 to 9, two stores as 10 and 11, vectors as 12 to 15",
    width: 8,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 28] = [
    row(SchedulingClass::Logic, 1, 0b111111),
    row(SchedulingClass::Shift, 1, 0b111),
    row(SchedulingClass::Copy, 0, 0b0),
    row(SchedulingClass::Low, 1, 0b111111),
    row(SchedulingClass::Extend, 1, 0b111111),
    row(SchedulingClass::High, 1, 0b111111),
    row(SchedulingClass::Swap, 1, 0b1111),
    row(SchedulingClass::Address, 1, 0b111111),
    row(SchedulingClass::Load, 5, 0b1111000000),
    row(SchedulingClass::Store, 1, 0b110000000000),
    row(SchedulingClass::Bits, 3, 0b111),
    row(SchedulingClass::Select, 1, 0b1111),
    row(SchedulingClass::Vector, 2, 0b1111 << 12),
    row(SchedulingClass::VectorShift, 2, 0b110 << 12),
    row(SchedulingClass::Wide, 2, 0b1111 << 12),
    row(SchedulingClass::Ternary, 3, 0b110 << 12),
    row(SchedulingClass::WideTernary, 3, 0b110 << 12),
    row(SchedulingClass::WideShift, 2, 0b110 << 12),
    row(SchedulingClass::Splat, 3, 0b1 << 12),
    row(SchedulingClass::FromVector, 3, 0b1 << 12),
    row(SchedulingClass::Shuffle, 2, 0b110 << 12),
    row(SchedulingClass::WideShuffle, 2, 0b110 << 12),
    row(SchedulingClass::Across, 3, 0b110 << 12),
    row(SchedulingClass::Pick, 5, 0b110 << 12),
    row(SchedulingClass::PickTwo, 5, 0b110 << 12),
    row(SchedulingClass::Matrix, 3, 0b11 << 12),
    row(SchedulingClass::Distance, 3, 0b1001 << 12),
    row(SchedulingClass::Sign, 2, 0b1001 << 12),
];
