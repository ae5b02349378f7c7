//! What AArch64's instructions cost: its scheduling classes, and a file of data for each processor.

mod apple_m1;
mod cortex_a72;
mod neoverse_n1;
mod neoverse_v1;
mod neoverse_v2;

use crate::isa::costs::{Class, Cpu, Pipeline, Row};

/// The processors, the one that stands for many first: it has neither the most ports nor the fewest.
pub const ALL: [&Cpu; 5] =
    [&neoverse_n1::CPU, &apple_m1::CPU, &neoverse_v1::CPU, &neoverse_v2::CPU, &cortex_a72::CPU];

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
    /// `bsl`.
    VectorSelect,
    /// Shifts in vectors.
    VectorShift,
    /// Bytes of vectors in another order, sums, comparisons.
    VectorBytes,
    /// A copy of a vector.
    VectorCopy,
    /// From a word to a vector: `fmov`, `dup`.
    ToVector,
    /// From a vector to a word: `fmov`.
    FromVector,
}

impl SchedulingClass {
    /// Every one.
    pub const ALL: [Self; 21] = [
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

const fn row(kind: SchedulingClass, latency: u32, ports: u16) -> Row {
    Row { class: kind.class(), latency, ports, times: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_one_row_in_every_model() {
        for cpu in ALL {
            for class in SchedulingClass::ALL {
                let rows = cpu.rows.iter().filter(|row| row.class == class.class()).count();
                assert_eq!(rows, 1, "{}: {class:?}", cpu.name);
            }
            assert_eq!(cpu.rows.len(), SchedulingClass::ALL.len(), "{}", cpu.name);
        }
    }
}
