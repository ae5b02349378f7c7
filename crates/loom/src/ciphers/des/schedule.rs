//! The subkeys, in the form and order in which a kernel reads them.
//!
//! Decryption reads the same list backwards.

use cipherloom_circuits::fips;

use super::layout::Layout;
use super::{expanded, rotated};

/// One pass of sixteen rounds, or three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passes {
    /// DES.
    One,
    /// Triple-DES: three passes without IP and IP⁻¹ between them.
    Three,
}

impl Passes {
    /// 1 or 3.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Three => 3,
        }
    }
}

/// Words of eight bytes in a schedule: for expanded halves 14 differences a pass and a pass boundary of
/// two before, between and after the passes; for rotated halves 16 subkeys a pass.
pub(super) const fn words(layout: Layout, passes: Passes) -> usize {
    match layout {
        Layout::Rotated | Layout::Reversed | Layout::ReversedWide => 16 * passes.count(),
        _ => 2 + 16 * passes.count(),
    }
}

/// The schedule of a bundle, one key a pass in order of encryption, each with whether its pass
/// runs backwards (the middle one of EDE). Words of two 32-bit subkeys hold the first one low.
///
/// # Panics
/// If there are neither one nor three keys.
#[must_use]
pub fn schedule(layout: Layout, keys: &[([u8; 8], bool)]) -> Vec<u64> {
    let layout = layout.schedule();
    let passes = match keys.len() {
        1 => Passes::One,
        3 => Passes::Three,
        n => panic!("{n} keys make no schedule"),
    };
    let subkeys: Vec<[u64; 16]> = keys
        .iter()
        .map(|(key, backwards)| {
            let mut subkeys = subkeys(u64::from_be_bytes(*key)).map(|bits| pack(layout, &bits));
            if *backwards {
                subkeys.reverse();
            }
            subkeys
        })
        .collect();
    if layout.is_rotated() {
        return subkeys.concat();
    }
    // A pass boundary takes the last two subkeys of one pass out and puts the first two of the next in,
    // nearest first: that half is used in the round next to the boundary.
    let mut words_out = Vec::with_capacity(words(layout, passes));
    for boundary in 0..=subkeys.len() {
        let before = boundary.checked_sub(1).map_or([0, 0], |n| [subkeys[n][15], subkeys[n][14]]);
        let after = subkeys.get(boundary).map_or([0, 0], |k| [k[0], k[1]]);
        words_out.extend([before[0] ^ after[0], before[1] ^ after[1]]);
        if let Some(k) = subkeys.get(boundary) {
            words_out.extend((0..14).map(|n| k[n] ^ k[n + 2]));
        }
    }
    words_out
}

/// The subkeys of a key in the order of use, bit by bit: K1 to K16, or backwards.
pub(super) fn in_order(key: [u8; 8], backwards: bool) -> [[bool; 48]; 16] {
    let mut subkeys = subkeys(u64::from_be_bytes(key)).map(|k| k.map(|bit| bit == 1));
    if backwards {
        subkeys.reverse();
    }
    subkeys
}

/// A subkey's bits as the layout's word.
fn pack(layout: Layout, bits: &[u8; 48]) -> u64 {
    if layout.is_rotated() {
        let [even, odd] = rotated::subkey(layout, bits);
        return u64::from(even) | u64::from(odd) << 32;
    }
    (0..48).fold(0, |word, n| word | u64::from(bits[n]) << expanded::position(layout, n))
}

/// K1 to K16 (FIPS 46-3), bit by bit.
fn subkeys(key: u64) -> [[u8; 48]; 16] {
    let cd = fips::PC1.map(|n| (key >> (64 - n) & 1) as u8);
    fips::SHIFTS.map(|shift| {
        fips::PC2.map(|n| {
            let n = usize::from(n) - 1;
            let half = n / 28 * 28;
            cd[half + (n - half + usize::from(shift)) % 28]
        })
    })
}
