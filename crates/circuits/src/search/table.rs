//! Truth tables of three operands in a byte: bit 4x + 2y + z is the result for x, y, z.

/// Where each operand is one.
const ONES: [u8; 3] = [0xf0, 0xcc, 0xaa];

/// How far rows are apart that differ in an operand alone.
const STEP: [u32; 3] = [4, 2, 1];

/// The table for another value of an operand, which it does not depend on then.
pub(super) const fn fixed(table: u8, place: usize, value: bool) -> u8 {
    let (ones, step) = (ONES[place], STEP[place]);
    if value {
        let rows = table & ones;
        rows | rows >> step
    } else {
        let rows = table & !ones;
        rows | rows << step
    }
}

/// The table for the inverse of an operand.
pub(super) const fn inverted(table: u8, place: usize) -> u8 {
    let (ones, step) = (ONES[place], STEP[place]);
    (table & ones) >> step | (table & !ones) << step
}

/// The table for the inverses of some operands, or its inverse.
pub(super) const fn with_inversions(table: u8, operands: [bool; 3], result: bool) -> u8 {
    let mut table = table;
    let mut place = 0;
    while place < 3 {
        if operands[place] {
            table = inverted(table, place);
        }
        place += 1;
    }
    if result { !table } else { table }
}

/// Whether it depends on an operand.
pub(super) const fn depends(table: u8, place: usize) -> bool {
    (table >> STEP[place] ^ table) & !ONES[place] != 0
}

/// The table if one operand, `twin`, always is as another; it does not depend on `twin` then.
pub(super) const fn identified(table: u8, place: usize, twin: usize) -> u8 {
    fixed(table, twin, true) & ONES[place] | fixed(table, twin, false) & !ONES[place]
}

/// The table of two of its operands, the only ones that it depends on, as first and second ones.
pub(super) const fn packed(table: u8, first: usize, second: usize) -> u8 {
    let mut packed = 0;
    let mut row = 0;
    while row < 4 {
        let x = (row >> 1) * STEP[first];
        let y = (row & 1) * STEP[second];
        if table >> (x + y) & 1 != 0 {
            packed |= 3 << (2 * row);
        }
        row += 1;
    }
    packed
}

/// For each pair of rows that differ in z alone: the first, and their difference, in all lanes.
static LANES: [[[u64; 2]; 4]; 256] = {
    let mut lanes = [[[0; 2]; 4]; 256];
    let mut table = 0;
    while table < 256 {
        let mut pair = 0;
        while pair < 4 {
            let low = table as u64 >> (2 * pair) & 1;
            let high = table as u64 >> (2 * pair + 1) & 1;
            lanes[table][pair] = [low.wrapping_neg(), (low ^ high).wrapping_neg()];
            pair += 1;
        }
        table += 1;
    }
    lanes
};

/// The result in 64 lanes.
#[inline(always)]
pub(super) fn apply(table: u8, [x, y, z]: [u64; 3]) -> u64 {
    let [p, q, r, s] = LANES[usize::from(table)].map(|[low, difference]| low ^ z & difference);
    let low = p ^ y & (p ^ q);
    let high = r ^ y & (r ^ s);
    low ^ x & (low ^ high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Op;

    /// Row by row, as the words of each function say it.
    fn rows(f: impl Fn([bool; 3]) -> bool) -> u8 {
        (0..8).fold(0, |table, row| table | u8::from(f([4, 2, 1].map(|bit| row & bit != 0))) << row)
    }

    fn at(table: u8, x: [bool; 3]) -> bool {
        let row = 4 * u8::from(x[0]) + 2 * u8::from(x[1]) + u8::from(x[2]);
        table >> row & 1 != 0
    }

    fn with(mut x: [bool; 3], place: usize, value: bool) -> [bool; 3] {
        x[place] = value;
        x
    }

    #[test]
    fn every_table_row_by_row() {
        for table in 0..=255 {
            let lanes = [0xf0, 0xcc, 0xaa];
            assert_eq!(apply(table, lanes), Op::Table(table).apply(lanes));
            for place in 0..3 {
                for value in [false, true] {
                    let wanted = rows(|x| at(table, with(x, place, value)));
                    assert_eq!(fixed(table, place, value), wanted);
                }
                assert_eq!(inverted(table, place), rows(|x| at(table, with(x, place, !x[place]))));
                let one = std::array::from_fn(|other| other == place);
                assert_eq!(with_inversions(table, one, true), !inverted(table, place));
                let differs = fixed(table, place, true) != fixed(table, place, false);
                assert_eq!(depends(table, place), differs);
                for twin in (0..3).filter(|&twin| twin != place) {
                    let wanted = rows(|x| at(table, with(x, twin, x[place])));
                    assert_eq!(identified(table, place, twin), wanted);
                }
            }
            for (first, second, third) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
                let two = fixed(table, third, false);
                let wanted = rows(|[x, y, _]| at(two, with(with([false; 3], first, x), second, y)));
                assert_eq!(packed(two, first, second), wanted);
            }
        }
    }
}
