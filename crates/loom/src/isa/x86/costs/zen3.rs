//! AMD Zen 3; four integer units as ports 0 to 3, three loads as 4 to 6, two stores as 7 and 8.
//!
//! Latencies and ports as measured and published by uops.info (Abel and Reineke 2019) and in Agner
//! Fog's instruction tables.
//!
//! What it has not (AVX-512, GFNI) as in Zen 4.

use super::class::{Kind, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "zen3",
    doc: "AMD Zen 3; four integer units as ports 0 to 3, three loads as 4 to 6, two stores as 7 and 8, vectors as 12 to 15",
    width: 6,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 26] = [
    row(Kind::Logic, 1, 0b1111),
    row(Kind::Shift, 1, 0b110),
    row(Kind::Copy, 0, 0b0),
    row(Kind::Low, 1, 0b1111),
    row(Kind::High, 1, 0b1111),
    row(Kind::Swap, 1, 0b110),
    row(Kind::Address, 1, 0b1111),
    row(Kind::Load, 4, 0b1110000),
    row(Kind::Store, 1, 0b110000000),
    row(Kind::Bits, 3, 0b10),
    row(Kind::Select, 1, 0b1001),
    row(Kind::Vector, 1, 0b1111 << 12),
    row(Kind::VectorShift, 1, 0b110 << 12),
    row(Kind::Wide, 1, 0b11 << 12),
    row(Kind::Ternary, 1, 0b1111 << 12),
    row(Kind::WideTernary, 1, 0b11 << 12),
    row(Kind::WideShift, 1, 0b1 << 12),
    row(Kind::Splat, 3, 0b1 << 12),
    row(Kind::Shuffle, 1, 0b110 << 12),
    row(Kind::WideShuffle, 1, 0b10 << 12),
    row(Kind::Across, 3, 0b100 << 12),
    row(Kind::Pick, 5, 0b10 << 12),
    row(Kind::PickTwo, 5, 0b10 << 12),
    row(Kind::Matrix, 3, 0b1 << 12),
    row(Kind::Distance, 3, 0b1001 << 12),
    row(Kind::Sign, 1, 0b1001 << 12),
];
