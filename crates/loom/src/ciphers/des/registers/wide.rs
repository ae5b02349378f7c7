//! Halves of one bit a byte, in 512 bits.
//!
//! Each output bit of an S-box goes, by P and E, into one or two S-boxes of the next round: six uses
//! for the four bits of each. A half has a byte for each use, which holds the bit as its *parity*,
//! so that key bits and bits of a block are XORed in wherever they are in their bytes. Part s holds
//! the six uses of S-box s, a byte that is always 0 and one that is always 1.
//!
//! A round, in five steps that wait for each other:
//!
//! 1. bytes are picked so that part s has the bits that S-box s takes, in order, and where a pair of
//!    tables is picked from, a constant that says from which;
//! 2. the parities of these eight bytes become one byte, the S-box's input, eight times: the bytes
//!    are the matrix by which eight bytes of ones are multiplied;
//! 3. that byte is looked up in two tables of 128 bytes: four S-boxes each, two in a byte;
//! 4. and 5. of each byte the bit that it is there for is XORed into the other half.
//!
//! The subkey of its next use is in a half already, as in [`expanded`](super::super::expanded).

use super::super::layout::Halves;
use super::parity::Leave;
use super::{constants, entering, output, pair, source};
use crate::ir::{Builder, Bytes, TableId, Type, Value};

const HALF: Type = Type::Vector(512);

/// Places in a part behind the six uses of an S-box: always 0, always 1.
const ZERO: usize = 6;
const ONE: usize = 7;

/// Bit `bit` of S-box `s`'s input, as somebody's use of an output bit.
#[derive(Clone, Copy)]
struct Use {
    s: usize,
    bit: usize,
}

/// Who uses the bits of S-box `s`.
fn uses(s: usize) -> Vec<Use> {
    let all = (0..8).flat_map(|s| (0..6).map(move |bit| Use { s, bit }));
    all.filter(|to| source(to.s, to.bit).0 == s).collect()
}

/// The byte of a half that is there for a use.
fn place(to: Use) -> usize {
    let (from, _) = source(to.s, to.bit);
    let n = uses(from).iter().position(|other| (other.s, other.bit) == (to.s, to.bit));
    8 * from + n.expect("a use of its source")
}

/// Bytes of a vector by what each is there for: an S-box, which use of its output, which bit.
fn each(f: impl Fn(usize, Use, usize) -> u8) -> Vec<u8> {
    let byte = |n: usize| {
        let s = n / 8;
        let to = uses(s).get(n % 8).copied();
        to.map_or(0, |to| f(s, to, source(to.s, to.bit).1))
    };
    (0..64).map(byte).collect()
}

/// The constants of a kernel; those of every round in registers.
#[derive(Clone, Debug)]
pub(in super::super) struct Wide {
    tables: [[Value; 2]; 2],
    valid: [Value; 2],
    inputs: Value,
    ones: Value,
    key_bytes: Value,
    key_bits: Value,
    ip_bytes: TableId,
    ip_bits: TableId,
    always: TableId,
    leave: Leave,
}

