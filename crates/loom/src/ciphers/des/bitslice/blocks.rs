//! Blocks to the state by IP, and back by IP⁻¹.
//!
//! IP costs nothing: it says where a row of slices goes. Bit m of a byte (0 is the lowest) of all
//! eight bytes makes eight neighbouring slices of one half, the last byte first: FIPS 46-3 prints
//! IP as such rows.

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

fn blocks(b: &mut Builder, slices: Slices, access: Access) -> Value {
    let extent = Extent::Fixed(8 * u32::from(slices.lanes));
    b.pointer("blocks", access, extent, &format!("{} blocks of 8 bytes", slices.lanes))
}

/// Masks for the 32 slices of one half: key bits that are put in or taken out on the way.
fn masks(b: &mut Builder, slices: Slices, name: &str, doc: &str) -> Value {
    let mask = mask_bytes(slices.lanes);
    let masks = b.pointer(name, Access::Read, Extent::Fixed(32 * mask), doc);
    b.aligned(masks, mask as u16);
    masks
}

/// Blocks to the state.
pub(super) fn enter(name: String, slices: Slices) -> Kernel {
    let doc = format!(
        "{} blocks to bit slices, by IP: X = L0, Y = R0 XORed with the masks.",
        slices.lanes
    );
    let mut b = Builder::new(name, doc);
    let blocks = blocks(&mut b, slices, Access::Read);
    let masks = masks(&mut b, slices, "enter", "a mask for each slice of Y");
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
    let bytes = Squares::new(&mut b, slices, Levels::Bytes);
    rows_of_half(&mut b, &bytes, state, None);
    let y = b.advance(state, slices.bytes(HALF));
    rows_of_half(&mut b, &bytes, y, Some((masks, When::After)));
    b.finish()
}

/// The state to blocks, or XORed into blocks.
pub(super) fn leave(name: String, slices: Slices, xor: bool) -> Kernel {
    let what = if xor { "XORed into" } else { "to" };
    let doc = format!(
        "Bit slices {what} {} blocks, by the inverse of IP from Y and X, the preoutput, X XORed \
         with the masks. Destroys the state.",
        slices.lanes
    );
    let mut b = Builder::new(name, doc);
    let state = state(&mut b, slices, Access::ReadWrite);
    let masks = masks(&mut b, slices, "leave", "a mask for each slice of X");
    let blocks = blocks(&mut b, slices, if xor { Access::ReadWrite } else { Access::Write });
    let bytes = Squares::new(&mut b, slices, Levels::Bytes);
    rows_of_half(&mut b, &bytes, state, Some((masks, When::Before)));
    let y = b.advance(state, slices.bytes(HALF));
    rows_of_half(&mut b, &bytes, y, None);
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
        b.remark("a row of slices: the bytes");
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
