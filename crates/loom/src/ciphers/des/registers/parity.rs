//! The way out of halves that have a bit a byte, as its parity, in 512 bits.

use super::super::layout::Halves;
use super::{constants, leaving, source};
use crate::ir::{Builder, Bytes, TableId, Type, Value};

const HALF: Type = Type::Vector(512);

/// The inverse of IP: eight bytes that have a byte of the block are a matrix, whose product with ones it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leave {
    out: TableId,
    join: TableId,
}

impl Leave {
    /// By the byte of a half that is there for number `bit` (0 is the leftmost) of an S-box's input.
    pub(super) fn new(b: &mut Builder, place: impl Fn(usize, usize) -> usize) -> Self {
        let out = (0..64).map(|n| {
            let (half, from, output) = leaving(n / 8, n % 8);
            // Any use of a bit is as good as another.
            let uses = (0..8).flat_map(|s| (0..6).map(move |bit| (s, bit)));
            let mut its = uses.filter(|&(s, bit)| source(s, bit) == (from, output));
            let (s, bit) = its.next().expect("every bit is used");
            (64 * half + place(s, bit)) as u8
        });
        let out = constants(b, "out", "inverse of IP: which bytes of both halves", out);
        let join = (0..64).map(|n| 8 * (n % 8) as u8);
        let join = constants(b, "join", "a byte of each part", join);
        Self { out, join }
    }

    /// Stores a block of two halves.
    pub(super) fn store(
        self,
        b: &mut Builder,
        ones: Value,
        halves: Halves,
        data: Value,
        offset: i32,
    ) {
        let out = b.constants(self.out, 0, HALF);
        let rows = b.pick_two(out, [halves.l, halves.r]);
        let bytes = b.bytes(Bytes::Matrix, ones, rows);
        let join = b.constants(self.join, 0, HALF);
        let block = b.bytes(Bytes::Pick, join, bytes);
        b.store_low(block, data, offset);
    }
}
