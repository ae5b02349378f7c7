//! Bits of keys to masks, which the compiler makes of each bit alone.
#![allow(unsafe_code, reason = "memory that nobody has written yet")]

use core::mem::MaybeUninit;

use super::key_bits::{FIRST_USES, INNER, MASKS, SECOND_USES, WORDS};
use super::masks::Masks;
use super::of_bits::HALF;
use super::vectors::Vector128;
use crate::kernels::bitslice::kernel::Vector as _;
use crate::kernels::cpu::processor::Sha3;

/// The masks of words.
pub(super) fn by_bits<const N: usize>(_: Sha3, words: &[u64], masks: &mut Masks<Vector128, N>) {
    // SAFETY: every processor can run it; all masks are written.
    unsafe { masks.make(words, expand) };
}

fn expand(words: &[u64], masks: &mut [MaybeUninit<Vector128>]) {
    fn some<const SOME: usize>(
        word: u64,
        places: &[usize; SOME],
        masks: &mut [MaybeUninit<Vector128>; SOME],
    ) {
        for (mask, place) in masks.iter_mut().zip(places) {
            mask.write(Vector128::splat((word >> place & 1).wrapping_neg()));
        }
    }
    fn half(word: &u64, masks: &mut [MaybeUninit<Vector128>; HALF]) {
        some(*word, &FIRST_USES, masks);
    }
    fn twice(word: &u64, masks: &mut [MaybeUninit<Vector128>; INNER]) {
        some(*word, &SECOND_USES, masks);
    }
    expand!(words, masks, half, twice);
}
