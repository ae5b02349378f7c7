//! What wider kernels than 128 lanes are handed is what is proved of them, too: the masks of one key, and the lanes'
//! numbers.

use super::bitslice::{Avx2x256, Avx512x256, Avx512x512};
use super::handed::lanes;
use super::handed_masks::all_masks;
use crate::kernels::cpu::processor::{Avx2, Avx512};

#[test]
fn slow_masks_of_one_key_are_those_of_the_statements() {
    if let Some(avx2) = Avx2::detect() {
        all_masks(Avx2x256(avx2), "avx2");
    }
    if let Some(avx512) = Avx512::detect() {
        all_masks(Avx512x256(avx512), "avx512");
        all_masks(Avx512x512(avx512), "avx512");
    }
}

#[test]
fn numbers_of_lanes_are_those_of_the_statements() {
    lanes::<Avx2x256>();
    lanes::<Avx512x256>();
    lanes::<Avx512x512>();
}
