//! Intel Golden Cove as published; ports 0, 1, 5, 6, 10 for arithmetic, 2, 3, 11 for loads, 4 and 9 for stores.
//!
//! Latencies and ports as published by uops.info (Abel and Reineke 2019) and in Agner Fog's instruction
//! tables. Plans that were tuned before `sapphire-rapids` was measured are ordered by these rows.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "golden-cove",
    doc: "Intel Golden Cove as published; ports 0, 1, 5, 6, 10 for arithmetic, 2, 3, 11 for loads, 4 and 9 for stores",
    width: 6,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 28] = [
    row(SchedulingClass::Logic, 1, 0b10001100011),
    row(SchedulingClass::Shift, 1, 0b1000001),
    row(SchedulingClass::Copy, 0, 0b0),
    row(SchedulingClass::Low, 1, 0b10001100011),
    row(SchedulingClass::Extend, 1, 0b10001100011),
    row(SchedulingClass::High, 2, 0b10001100011),
    row(SchedulingClass::Swap, 2, 0b100010),
    row(SchedulingClass::Address, 1, 0b10001100011),
    row(SchedulingClass::Load, 5, 0b100000001100),
    row(SchedulingClass::Store, 1, 0b1000010000),
    row(SchedulingClass::Bits, 3, 0b10),
    row(SchedulingClass::Select, 1, 0b1000001),
    row(SchedulingClass::Vector, 1, 0b100011),
    row(SchedulingClass::VectorShift, 1, 0b11),
    row(SchedulingClass::Wide, 1, 0b100001),
    row(SchedulingClass::Ternary, 1, 0b100011),
    row(SchedulingClass::WideTernary, 1, 0b100001),
    row(SchedulingClass::WideShift, 1, 0b1),
    row(SchedulingClass::Splat, 3, 0b100000),
    row(SchedulingClass::FromVector, 3, 0b1),
    row(SchedulingClass::Shuffle, 1, 0b100010),
    row(SchedulingClass::WideShuffle, 1, 0b100000),
    row(SchedulingClass::Across, 3, 0b100000),
    row(SchedulingClass::Pick, 3, 0b100000),
    row(SchedulingClass::PickTwo, 5, 0b100000),
    row(SchedulingClass::Matrix, 3, 0b1),
    row(SchedulingClass::Distance, 3, 0b100000),
    row(SchedulingClass::Sign, 1, 0b11),
];
