//! Apple M1, its fast cores: eight operations a cycle; integer units as ports 0 to 5, loads as 6 to 8, of which 8
//! stores, too, stores as 8 and 9, vectors as 10 to 13.
//!
//! After Dougall Johnson's "Apple M1 Microarchitecture Research" (Firestorm). Read there: the four vector units with all
//! that they do, three loads of vectors a cycle, shifted operands in 2 cycles, `extr` on one unit, stores that take no
//! vector unit. The rows marked `memory` were written without it, and not compared with it. Six integer units, of which one does
//! `extr` and three compare and two branch, three loads and two stores a cycle, four vector units that do all logic,
//! shifts and permutations in 2 cycles, shifted operands in 2, a load in 4, a copy by renaming. From words to vectors
//! and back, and a load of a vector, are estimates: no kernel waits for them in a chain.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Cpu, Pipeline, Row, Use, Wait};

pub(super) const CPU: Cpu = Cpu {
    name: "apple-m1",
    doc: "Apple M1, fast cores; integer units as ports 0 to 5, loads as 6 to 8, stores as 8 and 9, vectors as 10 to 13",
    width: 8,
    rows: &ROWS,
    pipeline: Pipeline::OutOfOrder(&[FIELD]),
};

/// An index that `and` makes costs nothing more.
const FIELD: Wait = Wait {
    of: Use::Address(SchedulingClass::Field.class()),
    clocks: 1,
    source: "derived, not measured: a shift and the load behind it take a cycle more than `and` and the load",
};

/// Integer units.
const INTEGER: u16 = 0b11_1111;
/// Those of them that compare.
const FLAGS: u16 = 0b111;
/// Those of them that branch.
const BRANCH: u16 = 0b11;
/// The one of them that does `extr`.
const EXTRACT: u16 = 0b10_0000;
/// Loads.
const LOADS: u16 = 0b111 << 6;
/// Stores.
const STORES: u16 = 0b11 << 8;
/// Vectors.
const VECTOR: u16 = 0b1111 << 10;

const ROWS: [Row; 24] = [
    row(SchedulingClass::Load, 4, LOADS),    // memory
    row(SchedulingClass::Store, 1, STORES),  // memory
    row(SchedulingClass::Logic, 1, INTEGER), // memory
    row(SchedulingClass::Shifted, 2, INTEGER),
    row(SchedulingClass::Field, 1, INTEGER), // memory
    row(SchedulingClass::Rotate, 1, EXTRACT),
    row(SchedulingClass::Reverse, 1, INTEGER),  // memory
    row(SchedulingClass::Copy, 0, 0),           // memory
    row(SchedulingClass::Select, 1, FLAGS),     // memory
    row(SchedulingClass::Branch, 1, BRANCH),    // memory
    row(SchedulingClass::VectorLoad, 5, LOADS), // memory
    row(SchedulingClass::VectorStore, 1, STORES),
    row(SchedulingClass::VectorRepeat, 7, LOADS), // memory
    row(SchedulingClass::VectorLogic, 2, VECTOR),
    row(SchedulingClass::VectorThree, 2, VECTOR),
    row(SchedulingClass::VectorSelect, 2, VECTOR),
    row(SchedulingClass::VectorShift, 2, VECTOR),
    row(SchedulingClass::VectorBytes, 2, VECTOR),
    row(SchedulingClass::VectorMove, 2, VECTOR), // memory
    row(SchedulingClass::VectorLookUp, 2, VECTOR), // memory
    row(SchedulingClass::VectorLookUpFar, 4, VECTOR).times(3),
    row(SchedulingClass::VectorCopy, 0, 0),      // memory
    row(SchedulingClass::ToVector, 5, LOADS),    // memory
    row(SchedulingClass::FromVector, 5, VECTOR), // memory
];
