//! Keys that a careful program refuses: weak, semi-weak, degenerate, of wrong parity.

use core::fmt;

use super::Algorithm;

/// What is wrong with a key.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFault {
    /// One of the 4 keys under which encrypting twice gives the plaintext (FIPS 74 section 3.6).
    Weak,
    /// One of the 12 keys, in 6 pairs, of which one decrypts what the other encrypts.
    SemiWeak,
    /// KEY1 = KEY2 or KEY2 = KEY3: the bundle is worth less than it looks, in EDE a single DES.
    Degenerate,
    /// A byte has an even number of ones.
    Parity,
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Weak => "a weak DES key",
            Self::SemiWeak => "a semi-weak DES key",
            Self::Degenerate => "a degenerate bundle, KEY1 = KEY2 or KEY2 = KEY3",
            Self::Parity => "a byte of even parity",
        })
    }
}

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

/// The first fault of a key, in the order of the enum.
pub(super) fn find(algorithm: Algorithm, keys: &[u64; 3], parity: Parity) -> Option<KeyFault> {
    let (count, bundle) = match algorithm {
        Algorithm::Des | Algorithm::Desx => (1, false),
        Algorithm::TdesEde2 | Algorithm::TdesEee2 => (2, true),
        Algorithm::TdesEde3 | Algorithm::TdesEee3 => (3, true),
    };
    let same = |a: u64, b: u64| (a ^ b) & KEY_BITS == 0;
    let is_among = |list: &[u64]| {
        keys[..count].iter().any(|&key| list.iter().any(|&listed| same(key, listed)))
    };
    let even = keys[..count]
        .iter()
        .any(|key| key.to_be_bytes().iter().any(|byte| byte.count_ones() % 2 == 0));
    if is_among(&WEAK) {
        Some(KeyFault::Weak)
    } else if is_among(&SEMI_WEAK) {
        Some(KeyFault::SemiWeak)
    } else if bundle && (same(keys[0], keys[1]) || same(keys[1], keys[2])) {
        Some(KeyFault::Degenerate)
    } else if parity == Parity::Odd && even {
        Some(KeyFault::Parity)
    } else {
        None
    }
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