impl Wide {
    pub(in super::super) fn new(b: &mut Builder) -> Self {
        let tables = [0, 2, 4, 6].map(|s| {
            let (name, doc) =
                (format!("s{}{}", s + 1, s + 2), format!("S{} and S{}", s + 1, s + 2));
            let table = constants(b, &name, &doc, (0..64).map(|input| pair(s, input)));
            b.constants(table, 0, HALF)
        });
        let [t12, t34, t56, t78] = tables;
        let valid = [0, 4].map(|first| {
            let bit = |s, _, bit| if s / 4 == first / 4 { output(s, bit) } else { 0 };
            let name = format!("bits{}{}", first + 1, first + 4);
            let doc = format!("of S{} to S{}, which bit a byte is there for", first + 1, first + 4);
            let table = constants(b, &name, &doc, each(bit));
            b.constants(table, 0, HALF)
        });
        // Row i of a matrix makes bit 7 - i. Bit 6 says which half of two tables.
        let inputs = (0..64).map(|n| match (n / 8, n % 8) {
            (_, 0) => ZERO,
            (s, 1) => [ZERO, ONE][s / 2 % 2],
            (s, row) => place(Use { s, bit: row - 2 }),
        });
        let doc = "which bits an S-box takes; then, which of two tables";
        let inputs = constants(b, "inputs", doc, inputs.map(|n| n as u8));
        let doc = "which byte of a subkey a byte takes a bit of";
        let key_bytes = constants(b, "key_bytes", doc, each(|_, to, _| 7 - to.s as u8));
        let doc = "and which bit";
        let key_bits = constants(b, "key_bits", doc, each(|_, to, _| 0x20 >> to.bit));
        let halves = [0, 1];
        let bytes = halves.map(|half| each(|s, _, bit| entering(half, s, bit).0 as u8)).concat();
        let bits = halves.map(|half| each(|s, _, bit| entering(half, s, bit).1)).concat();
        let doc = "IP: which byte of a block, for L and for R";
        let ip_bytes = constants(b, "ip_bytes", doc, bytes);
        let ip_bits = constants(b, "ip_bits", "and which bit", bits);
        let always = (0..64).map(|n| u8::from(n % 8 == ONE));
        let always = constants(b, "always", "what every half has", always);
        let leave = Leave::new(b, |s, bit| place(Use { s, bit }));
        Self {
            tables: [[t12, t34], [t56, t78]],
            valid,
            inputs: b.constants(inputs, 0, HALF),
            ones: b.constant(HALF, u64::MAX),
            key_bytes: b.constants(key_bytes, 0, HALF),
            key_bits: b.constants(key_bits, 0, HALF),
            ip_bytes,
            ip_bits,
            always,
            leave,
        }
    }

    /// A block by IP, but for what every half has.
    pub(in super::super) fn enter(&self, b: &mut Builder, data: Value, offset: i32) -> Halves {
        let block = b.broadcast(data, offset, 8, HALF);
        let [l, r] = [0, 64].map(|half| {
            let bytes = b.constants(self.ip_bytes, half, HALF);
            let bits = b.constants(self.ip_bits, half, HALF);
            let bytes = b.bytes(Bytes::Shuffle, block, bytes);
            b.and(bytes, bits)
        });
        Halves { l, r }
    }

    /// Puts in what every half has.
    pub(in super::super) fn start(&self, b: &mut Builder, halves: Halves) -> Halves {
        let always = b.constants(self.always, 0, HALF);
        Halves { l: b.xor(halves.l, always), r: b.xor(halves.r, always) }
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

    /// A word of the schedule, as a half has it.
    pub(in super::super) fn subkey(&self, b: &mut Builder, schedule: Value, offset: i32) -> Value {
        let word = b.broadcast(schedule, offset, 8, HALF);
        let bytes = b.bytes(Bytes::Shuffle, word, self.key_bytes);
        b.and(bytes, self.key_bits)
    }

    /// f of a half that has its subkey in it, as two vectors of which one bit a byte counts.
    pub(in super::super) fn f(&self, b: &mut Builder, half: Value) -> [Value; 2] {
        let rows = b.bytes(Bytes::Pick, self.inputs, half);
        let input = b.bytes(Bytes::Matrix, self.ones, rows);
        self.tables.map(|tables| b.pick_two(input, tables))
    }

    /// A half with f.
    pub(in super::super) fn add(&self, b: &mut Builder, f: [Value; 2], half: Value) -> Value {
        /// `a & b ^ c`.
        const AND_XOR: u8 = 0x6a;
        let sum = b.ternary(AND_XOR, [f[0], self.valid[0], half]);
        b.ternary(AND_XOR, [f[1], self.valid[1], sum])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_s_box_has_six_uses_and_each_use_a_byte_of_its_own() {
        let mut places = std::collections::BTreeSet::new();
        for s in 0..8 {
            assert_eq!(uses(s).len(), 6, "S{}", s + 1);
            places.extend(uses(s).into_iter().map(place));
        }
        assert_eq!(places.len(), 48);
        assert!(places.iter().all(|place| place % 8 < ZERO));
    }
}
