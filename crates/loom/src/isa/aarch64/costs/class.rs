//! The scheduling classes of AArch64's instructions.

use crate::isa::costs::{Class, Row};

/// Scheduling classes of AArch64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SchedulingClass {
    /// A load, from address to result.
    Load = Class::LOAD.0,
    /// A store.
    Store = Class::STORE.0,
    /// Arithmetic, logic, constants.
    Logic,
    /// Arithmetic and logic with a shifted operand.
    Shifted,
    /// Fields of bits, shifts: `ubfm`.
    Field,
    /// `ror`: `extr`.
    Rotate,
    /// `rev`.
    Reverse,
    /// A copy of a word.
    Copy,
    /// A comparison, and a choice by one.
    Select,
    /// A branch.
    Branch,
    /// A load of a vector, from address to result.
    VectorLoad,
    /// A store of a vector.
    VectorStore,
    /// `ld1r`, from address to result.
    VectorRepeat,
    /// Logic on vectors, constants.
    VectorLogic,
    /// Logic on three vectors: `eor3`, `bcax`.
    VectorThree,
    /// `bsl`, `bit`, `bif`.
    VectorSelect,
    /// Shifts in vectors.
    VectorShift,
    /// Bytes of vectors in another order, sums, comparisons.
    VectorBytes,
    /// `ushl`: each byte of a vector shifted by its own number.
    VectorMove,
    /// `tbl` in one or two vectors.
    VectorLookUp,
    /// `tbl` in three or four vectors.
    VectorLookUpFar,
    /// A copy of a vector.
    VectorCopy,
    /// From a word to a vector: `fmov`, `dup`.
    ToVector,
    /// From a vector to a word: `fmov`.
    FromVector,
}

impl SchedulingClass {
    /// Every one.
    pub const ALL: [Self; 24] = [
        Self::Load,
        Self::Store,
        Self::Logic,
        Self::Shifted,
        Self::Field,
        Self::Rotate,
        Self::Reverse,
        Self::Copy,
        Self::Select,
        Self::Branch,
        Self::VectorLoad,
        Self::VectorStore,
        Self::VectorRepeat,
        Self::VectorLogic,
        Self::VectorThree,
        Self::VectorSelect,
        Self::VectorShift,
        Self::VectorBytes,
        Self::VectorMove,
        Self::VectorLookUp,
        Self::VectorLookUpFar,
        Self::VectorCopy,
        Self::ToVector,
        Self::FromVector,
    ];

    /// Its number.
    #[must_use]
    pub const fn class(self) -> Class {
        Class(self as u8)
    }
}

pub(super) const fn row(kind: SchedulingClass, latency: u32, ports: u16) -> Row {
    Row { class: kind.class(), latency, ports, times: 1 }
}
