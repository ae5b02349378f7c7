//! IP with E, and their inverses, for halves of a group a byte, by moving bits under masks.
//!
//! The transpose of [`expanded`](super::expanded) stays; what makes columns into groups is one
//! `compress` and one `expand` a half, and the two bits that a group takes from its neighbours.

use super::layout::Halves;
use crate::ir::{Builder, Endian, Table, TableId, Type, Value};

/// Which masks there are, in the order of their table.
#[derive(Clone, Copy)]
enum Mask {
    Squares2,
    Squares4,
    Squares8,
    Left,
    Right,
    Nibbles,
    Lowest,
    Highest,
}

/// The masks as a table: 64 bits each, too long for an instruction.
pub(super) fn masks() -> Table {
    let entries = vec![
        0x00aa_00aa_00aa_00aa,
        0x0000_cccc_0000_cccc,
        0x0000_0000_f0f0_f0f0,
        0x00ff_00ff_00ff_00ff,
        0xff00_ff00_ff00_ff00,
        0x1e1e_1e1e_1e1e_1e1e,
        0x0101_0101_0101_0101,
        0x2020_2020_2020_2020,
    ];
    let doc = "masks of IP, E and their inverses".to_owned();
    Table { name: "masks".to_owned(), doc, entry_bytes: 8, entries }
}

/// A block's halves.
pub(super) fn enter(masks: TableId, b: &mut Builder, data: Value, offset: i32) -> Halves {
    let block = b.load(data, offset, Type::W64, Endian::Little);
    let columns = transpose(masks, b, block);
    let [l, r] = [Mask::Left, Mask::Right].map(|side| {
        let side = mask(masks, b, side);
        let half = b.compress(columns, side);
        let nibbles = mask(masks, b, Mask::Nibbles);
        let middle = b.expand(half, nibbles);
        let (before, after) = (b.rotl(middle, 60), b.rotl(middle, 4));
        let (highest, lowest) = (mask(masks, b, Mask::Highest), mask(masks, b, Mask::Lowest));
        let (before, after) = (b.and(before, highest), b.and(after, lowest));
        let edges = b.or(before, after);
        b.or(middle, edges)
    });
    Halves { l, r }
}

/// The inverse of [`enter`].
pub(super) fn leave(masks: TableId, b: &mut Builder, halves: Halves, data: Value, offset: i32) {
    let [l, r] = [(halves.l, Mask::Left), (halves.r, Mask::Right)].map(|(half, side)| {
        let nibbles = mask(masks, b, Mask::Nibbles);
        let half = b.compress(half, nibbles);
        let side = mask(masks, b, side);
        b.expand(half, side)
    });
    let columns = b.or(l, r);
    let block = transpose(masks, b, columns);
    b.store(block, data, offset, Endian::Little);
}

fn mask(masks: TableId, b: &mut Builder, mask: Mask) -> Value {
    let index = b.constant(Type::W64, mask as u64);
    b.lookup(masks, index, Type::W64)
}

/// The transpose of 8 x 8 bits, a byte a row: three exchanges of ever larger squares. Rotations in
/// place of shifts need no copy where `rorx` does them; what comes around is masked away.
fn transpose(masks: TableId, b: &mut Builder, mut x: Value) -> Value {
    for (by, squares) in [(7, Mask::Squares2), (14, Mask::Squares4), (28, Mask::Squares8)] {
        let moved = b.rotl(x, 64 - by);
        let differ = b.xor(x, moved);
        let squares = mask(masks, b, squares);
        let swap = b.and(differ, squares);
        let back = b.rotl(swap, by);
        let low = b.xor(x, swap);
        x = b.xor(low, back);
    }
    x
}
