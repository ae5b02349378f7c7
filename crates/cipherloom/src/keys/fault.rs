//! Keys that a careful program refuses: weak, semi-weak, degenerate, of wrong parity.

use super::algorithm::Algorithm;
use crate::error::KeyFault;

/// Whether a check looks at the parity bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// Parity bits are ignored, as the cipher ignores them.
    Ignore,
    /// Every byte must have an odd number of ones (FIPS 46-3).
    Odd,
}

/// Every bit but the parity bits.
const KEY_BITS: u64 = 0xfefe_fefe_fefe_fefe;

/// The weak keys, with odd parity (SP 800-67 section 3.3.2).
const WEAK: [u64; 4] =
    [0x0101_0101_0101_0101, 0xfefe_fefe_fefe_fefe, 0xe0e0_e0e0_f1f1_f1f1, 0x1f1f_1f1f_0e0e_0e0e];

/// The semi-weak keys, a pair a line (SP 800-67 section 3.3.2).
#[rustfmt::skip]
const SEMI_WEAK: [u64; 12] = [
    0x01fe_01fe_01fe_01fe, 0xfe01_fe01_fe01_fe01,
    0x1fe0_1fe0_0ef1_0ef1, 0xe01f_e01f_f10e_f10e,
    0x01e0_01e0_01f1_01f1, 0xe001_e001_f101_f101,
    0x1ffe_1ffe_0efe_0efe, 0xfe1f_fe1f_fe0e_fe0e,
    0x011f_011f_010e_010e, 0x1f01_1f01_0e01_0e01,
    0xe0fe_e0fe_f1fe_f1fe, 0xfee0_fee0_fef1_fef1,
];

/// The faults in the order in which they are named.
const FAULTS: [KeyFault; 4] =
    [KeyFault::Weak, KeyFault::SemiWeak, KeyFault::Degenerate, KeyFault::Parity];

/// 1 if two keys differ in nothing but parity bits, else 0.
fn same(a: u64, b: u64) -> u8 {
    is_zero((a ^ b) & KEY_BITS)
}

/// 1 or 0. Seen through, it would become a branch.
fn is_zero(word: u64) -> u8 {
    let highest = !(word | word.wrapping_neg()) >> 63;
    core::hint::black_box(highest as u8)
}

/// 1 if a key is in the list, parity bits aside, else 0.
fn is_among(key: u64, list: &[u64]) -> u8 {
    list.iter().fold(0, |any, &listed| any | same(key, listed))
}

/// 1 if a byte of the key has an even number of ones, else 0.
fn has_even_byte(key: u64) -> u8 {
    // The lowest bit of each byte becomes the sum of all its bits.
    let sums = [4, 2, 1].iter().fold(key, |sums, half| sums ^ sums >> half);
    1 ^ is_zero(!sums & 0x0101_0101_0101_0101)
}

/// The first fault of a key, in the order of the enum. Nothing is told of the key but that.
pub(super) fn find(algorithm: Algorithm, keys: &[u64; 3], parity: Parity) -> Option<KeyFault> {
    let (count, bundle) = match algorithm {
        Algorithm::Des | Algorithm::Desx => (1, false),
        Algorithm::TdesEde2 | Algorithm::TdesEee2 => (2, true),
        Algorithm::TdesEde3 | Algorithm::TdesEee3 => (3, true),
    };
    let any =
        |is_so: &dyn Fn(u64) -> u8| keys[..count].iter().fold(0, |any, &key| any | is_so(key));
    let found = [
        any(&|key| is_among(key, &WEAK)),
        any(&|key| is_among(key, &SEMI_WEAK)),
        u8::from(bundle) & (same(keys[0], keys[1]) | same(keys[1], keys[2])),
        u8::from(parity == Parity::Odd) & any(&has_even_byte),
    ];
    // How many faults the key has not before the first one that it has.
    let (first, _) = found.iter().fold((0, 1), |(count, none), fault| {
        let none = none & (1 ^ fault);
        (count + none, none)
    });
    FAULTS.get(usize::from(first)).copied()
}

/// Of a DES key, for the C face: 1 or 0 for whether it is weak or semi-weak, parity bits aside, and
/// for whether a byte has an even number of ones. Nothing is told of the key on the way.
#[doc(hidden)]
#[must_use]
pub fn des_faults(key: [u8; 8]) -> [u8; 2] {
    let key = u64::from_be_bytes(key);
    [is_among(key, &WEAK) | is_among(key, &SEMI_WEAK), has_even_byte(key)]
}

/// Sets the lowest bit of every byte so that the byte has an odd number of ones (FIPS 46-3).
///
/// No cipher here needs it; other software may ask for it.
pub fn fix_parity(key: &mut [u8]) {
    for byte in key {
        let even = (*byte >> 1).count_ones() as u8 & 1 ^ 1;
        *byte = *byte & 0xfe | even;
    }
}
