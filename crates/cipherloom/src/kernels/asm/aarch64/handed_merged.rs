//! The masks of one key that kernels are handed are what is proved of them, too.

use super::bitslice::Sha3Merged;
use super::handed_masks::all_masks;
use crate::kernels::cpu::processor::Sha3;

#[test]
fn slow_masks_of_one_key_are_those_of_the_statements() {
    if let Some(sha3) = Sha3::detect() {
        all_masks(Sha3Merged(sha3), "sha3");
    }
}
