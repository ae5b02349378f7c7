//! AMD Zen 3; four integer units as ports 0 to 3, three loads as 4 to 6, two stores as 7 and 8.
//!
//! Latencies and ports as measured and published by uops.info (Abel and Reineke 2019) and in Agner
//! Fog's instruction tables.
//!
//! What it has not (AVX-512, GFNI) as in Zen 4.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "zen3",
    doc: "AMD Zen 3; four integer units as ports 0 to 3, three loads as 4 to 6, two stores as 7 and 8, vectors as 12 to 15",
    width: 6,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 28] = [
    row(SchedulingClass::Logic, 1, 0b1111),
    row(SchedulingClass::Shift, 1, 0b110),
    row(SchedulingClass::Copy, 0, 0b0),
    row(SchedulingClass::Low, 1, 0b1111),
    row(SchedulingClass::Extend, 1, 0b1111),
    row(SchedulingClass::High, 1, 0b1111),
    row(SchedulingClass::Swap, 1, 0b110),
    row(SchedulingClass::Address, 1, 0b1111),
    row(SchedulingClass::Load, 4, 0b1110000),
    row(SchedulingClass::Store, 1, 0b110000000),
    row(SchedulingClass::Bits, 3, 0b10),
    row(SchedulingClass::Select, 1, 0b1001),
    row(SchedulingClass::Vector, 1, 0b1111 << 12),
    row(SchedulingClass::VectorShift, 1, 0b110 << 12),
    row(SchedulingClass::Wide, 1, 0b11 << 12),
    row(SchedulingClass::Ternary, 1, 0b1111 << 12),
    row(SchedulingClass::WideTernary, 1, 0b11 << 12),
    row(SchedulingClass::WideShift, 1, 0b1 << 12),
    row(SchedulingClass::Splat, 3, 0b1 << 12),
    row(SchedulingClass::FromVector, 3, 0b1 << 12),
    row(SchedulingClass::Shuffle, 1, 0b110 << 12),
    row(SchedulingClass::WideShuffle, 1, 0b10 << 12),
    row(SchedulingClass::Across, 3, 0b100 << 12),
    row(SchedulingClass::Pick, 5, 0b10 << 12),
    row(SchedulingClass::PickTwo, 5, 0b10 << 12),
    row(SchedulingClass::Matrix, 3, 0b1 << 12),
    row(SchedulingClass::Distance, 3, 0b1001 << 12),
    row(SchedulingClass::Sign, 1, 0b1001 << 12),
];
