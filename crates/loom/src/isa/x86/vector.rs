//! Vectors: their shapes, and what instructions for them are made of.

use super::{VECTORS_16, VECTORS_32};
use crate::isa::RegSet;

/// The sets of instructions for vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// SSE2: 16 registers of 128 bits; results go over the first source.
    Sse2,
    /// AVX2: 16 registers of 256 bits.
    Avx2,
    /// AVX-512 with BW, DQ and VL: 32 registers of up to 512 bits, tables of three inputs, words
    /// of memory repeated in the operand.
    Avx512,
}

/// A width of vectors and the instructions for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// Which instructions.
    pub set: Set,
    /// Bits of a vector: 128, 256 or 512.
    pub bits: u16,
}

impl Shape {
    /// The registers that its instructions can name.
    #[must_use]
    pub const fn registers(self) -> RegSet {
        match self.set {
            Set::Sse2 | Set::Avx2 => VECTORS_16,
            Set::Avx512 => VECTORS_32,
        }
    }
}

/// Two inputs, one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bitwise {
    /// Exclusive or.
    Xor,
    /// And.
    And,
    /// Or.
    Or,
    /// The second and not the first.
    AndNot,
}

/// The table of the same function with its inputs in another order: input n of the new table is
/// input `from[n]` of the old one.
pub(super) fn exchanged(table: u8, from: [usize; 3]) -> u8 {
    (0..8u8).fold(0, |sum, row| {
        let input = |n: usize| row >> (2 - n) & 1;
        let old = (0..3).fold(0, |old, n| old | input(n) << (2 - from[n]));
        sum | (table >> old & 1) << row
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanged_tables_are_the_same_functions() {
        for table in 0..=255u8 {
            for [x, y, z] in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0]] {
                let other = exchanged(table, [x, y, z]);
                for row in 0..8u8 {
                    let inputs = [row >> 2 & 1, row >> 1 & 1, row & 1];
                    let moved = [inputs[x], inputs[y], inputs[z]];
                    let at = |[a, b, c]: [u8; 3]| 4 * a + 2 * b + c;
                    assert_eq!(table >> at(inputs) & 1, other >> at(moved) & 1);
                }
            }
        }
    }
}
