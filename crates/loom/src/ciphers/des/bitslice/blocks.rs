//! Blocks to the state by IP, and back by IP⁻¹.
//!
//! IP costs nothing: it says where a row of slices goes. Bit m of a byte (0 is the lowest) of all
//! eight bytes makes eight neighbouring slices of one half, the last byte first: FIPS 46-3 prints
//! IP as such rows.
//!
//! Blocks come and go by partial transposes, eight vectors each: piece n is slice 7 - n of each row,
//! until the bytes of all rows change places. So lanes that have no block cost nothing on the way, and a
//! partial transpose is straight-line code, of which eight calls are faster than one with a loop.

use super::slices::{Slices, mask_bytes};
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

/// The slice of the state that bit `bit` (1 to 64) of a block goes to.
#[must_use]
pub const fn slice_of(bit: i32) -> i32 {
    let (byte, m) = ((bit - 1) / 8, 7 - (bit - 1) % 8);
    row(m) + 7 - byte
}

pub(super) fn state(b: &mut Builder, slices: Slices, access: Access) -> Value {
    let extent = Extent::Fixed(slices.bytes(STATE) as u32);
    let state = b.pointer("state", access, extent, "64 slices: half X, half Y");
    b.aligned(state, slices.bytes(1) as u16);
    state
}

/// A slice of each row: the same of all, with what lies between.
fn rows(b: &mut Builder, slices: Slices, access: Access) -> Value {
    let extent = Extent::Fixed(slices.bytes(STATE - 7) as u32);
    let doc = "the state from slice 7 - n on, for piece n";
    let rows = b.pointer("rows", access, extent, doc);
    b.aligned(rows, slices.bytes(1) as u16);
    rows
}

fn blocks(b: &mut Builder, access: Access, count: u16) -> Value {
    let extent = Extent::Fixed(8 * u32::from(count));
    b.pointer("blocks", access, extent, &format!("{count} blocks of 8 bytes"))
}

/// Masks for the 32 slices of one half: key bits that are put in or taken out on the way.
fn masks(b: &mut Builder, slices: Slices, name: &str, doc: &str) -> Value {
    let mask = mask_bytes(slices.lanes);
    let masks = b.pointer(name, Access::Read, Extent::Fixed(32 * mask), doc);
    b.aligned(masks, mask as u16);
    masks
}

/// An eighth of the blocks to a slice of each row: the first half of the way in.
pub(super) fn enter_piece(name: String, slices: Slices) -> Kernel {
    let count = slices.lanes / 8;
    let doc = format!("{count} blocks to a slice of each row, before its bytes change places.");
    let mut b = Builder::new(name, doc);
    let blocks = blocks(&mut b, Access::Read, count);
    let rows = rows(&mut b, slices, Access::Write);
    let bits = Squares::new(&mut b, slices, Levels::Bits);
    let values = from_fn(|n| slices.load_blocks(&mut b, blocks, n));
    let values = bits.exchange(&mut b, values);
    for (m, &value) in (0..).zip(&values) {
        slices.store(&mut b, value, rows, row(m));
    }
    b.finish()
}

/// Rows to the state: the second half of the way in, for all blocks.
pub(super) fn enter_rows(name: String, slices: Slices) -> Kernel {
    let doc = "Rows of all blocks to bit slices, by IP: X = L0, Y = R0 XORed with the masks.";
    let mut b = Builder::new(name, doc);
    let masks = masks(&mut b, slices, "enter", "a mask for each slice of Y");
    let state = state(&mut b, slices, Access::ReadWrite);
    let bytes = Squares::new(&mut b, slices, Levels::Bytes);
    rows_of_half(&mut b, &bytes, state, None);
    let y = b.advance(state, slices.bytes(HALF));
    rows_of_half(&mut b, &bytes, y, Some((masks, When::After)));
    b.finish()
}

/// The state to rows: the first half of the way out, for all blocks.
pub(super) fn leave_rows(name: String, slices: Slices) -> Kernel {
    let doc = "Bit slices to rows of all blocks, X XORed with the masks.";
    let mut b = Builder::new(name, doc);
    let state = state(&mut b, slices, Access::ReadWrite);
    let masks = masks(&mut b, slices, "leave", "a mask for each slice of X");
    let bytes = Squares::new(&mut b, slices, Levels::Bytes);
    rows_of_half(&mut b, &bytes, state, Some((masks, When::Before)));
    let y = b.advance(state, slices.bytes(HALF));
    rows_of_half(&mut b, &bytes, y, None);
    b.finish()
}

/// A slice of each row to an eighth of the blocks, or XORed into them: the second half of the way
/// out.
pub(super) fn leave_piece(name: String, slices: Slices, xor: bool) -> Kernel {
    let count = slices.lanes / 8;
    let what = if xor { "XORed into" } else { "to" };
    let doc = format!(
        "A slice of each row {what} {count} blocks, by the inverse of IP from Y and X, the preoutput."
    );
    let mut b = Builder::new(name, doc);
    let rows = rows(&mut b, slices, Access::Read);
    let blocks = blocks(&mut b, if xor { Access::ReadWrite } else { Access::Write }, count);
    let bits = Squares::new(&mut b, slices, Levels::Bits);
    // The preoutput is R16 L16, so the halves have changed places.
    let values = from_fn(|m| slices.load(&mut b, rows, (row(m) + HALF) % STATE));
    let values = bits.exchange(&mut b, values);
    for (n, &value) in (0..).zip(&values) {
        let value = if xor {
            let before = slices.load_blocks(&mut b, blocks, n);
            b.xor(value, before)
        } else {
            value
        };
        slices.store_blocks(&mut b, value, blocks, n);
    }
    b.finish()
}

/// Whether masks are of the slices before their bytes change places, or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    After,
}

/// In each row of eight slices of a half, whole bytes change places with the slice's number; byte k
/// goes with slice 7 - k, on the way in and on the way out.
fn rows_of_half(b: &mut Builder, bytes: &Squares, half: Value, masks: Option<(Value, When)>) {
    let slices = bytes.slices;
    let four = b.constant(Type::W64, 4);
    let first: Vec<_> = [half].into_iter().chain(masks.map(|(masks, _)| masks)).collect();
    b.repeat(four, &first, |b, carried| {
        b.comment("a row of slices: the bytes");
        let masked = |b: &mut Builder, value: Value, slice: i32, now: When| match masks {
            Some((_, when)) if when == now => {
                let mask = slices.mask(b, carried[1], slice);
                b.xor(value, mask)
            }
            _ => value,
        };
        let rows = from_fn(|n| {
            let value = slices.load(b, carried[0], 7 - n);
            masked(b, value, 7 - n, When::Before)
        });
        let rows = bytes.exchange(b, rows);
        for (n, &value) in (0..).zip(&rows) {
            let value = masked(b, value, 7 - n, When::After);
            slices.store(b, value, carried[0], 7 - n);
        }
        let mut next = vec![b.advance(carried[0], slices.bytes(8))];
        if let Some(&masks) = carried.get(1) {
            next.push(b.advance(masks, 8 * mask_bytes(slices.lanes) as i32));
        }
        next
    });
}

/// Eight values, by number.
pub(super) fn from_fn(make: impl FnMut(i32) -> Value) -> [Value; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(make)
}
