//! One key for all lanes: the masks that rounds with merged keys read, bit by bit.
//!
//! | who reads | masks |
//! |---|---|
//! | blocks to the state | `enter`: 32 that put the first round's key bits into Y |
//! | the rounds | for each of 16 rounds 48; between two passes 32 (the pass boundary) |
//! | the state to blocks | `leave`: 32 that take the last round's key bits out of X |
//!
//! Of a round's masks 16 are the differences of the bits that are used twice, in the order of their
//! second use; 32 are the differences for the half that the round writes, in FIPS 46-3's order, with
//! the inversions of the circuits' outputs in them. Inversions of inputs are as if every subkey had them. A pass boundary takes the key bits of the last round out
//! of the half that was read there, and puts in those of the next pass's first round, which reads
//! the same half.

use cipherloom_circuits::fips;

use super::circuit::{inverted, inverted_inputs};
use super::slices::{Gates, bit_of};
use crate::ciphers::des::{Passes, schedule};

/// Masks of a half: before the first pass, between two, and after the last.
pub(super) const OF_HALF: usize = 32;
/// Masks of a round for the bits that are used twice.
pub(super) const INNER: usize = 16;
/// Masks of a round.
pub(super) const PER_ROUND: usize = INNER + OF_HALF;

/// The masks of a bundle, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Masks {
    /// Into Y, as blocks become slices.
    pub enter: Vec<bool>,
    /// What the rounds read.
    pub rounds: Vec<bool>,
    /// Into X, as slices become blocks.
    pub leave: Vec<bool>,
}

/// How many masks the rounds read: 768 or 2368.
pub(super) const fn in_rounds(passes: Passes) -> usize {
    passes.count() * (16 * PER_ROUND + OF_HALF) - OF_HALF
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
pub fn masks(gates: Gates, keys: &[([u8; 8], bool)]) -> Masks {
    assert!(matches!(keys.len(), 1 | 3), "{} keys", keys.len());
    let (inverted, inputs) = (inverted(gates), inverted_inputs(gates));
    let (mut enter, mut rounds) = (Vec::new(), Vec::new());
    // The key bits in the half that was read last.
    let mut left = None;
    for &(key, backwards) in keys {
        let subkeys = schedule::in_order(key, backwards);
        let subkeys: [[bool; 48]; 16] =
            subkeys.map(|k| std::array::from_fn(|place| k[place] ^ inputs[place]));
        let firsts = subkeys.map(|k| std::array::from_fn(|bit| k[first_use(bit)]));
        match left {
            None => enter.extend(firsts[0]),
            Some(left) => rounds.extend(xor(left, firsts[0])),
        }
        for (round, k) in subkeys.iter().enumerate() {
            let seconds = (0..48).filter(|&place| second_use(place).is_some());
            rounds.extend(seconds.map(|place| k[place] ^ k[first_use(bit_of(fips::E[place]))]));
            let nothing = [false; OF_HALF];
            let before = if round == 0 { nothing } else { firsts[round - 1] };
            let after = firsts.get(round + 1).copied().unwrap_or(nothing);
            rounds.extend(xor(xor(before, after), inverted));
        }
        left = Some(firsts[15]);
    }
    Masks { enter, rounds, leave: left.into_iter().flatten().collect() }
}

fn xor(a: [bool; OF_HALF], b: [bool; OF_HALF]) -> [bool; OF_HALF] {
    std::array::from_fn(|n| a[n] ^ b[n])
}
