//! Arm Neoverse V2: eight operations a cycle; integer pipes as ports 0 to 5, loads as 6 to 8, of which 6 and 7
//! store, too, vectors as 9 to 12, branches as 13 and 14.
//!
//! Latencies and pipes are those of LLVM 19's scheduling model (`llvm-mca-19 -mcpu=neoverse-v2`), which follows
//! Arm's Neoverse V2 Software Optimization Guide; a test compares them. Of the four vector pipes one does `eor3` and `bcax`, two shift, and
//! two store. A copy of a word is done by renaming.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "neoverse-v2",
    doc: "Arm Neoverse V2; integer pipes as ports 0 to 5, loads as 6 to 8, stores as 6 and 7, vectors as 9 to 12, branches as 13 and 14",
    width: 8,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

/// Integer pipes.
const INTEGER: u16 = 0b11_1111;
/// Those of them that compare.
const FLAGS: u16 = 0b1111;
/// Loads.
const LOADS: u16 = 0b111 << 6;
/// Stores.
const STORES: u16 = 0b11 << 6;
/// Vectors.
const VECTOR: u16 = 0b1111 << 9;
/// The first of them.
const VECTOR_0: u16 = 0b1 << 9;
/// The first two.
const VECTOR_01: u16 = 0b11 << 9;
/// Those that shift.
const VECTOR_13: u16 = 0b1010 << 9;
/// The integer pipe that takes words to vectors.
const MULTIPLE: u16 = 0b1_0000;
/// Branches.
const BRANCH: u16 = 0b11 << 13;

const ROWS: [Row; 24] = [
    row(SchedulingClass::Load, 4, LOADS),
    row(SchedulingClass::Store, 1, STORES),
    row(SchedulingClass::Logic, 1, INTEGER),
    row(SchedulingClass::Shifted, 1, INTEGER),
    row(SchedulingClass::Field, 1, INTEGER),
    row(SchedulingClass::Rotate, 1, INTEGER),
    row(SchedulingClass::Reverse, 1, INTEGER),
    row(SchedulingClass::Copy, 0, 0),
    row(SchedulingClass::Select, 1, FLAGS),
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
    row(SchedulingClass::VectorLookUp, 2, VECTOR_01),
    row(SchedulingClass::VectorLookUpFar, 4, VECTOR_01).times(3),
    row(SchedulingClass::VectorCopy, 2, VECTOR),
    row(SchedulingClass::ToVector, 3, MULTIPLE),
    row(SchedulingClass::FromVector, 2, VECTOR_0),
];
