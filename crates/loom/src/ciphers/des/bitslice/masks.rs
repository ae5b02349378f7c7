//! One key for all lanes: the masks that the folded rounds read, bit by bit.
//!
//! For each pass 32 masks that put the first round's key bits into the half that it reads (and take
//! out what the last round of the pass before left there); then for each of the 16 rounds the 16
//! differences of the bits that are used twice, in the order of use, and the 32 differences for the
//! bits of the half that the round writes, in FIPS 46-3's order; at the end the 32 masks that take
//! out what the last round left. Inversions of the circuits' outputs are in the differences.

use super::circuit::inverted;
use super::fips;
use super::rounds::bit_of;
use super::slices::Gates;
use crate::ciphers::des::{Passes, schedule};

/// Masks before each pass, and after the last.
pub(super) const BEFORE_PASS: usize = 32;
/// Masks of a round for the bits that are used twice.
pub(super) const INNER: usize = 16;
/// Masks of a round.
pub(super) const PER_ROUND: usize = INNER + 32;

/// How many masks there are.
#[must_use]
pub const fn count(passes: Passes) -> usize {
    passes.count() * (BEFORE_PASS + 16 * PER_ROUND) + BEFORE_PASS
}

/// The place in E where a bit is used first.
fn first_use(bit: usize) -> usize {
    let is = |&taken: &u8| bit_of(taken) == bit;
    fips::E.iter().position(is).expect("E takes every bit")
}

/// The number of a place in E among those that use a bit for the second time, if it does.
pub(super) fn second_use(place: usize) -> Option<usize> {
    let again = |place: usize| first_use(bit_of(fips::E[place])) < place;
    again(place).then(|| (0..place).filter(|&before| again(before)).count())
}

/// The masks of a bundle of one or three keys, in the order of application, each with whether its
/// rounds go backwards, from K16 to K1. So Triple-DES encryption is KEY1, KEY2 backwards, KEY3, and
/// its decryption KEY3 backwards, KEY2, KEY1 backwards.
///
/// # Panics
/// If there are neither one nor three keys.
#[must_use]
pub fn masks(gates: Gates, keys: &[([u8; 8], bool)]) -> Vec<bool> {
    assert!(matches!(keys.len(), 1 | 3), "{} keys", keys.len());
    let inverted = inverted(gates);
    let mut masks = Vec::new();
    // What the half that is read next has in it.
    let mut left = [false; 32];
    for &(key, backwards) in keys {
        let subkeys = schedule::in_order(key, backwards);
        let firsts = subkeys.map(|k| std::array::from_fn(|bit| k[first_use(bit)]));
        masks.extend(xor(left, firsts[0]));
        for (round, k) in subkeys.iter().enumerate() {
            let seconds = (0..48).filter(|&place| second_use(place).is_some());
            masks.extend(seconds.map(|place| k[place] ^ k[first_use(bit_of(fips::E[place]))]));
            let nothing = [false; 32];
            let before = if round == 0 { nothing } else { firsts[round - 1] };
            let after = firsts.get(round + 1).copied().unwrap_or(nothing);
            masks.extend(xor(xor(before, after), inverted));
        }
        left = firsts[15];
    }
    masks.extend(left);
    masks
}

fn xor(a: [bool; 32], b: [bool; 32]) -> [bool; 32] {
    std::array::from_fn(|n| a[n] ^ b[n])
}
