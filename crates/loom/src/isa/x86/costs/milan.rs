//! AMD Zen 3 in a server (Milan); four integer units as ports 0 to 3, three loads as 4 to 6, two stores as 7 and 8, vectors as 12 to 15.
//!
//! Measured by `loom calibrate` on 2026-11-29, on
//! AMD EPYC (family 25, model 1).
//!
//! `loom calibrate --costs milan --write` makes this file again.
//! The ports are those of the model before, but where one was found by what it shares with others.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "milan",
    doc: "AMD Zen 3 in a server (Milan); four integer units as ports 0 to 3, three loads as 4 to 6, two stores as 7 and 8, vectors as 12 to 15",
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
    // more ports were measured; which ones is not known.
    row(SchedulingClass::Swap, 1, 0b110),
    row(SchedulingClass::Address, 1, 0b1111),
    row(SchedulingClass::Load, 5, 0b1110000),
    row(SchedulingClass::Store, 1, 0b110000000),
    row(SchedulingClass::Bits, 3, 0b10),
    row(SchedulingClass::Select, 1, 0b1001),
    row(SchedulingClass::Vector, 1, 0b1111000000000000),
    row(SchedulingClass::VectorShift, 1, 0b110000000000000),
    // not measured.
    row(SchedulingClass::Wide, 1, 0b11000000000000),
    // not measured.
    row(SchedulingClass::Ternary, 1, 0b1111000000000000),
    // not measured.
    row(SchedulingClass::WideTernary, 1, 0b11000000000000),
    // not measured.
    row(SchedulingClass::WideShift, 1, 0b1000000000000),
    row(SchedulingClass::Splat, 3, 0b1000000000000),
    row(SchedulingClass::FromVector, 3, 0b1000000000000),
    row(SchedulingClass::Shuffle, 1, 0b110000000000000),
    // not measured.
    row(SchedulingClass::WideShuffle, 1, 0b10000000000000),
    row(SchedulingClass::Across, 5, 0b100000000000000),
    // not measured.
    row(SchedulingClass::Pick, 5, 0b10000000000000),
    // not measured.
    row(SchedulingClass::PickTwo, 5, 0b10000000000000),
    // not measured.
    row(SchedulingClass::Matrix, 3, 0b1000000000000),
    row(SchedulingClass::Distance, 3, 0b1001000000000000),
    row(SchedulingClass::Sign, 1, 0b1001000000000000),
];
