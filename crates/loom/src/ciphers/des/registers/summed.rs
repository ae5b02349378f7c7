//! Halves of one bit a byte, in 512 bits, and inputs that are sums of bytes.
//!
//! A half has a byte for each use that P and E make of an output bit, with the bit in its [column](super::columns). Part
//! s has the six uses of S-box s, one that is there for a constant, and one of nothing. What a bit does goes by its rank:
//!
//! - the bits of rank 0 to 3 choose one of 16 entries, the two others one of four tables with as many;
//! - the sum of all distances makes the index. The constant's byte brings it to 0x70: with the bit of rank 4, which adds
//!   16, the index has its highest bit set, and a look-up gives 0;
//! - the bit in column 7 adds nothing. It lies in the lowest byte of its part, as the index does, and is ORed into the
//!   highest bit of indices that are to find something only without it.
//!
//! A round, in six steps that wait for each other:
//!
//! 1. one sum for each S-box, in the lowest byte of its part;
//! 2. three indices more: with the highest bit inverted, with the bit in column 7, with both;
//! 3. four look-ups, of which each has tables for all eight S-boxes, a pair in each 16 bytes: what the tables have where
//!    the bit in column 7 is one, and the differences from where it is not;
//! 4. all that is found is XORed;
//! 5. bytes are picked: for each use the byte with its bit;
//! 6. its column stays, and is XORed into the other half.
//!
//! The subkey of its next use is in a half already, as in [`expanded`](super::super::expanded).

use super::super::layout::Halves;
use super::columns::{column, distances, entry, rank};
use super::parity::Leave;
use super::{constants, each, entering, source};
use crate::ir::{Builder, Bytes, TableId, Type, Value};

const HALF: Type = Type::Vector(512);

/// The rank of column 7, which chooses inside a pair of tables; the one below chooses the pair.
const INSIDE: usize = 5;

/// The bit of an S-box's input that byte `n` of its part has.
fn bit_in(s: usize, n: usize) -> Option<usize> {
    (0..6).find(|&bit| place(s, bit) == n)
}

/// The byte of a part that has a bit of the S-box's input: the one of column 7 is lowest.
fn place(s: usize, bit: usize) -> usize {
    match rank(s, bit) {
        INSIDE => 0,
        rank => rank + 1,
    }
}

/// What a bit of the S-box's input adds to the sum.
fn adds(s: usize, bit: usize) -> u8 {
    match rank(s, bit) {
        INSIDE => 0,
        rank => 1 << rank,
    }
}

/// The same for bytes that have a bit of an S-box's input, and 0 elsewhere.
fn each_bit(f: impl Fn(usize, usize) -> u8) -> Vec<u8> {
    each(|s, n| bit_in(s, n).map_or(0, |bit| f(s, bit)))
}

/// The matrices that move bits to their columns: of each S-box's input, which bit of a byte has a bit. Row i makes bit
/// 7 - i.
fn to_columns(from: impl Fn(usize, usize) -> usize) -> Vec<u8> {
    each(|s, row| {
        let bit = (0..6).find(|&bit| column(s, bit) == 7 - row);
        bit.map_or(0, |bit| 1 << from(s, bit))
    })
}

/// A permutation that brings bits to their bytes and columns.
#[derive(Clone, Copy, Debug)]
struct Move {
    bytes: TableId,
    matrices: TableId,
}

/// The constants of a kernel; those of every round in registers.
#[derive(Clone, Debug)]
pub(in super::super) struct Summed {
    /// For a bit of rank 4 that is zero, and one that is one: entries, and differences of entries.
    tables: [[Value; 2]; 2],
    distances: Value,
    highest: Value,
    ones: Value,
    pick: Value,
    columns: Value,
    key: Move,
    ip: [Move; 2],
    rows: TableId,
    leave: Leave,
}

