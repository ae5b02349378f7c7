//! Intel Ice Lake; ports 0, 1, 5, 6 for arithmetic, 2 and 3 for loads, 4 and 9 for stores.
//!
//! Latencies and ports as measured and published by uops.info (Abel and Reineke 2019) and in Agner
//! Fog's instruction tables.

use super::class::{Kind, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "ice-lake",
    doc: "Intel Ice Lake; ports 0, 1, 5, 6 for arithmetic, 2 and 3 for loads, 4 and 9 for stores",
    width: 5,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 26] = [
    row(Kind::Logic, 1, 0b1100011),
    row(Kind::Shift, 1, 0b1000001),
    row(Kind::Copy, 0, 0b0),
    row(Kind::Low, 1, 0b1100011),
    row(Kind::High, 2, 0b1100011),
    row(Kind::Swap, 2, 0b100010),
    row(Kind::Address, 1, 0b1100011),
    row(Kind::Load, 5, 0b1100),
    row(Kind::Store, 1, 0b1000010000),
    row(Kind::Bits, 3, 0b10),
    row(Kind::Select, 1, 0b1000001),
    row(Kind::Vector, 1, 0b100011),
    row(Kind::VectorShift, 1, 0b11),
    row(Kind::Wide, 1, 0b100001),
    row(Kind::Ternary, 1, 0b100011),
    row(Kind::WideTernary, 1, 0b100001),
    row(Kind::WideShift, 1, 0b1),
    row(Kind::Splat, 3, 0b100000),
    row(Kind::Shuffle, 1, 0b100010),
    row(Kind::WideShuffle, 1, 0b100000),
    row(Kind::Across, 3, 0b100000),
    row(Kind::Pick, 3, 0b100000),
    row(Kind::PickTwo, 5, 0b100000),
    row(Kind::Matrix, 3, 0b1),
    row(Kind::Distance, 3, 0b100000),
    row(Kind::Sign, 1, 0b11),
];
