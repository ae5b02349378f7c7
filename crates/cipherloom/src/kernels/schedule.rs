//! The key schedule of strategy `table`.

use super::{Halves, group_shift};
use crate::kernels::{Masked, Passes, Shape, fips, wipe, x86_64};

/// Words of one pass: a joint of two, and 14 differences. Another joint follows the last pass.
pub(in crate::kernels) const PASS: usize = 16;
/// Words of a joint.
pub(in crate::kernels) const JOINT: usize = 2;

/// Words with six bits in each byte, which are looked up in tables of 64 entries.
pub(crate) type Words<const N: usize> = Masked<0x3f3f_3f3f_3f3f_3f3f, N>;

/// Subkeys of all passes in the order of encryption, as the differences that the rounds add.
///
/// A joint lies before, between and after the passes: first what is to be added to the half that
/// is nearer to it (used in the round next to it), then what is for the other one. For each pass
/// follow the differences of subkeys two rounds apart. Decryption is the same list walked
/// backwards. The table kernels in assembly read the same list.
#[expect(clippy::large_enum_variant, reason = "there is no allocator to box it")]
pub(crate) enum Schedule {
    /// DES.
    One(Words<{ PASS + JOINT }>),
    /// Triple-DES.
    Three(Words<{ 3 * PASS + JOINT }>),
}

impl Schedule {
    /// The schedule of `passes`; see [`fill`](Self::fill).
    #[inline]
    pub(crate) fn new(passes: &Passes, whitening: Option<&[u64; 2]>) -> Self {
        let mut schedule = Self::blank(passes.shape);
        schedule.fill(passes, whitening);
        schedule
    }

    /// Room for a schedule.
    #[inline]
    pub(crate) const fn blank(shape: Shape) -> Self {
        match shape {
            Shape::Single => Self::One(Words::ZERO),
            Shape::Ede | Shape::Eee => Self::Three(Words::ZERO),
        }
    }

    /// Makes the schedule of `passes` where it stays, in constant time; DESX's whitening of input
    /// and output is XORed into the halves at the outer joints. There is room for these passes.
    #[inline]
    pub(crate) fn fill(&mut self, passes: &Passes, whitening: Option<&[u64; 2]>) {
        match self {
            Self::One(words) => fill(words, passes, whitening),
            Self::Three(words) => fill(words, passes, whitening),
        }
    }

    /// Its words.
    #[inline(always)]
    pub(in crate::kernels) fn words(&self) -> &[u64] {
        match self {
            Self::One(words) => words.words(),
            Self::Three(words) => words.words(),
        }
    }
}

impl Clone for Schedule {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::One(words) => Self::One(words.clone()),
            Self::Three(words) => Self::Three(words.clone()),
        }
    }

    /// Copies words from place to place where there is room for them.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::One(own), Self::One(words)) => own.clone_from(words),
            (Self::Three(own), Self::Three(words)) => own.clone_from(words),
            (own, other) => *own = other.clone(),
        }
    }
}

#[inline(never)]
fn fill<const N: usize>(words: &mut Words<N>, passes: &Passes, whitening: Option<&[u64; 2]>) {
    words.clear();
    let mut k = [0; 16];
    for pass in 0..N / PASS {
        subkeys(passes.keys[pass], &mut k);
        let start = PASS * pass;
        let reversed = passes.shape.reversed(pass);
        let ends = if reversed { [k[15], k[14], k[1], k[0]] } else { [k[0], k[1], k[14], k[15]] };
        words.add(start, ends[0]);
        words.add(start + 1, ends[1]);
        words.add(start + PASS, ends[3]);
        words.add(start + PASS + 1, ends[2]);
        let differences = PASS - JOINT;
        for i in 0..differences {
            let at = if reversed { differences - 1 - i } else { i };
            words.set(start + JOINT + at, k[i] ^ k[i + 2]);
        }
    }
    wipe(&mut k);
    if let Some(&[before, after]) = whitening {
        for (at, mask) in [(0, before), (N - JOINT, after)] {
            let Halves { l, r } = Halves::from_block(mask);
            words.add(at, r);
            words.add(at + 1, l);
        }
    }
}

/// For each bit of the key what it becomes in each of the sixteen subkeys; nothing for the parity
/// bits.
static KEY_BITS: [[u64; 16]; 64] = {
    let mut rows = [[0; 16]; 64];
    let mut round = 0;
    while round < 16 {
        let mut bit = 0;
        while bit < 48 {
            rows[fips::key_bit(round, bit) - 1][round] |= 1 << group_shift(bit);
            bit += 1;
        }
        round += 1;
    }
    rows
};

/// K1 to K16, each group of six bits in a byte of its own.
#[inline]
pub(in crate::kernels) fn subkeys(key: u64, k: &mut [u64; 16]) {
    if !x86_64::subkeys(key, k) {
        subkeys_by_rows(key, k);
    }
}

/// Every row is read, whatever the key.
fn subkeys_by_rows(key: u64, k: &mut [u64; 16]) {
    *k = [0; 16];
    for (number, row) in (1..).zip(&KEY_BITS).filter(|(number, _)| number % 8 != 0) {
        // Seen through, the mask becomes a jump over the row: slow, and it tells the key.
        let mask = core::hint::black_box((key >> (64 - number) & 1).wrapping_neg());
        for (subkey, bits) in k.iter_mut().zip(row) {
            *subkey |= bits & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit by bit, as FIPS 46-3 has it.
    #[test]
    fn subkeys_are_the_standard_s_in_every_way() {
        let mut key = 0x0123_4567_89ab_cdefu64;
        for _ in 0..1_000 {
            key = key.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let expected: [u64; 16] = core::array::from_fn(|round| {
                (0..48).fold(0, |subkey, bit| {
                    subkey | (key >> (64 - fips::key_bit(round, bit)) & 1) << group_shift(bit)
                })
            });
            let mut k = [1; 16];
            subkeys_by_rows(key, &mut k);
            assert_eq!(k, expected, "{key:#x}");
            k = [1; 16];
            if x86_64::subkeys(key, &mut k) {
                assert_eq!(k, expected, "{key:#x}, by vectors");
            }
        }
    }
}
