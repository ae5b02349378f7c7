//! Arm Cortex-A72: three operations a cycle; integer pipes as ports 0 and 1, the one of many cycles as 2, loads as
//! 3, stores as 4, vectors as 5 and 6, branches as 7.
//!
//! Arm's Cortex-A72 Software Optimization Guide (UAN 0016A) was not at hand. The rows are LLVM 19's for this name, which
//! are Cortex-A57's; a test compares them, and says where these are others. Logic in 1 cycle on two pipes, shifted
//! operands in 2 on the third, loads in 4 (vectors 5), one a cycle; logic on vectors in 3 on two pipes, `bsl` as two
//! operations. From memory alone: that `ror` is one operation.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row};

pub(super) const CPU: Cpu = Cpu {
    name: "cortex-a72",
    doc: "Arm Cortex-A72; integer pipes as ports 0 and 1, another one as 2, loads as 3, stores as 4, vectors as 5 and 6, branches as 7",
    width: 3,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[]),
};

/// Integer pipes.
const INTEGER: u16 = 0b11;
/// The one of many cycles.
const MULTIPLE: u16 = 0b100;
/// Loads.
const LOADS: u16 = 0b1000;
/// Stores.
const STORES: u16 = 0b1_0000;
/// Vectors.
const VECTOR: u16 = 0b110_0000;
/// The one of them that shifts by what is in a register.
const VECTOR_1: u16 = 0b100_0000;
/// Branches.
const BRANCH: u16 = 0b1000_0000;

const ROWS: [Row; 24] = [
    row(SchedulingClass::Load, 4, LOADS),
    row(SchedulingClass::Store, 1, STORES),
    row(SchedulingClass::Logic, 1, INTEGER),
    row(SchedulingClass::Shifted, 2, MULTIPLE),
    row(SchedulingClass::Field, 1, INTEGER),
    row(SchedulingClass::Rotate, 1, INTEGER),
    row(SchedulingClass::Reverse, 1, INTEGER),
    row(SchedulingClass::Copy, 1, INTEGER),
    row(SchedulingClass::Select, 1, INTEGER),
    row(SchedulingClass::Branch, 1, BRANCH),
    row(SchedulingClass::VectorLoad, 5, LOADS),
    row(SchedulingClass::VectorStore, 1, STORES).times(2),
    row(SchedulingClass::VectorRepeat, 8, LOADS),
    row(SchedulingClass::VectorLogic, 3, VECTOR),
    row(SchedulingClass::VectorThree, 6, VECTOR).times(2),
    row(SchedulingClass::VectorSelect, 3, VECTOR).times(2),
    row(SchedulingClass::VectorShift, 3, VECTOR),
    row(SchedulingClass::VectorBytes, 3, VECTOR),
    row(SchedulingClass::VectorMove, 4, VECTOR_1).times(2),
    row(SchedulingClass::VectorLookUp, 9, VECTOR).times(5),
    row(SchedulingClass::VectorLookUpFar, 15, VECTOR).times(9),
    row(SchedulingClass::VectorCopy, 3, VECTOR),
    row(SchedulingClass::ToVector, 8, LOADS),
    row(SchedulingClass::FromVector, 5, LOADS),
];
