//! Halves of a byte an S-box, in 256 bits, and inputs that are sums of bytes.
//!
//! Eight bytes of a half count, two in each part: S1 to S4 are the lowest bytes of parts 0 to 3, S5 to S8 two bytes
//! above. Each has the four output bits of its S-box in their [columns](super::columns); what else is in a half is
//! never looked at.
//!
//! A round:
//!
//! 1. a half is *spread*: each 16 bytes have all eight bytes;
//! 2. for each bit that an S-box takes, the byte that has it is brought to a place of its own: part s of two vectors has
//!    the six bits of S-box s, of which only their columns stay;
//! 3. the six are added up, as distances from constants. Where a bit of the subkey is one, its constant is as far above
//!    the middle as it is below it otherwise, which is an XOR with the subkey. The sum is 0x70, an index of 16, and 16
//!    times the number of a table: from 0x80 on, a look-up gives 0;
//! 4. the sum less 0, 0x10, 0x20 or 0x70 finds something in the first table, the first two, three, or all four. So four
//!    look-ups in what tells a table from the next one, XORed, are a look-up in 64 entries;
//! 5. all that is found is XORed into the other half. Indices of S5 to S8 lie two bytes higher: what both vectors of them
//!    find belongs into one.

use super::super::layout::Halves;
use super::columns::{ABOVE, column, distance, distances, entry, rank, value};
use super::{constants, each, entering, leaving, source};
use crate::ir::{Builder, Bytes, TableId, Type, Value};

const HALF: Type = Type::Vector(256);
/// Bytes of it.
const BYTES: u64 = 32;

/// Index of a look-up that gives 0.
const NONE: u8 = 0x80;

/// What is taken off an index that finds something in the first of four tables alone, so that it does in the first two,
/// three, or all.
const LESS: [u8; 3] = [0x10, 0x20, ABOVE];

/// By how many bits the bytes of S5 to S8 are higher.
const HIGHER: u8 = 16;

/// Tables that have registers if one block is done at a time.
const HELD: usize = 1;

/// Which 16 bytes a part, or an S-box, is in: the lower or the upper ones.
const fn lane(part: usize) -> usize {
    part % 4 / 2
}

/// The byte of a half, in its 16 bytes, that has an S-box.
const fn place(s: usize) -> u8 {
    (8 * (s % 2) + HIGHER as usize / 8 * (s / 4)) as u8
}

/// The same of a spread half, in the lower or the upper 16 bytes.
const fn spread_place(s: usize, of: usize) -> u8 {
    let across = if lane(s) == of { 0 } else { 8 };
    place(s) - 4 * (s % 2) as u8 + across
}

/// The bit of an S-box's input that byte `n` of its part has.
fn bit_in(s: usize, n: usize) -> Option<usize> {
    (0..6).find(|&bit| rank(s, bit) == n)
}

/// What a bit of an S-box's input adds to the sum.
fn adds(s: usize, bit: usize) -> u8 {
    1 << rank(s, bit)
}

/// A constant for each of two vectors, loaded where it is used.
#[derive(Clone, Copy, Debug)]
struct Both(TableId);

impl Both {
    fn new(b: &mut Builder, name: &str, doc: &str, of: impl Fn(usize, usize) -> u8) -> Self {
        Self(constants(b, name, doc, each(of)))
    }

    fn of(self, b: &mut Builder, vector: usize) -> Value {
        b.constants(self.0, BYTES * vector as u64, HALF)
    }
}

/// Bits that become a byte of their own each, and then numbers that a part adds up.
#[derive(Clone, Copy, Debug)]
struct Bits {
    /// Which bit of a byte counts, and how much.
    bits: Both,
    values: Both,
}

impl Bits {
    fn new(b: &mut Builder, name: &str, f: impl Fn(usize, usize) -> Option<(u8, u8)>) -> Self {
        let bits = |part, n| f(part, n).map_or(0, |(bit, _)| bit);
        let bits = Both::new(b, &format!("{name}_bits"), "which bits count", bits);
        // A byte with its highest bit set is below zero, and negates what gets its sign.
        let signed =
            |(bit, value): (u8, u8)| if bit == 0x80 { value.wrapping_neg() } else { value };
        let values = |part, n| f(part, n).map_or(0, signed);
        let values = Both::new(b, &format!("{name}_values"), "and how much", values);
        Self { bits, values }
    }

