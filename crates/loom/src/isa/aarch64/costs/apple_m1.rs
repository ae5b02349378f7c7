//! Apple M1, its fast cores: eight operations a cycle; integer units as ports 0 to 5, loads as 6 to 8, of which 8
//! stores, too, stores as 8 and 9, vectors as 10 to 13.
//!
//! After Dougall Johnson's "Apple M1 Microarchitecture Research" (Firestorm: its pages of units, of base instructions
//! and of SIMD instructions), row by row. Six integer units, of which three compare and two branch; an operand that is
//! shifted is an operation of its own, in a cycle more. `ror` by a number is done by all six (`extr` of two registers,
//! which no kernel has, by one). Loads take 4 cycles or less; copies are renamed. All four vector units do logic, shifts,
//! permutations and `tbl` in one or two vectors, in 2 cycles; two of them give words. Bounds and no more are known of how
//! long a word takes to a vector and back, and a vector from memory: rows marked `estimate`, and no kernel waits for
//! them in a chain.

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
/// Loads.
const LOADS: u16 = 0b111 << 6;
/// Stores.
const STORES: u16 = 0b11 << 8;
/// Vectors.
const VECTOR: u16 = 0b1111 << 10;
/// Those of them that give words.
const TO_WORDS: u16 = 0b1100 << 10;

const ROWS: [Row; 24] = [
    row(SchedulingClass::Load, 4, LOADS),
    row(SchedulingClass::Store, 1, STORES),
    row(SchedulingClass::Logic, 1, INTEGER),
    row(SchedulingClass::Shifted, 2, INTEGER).times(2),
    row(SchedulingClass::Field, 1, INTEGER),
    row(SchedulingClass::Rotate, 1, INTEGER),
    row(SchedulingClass::Reverse, 1, INTEGER),
    row(SchedulingClass::Copy, 0, 0),
    row(SchedulingClass::Select, 1, FLAGS),
    row(SchedulingClass::Branch, 1, BRANCH),
    row(SchedulingClass::VectorLoad, 5, LOADS), // estimate: cycles
    row(SchedulingClass::VectorStore, 1, STORES),
    row(SchedulingClass::VectorRepeat, 7, LOADS), // estimate: cycles
    row(SchedulingClass::VectorLogic, 2, VECTOR),
    row(SchedulingClass::VectorThree, 2, VECTOR),
    row(SchedulingClass::VectorSelect, 2, VECTOR),
    row(SchedulingClass::VectorShift, 2, VECTOR),
    row(SchedulingClass::VectorBytes, 2, VECTOR),
    row(SchedulingClass::VectorMove, 2, VECTOR),
    row(SchedulingClass::VectorLookUp, 2, VECTOR),
    row(SchedulingClass::VectorLookUpFar, 4, VECTOR).times(3),
    row(SchedulingClass::VectorCopy, 0, 0),
    row(SchedulingClass::ToVector, 5, LOADS), // estimate: cycles
    row(SchedulingClass::FromVector, 5, TO_WORDS), // estimate: cycles
];
