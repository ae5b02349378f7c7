//! Eight registers of 256 bits.
//!
//! A place is compared with the numbers of all places. Masked by that, S has one byte that is not 0, if it is
//! not 0 itself; OR puts the eight registers together, a shuffle brings the byte to all places of its 16 bytes,
//! and OR with exchanged halves to those of the other 16.
//!
//! The swap is done with differences. Of x and each register the difference is masked, which leaves it at j
//! alone: XORed into S it makes S\[j\] to x, and looked up it is the difference for S\[i\].

use super::way::{GROUP, Way, constants};
use crate::ir::{Builder, Bytes, TableId, Type, Value};

const ROW: Type = Type::Vector(256);
/// Bytes of it.
const BYTES: usize = 32;

/// The constants of a kernel.
pub(super) struct Narrow {
    numbers: TableId,
    everywhere: TableId,
    only: TableId,
    in_halves: TableId,
    /// The bits of a place in 16 bytes.
    within: Value,
}

impl Narrow {
    pub(super) fn new(b: &mut Builder) -> Self {
        let numbers = constants(b, ["numbers", "0 to 255"], [1, 8 * BYTES], |_, byte| byte as u8);
        let everywhere = ["everywhere", "a number in each byte"];
        let everywhere = constants(b, everywhere, [GROUP + 2, BYTES], |n, _| n as u8);
        let one = |yes: bool| if yes { 0xff } else { 0 };
        let only = ["only", "all bits of one byte"];
        let only = constants(b, only, [GROUP + 1, BYTES], |n, byte| one(byte == n));
        let in_halves = ["in_halves", "all bits of one byte in both halves"];
        let in_halves = constants(b, in_halves, [GROUP, BYTES], |n, byte| one(byte % 16 == n));
        let within = b.constant(ROW, u64::from_ne_bytes([15; 8]));
        Self { numbers, everywhere, only, in_halves, within }
    }

    fn of(b: &mut Builder, table: TableId, n: usize) -> Value {
        b.constants(table, (n * BYTES) as u64, ROW)
    }

    /// Of eight registers that have one byte at most that is not 0, put together by OR, that byte, at all
    /// places of its half, and 0 at those of the other.
    fn spread(&self, b: &mut Builder, all: Value, place: Value) -> Value {
        let within = b.and(place, self.within);
        b.bytes(Bytes::Shuffle, all, within)
    }

    /// OR, one after the other, so that few of them want a register at a time.
    fn with(b: &mut Builder, all: Option<Value>, register: Value) -> Option<Value> {
        Some(all.map_or(register, |all| b.or(all, register)))
    }

    /// OR of both halves, in both.
    fn both(b: &mut Builder, halves: Value) -> Value {
        let exchanged = b.bytes(Bytes::Halves, halves, halves);
        b.or(halves, exchanged)
    }

    fn is_at(&self, b: &mut Builder, row: usize, place: Value) -> Value {
        let places = Self::of(b, self.numbers, row);
        b.bytes(Bytes::Equal, place, places)
    }
}

impl Way for Narrow {
    fn numbers(&self, b: &mut Builder, first: i32) -> Value {
        b.constants(self.numbers, first as u64, ROW)
    }

    fn byte(&self, b: &mut Builder, bytes: Value, n: usize) -> Value {
        let n = Self::of(b, self.everywhere, n);
        b.bytes(Bytes::Shuffle, bytes, n)
    }

    fn entry(&self, b: &mut Builder, s: &[Value], place: usize) -> Value {
        let low = b.bytes(Bytes::LowHalves, s[0], s[0]);
        let place = Self::of(b, self.everywhere, place);
        b.bytes(Bytes::Shuffle, low, place)
    }

    fn swap(
        &self,
        b: &mut Builder,
        s: &mut [Value],
        place: usize,
        j: Value,
        x: Value,
    ) -> (Value, Value) {
        let mut differences = None;
        for (n, row) in s.iter_mut().enumerate() {
            let here = self.is_at(b, n, j);
            let difference = b.xor(x, *row);
            let difference = b.and(difference, here);
            *row = b.xor(*row, difference);
            differences = Self::with(b, differences, difference);
        }
        let next = self.entry(b, s, place + 1);
        let difference = self.spread(b, differences.expect("S has registers"), j);
        let difference = Self::both(b, difference);
        let only = Self::of(b, self.only, place);
        let here = b.and(difference, only);
        s[0] = b.xor(s[0], here);
        (b.xor(x, difference), next)
    }

    fn generate(
        &self,
        b: &mut Builder,
        s: &[Value],
        place: Value,
        keystream: Option<Value>,
        n: usize,
    ) -> Value {
        let mut masked = None;
        for (n, &row) in s.iter().enumerate() {
            let here = self.is_at(b, n, place);
            let entry = b.and(row, here);
            masked = Self::with(b, masked, entry);
        }
        let byte = self.spread(b, masked.expect("S has registers"), place);
        let only = Self::of(b, self.in_halves, n);
        let byte = b.and(byte, only);
        keystream.map_or(byte, |keystream| b.or(keystream, byte))
    }

    fn joined(&self, b: &mut Builder, keystream: Value) -> Value {
        Self::both(b, keystream)
    }

    fn turned(&self, b: &mut Builder, s: &[Value]) -> Vec<Value> {
        let row = |b: &mut Builder, n: usize| {
            let behind = b.bytes(Bytes::Halves, s[n], s[(n + 1) % s.len()]);
            b.bytes(Bytes::NextWithin, behind, s[n])
        };
        (0..s.len()).map(|n| row(b, n)).collect()
    }
}
