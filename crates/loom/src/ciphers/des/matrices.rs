//! IP and its inverse as products with matrices of bits.
//!
//! Under IP a block is the transpose of 8 x 8 bits, its columns in another order. A byte with one bit
//! set, times a matrix, is a column of it: so eight such bytes, times the block, are its transpose,
//! in the order of the bytes. The rows come with the lowest last ([`Bytes::Matrix`]).

use super::layout::{Halves, Layout};
use super::rotated;
use crate::ir::{Builder, Bytes, Table, TableId, Type, Value};

/// Where the two halves meet.
const VECTOR: Type = Type::Vector(128);

/// Which column of a block (0 is the lowest bits of its bytes) byte `n` of L is under IP, the first
/// byte 0: IP's rows begin with bits 58, 60, 62, 64 of a block.
const fn column(n: usize) -> usize {
    6 - 2 * n
}

/// Vectors of 16 bytes for a layout, one after the other.
///
/// # Panics
/// If the layout has no permutations of this kind.
pub(super) fn constants(layout: Layout) -> Table {
    let vectors = match layout {
        _ if layout.is_reversed() => reversed(),
        _ if layout.is_by_bytes() => grouped(),
        _ => panic!("{layout:?} is not permuted by matrices"),
    };
    let word = |bytes: &[u8]| bytes.iter().rfold(0, |word, byte| word << 8 | u64::from(*byte));
    let entries = vectors.iter().flat_map(|vector| vector.chunks(8).map(word)).collect();
    let doc = "columns of IP and its inverse, and orders of bytes".to_owned();
    Table { name: "columns".to_owned(), doc, entry_bytes: 8, entries }
}

/// One of [`constants`].
fn vector(constants: TableId, b: &mut Builder, number: usize) -> Value {
    b.constants(constants, 2 * number as u64, VECTOR)
}

/// Columns for L, for R, and for a block.
fn reversed() -> Vec<[u8; 16]> {
    let side = |higher: usize| bytes(|n| if n < 4 { 1 << (column(n) + higher) } else { 0 });
    vec![side(0), side(1), bytes(|n| if n < 8 { 0x80 >> n } else { 0 })]
}

fn bytes(of: impl Fn(usize) -> u8) -> [u8; 16] {
    std::array::from_fn(of)
}

/// A byte that is 0 where a shuffle has this index.
const NONE: u8 = 0x80;

/// For halves of a group of E a byte, numbered as [`enter_grouped`] and [`leave_grouped`] say. Groups 0,
/// 2, 4, 6 begin a bit before a byte of the half, the others end a bit behind one.
fn grouped() -> Vec<[u8; 16]> {
    const NO: u8 = NONE;
    // Byte n of eight is byte `3 - n % 4` of L, then of R, as the last group is the lowest byte.
    let column_at = |n: usize, on: usize| 1 << (column((3 - n % 4 + on) % 4) + n % 8 / 4);
    vec![
        [NO, NO, 4, 3, 2, 1, 0, NO, NO, NO, NO, 7, 6, 5, 4, 3],
        [NO, NO, NO, NO, NO, NO, NO, 7, NO, NO, 0, NO, NO, NO, NO, NO],
        bytes(|n| column_at(n, 0)),
        // The column behind, and the one before.
        bytes(|n| column_at(n, if n < 8 { 1 } else { 3 })),
        [0, 8, 1, 9, 2, 10, 3, 11, NO, NO, NO, NO, NO, NO, NO, NO],
        [4, 12, 5, 13, 6, 14, 7, 15, NO, NO, NO, NO, NO, NO, NO, NO],
        // R's and L's groups 1, 3, 5, 7, then 0, 2, 4, 6.
        [12, 13, 8, 9, 4, 5, 0, 1, 14, 15, 10, 11, 6, 7, 2, 3],
        [2, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 8, 16],
        [0, 1, 2, 3, 12, 13, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO],
    ]
}

/// IP and E for halves of a group a byte. Groups with odd numbers are made in the lower eight bytes,
/// those with even ones in the upper eight: of five rows of the block, in the column of a byte of the
/// half, and of one row in the column beside it.
pub(super) fn enter_grouped(
    constants: TableId,
    b: &mut Builder,
    data: Value,
    offset: i32,
) -> Halves {
    let block = b.load_low(data, offset, 8, VECTOR);
    let [middle, edges] = [[0, 2], [1, 3]].map(|[rows, columns]| {
        let rows = vector(constants, b, rows);
        let rows = b.bytes(Bytes::Shuffle, block, rows);
        let columns = vector(constants, b, columns);
        b.bytes(Bytes::Matrix, columns, rows)
    });
    let groups = b.xor(middle, edges);
    let [l, r] = [4, 5].map(|order| {
        let order = vector(constants, b, order);
        let half = b.bytes(Bytes::Shuffle, groups, order);
        b.resize(half, Type::W64)
    });
    Halves { l, r }
}

/// Its inverse, of the four bits of each group that are no neighbour's.
pub(super) fn leave_grouped(
    constants: TableId,
    b: &mut Builder,
    halves: Halves,
    data: Value,
    offset: i32,
) {
    let [l, r] = [halves.l, halves.r].map(|half| b.resize(half, VECTOR));
    let both = b.bytes(Bytes::Interleave, r, l);
    let [groups, columns, order] = [6, 7, 8].map(|number| vector(constants, b, number));
    let rows = b.bytes(Bytes::Shuffle, both, groups);
    let parts = b.bytes(Bytes::Matrix, columns, rows);
    let block = b.bytes(Bytes::Shuffle, parts, order);
    b.store_low(block, data, offset);
}

/// IP for halves in words, their first bit lowest. The block's words are read alone, as who made them
/// may just have written them so.
pub(super) fn enter(constants: TableId, b: &mut Builder, data: Value, offset: i32) -> Halves {
    let [low, high] = [0, 4].map(|at| b.load_low(data, offset + at, 4, VECTOR));
    let rows = b.bytes(Bytes::InterleaveWords, low, high);
    let [l, r] = [0, 1].map(|side| {
        let columns = vector(constants, b, side);
        let half = b.bytes(Bytes::Matrix, columns, rows);
        b.resize(half, Type::W32)
    });
    rotated::rotated(b, Halves { l, r })
}

/// Its inverse: the halves' bytes in turns are the block's columns, the highest first.
pub(super) fn leave(constants: TableId, b: &mut Builder, halves: Halves, data: Value, offset: i32) {
    let Halves { l, r } = rotated::straight(b, halves);
    let [l, r] = [l, r].map(|half| b.resize(half, VECTOR));
    let rows = b.bytes(Bytes::Interleave, r, l);
    let columns = vector(constants, b, 2);
    let block = b.bytes(Bytes::Matrix, columns, rows);
    b.store_low(block, data, offset);
}
