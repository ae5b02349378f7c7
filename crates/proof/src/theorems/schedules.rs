//! Subkeys as kernels want them in memory, from bits of subkeys.

use crate::bits::{Bit, Bits};
use cipherloom_spec::tables::E;

/// A subkey.
pub(super) type Subkey = [Bit; 48];

/// Subkeys of so many passes of DES, which are inputs.
pub(super) fn subkeys(bits: &mut Bits, passes: usize) -> Vec<Subkey> {
    (0..16 * passes).map(|_| std::array::from_fn(|_| bits.input())).collect()
}

/// x + y of two bit strings.
pub(super) fn sum(bits: &mut Bits, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    x.iter().zip(y).map(|(&x, &y)| bits.xor(x, y)).collect()
}

/// The schedule of kernels that keep halves E-expanded: a word of 8 bytes has 6 bits of a subkey in each.
/// The half that a subkey is for already has the one before the last in it, so words are differences of
/// subkeys two rounds apart; between passes halves change places.
pub(super) fn table_words(bits: &mut Bits, keys: &[Subkey]) -> Vec<Bit> {
    let word = |key: Option<&Subkey>| {
        let mut word = vec![Bit::ZERO; 64];
        for (n, &bit) in key.into_iter().flatten().enumerate() {
            word[8 * (7 - n / 6) + 5 - n % 6] = bit;
        }
        word
    };
    let passes: Vec<&[Subkey]> = keys.chunks(16).collect();
    let mut words = Vec::new();
    for pass in 0..=passes.len() {
        let before = pass.checked_sub(1).map(|before| passes[before]);
        let after = passes.get(pass);
        for n in 0..2 {
            let (x, y) = (word(before.map(|keys| &keys[15 - n])), word(after.map(|keys| &keys[n])));
            words.extend(sum(bits, &x, &y));
        }
        for pair in after.into_iter().flat_map(|keys| keys.windows(3)) {
            words.extend(sum(bits, &word(Some(&pair[0])), &word(Some(&pair[2]))));
        }
    }
    words
}

/// The schedule of libdes, 2 words of 32 bits a round: S1, S3, S5, S7, and S2, S4, S6, S8 rotated by 4.
pub(super) fn libdes_words(keys: &[Subkey]) -> Vec<Bit> {
    let mut words = Vec::new();
    for key in keys {
        let half = |first: usize| {
            let mut word = [Bit::ZERO; 32];
            for (n, bit) in (0..4).flat_map(|n| (0..6).map(move |bit| (n, bit))) {
                word[8 * n + 2 + bit] = key[6 * (2 * n + first) + bit];
            }
            word
        };
        words.extend(half(0));
        let mut odd = half(1);
        odd.rotate_right(4);
        words.extend(odd);
    }
    words
}

/// Where a bit of R stands first in E(R).
pub(super) fn first_place(bit: usize) -> usize {
    E.iter().position(|&at| at == bit + 1).expect("every bit of R is in E(R)")
}

/// The masks of rounds in bit slices, one a bit. Each half has the bits of the subkey in it that its bits
/// meet first in E; where a bit is met again, its mask is the difference. After a round, 32 masks change the
/// half's key from this round's to the next one's; `inverted` are the bits that the circuits give inverted.
pub(super) fn slice_masks(bits: &mut Bits, keys: &[Subkey], inverted: u32) -> Vec<Bit> {
    let again: Vec<usize> = (0..48).filter(|&place| first_place(E[place] - 1) != place).collect();
    let firsts: Vec<Vec<Bit>> = keys.iter().map(merged).collect();
    let nothing = vec![Bit::ZERO; 32];
    let mut masks = Vec::new();
    for (round, key) in keys.iter().enumerate() {
        if round > 0 && round % 16 == 0 {
            masks.extend(sum(bits, &firsts[round - 1], &firsts[round]));
        }
        for &place in &again {
            masks.push(bits.xor(key[place], key[first_place(E[place] - 1)]));
        }
        let before = if round % 16 == 0 { &nothing } else { &firsts[round - 1] };
        let after = if round % 16 == 15 { &nothing } else { &firsts[round + 1] };
        for (n, mask) in sum(bits, before, after).into_iter().enumerate() {
            let is_inverted = inverted >> (31 - n) & 1 == 1;
            masks.push(if is_inverted { mask.complement() } else { mask });
        }
    }
    masks
}

/// The bits of a subkey that bits of R meet first in E.
pub(super) fn merged(key: &Subkey) -> Vec<Bit> {
    (0..32).map(|bit| key[first_place(bit)]).collect()
}