    /// What each byte of number `vector` of the two counts.
    fn of(self, b: &mut Builder, bytes: Value, vector: usize) -> Value {
        let bits = self.bits.of(b, vector);
        let bits = b.and(bytes, bits);
        let values = self.values.of(b, vector);
        b.bytes(Bytes::Sign, values, bits)
    }
}

/// The constants of a kernel.
#[derive(Clone, Debug)]
pub(in super::super) struct Narrow {
    tables: [Both; 4],
    /// The first of them that have registers, of both vectors.
    held: Vec<[Value; 2]>,
    less: [Both; 3],
    pick: Both,
    columns: Both,
    key_bytes: Both,
    key: Bits,
    distances: Both,
    ip: [(Both, Bits); 2],
    zero: TableId,
    out: [Both; 2],
    out_bits: Bits,
    join: TableId,
}

impl Narrow {
    /// For so many blocks at a time: the more, the fewer registers for constants.
    pub(in super::super) fn new(b: &mut Builder, interleaved: usize) -> Self {
        // What two S-boxes have in a table, and not in the next one; behind the last one there is nothing.
        let change = |s: usize, index: usize, table: usize| {
            let of = |s, table| if table < 4 { entry(s, index, table) } else { 0 };
            let pair = |table| of(s & !1, table) | of(s | 1, table);
            pair(table) ^ pair(table + 1)
        };
        let tables = [0, 1, 2, 3].map(|table| {
            let name = format!("s{table}");
            let doc = format!(
                "all S-boxes: what tells entries {} to {} from the 16 behind",
                16 * table,
                16 * table + 15
            );
            Both::new(b, &name, &doc, |part, n| {
                let index = 8 * (part % 2) + n;
                // In the first table, whose index is not made from another one, both vectors find something in each
                // other's bytes, too: entry 0.
                let other = if table == 3 { change((part + 4) % 8, 0, 0) } else { 0 };
                change(part, index, table) ^ other
            })
        });
        let higher = usize::from(HIGHER / 8);
        let less = [1, 2, 3].map(|more| {
            Both::new(b, &format!("less{more}"), "so that more tables have it", |part, n| match n {
                _ if n == higher * (part / 4) => LESS[more - 1].wrapping_neg(),
                // In the other vector's bytes nothing is found.
                _ if n == 0 || n == higher => NONE,
                _ => 0,
            })
        });
        let pick = Both::new(b, "pick", "which byte has a bit", |s, n| {
            bit_in(s, n).map_or(NONE, |bit| spread_place(source(s, bit).0, lane(s)))
        });
        let columns = Both::new(b, "columns", "and its column", |s, n| {
            bit_in(s, n).map_or(0, |bit| 1 << column(s, bit))
        });
        let doc = "which byte of a subkey an S-box takes";
        let key_bytes = Both::new(b, "key_bytes", doc, |s, _| 7 - s as u8);
        let key = Bits::new(b, "key", |s, n| {
            let bit = bit_in(s, n)?;
            let low = distance(s, bit, adds(s, bit));
            Some((0x20 >> bit, low ^ (low + adds(s, bit))))
        });
        let doc = "from what a bit's distance is";
        let distances = Both(constants(b, "distances", doc, distances(bit_in, adds)));
        let ip = [(0, "ip_l"), (1, "ip_r")].map(|(half, name)| {
            let doc = "IP: which bytes of a block";
            let bytes = Both::new(b, &format!("{name}_bytes"), doc, |s, n| {
                if n < 4 { entering(half, s, n).0 as u8 } else { NONE }
            });
            let bit = |s, n| (n < 4).then(|| (entering(half, s, n).1, value(s, n)));
            (bytes, Bits::new(b, name, bit))
        });
        let zero = constants(b, "zero", "nothing", [0; BYTES as usize]);
        let out = [(0, "out_l"), (1, "out_r")].map(|(half, name)| {
            Both::new(b, name, "the inverse of IP: which bytes of a half", |byte, n| {
                let (of, s, _) = leaving(byte, n);
                if of == half { spread_place(s, lane(byte)) } else { NONE }
            })
        });
        let out_bits = Bits::new(b, "out", |byte, n| {
            let (_, s, bit) = leaving(byte, n);
            Some((value(s, bit), 0x80 >> n))
        });
        // Bytes lie as those of S-boxes do.
        let join = (0..32usize).map(|n| {
            let byte = n % 16;
            if byte < 8 && lane(byte) == n / 16 { place(byte) } else { NONE }
        });
        let join = constants(b, "join", "a block's bytes in order", join);
        let held = if interleaved == 1 { HELD } else { 0 };
        let held = tables[..held].iter().map(|table| [0, 1].map(|vector| table.of(b, vector)));
        let held = held.collect();
        Self {
            tables,
            held,
            less,
            pick,
            columns,
            key_bytes,
            key,
            distances,
            ip,
            zero,
            out,
            out_bits,
            join,
        }
    }

