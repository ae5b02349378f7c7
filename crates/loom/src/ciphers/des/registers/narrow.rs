//! Halves of four bits a byte, in 256 bits.
//!
//! Eight bytes of a half count, the lowest of each four: the output of one S-box, in the lower four
//! bits of its byte for S1, S3, S5, S7 and in the upper ones for the others; what else is in these
//! bytes is never looked at. The lower 16 bytes have S1, S2, S5, S6, the upper ones S3, S4, S7, S8.
//!
//! A round:
//!
//! 1. for each bit that an S-box takes, the byte that has it is brought to a place of its own: part s
//!    of two vectors has the six bits of S-box s. Bytes do not leave their 16, so what comes from
//!    the other 16 comes from a copy with exchanged halves;
//! 2. the bit stays, and becomes its value in the S-box's input (32, 16, ... 1);
//! 3. the six are added up: as differences from the same bits of the subkey, which is an XOR with it
//!    and costs nothing. Four times, for four tables of 16 bytes: a further difference, 0x70, with
//!    two bits of the table's number XORed in, makes the sum 0x80 or more where the input belongs
//!    to another table;
//! 4. look-ups give 0 there: OR puts the tables together;
//! 5. the halves' bytes come together from both vectors and are XORed into the other half.

use super::super::layout::Halves;
use super::{constants, entering, leaving, output, pair, source};
use crate::ir::{Builder, Bytes, TableId, Type, Value};

const HALF: Type = Type::Vector(256);
/// Bytes of it.
const BYTES: u64 = 32;

/// Index of a look-up that gives 0.
const NONE: u8 = 0x80;

/// Which 16 bytes a group of eight bytes, or an S-box, is in: the lower or the upper ones.
const fn lane(group: usize) -> usize {
    group % 4 / 2
}

/// The byte of an S-box in its 16 bytes of a half.
const fn place(s: usize) -> u8 {
    (4 * (s / 4 * 2 + s % 2)) as u8
}

/// Two vectors of eight groups of eight bytes, by group and place in it.
fn each(f: impl Fn(usize, usize) -> u8) -> impl Iterator<Item = u8> {
    (0..64).map(move |n| f(n / 8, n % 8))
}

/// How the bytes of S-boxes are brought to places of their own in two vectors.
#[derive(Clone, Copy, Debug)]
struct Gather {
    /// Those that are in the same 16 bytes, and those that are in the other ones.
    here: TableId,
    across: TableId,
}

impl Gather {
    /// Which S-box's byte goes where.
    fn new(b: &mut Builder, name: &str, f: impl Fn(usize, usize) -> Option<usize>) -> Self {
        let mut table = |name: &str, doc: &str, here: bool| {
            let byte = |group, n| match f(group, n) {
                Some(s) if (lane(s) == lane(group)) == here => place(s),
                _ => NONE,
            };
            constants(b, name, doc, each(byte))
        };
        let here = table(&format!("{name}_here"), "bytes in the same half of a vector", true);
        let across = table(&format!("{name}_across"), "bytes in the other half", false);
        Self { here, across }
    }

    /// Number `vector` of the two: bytes of a half, and of the same with exchanged halves.
    fn of(self, b: &mut Builder, half: Value, exchanged: Value, vector: u64) -> Value {
        let here = b.constants(self.here, BYTES * vector, HALF);
        let here = b.bytes(Bytes::Shuffle, half, here);
        let across = b.constants(self.across, BYTES * vector, HALF);
        let across = b.bytes(Bytes::Shuffle, exchanged, across);
        b.xor(here, across)
    }
}

/// How a bit of each byte of two vectors becomes a part of the sum of its eight bytes.
#[derive(Clone, Copy, Debug)]
struct Sum {
    bits: TableId,
    values: TableId,
}

impl Sum {
    /// Which bit of a byte counts, and how much.
    fn new(b: &mut Builder, name: &str, f: impl Fn(usize, usize) -> Option<(u8, u8)>) -> Self {
        let bits = each(|group, n| f(group, n).map_or(0, |(bit, _)| bit));
        let bits = constants(b, &format!("{name}_bits"), "which bits count", bits);
        // A byte with its highest bit set is below zero, and negates what gets its sign.
        let signed =
            |(bit, value): (u8, u8)| if bit == 0x80 { value.wrapping_neg() } else { value };
        let values = each(|group, n| f(group, n).map_or(0, signed));
        let values = constants(b, &format!("{name}_values"), "and how much", values);
        Self { bits, values }
    }

