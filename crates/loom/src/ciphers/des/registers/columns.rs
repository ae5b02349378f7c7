//! Columns: inputs of S-boxes as sums of bytes.
//!
//! Two S-boxes share a table of bytes, and each of their eight output bits has a *column* of its own there: bit 0 to 7
//! of a byte. An output bit stays in its column where an S-box takes it; so it is worth 1, 2, 4, ... 128.
//!
//! [`COLUMNS`] are such that the six bits of each S-box's input have six different columns, among them 0 and 7. By these
//! each has its *rank*, and by its rank what it adds to a sum of distances |x - c| from constants: of x, which is 0 or 2
//! to the column, the distance is (2^column - v)/2 or v more, whatever even v is wanted, and 1 is wanted in column 0 only.

use super::{each, source};
use cipherloom_circuits::fips;

/// The column of each output bit of each S-box: the first that a search in this order finds.
const COLUMNS: [[usize; 4]; 8] = [
    [0, 1, 2, 3],
    [4, 7, 5, 6],
    [1, 0, 2, 3],
    [4, 7, 5, 6],
    [2, 3, 0, 1],
    [7, 5, 6, 4],
    [0, 7, 3, 1],
    [4, 2, 6, 5],
];

/// The column of an output bit (0 is the leftmost), as its value in a byte.
pub(super) fn value(s: usize, output: usize) -> u8 {
    1 << COLUMNS[s][output]
}

/// The column of number `bit` (0 is the leftmost) of an S-box's input.
pub(super) fn column(s: usize, bit: usize) -> usize {
    let (from, output) = source(s, bit);
    COLUMNS[from][output]
}

/// How many bits of the S-box's input have columns below this one's.
pub(super) fn rank(s: usize, bit: usize) -> usize {
    (0..6).filter(|&other| column(s, other) < column(s, bit)).count()
}

/// The constant from which a bit of the S-box's input has a distance of `adds` more if it is one.
pub(super) fn distance(s: usize, bit: usize, adds: u8) -> u8 {
    ((1 << column(s, bit)) - adds) / 2
}

/// The byte of a part that is there for a constant.
const CONSTANT: usize = 6;

/// What an index has more: with 16 added its highest bit is set, and a look-up gives 0.
pub(super) const ABOVE: u8 = 0x70;

/// The constants for all bytes, by the bit of an S-box's input that a byte has, and what that adds: with [`ABOVE`] in all.
pub(super) fn distances(
    bit_in: impl Fn(usize, usize) -> Option<usize>,
    adds: impl Fn(usize, usize) -> u8,
) -> Vec<u8> {
    let of = |s, bit| distance(s, bit, adds(s, bit));
    each(|s, n| match bit_in(s, n) {
        Some(bit) => of(s, bit),
        None if n == CONSTANT => (0..6).fold(ABOVE, |rest, bit| rest.wrapping_sub(of(s, bit))),
        None => 0,
    })
}

/// What an S-box has in its columns: entry `index` of table `table` of four, which the bits of rank 4 and 5 choose.
pub(super) fn entry(s: usize, index: usize, table: usize) -> u8 {
    let by_rank = 16 * table + index;
    let input = (0..6).fold(0, |input, bit| input | (by_rank >> rank(s, bit) & 1) << (5 - bit));
    let out = fips::s_box(s, input);
    (0..4).fold(0, |byte, bit| byte | (out >> (3 - bit) & 1) << COLUMNS[s][bit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_s_boxes_have_eight_columns() {
        for pair in COLUMNS.chunks(2) {
            let mut columns = pair.concat();
            columns.sort_unstable();
            assert_eq!(columns, [0, 1, 2, 3, 4, 5, 6, 7]);
        }
    }

    #[test]
    fn each_s_box_takes_six_columns_among_them_the_lowest_and_the_highest() {
        for s in 0..8 {
            let mut columns: Vec<usize> = (0..6).map(|bit| column(s, bit)).collect();
            columns.sort_unstable();
            columns.dedup();
            assert_eq!((columns.len(), columns[0], columns[5]), (6, 0, 7), "S{}", s + 1);
        }
    }
}
