//! IP of two words by five exchanges of bits between them (Outerbridge).
//!
//! An exchange wants one word shifted against the other. Shifts there and back take two more operations
//! than a rotation that stays: then it is known how far each word is turned, masks are turned with them,
//! and the last rotations put both straight.

use super::layout::Halves;
use crate::ir::{Builder, Value};

/// The bits of one word under `mask << by` are exchanged with those of the other under `mask`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    /// Whether the word with the higher bits is the left one.
    left: bool,
    by: u8,
    mask: u32,
}

const fn step(left: bool, by: u8, mask: u32) -> Exchange {
    Exchange { left, by, mask }
}

/// IP, of words with their first bit highest.
pub(super) const EXCHANGES: [Exchange; 5] = [
    step(true, 4, 0x0f0f_0f0f),
    step(true, 16, 0x0000_ffff),
    step(false, 2, 0x3333_3333),
    step(false, 8, 0x00ff_00ff),
    step(true, 1, 0x5555_5555),
];

/// IP, of words with their first bit lowest, the second one as the left one.
pub(super) const EXCHANGES_REVERSED: [Exchange; 5] = [
    step(true, 4, 0x0f0f_0f0f),
    step(false, 16, 0x0000_ffff),
    step(true, 2, 0x3333_3333),
    step(false, 8, 0x00ff_00ff),
    step(true, 1, 0x5555_5555),
];

impl Exchange {
    /// There and back.
    pub(super) fn by_shifts(&self, b: &mut Builder, l: Value, r: Value) -> (Value, Value) {
        let (high, low) = if self.left { (l, r) } else { (r, l) };
        let moved = b.shr(high, self.by);
        let differ = b.xor(moved, low);
        let swap = b.mask(differ, self.mask.into());
        let back = b.shl(swap, self.by);
        let (high, low) = (b.xor(high, back), b.xor(low, swap));
        if self.left { (high, low) } else { (low, high) }
    }
}

/// Two words, each turned right by so many bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) l: Value,
    pub(super) r: Value,
    pub(super) turned: [u32; 2],
}

impl Words {
    /// The exchanges, by rotations that stay; in the end both words are turned right by `to`.
    ///
    /// Of the ways in which each step turns one word or the other, one with the fewest rotations, and of
    /// these with the most by a single bit, which some processors do faster.
    pub(super) fn exchange(self, b: &mut Builder, steps: &[Exchange], to: u32) -> Halves {
        let ways = (0..1u32 << steps.len()).map(|way| {
            let turns = turns(self.turned, steps, way, to);
            let rotations = || turns.iter().flatten().filter(|&&by| by != 0);
            let single = rotations().filter(|&&by| by == 1 || by == 31).count();
            (rotations().count(), usize::MAX - single, turns)
        });
        let (_, _, turns) = ways.min_by_key(|(all, others, _)| (*all, *others)).expect("a way");
        let mut words = self;
        for (step, by) in steps.iter().zip(&turns) {
            words.turn(b, *by);
            words.step(b, step);
        }
        words.turn(b, turns[steps.len()]);
        Halves { l: words.l, r: words.r }
    }

    fn turn(&mut self, b: &mut Builder, by: [u32; 2]) {
        for (n, word) in [&mut self.l, &mut self.r].into_iter().enumerate() {
            if by[n] != 0 {
                *word = b.rotl(*word, (32 - by[n]) as u8);
                self.turned[n] = (self.turned[n] + by[n]) % 32;
            }
        }
    }

    fn step(&mut self, b: &mut Builder, step: &Exchange) {
        // The mask belongs to the word with the lower bits.
        let mask = step.mask.rotate_right(self.turned[usize::from(step.left)]);
        let differ = b.xor(self.l, self.r);
        let swap = b.mask(differ, mask.into());
        (self.l, self.r) = (b.xor(self.l, swap), b.xor(self.r, swap));
    }
}

/// How far both words are turned right before each step and in the end; bit n of `way`: in step n it is
/// the right one.
fn turns(from: [u32; 2], steps: &[Exchange], way: u32, to: u32) -> Vec<[u32; 2]> {
    let mut turned = from;
    let mut turns = Vec::new();
    let mut turn = |to: [u32; 2]| {
        turns.push([0, 1].map(|n| (to[n] + 32 - turned[n]) % 32));
        turned = to;
        turned
    };
    let mut now = from;
    for (n, step) in steps.iter().enumerate() {
        let by = if step.left { u32::from(step.by) } else { 32 - u32::from(step.by) };
        // The left word is to be turned further than the right one by that.
        now = turn(match way >> n & 1 {
            0 => [(now[1] + by) % 32, now[1]],
            _ => [now[0], (now[0] + 32 - by) % 32],
        });
    }
    turn([to; 2]);
    turns
}
