//! Bit-matrix transposes: 64 x 64 bits in each 64-bit part, by exchanges of ever larger squares.
//!
//! Part c of vector v holds block c + v * lanes / 64 on the way in: a row of 64 bits. Six levels of
//! swap-and-mask (Warren, Hacker's Delight, 7-3; libdes-like code calls it PERM_OP) exchange bit d
//! of the row's number with bit d of the place in the row. Levels that exchange different bits do
//! not meet, so three of them need only eight rows at a time: two passes over the memory, each a
//! short loop in few registers.

use super::slices::{Gates, Slices};
use crate::ir::{Builder, Bytes, Op, SELECT, Table, Value};

/// Three levels: the distances in a row, and for each the places that are on the near side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Levels {
    /// Within bytes: eight rows become the eight bits of their bytes, the lowest first.
    Bits,
    /// Whole bytes: eight rows become the eight bytes, the first (lowest) first.
    Bytes,
}

impl Levels {
    const fn steps(self) -> [(u8, u64); 3] {
        match self {
            Self::Bits => {
                [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)]
            }
            Self::Bytes => [
                (8, 0x00ff_00ff_00ff_00ff),
                (16, 0x0000_ffff_0000_ffff),
                (32, 0x0000_0000_ffff_ffff),
            ],
        }
    }
}

/// The masks of three levels, made once.
pub(super) struct Squares {
    pub(super) slices: Slices,
    steps: Vec<(u8, Value)>,
    turns: Option<Turns>,
    /// Whether levels 16 and 32 are done otherwise: by 24 operations of one kind in place of 48 of others.
    interleaves: bool,
}

/// What levels 1 and 2 take where vectors are rotated: masks of the places 0 and 1 of every four, 1 and 2, and
/// 0 and 2, and zeros.
#[derive(Clone, Copy, Debug)]
struct Turns {
    low: Value,
    middle: Value,
    even: Value,
    zero: Value,
}

impl Turns {
    /// The masks are loaded: nothing else of the way there and back waits for loads, and all for operations on
    /// vectors, of which a constant is one. Zeros are none.
    fn new(b: &mut Builder, slices: Slices) -> Self {
        let masks = [0x3333_3333_3333_3333, 0x6666_6666_6666_6666, 0x5555_5555_5555_5555];
        b.table_set("bitslice128_places");
        let table = b.table(Table {
            name: "places".into(),
            doc: "places 0 and 1 of every four, 1 and 2, 0 and 2".into(),
            entry_bytes: 8,
            entries: masks.into_iter().flat_map(|mask| [mask; 2]).collect(),
        });
        let [low, middle, even] = [0, 2, 4].map(|first| b.constants(table, first, slices.ty()));
        Self { low, middle, even, zero: b.constant(slices.ty(), 0) }
    }

    /// Levels 1 and 2 of four rows, in 14 operations for 16. Row r is rotated left by r places, so that its bit
    /// for result c, which stands at c of every four, is at c + r: those of all four rows stand beside each other,
    /// and result c, rotated back by c, has row r at r.
    fn exchange(&self, b: &mut Builder, rows: [Value; 4]) -> [Value; 4] {
        let turn = |b: &mut Builder, row: Value, by: u8| {
            // A processor that rotates takes an exclusive or with it.
            let row = b.xor(row, self.zero);
            b.rotl(row, by)
        };
        let [first, second, third, fourth] = rows;
        let [second, third, fourth] =
            [(second, 1), (third, 2), (fourth, 3)].map(|(row, by)| turn(b, row, by));
        // Both ways to have one of two rows: for results 0 and 1, and for results 2 and 3.
        let both = |b: &mut Builder, mask, x, y| {
            [b.ternary(SELECT, [mask, x, y]), b.ternary(SELECT, [mask, y, x])]
        };
        let evens = both(b, self.low, first, third);
        let odds = both(b, self.middle, second, fourth);
        let [zero, one] = both(b, self.even, evens[0], odds[0]);
        let [two, three] = both(b, self.even, evens[1], odds[1]);
        [zero, turn(b, one, 63), turn(b, two, 62), turn(b, three, 61)]
    }
}