    /// Numbers added up in each part, those of two vectors in one.
    fn sums(&self, b: &mut Builder, of: impl Fn(&mut Builder, usize) -> Value) -> Value {
        let zero = b.constants(self.zero, 0, HALF);
        let [low, high] = [0, 1].map(|vector| {
            let counted = of(b, vector);
            b.bytes(Bytes::Distance, counted, zero)
        });
        let high = b.shl(high, HIGHER);
        b.xor(low, high)
    }

    /// A half with all that counts in each 16 bytes.
    fn spread(b: &mut Builder, half: Value) -> Value {
        let exchanged = b.bytes(Bytes::Halves, half, half);
        b.bytes(Bytes::Evens, half, exchanged)
    }

    /// A block by IP.
    pub(in super::super) fn enter(&self, b: &mut Builder, data: Value, offset: i32) -> Halves {
        let block = b.broadcast(data, offset, 8, HALF);
        let [l, r] = self.ip.map(|(bytes, bits)| {
            self.sums(b, |b, vector| {
                let bytes = bytes.of(b, vector);
                let bytes = b.bytes(Bytes::Shuffle, block, bytes);
                bits.of(b, bytes, vector)
            })
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
        let halves = [halves.l, halves.r].map(|half| Self::spread(b, half));
        let bytes = self.sums(b, |b, vector| {
            let [l, r] = [0, 1].map(|n| {
                let bytes = self.out[n].of(b, vector);
                b.bytes(Bytes::Shuffle, halves[n], bytes)
            });
            let bytes = b.xor(l, r);
            self.out_bits.of(b, bytes, vector)
        });
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

    /// A subkey as constants from which the bits of both vectors have their distances.
    pub(in super::super) fn ready(&self, b: &mut Builder, subkey: Value) -> [Value; 2] {
        [0, 1].map(|vector| {
            let bytes = self.key_bytes.of(b, vector);
            let bytes = b.bytes(Bytes::Shuffle, subkey, bytes);
            let change = self.key.of(b, bytes, vector);
            let distances = self.distances.of(b, vector);
            b.xor(change, distances)
        })
    }

    /// f of a half, in parts, with what `ready` made of a subkey.
    pub(in super::super) fn f(&self, b: &mut Builder, half: Value, subkey: &[Value]) -> Vec<Value> {
        let half = Self::spread(b, half);
        let mut found = Vec::new();
        for (vector, distances) in subkey.iter().enumerate() {
            let pick = self.pick.of(b, vector);
            let bits = b.bytes(Bytes::Shuffle, half, pick);
            let columns = self.columns.of(b, vector);
            let bits = b.and(bits, columns);
            let mut first = b.bytes(Bytes::Distance, bits, *distances);
            if vector == 1 {
                first = b.shl(first, HIGHER);
            }
            for (n, table) in self.tables.iter().enumerate() {
                let index = match n.checked_sub(1) {
                    None => first,
                    Some(n) => {
                        let less = self.less[n].of(b, vector);
                        b.bytes(Bytes::Sum, first, less)
                    }
                };
                let table = match self.held.get(n) {
                    Some(held) => held[vector],
                    None => table.of(b, vector),
                };
                found.push(b.bytes(Bytes::Shuffle, table, index));
            }
        }
        found
    }

    /// The other half with the parts of f: two sums, as two look-ups end in each cycle.
    pub(in super::super) fn add(b: &mut Builder, f: &[Value], half: Value) -> Value {
        let mut sums = [half, f[0]];
        for (n, part) in f[1..].iter().enumerate() {
            sums[n % 2] = b.xor(sums[n % 2], *part);
        }
        b.xor(sums[0], sums[1])
    }
}