    /// What each byte of number `vector` of the two counts; `values` if they are in a register.
    fn of(self, b: &mut Builder, bytes: Value, vector: u64, values: Option<Value>) -> Value {
        let bits = b.constants(self.bits, BYTES * vector, HALF);
        let bits = b.and(bytes, bits);
        let values = values.unwrap_or_else(|| b.constants(self.values, BYTES * vector, HALF));
        b.bytes(Bytes::Sign, values, bits)
    }
}

/// The constants of a kernel.
#[derive(Clone, Debug)]
pub(in super::super) struct Narrow {
    tables: [TableId; 2],
    /// The look-up tables that are in registers, of both vectors.
    held: Vec<[Value; 2]>,
    rows: TableId,
    gather: Gather,
    inputs: Sum,
    values: [Value; 2],
    key_bytes: TableId,
    key_bits: TableId,
    ip: [(TableId, Sum); 2],
    zero: TableId,
    out: [Gather; 2],
    out_sum: Sum,
    join: TableId,
}

/// Tables of 16 entries that make one of 64.
const ROWS: u64 = 4;
/// How many of them have registers if one block is done at a time.
const HELD: u64 = 2;

impl Narrow {
    /// For so many blocks at a time: the more, the fewer registers for constants.
    pub(in super::super) fn new(b: &mut Builder, interleaved: usize) -> Self {
        let tables = [0, 4].map(|first| {
            let name = format!("s{}{}{}{}", first + 1, first + 2, first + 3, first + 4);
            let doc =
                format!("S{} and S{}, S{} and S{}", first + 1, first + 2, first + 3, first + 4);
            let doc = doc + ", 16 entries of each in turn";
            let entry = move |n: usize| pair(first + n / 16 % 2 * 2, n / 32 * 16 + n % 16);
            constants(b, &name, &doc, (0..128).map(entry))
        });
        // 0x70 and more than 15 make 0x80.
        let row = |n: usize| match n % 8 {
            0 => (n / 32) as u8 >> 1 << 5,
            1 => ((n / 32) as u8 & 1) << 4,
            6 => 0x70,
            _ => 0,
        };
        let rows =
            constants(b, "rows", "which of four tables an input belongs to", (0..128).map(row));
        let gather = Gather::new(b, "inputs", |s, n| (n < 6).then(|| source(s, n).0));
        let inputs = Sum::new(b, "inputs", |s, n| {
            (n < 6).then(|| {
                let (from, bit) = source(s, n);
                (output(from, bit), 0x20 >> n)
            })
        });
        let doc = "which byte of a subkey an S-box takes";
        let key_bytes = each(|s, n| if n < 6 { 7 - s as u8 } else { NONE });
        let key_bytes = constants(b, "key_bytes", doc, key_bytes);
        let key_bits = (0..32).map(|n| if n % 8 < 6 { 0x20 >> (n % 8) } else { 0 });
        let key_bits = constants(b, "key_bits", "and which bits of it", key_bits);
        let ip = [(0, "ip_l"), (1, "ip_r")].map(|(half, name)| {
            let bytes = each(|s, n| if n < 4 { entering(half, s, n).0 as u8 } else { NONE });
            let bytes = constants(b, &format!("{name}_bytes"), "IP: which bytes of a block", bytes);
            let bit = |s, n| (n < 4).then(|| (entering(half, s, n).1, output(s, n)));
            (bytes, Sum::new(b, name, bit))
        });
        let zero = constants(b, "zero", "nothing", [0; BYTES as usize]);
        let out = [(0, "out_l"), (1, "out_r")].map(|(half, name)| {
            let from = |byte, n| Some(leaving(byte, n)).filter(|(of, ..)| *of == half);
            Gather::new(b, name, |byte, n| from(byte, n).map(|(_, s, _)| s))
        });
        let out_sum = Sum::new(b, "out", |byte, n| {
            let (_, s, bit) = leaving(byte, n);
            Some((output(s, bit), 0x80 >> n))
        });
        // Bytes lie as those of S-boxes do.
        let join = (0..32usize).map(|n| {
            let byte = n % 16;
            if byte < 8 && lane(byte) == n / 16 { place(byte) } else { NONE }
        });
        let join = constants(b, "join", "a block's bytes in order", join);
        let held = if interleaved == 1 { HELD } else { 0 };
        let held = (0..held)
            .map(|row| tables.map(|table| b.constants(table, BYTES * row, HALF)))
            .collect();
        let values = [0, 1].map(|vector| b.constants(inputs.values, BYTES * vector, HALF));
        Self {
            tables,
            held,
            rows,
            gather,
            inputs,
            values,
            key_bytes,
            key_bits,
            ip,
            zero,
            out,
            out_sum,
            join,
        }
    }

