//! Arm Neoverse N1: four instructions a cycle; integer pipes as ports 0 to 2, loads and stores as 3 and 4,
//! vectors as 5 and 6, branches as 7.
//!
//! Latencies and pipes are those of LLVM 19's scheduling model (`llvm-mca-19 -mcpu=neoverse-n1`), which follows
//! Arm's Neoverse N1 Software Optimization Guide; a test compares them. A vector that is stored takes both pipes
//! for loads and stores, and both for vectors, which are scarcer. That FEAT_SHA3 is not there makes no row smaller: `VectorThree` is two operations.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "neoverse-n1",
    doc: "Arm Neoverse N1; integer pipes as ports 0 to 2, loads and stores as 3 and 4, vectors as 5 and 6, branches as 7",
    width: 4,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

/// Integer pipes.
const INTEGER: u16 = 0b111;
/// Loads and stores.
const MEMORY: u16 = 0b1_1000;
/// Vectors.
const VECTOR: u16 = 0b110_0000;
/// The one of them that shifts.
const VECTOR_1: u16 = 0b100_0000;
/// The integer pipe that takes words to vectors.
const MULTIPLE: u16 = 0b100;
/// Branches.
const BRANCH: u16 = 0b1000_0000;

const ROWS: [Row; 24] = [
    row(SchedulingClass::Load, 4, MEMORY),
    row(SchedulingClass::Store, 1, MEMORY),
    row(SchedulingClass::Logic, 1, INTEGER),
    row(SchedulingClass::Shifted, 1, INTEGER),
    row(SchedulingClass::Field, 1, INTEGER),
    row(SchedulingClass::Rotate, 1, INTEGER),
    row(SchedulingClass::Reverse, 1, INTEGER),
    row(SchedulingClass::Copy, 1, INTEGER),
    row(SchedulingClass::Select, 1, INTEGER),
    row(SchedulingClass::Branch, 1, BRANCH),
    row(SchedulingClass::VectorLoad, 5, MEMORY),
    row(SchedulingClass::VectorStore, 2, VECTOR).times(2),
    row(SchedulingClass::VectorRepeat, 7, MEMORY),
    row(SchedulingClass::VectorLogic, 2, VECTOR),
    row(SchedulingClass::VectorThree, 4, VECTOR).times(2),
    row(SchedulingClass::VectorSelect, 2, VECTOR),
    row(SchedulingClass::VectorShift, 2, VECTOR_1),
    row(SchedulingClass::VectorBytes, 2, VECTOR),
    row(SchedulingClass::VectorMove, 2, VECTOR_1),
    row(SchedulingClass::VectorLookUp, 2, VECTOR),
    row(SchedulingClass::VectorLookUpFar, 4, VECTOR).times(3),
    row(SchedulingClass::VectorCopy, 2, VECTOR),
    row(SchedulingClass::ToVector, 3, MULTIPLE),
    row(SchedulingClass::FromVector, 2, VECTOR_1),
];
