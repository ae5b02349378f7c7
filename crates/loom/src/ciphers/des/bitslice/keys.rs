//! A key per lane: the bits of C and D as slices, by PC-1.
//!
//! C's 28 slices stand twice in a row, and then D's: after any rotation the 28 bits are still next
//! to each other, so a round's C and D are windows of this list and need no copying.

use super::blocks::from_fn;
use super::slices::{Gates, Slices};
use super::transpose::{Levels, Squares};
use crate::ir::{Access, Builder, Extent, Kernel, Type, Value};

/// Bits of C, and of D.
pub(super) const HALF: i32 = 28;
/// Slices of a key: C twice, D twice.
pub(super) const KEY: i32 = 4 * HALF;

/// Where the row of bit 4 of the bytes (0 is the lowest), of which C and D each have a half, waits.
const SHARED: i32 = HALF;

/// The first of the eight slices for bit `m` of the bytes: C takes the highest bits first, D the
/// lowest (FIPS 46-3 prints PC-1 as such rows, the last byte first). Bit 0 is the parity.
const fn row(m: i32) -> i32 {
    match m {
        5..=7 => 8 * (7 - m),
        4 => SHARED,
        _ => 2 * HALF + 8 * (m - 1),
    }
}

pub(super) fn slices(name: String, slices: Slices) -> Kernel {
    let lanes = slices.lanes;
    let doc = format!("{lanes} keys to bit slices, by PC-1: C twice in a row, then D twice.");
    let mut b = Builder::new(name, doc);
    let extent = Extent::Fixed(8 * u32::from(lanes));
    let keys = b.pointer("keys", Access::Read, extent, &format!("{lanes} keys of 8 bytes"));
    let extent = Extent::Fixed(slices.bytes(KEY) as u32);
    let to = b.pointer("slices", Access::ReadWrite, extent, "112 slices: C, C, D, D");
    b.aligned(to, slices.bytes(1) as u16);
    let eight = b.constant(Type::W64, 8);
    let bits = Squares::new(&mut b, slices, Levels::Bits);
    let last = b.advance(to, slices.bytes(7));
    b.repeat(eight, &[keys, last], |b, carried| {
        b.comment("eight vectors: the bits of their bytes");
        let rows = from_fn(|n| slices.load_blocks(b, carried[0], n));
        let rows = bits.exchange(b, rows);
        for (m, &value) in (0..).zip(&rows).skip(1) {
            store(b, slices, value, carried[1], row(m));
        }
        vec![b.advance(carried[0], slices.bytes(8)), b.advance(carried[1], -slices.bytes(1))]
    });
    let bytes = Squares::new(&mut b, slices, Levels::Bytes);
    b.comment("the row that C and D share: first, for it waits where others go");
    let shared = exchanged(&mut b, slices, &bytes, to, SHARED);
    for (byte, &value) in (0..).zip(&shared) {
        // The last four bytes are C's, the first four D's, the last byte of each first.
        let at = if byte < 4 { 2 * HALF + 24 + 3 - byte } else { 24 + 7 - byte };
        twice(&mut b, slices, value, to, at);
    }
    let (two, three) = (b.constant(Type::W64, 2), b.constant(Type::W64, 3));
    b.repeat(two, &[to], |b, half| {
        let after = b.repeat(three, &[half[0]], |b, carried| {
            b.comment("a row of slices: the bytes");
            let rows = exchanged(b, slices, &bytes, carried[0], 0);
            for (byte, &value) in (0..).zip(&rows) {
                twice(b, slices, value, carried[0], 7 - byte);
            }
            vec![b.advance(carried[0], slices.bytes(8))]
        });
        vec![b.advance(after[0], slices.bytes(2 * HALF - 24))]
    });
    b.finish()
}

/// A row with its bytes exchanged, byte 0 first.
fn exchanged(
    b: &mut Builder,
    slices: Slices,
    bytes: &Squares,
    base: Value,
    row: i32,
) -> [Value; 8] {
    let rows = from_fn(|n| match slices.gates {
        Gates::Two | Gates::Three => slices.load(b, base, row + 7 - n),
        _ => b.load_ordered(base, slices.bytes(row + 7 - n), slices.ty()),
    });
    bytes.exchange(b, rows)
}

/// A slice to its place and to its place in the copy behind.
fn twice(b: &mut Builder, slices: Slices, value: Value, base: Value, at: i32) {
    store(b, slices, value, base, at);
    store(b, slices, value, base, at + HALF);
}

/// A slice to its place. What one loop stores another one loads: where kernels are so short that all loops
/// may be written out, accesses keep their order.
fn store(b: &mut Builder, slices: Slices, value: Value, base: Value, at: i32) {
    match slices.gates {
        Gates::Two | Gates::Three => slices.store(b, value, base, at),
        _ => b.store_ordered(value, base, slices.bytes(at)),
    }
}
