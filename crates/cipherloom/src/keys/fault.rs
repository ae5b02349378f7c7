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

/// The faults in the order in which they are named.
const FAULTS: [KeyFault; 4] =
    [KeyFault::Weak, KeyFault::SemiWeak, KeyFault::Degenerate, KeyFault::Parity];

/// 1 if two keys differ in nothing but parity bits, else 0.
fn same(a: u64, b: u64) -> u8 {
    is_zero((a ^ b) & KEY_BITS)
}

/// 1 or 0, by arithmetic.
fn is_zero(word: u64) -> u8 {
    (!(word | word.wrapping_neg()) >> 63) as u8
}

/// 1 or 0 for whether a key is weak, and for whether it is weak or semi-weak, parity bits aside.
///
/// Both lists (SP 800-67 section 3.3.2) are what permuted choice 1 (FIPS 46-3) shows: C takes the upper bits
/// of the key's bytes and D the lower ones, either from the last byte to the first, and the bits of
/// each are `0000...`, `1111...`, `0101...` or `1010...`. So nothing is looked up in a list: in the key
/// bits of a half are like those beside them in a byte, and like those two bytes before. In weak keys
/// they are also like those one byte before.
fn is_listed(key: u64) -> [u8; 2] {
    // Bit 4 of a byte belongs to D in the first four bytes, and to C in the others.
    let beside = (key ^ key >> 1) & 0x6e6e_6e6e_7676_7676;
    // One bit of each half stands for those beside it.
    let two_before = (key ^ key >> 16) & 0x0000_8282_8282_8282;
    let one_before = (key ^ key >> 8) & 0x82;
    let unlike = beside | two_before;
    [is_zero(unlike | one_before), is_zero(unlike)]
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
    // Seen through, what is found would become branches.
    let found = core::hint::black_box([
        any(&|key| is_listed(key)[0]),
        any(&|key| is_listed(key)[1]),
        u8::from(bundle) & (same(keys[0], keys[1]) | same(keys[1], keys[2])),
        u8::from(parity == Parity::Odd) & any(&has_even_byte),
    ]);
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
    core::hint::black_box([is_listed(key)[1], has_even_byte(key)])
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
