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

use super::class::{Kind, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "zen5",
    doc: "AMD Zen 5; six integer units as ports 0 to 5, four loads as 6 to 9, two stores as 10 and 11, vectors as 12 to 15",
    width: 8,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 26] = [
    row(Kind::Logic, 1, 0b111111),
    row(Kind::Shift, 1, 0b111),
    row(Kind::Copy, 0, 0b0),
    row(Kind::Low, 1, 0b111111),
    row(Kind::High, 1, 0b111111),
    row(Kind::Swap, 1, 0b1111),
    row(Kind::Address, 1, 0b111111),
    row(Kind::Load, 5, 0b1111000000),
    row(Kind::Store, 1, 0b110000000000),
    row(Kind::Bits, 3, 0b111),
    row(Kind::Select, 1, 0b1111),
    row(Kind::Vector, 2, 0b1111 << 12),
    row(Kind::VectorShift, 2, 0b110 << 12),
    row(Kind::Wide, 2, 0b1111 << 12),
    row(Kind::Ternary, 3, 0b110 << 12),
    row(Kind::WideTernary, 3, 0b110 << 12),
    row(Kind::WideShift, 2, 0b110 << 12),
    row(Kind::Splat, 3, 0b1 << 12),
    row(Kind::Shuffle, 2, 0b110 << 12),
    row(Kind::WideShuffle, 2, 0b110 << 12),
    row(Kind::Across, 3, 0b110 << 12),
    row(Kind::Pick, 5, 0b110 << 12),
    row(Kind::PickTwo, 5, 0b110 << 12),
    row(Kind::Matrix, 3, 0b11 << 12),
    row(Kind::Distance, 3, 0b1001 << 12),
    row(Kind::Sign, 2, 0b1001 << 12),
];
