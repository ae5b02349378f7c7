//! Halves E-expanded to 64 bits, each group of six bits where a table's index is taken.
//!
//! E never runs: the tables hold its result. A half always has the subkey of its next use in it,
//! and what is XORed in between is the difference of two subkeys, which waits for nothing.

use super::layout::{Halves, Layout, p_of_s};
use super::positions::{FIELDS, PAIRS, expand};
use crate::ir::{Builder, Endian, Table, TableId, Type, Value};

/// Entries of a row of [`Layout::Spaced`]: a byte's lowest bit is that many bytes, 256, where it stands as the
/// second one of a word.
const ROW: usize = 32;

/// Of which groups the entries are in rows, the first in the byte next to the lowest one.
const IN_ROWS: [usize; 3] = [1, 3, 5];

/// The E-expanded output of P after S1 to S8, one S-box or two at a look-up; the lowest field of a
/// half first.
pub(super) fn tables(layout: Layout) -> Vec<Table> {
    let table =
        |name: String, doc: String, entries: Vec<u64>| Table { name, doc, entry_bytes: 8, entries };
    let of = |s: usize| -> Vec<u64> { (0..64).map(|x| expand(layout, p_of_s(s, x))).collect() };
    let one = |n: usize| {
        let s = 7 - n;
        table(format!("s{}", s + 1), format!("E(P(S{}))", s + 1), of(s))
    };
    match layout {
        Layout::Bytes => (0..8).map(one).collect(),
        Layout::Spaced => {
            let mut rows = vec![0; 64 * ROW];
            for (column, n) in IN_ROWS.into_iter().enumerate() {
                for (x, entry) in of(7 - n).into_iter().enumerate() {
                    rows[x * ROW + column] = entry;
                }
            }
            let names = IN_ROWS.map(|n| format!("E(P(S{}))", 8 - n)).join(", ");
            let rows = table("rows".to_owned(), format!("64 rows that begin with {names}"), rows);
            let alone = (0..8).filter(|n| !IN_ROWS.contains(n)).map(one);
            alone.chain([rows]).collect()
        }
        _ => (0..4)
            .map(|n| {
                let (high, low) = match layout {
                    Layout::Dense => PAIRS[n],
                    _ => (6 - 2 * n, 7 - 2 * n),
                };
                // E moves bits: that of two S-boxes is both of theirs.
                let (highs, lows) = (of(high), of(low));
                let entries = (0..4096).map(|x: usize| highs[x >> 6] | lows[x & 63]).collect();
                let doc = format!("E(P(S{} and S{}))", high + 1, low + 1);
                table(format!("s{}{}", high + 1, low + 1), doc, entries)
            })
            .collect(),
    }
}

/// IP and E. Read little-endian, a block under IP is the transpose of 8 x 8 bits: its odd columns
/// are L, the even ones R.
pub(super) fn enter(layout: Layout, b: &mut Builder, data: Value, offset: i32) -> Halves {
    let block = b.load(data, offset, Type::W64, Endian::Little);
    let columns = transpose(b, block);
    let even = b.shr(columns, 8);
    let l = b.mask(columns, ALTERNATE);
    let r = b.mask(even, ALTERNATE);
    Halves { l: spread(layout, b, l), r: spread(layout, b, r) }
}

/// E undone, and IP⁻¹.
pub(super) fn leave(layout: Layout, b: &mut Builder, halves: Halves, data: Value, offset: i32) {
    let l = gather(layout, b, halves.l);
    let r = gather(layout, b, halves.r);
    let r = b.shl(r, 8);
    let columns = b.or(l, r);
    let block = transpose(b, columns);
    b.store(block, data, offset, Endian::Little);
}

const ALTERNATE: u64 = 0x00ff_00ff_00ff_00ff;
const NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// Four bytes in 16-bit fields, E-expanded.
fn spread(layout: Layout, b: &mut Builder, bytes: Value) -> Value {
    let high = b.shl(bytes, 4);
    let both = b.or(bytes, high);
    let nibbles = b.mask(both, NIBBLES);
    // Each group takes a neighbour's bit on either side.
    let lowest = b.mask(nibbles, 0x0101_0101_0101_0101);
    let highest = b.mask(nibbles, 0x0808_0808_0808_0808);
    let before = b.rotl(lowest, 61);
    let after = b.rotl(highest, 5);
    let middle = b.shl(nibbles, 1);
    let edges = b.or(before, after);
    let groups = b.or(middle, edges);
    match layout {
        Layout::Bytes | Layout::Spaced => groups,
        _ => {
            let low = b.mask(groups, 0x003f_003f_003f_003f);
            let moved = b.shr(groups, 2);
            let high = b.mask(moved, 0x0fc0_0fc0_0fc0_0fc0);
            b.or(low, high)
        }
    }
}

/// The inverse of [`spread`].
fn gather(layout: Layout, b: &mut Builder, expanded: Value) -> Value {
    let (low, high) = match layout {
        Layout::Bytes | Layout::Spaced => {
            let middle = b.shr(expanded, 1);
            let nibbles = b.mask(middle, NIBBLES);
            let high = b.shr(nibbles, 4);
            let both = b.or(nibbles, high);
            return b.mask(both, ALTERNATE);
        }
        _ => (b.shr(expanded, 1), b.shr(expanded, 3)),
    };
    let low = b.mask(low, 0x000f_000f_000f_000f);
    let high = b.mask(high, 0x00f0_00f0_00f0_00f0);
    b.or(low, high)
}

/// The transpose of 8 x 8 bits, a byte a row: three exchanges of ever larger squares.
fn transpose(b: &mut Builder, mut x: Value) -> Value {
    for (by, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let moved = b.shr(x, by);
        let differ = b.xor(x, moved);
        let swap = b.mask(differ, mask);
        let back = b.shl(swap, by);
        let low = b.xor(x, swap);
        x = b.xor(low, back);
    }
    x
}

/// The look-ups of a half that has its subkey in it, to be XORed together.
pub(super) fn f(layout: Layout, tables: &[TableId], b: &mut Builder, half: Value) -> Vec<Value> {
    // A field's highest bits may be zero; whole bytes and halfwords are cheaper to take.
    let fields: Vec<(u8, u8)> = match layout {
        Layout::Bytes => (0..8).map(|n| (8 * n, 8)).collect(),
        Layout::Spaced => return f_spaced(tables, b, half),
        Layout::Dense => FIELDS.map(|shift| (shift, 12)).into(),
        _ => (0..4).map(|n| (16 * n, 16)).collect(),
    };
    let look_up = |((shift, bits), &table): ((u8, u8), &TableId)| {
        let index = b.field(half, shift, bits);
        b.lookup(table, index, Type::W64)
    };
    fields.into_iter().zip(tables).map(look_up).collect()
}

/// The same with [`Layout::Spaced`].
fn f_spaced(tables: &[TableId], b: &mut Builder, half: Value) -> Vec<Value> {
    let (rows, alone) = tables.split_last().expect("the rows");
    let mut alone = alone.iter();
    let look_up = |n: usize| {
        let shift = 8 * n as u8;
        let (table, index) = match IN_ROWS.iter().position(|&other| other == n) {
            Some(column) => {
                let row = b.field(half, shift, 6);
                let row = b.shl(row, ROW.ilog2() as u8);
                let column = b.constant(Type::W64, column as u64);
                (rows, b.add(row, column))
            }
            None => (alone.next().expect("a table"), b.field(half, shift, 8)),
        };
        b.lookup(*table, index, Type::W64)
    };
    (0..8).map(look_up).collect()
}
