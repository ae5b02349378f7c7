//! Halves of three bits a byte, in 128 bits.
//!
//! A half is E-expanded, as in [`expanded`](super::super::expanded), and has its subkey in it: six bits for
//! each S-box, S8 lowest. They lie in two bytes side by side, each bit where the S-box's input has it: the
//! first, third and fifth in the lower byte, the others in the upper one.
//!
//! A round, in seven steps that wait for each other:
//!
//! 1. sums of neighbours make inputs of the bytes, which have no bit in common;
//! 2. these are looked up in four tables of 64 bytes, two S-boxes in each;
//! 3. of what is found, the two vectors that have all of it are made of the lower halves;
//! 4. for the three bits of each byte of a half the bytes that have them are picked;
//! 5. each bit is moved to its place in the input;
//! 6. it stays, without the others;
//! 7. the three and the other half are XORed, which is two operations deep.
//!
//! IP and its inverse are those of words of 64 bits: the chain from block to block does not wait for them.

use super::super::expanded;
use super::super::layout::{Halves, Layout};
use super::{constants, output, pair, source};
use crate::ir::{Builder, Bytes, TableId, Type, Value};

const HALF: Type = Type::Vector(128);
/// Bytes of it.
const BYTES: usize = 16;

/// The bits of inputs in the lower and in the upper byte of each two.
const PLACES: u64 = 0x152a_152a_152a_152a;

/// The constants of a kernel, all in registers where there is room.
#[derive(Clone, Debug)]
pub(in super::super) struct Short {
    tables: [[Value; 4]; 4],
    /// For each of three bits of a byte: which byte of what was found has it, how far it moves, where it
    /// comes to.
    bits: [[Value; 3]; 3],
    places: Value,
}

/// The S-box that byte `n` of a half is for, and which of its bits is number `which` of three there.
const fn input(n: usize, which: usize) -> (usize, usize) {
    (7 - n / 2, 2 * which + n % 2)
}

/// The byte in which S-box `s` finds its output, among the lower halves of what the four tables have.
const fn found(s: usize) -> u8 {
    (8 * (s / 2) + 7 - s) as u8
}

impl Short {
    pub(in super::super) fn new(b: &mut Builder) -> Self {
        let vector = |b: &mut Builder, table: TableId, n: usize| {
            b.constants(table, (BYTES * n) as u64, HALF)
        };
        let tables = [0, 2, 4, 6].map(|s| {
            let (name, doc) =
                (format!("s{}{}", s + 1, s + 2), format!("S{} and S{}", s + 1, s + 2));
            let table = constants(b, &name, &doc, (0..64).map(|input| pair(s, input)));
            [0, 1, 2, 3].map(|n| vector(b, table, n))
        });
        let each = |f: &dyn Fn(usize, usize) -> u8| -> Vec<u8> {
            (0..3)
                .flat_map(|which| (0..BYTES).map(move |n| (n, which)))
                .map(|(n, w)| f(n, w))
                .collect()
        };
        let from = |n, which| {
            let (s, bit) = input(n, which);
            source(s, bit)
        };
        let place = |n, which| 0x20u8 >> input(n, which).1;
        let bytes = each(&|n, which| found(from(n, which).0));
        let moves = each(&|n, which| {
            let (s, bit) = from(n, which);
            let up = place(n, which).ilog2().cast_signed() - output(s, bit).ilog2().cast_signed();
            up as u8
        });
        let places = each(&place);
        let bytes = constants(b, "inputs", "which bytes have the bits that an S-box takes", bytes);
        let moves = constants(b, "moves", "how far these bits move, as signed numbers", moves);
        let places = constants(b, "places", "and where they come to", places);
        let bits =
            [0, 1, 2].map(|which| [bytes, moves, places].map(|table| vector(b, table, which)));
        Self { tables, bits, places: b.constant(HALF, PLACES) }
    }

    /// A word of groups of six bits as a half.
    fn spread(&self, b: &mut Builder, groups: Value) -> Value {
        let both = b.bytes(Bytes::Interleave, groups, groups);
        b.and(both, self.places)
    }

    /// A block by IP.
    pub(in super::super) fn enter(&self, b: &mut Builder, data: Value, offset: i32) -> Halves {
        let Halves { l, r } = expanded::enter(Layout::Bytes, b, data, offset);
        let [l, r] = [l, r].map(|word| {
            let groups = b.resize(word, HALF);
            self.spread(b, groups)
        });
        Halves { l, r }
    }

    /// Stores a block, by the inverse of IP.
    pub(in super::super) fn leave(b: &mut Builder, halves: Halves, data: Value, offset: i32) {
        let [l, r] = [halves.l, halves.r].map(|half| {
            let groups = b.bytes(Bytes::Pairs, half, half);
            b.resize(groups, Type::W64)
        });
        expanded::leave(Layout::Bytes, b, Halves { l, r }, data, offset);
    }

    /// A word of the schedule, as a half has it.
    pub(in super::super) fn subkey(&self, b: &mut Builder, schedule: Value, offset: i32) -> Value {
        let groups = b.load_low(schedule, offset, 8, HALF);
        self.spread(b, groups)
    }

    /// f of a half that has its subkey in it, as three vectors to be XORed together.
    pub(in super::super) fn f(&self, b: &mut Builder, half: Value) -> [Value; 3] {
        let inputs = b.bytes(Bytes::Pairs, half, half);
        let [s12, s34, s56, s78] = self.tables.map(|table| b.pick_from(inputs, &table));
        let found = [b.bytes(Bytes::LowHalves, s12, s34), b.bytes(Bytes::LowHalves, s56, s78)];
        self.bits.map(|[bytes, moves, places]| {
            let bytes = b.pick_from(bytes, &found);
            let moved = b.bytes(Bytes::Move, bytes, moves);
            b.and(moved, places)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_of_an_input_has_a_place_of_its_own() {
        let mut all = [0u8; 8];
        for n in 0..BYTES {
            let bits = (0..3).map(|which| input(n, which)).map(|(s, bit)| (s, 0x20u8 >> bit));
            let byte = bits.fold(0, |byte, (s, bit)| {
                assert_eq!(all[s] & bit, 0);
                all[s] |= bit;
                byte | bit
            });
            assert_eq!(byte, PLACES.to_le_bytes()[n % 8]);
        }
        assert_eq!(all, [0x3f; 8]);
    }
}