    fn zero(&self, b: &mut Builder) -> Value {
        b.constants(self.zero, 0, HALF)
    }

    /// A block by IP.
    pub(in super::super) fn enter(&self, b: &mut Builder, data: Value, offset: i32) -> Halves {
        let block = b.broadcast(data, offset, 8, HALF);
        let [l, r] = self.ip.map(|(bytes, sum)| {
            let [low, high] = [0, 1].map(|vector| {
                let bytes = b.constants(bytes, BYTES * vector, HALF);
                let bytes = b.bytes(Bytes::Shuffle, block, bytes);
                let counted = sum.of(b, bytes, vector, None);
                let zero = self.zero(b);
                b.bytes(Bytes::Distance, counted, zero)
            });
            b.bytes(Bytes::Evens, low, high)
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
        let halves = [halves.l, halves.r].map(|half| (half, b.bytes(Bytes::Halves, half, half)));
        let [low, high] = [0, 1].map(|vector| {
            let [l, r] = [0, 1].map(|n| {
                let (half, exchanged) = halves[n];
                self.out[n].of(b, half, exchanged, vector)
            });
            let bytes = b.xor(l, r);
            let counted = self.out_sum.of(b, bytes, vector, None);
            let zero = self.zero(b);
            b.bytes(Bytes::Distance, counted, zero)
        });
        let bytes = b.bytes(Bytes::Evens, low, high);
        let join = b.constants(self.join, 0, HALF);
        let bytes = b.bytes(Bytes::Shuffle, bytes, join);
        let exchanged = b.bytes(Bytes::Halves, bytes, bytes);
        let block = b.or(bytes, exchanged);
        b.store_low(block, data, offset);
    }

    /// A word of the schedule, over and over.
    pub(in super::super) fn subkey(b: &mut Builder, schedule: Value, offset: i32) -> Value {
        b.broadcast(schedule, offset, 8, HALF)
    }

    /// Number `row` of the tables of both vectors.
    fn tables(&self, b: &mut Builder, row: u64) -> [Value; 2] {
        match self.held.get(row as usize) {
            Some(held) => *held,
            None => self.tables.map(|table| b.constants(table, BYTES * row, HALF)),
        }
    }

    /// f of a half with a subkey.
    pub(in super::super) fn f(&self, b: &mut Builder, r: Value, subkey: Value) -> Value {
        let exchanged = b.bytes(Bytes::Halves, r, r);
        let inputs = [0, 1].map(|vector| {
            let bytes = self.gather.of(b, r, exchanged, vector);
            let counted = self.inputs.of(b, bytes, vector, Some(self.values[vector as usize]));
            let key_bytes = b.constants(self.key_bytes, BYTES * vector, HALF);
            let key = b.bytes(Bytes::Shuffle, subkey, key_bytes);
            let key_bits = b.constants(self.key_bits, 0, HALF);
            (counted, b.and(key, key_bits))
        });
        let mut found = [Vec::new(), Vec::new()];
        for row in 0..ROWS {
            let tables = self.tables(b, row);
            for ((table, (counted, key)), found) in tables.into_iter().zip(inputs).zip(&mut found) {
                let this = b.constants(self.rows, BYTES * row, HALF);
                let against = b.xor(key, this);
                let index = b.bytes(Bytes::Distance, counted, against);
                found.push(b.bytes(Bytes::Shuffle, table, index));
            }
        }
        let [low, high] = found.map(|found| {
            let (first, second) = (b.or(found[0], found[1]), b.or(found[2], found[3]));
            b.or(first, second)
        });
        b.bytes(Bytes::Evens, low, high)
    }
}
