//! The key schedule without vectors: for each bit of the key a row of what it becomes.

use super::passes::Passes;
use super::schedule::{BOUNDARY, PASS, Words, group_shift};
use super::{fips, wipe};

/// The differences of all passes' subkeys; a pass that runs backwards has them in reverse.
pub(crate) fn fill<const N: usize>(words: &mut Words<N>, passes: &Passes) {
    let mut k = [0; 16];
    (0..BOUNDARY).for_each(|at| words.set(at, [0]));
    for pass in 0..N / PASS {
        subkeys(passes.keys[pass], &mut k);
        if passes.shape.reversed(pass) {
            k.reverse();
        }
        let start = PASS * pass;
        words.add(start, k[0]);
        words.add(start + 1, k[1]);
        for i in 0..PASS - BOUNDARY {
            words.set(start + BOUNDARY + i, [k[i] ^ k[i + 2]]);
        }
        words.set(start + PASS, [k[15], k[14]]);
    }
    wipe(&mut k);
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

/// K1 to K16, each group of six bits in a byte of its own. Every row is read, whatever the key.
pub(crate) fn subkeys(key: u64, k: &mut [u64; 16]) {
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
    fn subkeys_are_the_standard_s() {
        let mut key = 0x0123_4567_89ab_cdefu64;
        for _ in 0..1_000 {
            key = key.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let expected: [u64; 16] = core::array::from_fn(|round| {
                (0..48).fold(0, |subkey, bit| {
                    subkey | (key >> (64 - fips::key_bit(round, bit)) & 1) << group_shift(bit)
                })
            });
            let mut k = [1; 16];
            subkeys(key, &mut k);
            assert_eq!(k, expected, "{key:#x}");
        }
    }
}