impl Squares {
    pub(super) fn new(b: &mut Builder, slices: Slices, levels: Levels) -> Self {
        let interleaves = levels == Levels::Bytes && slices.interleaves();
        let rotates = levels == Levels::Bits && slices.gates == Gates::Sha3;
        let steps = levels.steps();
        let steps = if interleaves { &steps[..1] } else { &steps };
        let constant = |&(by, mask): &(u8, u64)| (by, b.constant(slices.ty(), mask));
        let steps = steps.iter().map(constant).collect();
        let turns = rotates.then(|| Turns::new(b, slices));
        Self { slices, steps, turns, interleaves }
    }

    /// Row n's group of three place bits changes places with n.
    pub(super) fn exchange(&self, b: &mut Builder, mut rows: [Value; 8]) -> [Value; 8] {
        let mut levels = &self.steps[..];
        if let Some(turns) = self.turns {
            for four in rows.as_chunks_mut().0 {
                *four = turns.exchange(b, *four);
            }
            levels = &levels[2..];
        }
        let done = self.steps.len() - levels.len();
        for (level, &(by, near)) in (done..).zip(levels) {
            let distance = 1 << level;
            for n in (0..8).filter(|n| n & distance == 0) {
                let pair = [rows[n], rows[n + distance]];
                [rows[n], rows[n + distance]] = self.pair(b, pair, by, near);
            }
        }
        if self.interleaves { interleaved(b, self.slices, rows) } else { rows }
    }

    /// The far places of the first change with the near places of the second.
    fn pair(
        &self,
        b: &mut Builder,
        [first, second]: [Value; 2],
        by: u8,
        near: Value,
    ) -> [Value; 2] {
        match self.slices.gates {
            Gates::Two => {
                let down = b.shr(first, by);
                let differ = b.xor(down, second);
                let swap = b.and(differ, near);
                let up = b.shl(swap, by);
                [b.xor(first, up), b.xor(second, swap)]
            }
            Gates::Select | Gates::Sha3 | Gates::Three => {
                let up = b.shl(second, by);
                let down = b.shr(first, by);
                [b.ternary(SELECT, [near, first, up]), b.ternary(SELECT, [near, down, second])]
            }
        }
    }
}

/// Levels 16 and 32. Each 16 bytes are two parts, q, of four words of two bytes, 2c + w; row n is 4r + 2s + t.
/// Interleaving drops the highest bit of a place, by which of two results it is, and takes in which of the two
/// operands it comes from.
fn interleaved(b: &mut Builder, slices: Slices, rows: [Value; 8]) -> [Value; 8] {
    let mut result = rows;
    for t in 0..2 {
        // By part q: places are 4c + 2w + s.
        let pairs = [0, 4].map(|r| {
            let pair = [rows[r + t], rows[r + 2 + t]];
            both(b, slices, [Bytes::InterleavePairs, Bytes::UpperPairs], pair)
        });
        // By c: places are 4w + 2r + s.
        let words = [0, 1].map(|q| {
            let pair = [pairs[0][q], pairs[1][q]];
            both(b, slices, [Bytes::InterleaveWords, Bytes::UpperWords], pair)
        });
        // By w: places are 4q + 2r + s, which is where the part was and the row.
        for c in 0..2 {
            let pair = [words[0][c], words[1][c]];
            let parts = both(b, slices, [Bytes::InterleaveParts, Bytes::UpperParts], pair);
            (result[4 * c + t], result[4 * c + 2 + t]) = (parts[0], parts[1]);
        }
    }
    result
}

/// What two operations make of the same two vectors.
fn both(b: &mut Builder, slices: Slices, ops: [Bytes; 2], pair: [Value; 2]) -> [Value; 2] {
    ops.map(|op| b.op(slices.ty(), Op::Bytes(op, pair)))
}