impl Summed {
    pub(in super::super) fn new(b: &mut Builder) -> Self {
        let tables = [0, 1].map(|pair| {
            // By which values of the bit in column 7 an entry is the sum of entries.
            let kinds = [
                ("upper", "entries where column 7 has a one", &[1][..]),
                ("change", "differences where it has none", &[0, 1]),
            ];
            kinds.map(|(name, doc, insides)| {
                let at = |s, n, inside: usize| entry(s, n % 16, pair + 2 * inside);
                let own = |s, n| insides.iter().fold(0, |sum, &inside| sum ^ at(s, n, inside));
                let bytes = (0..64).map(|n| own(n / 16 * 2, n) | own(n / 16 * 2 + 1, n));
                let doc = format!("all S-boxes, bit of rank 4 = {pair}: {doc}");
                let table = constants(b, &format!("{name}{pair}"), &doc, bytes);
                b.constants(table, 0, HALF)
            })
        });
        let distances =
            constants(b, "distances", "from what a byte's distance is", distances(bit_in, adds));
        let pick = each_bit(|s, bit| 8 * source(s, bit).0 as u8);
        let pick = constants(b, "pick", "which byte of what was found has a bit", pick);
        let columns = constants(b, "columns", "and its column", each_bit(|s, n| 1 << column(s, n)));
        let key_bytes = constants(b, "key_bytes", "a subkey's bytes", each(|s, _| 7 - s as u8));
        let matrices = to_columns(|_, bit| 5 - bit);
        let key_matrices = constants(b, "key_matrices", "its bits into their columns", matrices);
        // Rows and columns of a block's bits exchanged: byte n has its bits of value 2^n, the last byte's lowest.
        let rows = constants(b, "rows", "rows and columns exchanged", each(|_, n| 1 << n));
        let from_block = |half, s, bit| {
            let (from, output) = source(s, bit);
            let (byte, value) = entering(half, from, output);
            (value.trailing_zeros() as u8, 7 - byte)
        };
        let ip = [("ip_l", 0), ("ip_r", 1)].map(|(name, half)| {
            let bytes = each_bit(|s, bit| from_block(half, s, bit).0);
            let matrices = to_columns(|s, bit| from_block(half, s, bit).1);
            Move {
                bytes: constants(b, &format!("{name}_bytes"), "IP: which bytes", bytes),
                matrices: constants(b, &format!("{name}_matrices"), "and their bits", matrices),
            }
        });
        let leave = Leave::new(b, |s, bit| 8 * s + place(s, bit));
        Self {
            tables,
            distances: b.constants(distances, 0, HALF),
            highest: b.constant(HALF, 0x8080_8080_8080_8080),
            ones: b.constant(HALF, u64::MAX),
            pick: b.constants(pick, 0, HALF),
            columns: b.constants(columns, 0, HALF),
            key: Move { bytes: key_bytes, matrices: key_matrices },
            ip,
            rows,
            leave,
        }
    }

    /// Bytes by a permutation; in each the bit in its column is its own.
    fn moved(&self, b: &mut Builder, by: Move, from: Value) -> Value {
        let bytes = b.constants(by.bytes, 0, HALF);
        let bytes = b.bytes(Bytes::Shuffle, from, bytes);
        let matrices = b.constants(by.matrices, 0, HALF);
        b.bytes(Bytes::Matrix, bytes, matrices)
    }

    /// A block by IP.
    pub(in super::super) fn enter(&self, b: &mut Builder, data: Value, offset: i32) -> Halves {
        let block = b.broadcast(data, offset, 8, HALF);
        let rows = b.constants(self.rows, 0, HALF);
        let columns = b.bytes(Bytes::Matrix, rows, block);
        let [l, r] = self.ip.map(|by| {
            let bits = self.moved(b, by, columns);
            b.and(bits, self.columns)
        });
        Halves { l, r }
    }

    /// Stores a block, by the inverse of IP.
    pub(in super::super) fn leave(
        &self,
        b: &mut Builder,
        halves: Halves,
        data: Value,
        offset: i32,
    ) {
        self.leave.store(b, self.ones, halves, data, offset);
    }

    /// A word of the schedule, over and over.
    pub(in super::super) fn subkey(b: &mut Builder, schedule: Value, offset: i32) -> Value {
        b.broadcast(schedule, offset, 8, HALF)
    }

    /// A half with a word of the schedule. All that this takes stands behind f, which the next round waits for.
    pub(in super::super) fn add_subkey(&self, b: &mut Builder, word: Value, half: Value) -> Value {
        let bits = self.moved(b, self.key, word);
        self.add_bits(b, bits, half)
    }

    /// f of a half that has its subkey in it, as a byte for each S-box, the lowest of its part.
    pub(in super::super) fn f(&self, b: &mut Builder, half: Value) -> Value {
        /// `(a ^ b) | c`.
        const XOR_OR: u8 = 0xbe;
        /// `a ^ b ^ c`.
        const XOR_XOR: u8 = 0x96;
        let index = b.bytes(Bytes::Distance, half, self.distances);
        let indices = [
            [index, b.or(index, half)],
            [b.xor(index, self.highest), b.ternary(XOR_OR, [index, self.highest, half])],
        ];
        let [first, [entry, change]] = [0, 1].map(|pair| {
            [0, 1].map(|n| b.bytes(Bytes::Shuffle, self.tables[pair][n], indices[pair][n]))
        });
        let first = b.xor(first[0], first[1]);
        b.ternary(XOR_XOR, [first, entry, change])
    }

    /// A half with f.
    pub(in super::super) fn add(&self, b: &mut Builder, f: Value, half: Value) -> Value {
        let bits = b.bytes(Bytes::Pick, self.pick, f);
        self.add_bits(b, bits, half)
    }

    /// A half with those of bits that are in their columns.
    fn add_bits(&self, b: &mut Builder, bits: Value, half: Value) -> Value {
        /// `a & b ^ c`.
        const AND_XOR: u8 = 0x6a;
        b.ternary(AND_XOR, [bits, self.columns, half])
    }
}
