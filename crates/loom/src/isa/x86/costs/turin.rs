//! AMD Zen 5 in a server (Turin); six integer units as ports 0 to 5, four loads as 6 to 9, two stores as 10 and 11, vectors as 12 to 15.
//!
//! Measured by `loom calibrate` on 2026-11-30, on
//! AMD EPYC (family 26, model 2).
//!
//! `loom calibrate --costs turin --write` makes this file again.
//! The ports are those of the model before, but where one was found by what it shares with others.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "turin",
    doc: "AMD Zen 5 in a server (Turin); six integer units as ports 0 to 5, four loads as 6 to 9, two stores as 10 and 11, vectors as 12 to 15",
    width: 7,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

const ROWS: [Row; 28] = [
    // as many ports as were measured; which ones is not.
    row(SchedulingClass::Logic, 1, 0b11111),
    row(SchedulingClass::Shift, 1, 0b111),
    row(SchedulingClass::Copy, 0, 0b0),
    row(SchedulingClass::Low, 1, 0b111111),
    // as many ports as were measured; which ones is not.
    row(SchedulingClass::Extend, 1, 0b11111),
    row(SchedulingClass::High, 1, 0b111111),
    // more ports were measured; which ones is not known.
    row(SchedulingClass::Swap, 1, 0b1111),
    row(SchedulingClass::Address, 1, 0b111111),
    row(SchedulingClass::Load, 5, 0b1111000000),
    row(SchedulingClass::Store, 1, 0b110000000000),
    row(SchedulingClass::Bits, 3, 0b111),
    // as many ports as were measured; which ones is not.
    row(SchedulingClass::Select, 1, 0b11),
    row(SchedulingClass::Vector, 2, 0b1111000000000000),
    row(SchedulingClass::VectorShift, 2, 0b110000000000000),
    row(SchedulingClass::Wide, 2, 0b1111000000000000),
    // more ports were measured; which ones is not known.
    row(SchedulingClass::Ternary, 3, 0b110000000000000),
    // more ports were measured; which ones is not known.
    row(SchedulingClass::WideTernary, 3, 0b110000000000000),
    row(SchedulingClass::WideShift, 2, 0b110000000000000),
    row(SchedulingClass::Splat, 3, 0b1000000000000),
    row(SchedulingClass::FromVector, 6, 0b1000000000000),
    row(SchedulingClass::Shuffle, 2, 0b110000000000000),
    row(SchedulingClass::WideShuffle, 2, 0b110000000000000),
    row(SchedulingClass::Across, 3, 0b110000000000000),
    row(SchedulingClass::Pick, 5, 0b110000000000000),
    row(SchedulingClass::PickTwo, 5, 0b110000000000000),
    row(SchedulingClass::Matrix, 3, 0b11000000000000),
    row(SchedulingClass::Distance, 3, 0b1001000000000000),
    row(SchedulingClass::Sign, 2, 0b1001000000000000),
];
