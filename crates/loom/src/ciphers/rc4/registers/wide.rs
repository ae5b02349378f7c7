//! Four registers of 512 bits.
//!
//! A look-up chooses one of the four by the upper two bits of a place, which a product with a matrix spreads
//! over a byte, and picks a byte of it by the lower six. The write at j is a comparison with the places' numbers
//! in each register. What the next step needs, S\[i\], waits for that write alone, and not for S\[j\].

use super::way::{GROUP, Way, constants};
use crate::ir::{Builder, Bytes, TableId, Type, Value};

const ROW: Type = Type::Vector(512);
/// Bytes of it.
const BYTES: usize = 64;

/// `a ? b : c`, bit by bit.
const CHOOSE: u8 = 0xca;

/// The constants of a kernel.
pub(super) struct Wide {
    numbers: TableId,
    /// The numbers of all places.
    places: [Value; 4],
    /// The matrices that spread bits 6 and 7 over a byte.
    spread: [Value; 2],
    everywhere: TableId,
    only: TableId,
}

impl Wide {
    pub(super) fn new(b: &mut Builder) -> Self {
        let numbers = constants(b, ["numbers", "0 to 255"], [1, 4 * BYTES], |_, byte| byte as u8);
        let everywhere = ["everywhere", "a number in each byte"];
        let everywhere = constants(b, everywhere, [GROUP + 2, BYTES], |n, _| n as u8);
        let only = ["only", "all bits of one byte"];
        let only =
            constants(b, only, [GROUP + 1, BYTES], |n, byte| if byte == n { 0xff } else { 0 });
        Self {
            numbers,
            places: [0, 1, 2, 3].map(|row| b.constants(numbers, row * BYTES as u64, ROW)),
            spread: [0x40, 0x80].map(|bit| b.constant(ROW, u64::from_ne_bytes([bit; 8]))),
            everywhere,
            only,
        }
    }

    fn of(b: &mut Builder, table: TableId, n: usize) -> Value {
        b.constants(table, (n * BYTES) as u64, ROW)
    }

    fn at(&self, b: &mut Builder, s: &[Value], place: Value) -> Value {
        let [odd, upper] = self.spread.map(|matrix| b.bytes(Bytes::Matrix, place, matrix));
        // The first register is the last one to be known.
        let second = b.ternary(CHOOSE, [odd, s[3], s[2]]);
        let first = b.ternary(CHOOSE, [odd, s[1], s[0]]);
        let row = b.ternary(CHOOSE, [upper, second, first]);
        b.bytes(Bytes::Pick, place, row)
    }
}

impl Way for Wide {
    fn numbers(&self, b: &mut Builder, first: i32) -> Value {
        b.constants(self.numbers, first as u64, ROW)
    }

    fn byte(&self, b: &mut Builder, bytes: Value, n: usize) -> Value {
        let n = Self::of(b, self.everywhere, n);
        b.bytes(Bytes::Shuffle, bytes, n)
    }

    fn entry(&self, b: &mut Builder, s: &[Value], place: usize) -> Value {
        let place = Self::of(b, self.everywhere, place);
        b.bytes(Bytes::Pick, place, s[0])
    }

    fn swap(
        &self,
        b: &mut Builder,
        s: &mut [Value],
        place: usize,
        j: Value,
        x: Value,
    ) -> (Value, Value) {
        // What the next step waits for comes first.
        let first = b.select_bytes([j, self.places[0]], x, s[0]);
        let next = self.entry(b, &[first], place + 1);
        let y = self.at(b, s, j);
        for (row, places) in s.iter_mut().zip(self.places).skip(1) {
            *row = b.select_bytes([j, places], x, *row);
        }
        let only = Self::of(b, self.only, place);
        s[0] = b.ternary(CHOOSE, [only, y, first]);
        (y, next)
    }

    fn generate(
        &self,
        b: &mut Builder,
        s: &[Value],
        place: Value,
        keystream: Option<Value>,
        n: usize,
    ) -> Value {
        let byte = self.at(b, s, place);
        // The bytes behind it get theirs later.
        let Some(keystream) = keystream else { return byte };
        let only = Self::of(b, self.only, n);
        b.ternary(CHOOSE, [only, byte, keystream])
    }

    fn joined(&self, _: &mut Builder, keystream: Value) -> Value {
        keystream
    }

    fn turned(&self, b: &mut Builder, s: &[Value]) -> Vec<Value> {
        (0..s.len()).map(|n| b.bytes(Bytes::Next, s[(n + 1) % s.len()], s[n])).collect()
    }
}
