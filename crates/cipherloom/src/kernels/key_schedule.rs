//! The key schedule: from keys to subkeys, in constant time.

use super::cpu::Steady;
use super::passes::Passes;
use super::schedule::{BOUNDARY, Schedule, Words};
use super::table::Halves;
use super::{asm, key_rows};

impl Schedule {
    /// The schedule of `passes`; see [`fill`](Self::fill).
    #[inline]
    pub(crate) fn new(passes: &Passes, whitening: Option<&[u64; 2]>) -> Self {
        let mut schedule = Self::blank(passes.shape);
        schedule.fill(passes, whitening);
        schedule
    }

    /// Makes the schedule of `passes` where it stays, in constant time; DESX's whitening of input
    /// and output is XORed into the halves at the outer pass boundaries. There is room for these passes.
    #[inline(always)]
    pub(crate) fn fill(&mut self, passes: &Passes, whitening: Option<&[u64; 2]>) {
        match self {
            Self::One(words) => fill(words, passes, whitening),
            Self::Three(words) => fill(words, passes, whitening),
        }
    }
}

#[inline(always)]
fn fill<const N: usize>(words: &mut Words<N>, passes: &Passes, whitening: Option<&[u64; 2]>) {
    let _steady = Steady::begin();
    if !asm::schedule(words, passes) {
        key_rows::fill(words, passes);
    }
    if let Some(masks) = whitening {
        whiten(words, masks);
    }
}

#[cold]
fn whiten<const N: usize>(words: &mut Words<N>, &[before, after]: &[u64; 2]) {
    for (at, mask) in [(0, before), (N - BOUNDARY, after)] {
        let Halves { l, r } = Halves::from_block(mask);
        words.add(at, r);
        words.add(at + 1, l);
    }
}

/// K1 to K16, each group of six bits in a byte of its own.
#[inline]
pub(super) fn subkeys(key: u64, k: &mut [u64; 16]) {
    if !asm::subkeys(key, k) {
        key_rows::subkeys(key, k);
    }
}
