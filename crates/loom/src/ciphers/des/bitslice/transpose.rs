//! Bit-matrix transposes: 64 x 64 bits in each 64-bit part, by exchanges of ever larger squares.
//!
//! Part c of vector v holds block c + v * lanes / 64 on the way in: a row of 64 bits. Six levels of
//! swap-and-mask (Warren, Hacker's Delight, 7-3; libdes-like code calls it PERM_OP) exchange bit d
//! of the row's number with bit d of the place in the row. Levels that exchange different bits do
//! not meet, so three of them need only eight rows at a time: two passes over the memory, each a
//! short loop in few registers.

use super::slices::{Gates, Slices};
use crate::ir::{Builder, SELECT, Value};

/// Three levels: the distances in a row, and for each the places that are on the near side.
#[derive(Clone, Copy, Debug)]
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
    steps: [(u8, Value); 3],
}

impl Squares {
    pub(super) fn new(b: &mut Builder, slices: Slices, levels: Levels) -> Self {
        let steps = levels.steps().map(|(by, mask)| (by, b.constant(slices.ty(), mask)));
        Self { slices, steps }
    }

    /// Row n's group of three place bits changes places with n.
    pub(super) fn exchange(&self, b: &mut Builder, mut rows: [Value; 8]) -> [Value; 8] {
        for (level, &(by, near)) in self.steps.iter().enumerate() {
            let distance = 1 << level;
            for n in (0..8).filter(|n| n & distance == 0) {
                let pair = [rows[n], rows[n + distance]];
                [rows[n], rows[n + distance]] = self.pair(b, pair, by, near);
            }
        }
        rows
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
