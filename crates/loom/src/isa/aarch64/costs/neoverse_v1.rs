//! Arm Neoverse V1: eight operations a cycle; integer pipes as ports 0 to 3, loads as 4 to 6, of which 4 and 5
//! store, too, vectors as 7 to 10, branches as 11 and 12.
//!
//! Latencies and pipes are those of LLVM 19's scheduling model (`llvm-mca-19 -mcpu=neoverse-v1`), which follows
//! Arm's Neoverse V1 Software Optimization Guide; a test compares them. Of the four vector pipes one does `eor3` and `bcax`, two shift, and
//! two store.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "neoverse-v1",
    doc: "Arm Neoverse V1; integer pipes as ports 0 to 3, loads as 4 to 6, stores as 4 and 5, vectors as 7 to 10, branches as 11 and 12",
    width: 8,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

/// Integer pipes.
const INTEGER: u16 = 0b1111;
/// Loads.
const LOADS: u16 = 0b111_0000;
/// Stores.
const STORES: u16 = 0b011_0000;
/// Vectors.
const VECTOR: u16 = 0b1111 << 7;
/// The first of them.
const VECTOR_0: u16 = 0b1 << 7;
/// The first two.
const VECTOR_01: u16 = 0b11 << 7;
/// The second.
const VECTOR_1: u16 = 0b10 << 7;
/// Those that shift.
const VECTOR_13: u16 = 0b1010 << 7;
/// The integer pipe that takes words to vectors.
const MULTIPLE: u16 = 0b100;
/// Branches.
const BRANCH: u16 = 0b11 << 11;

const ROWS: [Row; 24] = [
    row(SchedulingClass::Load, 4, LOADS),
    row(SchedulingClass::Store, 1, STORES),
    row(SchedulingClass::Logic, 1, INTEGER),
    row(SchedulingClass::Shifted, 1, INTEGER),
    row(SchedulingClass::Field, 1, INTEGER),
    row(SchedulingClass::Rotate, 1, INTEGER),
    row(SchedulingClass::Reverse, 1, INTEGER),
    row(SchedulingClass::Copy, 1, INTEGER),
    row(SchedulingClass::Select, 1, INTEGER),
    row(SchedulingClass::Branch, 1, BRANCH),
    row(SchedulingClass::VectorLoad, 6, LOADS),
    row(SchedulingClass::VectorStore, 2, VECTOR_01),
    row(SchedulingClass::VectorRepeat, 8, LOADS),
    row(SchedulingClass::VectorLogic, 2, VECTOR),
    row(SchedulingClass::VectorThree, 2, VECTOR_0),
    row(SchedulingClass::VectorSelect, 2, VECTOR),
    row(SchedulingClass::VectorShift, 2, VECTOR_13),
    row(SchedulingClass::VectorBytes, 2, VECTOR),
    row(SchedulingClass::VectorMove, 2, VECTOR_13),
    row(SchedulingClass::VectorLookUp, 2, VECTOR_01).times(2),
    row(SchedulingClass::VectorLookUpFar, 4, VECTOR_01).times(3),
    row(SchedulingClass::VectorCopy, 2, VECTOR),
    row(SchedulingClass::ToVector, 3, MULTIPLE),
    row(SchedulingClass::FromVector, 2, VECTOR_1),
];
