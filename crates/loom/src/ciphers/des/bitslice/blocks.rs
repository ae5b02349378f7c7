//! Blocks to the state by IP, and back by IP⁻¹.
//!
//! IP costs nothing: it says where a row of slices goes. Bit m of a byte (0 is the lowest) of all
//! eight bytes makes eight neighbouring slices of one half, the last byte first: FIPS 46-3 prints
//! IP as such rows.

use super::slices::Slices;
use super::transpose::{Levels, Squares};
use crate::ir::{Access, Builder, Extent, Kernel, Type, Value};

/// Slices of the state.
const STATE: i32 = 64;
/// Slices of a half.
const HALF: i32 = 32;

/// The first of the eight slices for bit `m` of the bytes, from the start of the state as IP makes
/// it: R for the highest bit, L for the next, and so on down.
const fn row(m: i32) -> i32 {
    let (half, bit) = if m % 2 == 0 { (0, 6 - m) } else { (HALF, 7 - m) };
    half + 8 * (bit / 2)
}

/// The slice of bit `bit` (1 to 64) of a block.
pub(super) const fn slice_of(bit: i32) -> i32 {
    let (byte, m) = ((bit - 1) / 8, 7 - (bit - 1) % 8);
    row(m) + 7 - byte
}

pub(super) fn state(b: &mut Builder, slices: Slices, access: Access) -> Value {
    let extent = Extent::Fixed(slices.bytes(STATE) as u32);
    let state = b.pointer("state", access, extent, "64 slices: half X, half Y");
    b.aligned(state, slices.bytes(1) as u16);
    state
}

fn blocks(b: &mut Builder, slices: Slices, access: Access) -> Value {
    let extent = Extent::Fixed(8 * u32::from(slices.lanes));
    b.pointer("blocks", access, extent, &format!("{} blocks of 8 bytes", slices.lanes))
}

/// Blocks to the state.
pub(super) fn enter(name: String, slices: Slices) -> Kernel {
    let doc = format!("{} blocks to bit slices, by IP: X = L0, Y = R0.", slices.lanes);
    let mut b = Builder::new(name, doc);
    let blocks = blocks(&mut b, slices, Access::Read);
    // Written first, then read where it is.
    let state = state(&mut b, slices, Access::ReadWrite);
    let eight = b.constant(Type::W64, 8);
    let bits = Squares::new(&mut b, slices, Levels::Bits);
    // Vectors 8 t to 8 t + 7 give slice 7 - t of each row.
    let last = b.advance(state, slices.bytes(7));
    b.repeat(eight, &[blocks, last], |b, carried| {
        b.remark("eight vectors: the bits of their bytes");
        let rows = from_fn(|n| slices.load_blocks(b, carried[0], n));
        let rows = bits.exchange(b, rows);
        for (m, &value) in (0..).zip(&rows) {
            slices.store(b, value, carried[1], row(m));
        }
        vec![b.advance(carried[0], slices.bytes(8)), b.advance(carried[1], -slices.bytes(1))]
    });
    rows_in_place(&mut b, slices, state);
    b.finish()
}

/// The state to blocks, or XORed into blocks.
pub(super) fn leave(name: String, slices: Slices, xor: bool) -> Kernel {
    let what = if xor { "XORed into" } else { "to" };
    let doc = format!(
        "Bit slices {what} {} blocks, by the inverse of IP from Y and X, the preoutput. Destroys \
         the state.",
        slices.lanes
    );
    let mut b = Builder::new(name, doc);
    let state = state(&mut b, slices, Access::ReadWrite);
    let blocks = blocks(&mut b, slices, if xor { Access::ReadWrite } else { Access::Write });
    rows_in_place(&mut b, slices, state);
    let eight = b.constant(Type::W64, 8);
    let bits = Squares::new(&mut b, slices, Levels::Bits);
    let last = b.advance(state, slices.bytes(7));
    b.repeat(eight, &[blocks, last], |b, carried| {
        b.remark("eight vectors: bytes of their bits");
        // The preoutput is R16 L16, so the halves have changed places.
        let rows = from_fn(|m| slices.load(b, carried[1], (row(m) + HALF) % STATE));
        let rows = bits.exchange(b, rows);
        for (n, &value) in (0..).zip(&rows) {
            let value = if xor {
                let before = slices.load_blocks(b, carried[0], n);
                b.xor(value, before)
            } else {
                value
            };
            slices.store_blocks(b, value, carried[0], n);
        }
        vec![b.advance(carried[0], slices.bytes(8)), b.advance(carried[1], -slices.bytes(1))]
    });
    b.finish()
}

/// In each row of eight slices, whole bytes change places with the slice's number; byte k goes
/// with slice 7 - k, on the way in and on the way out.
fn rows_in_place(b: &mut Builder, slices: Slices, state: Value) {
    let eight = b.constant(Type::W64, 8);
    let bytes = Squares::new(b, slices, Levels::Bytes);
    b.repeat(eight, &[state], |b, carried| {
        b.remark("a row of slices: the bytes");
        let rows = from_fn(|n| slices.load(b, carried[0], 7 - n));
        let rows = bytes.exchange(b, rows);
        for (n, &value) in (0..).zip(&rows) {
            slices.store(b, value, carried[0], 7 - n);
        }
        vec![b.advance(carried[0], slices.bytes(8))]
    });
}

/// Eight values, by number.
pub(super) fn from_fn(make: impl FnMut(i32) -> Value) -> [Value; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(make)
}
