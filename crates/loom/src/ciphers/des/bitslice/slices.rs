//! How wide a slice is, and how it and masks for all lanes come from memory.

use crate::ciphers::Word;
use crate::ir::{Builder, Endian, Type, Value};

/// Of how many inputs the operations on slices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gates {
    /// And, or, exclusive or, and-not.
    Two,
    /// The same, or-not, and a choice between two.
    Select,
    /// The same, and exclusive or of three, or of one and of what is in another and not in a third.
    Sha3,
    /// Truth tables of three inputs.
    Three,
}

/// Bytes of a slice of so many lanes, also its alignment in memory.
#[must_use]
pub const fn slice_bytes(lanes: u16) -> u32 {
    lanes as u32 / 8
}

/// Bytes of a mask that is the same for all lanes: what a processor repeats over a vector as it
/// loads it, or a whole slice where none does.
#[must_use]
pub const fn mask_bytes(lanes: u16) -> u32 {
    match lanes {
        64 => 8,
        128 => 16,
        _ => 4,
    }
}

/// A bit of the standard, from 1 on, as an index.
pub(super) const fn bit_of(bit: u8) -> usize {
    bit as usize - 1
}

/// Slices of one width and the operations on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slices {
    pub(super) lanes: u16,
    pub(super) gates: Gates,
    /// Of trip counts, and distances.
    pub(super) word: Word,
}

impl Slices {
    /// The type of a slice.
    pub(super) const fn ty(self) -> Type {
        if self.lanes == 64 { Type::W64 } else { Type::Vector(self.lanes) }
    }

    /// Whether words of two and four bytes change places by being interleaved.
    pub(super) fn interleaves(self) -> bool {
        self.gates == Gates::Two && self.lanes > 64
    }

    /// Bytes of so many slices, as a distance.
    pub(super) const fn bytes(self, slices: i32) -> i32 {
        slices * (self.lanes / 8) as i32
    }

    /// A slice from memory.
    pub(super) fn load(self, b: &mut Builder, base: Value, slice: i32) -> Value {
        b.load(base, self.bytes(slice), self.ty(), Endian::Native)
    }

    /// A slice to memory.
    pub(super) fn store(self, b: &mut Builder, value: Value, base: Value, slice: i32) {
        b.store(value, base, self.bytes(slice), Endian::Native);
    }

    /// The blocks that a vector holds, lanes / 64 of them, their first bytes lowest.
    pub(super) fn load_blocks(self, b: &mut Builder, base: Value, at: i32) -> Value {
        b.load(base, self.bytes(at), self.ty(), Endian::Little)
    }

    /// The inverse of [`load_blocks`](Self::load_blocks).
    pub(super) fn store_blocks(self, b: &mut Builder, value: Value, base: Value, at: i32) {
        b.store(value, base, self.bytes(at), Endian::Little);
    }

    /// Mask number `n` of a list, for all lanes.
    pub(super) fn mask(self, b: &mut Builder, base: Value, n: i32) -> Value {
        let offset = n * mask_bytes(self.lanes) as i32;
        match self.lanes {
            64 | 128 => b.load(base, offset, self.ty(), Endian::Native),
            _ => b.broadcast(base, offset, 4, self.ty()),
        }
    }
}
