//! Strategy `table`: one chain of blocks, eight look-ups a round.
//!
//! Both halves are kept E-expanded, each group of six bits in a byte of its own (Biham's 1997
//! form), so a byte of the half is the index of its S-box and E never runs. A half is always kept
//! with the subkey of its next use already in it: updating it adds the *difference* of two subkeys,
//! which waits for nothing, and the key stays off the critical path.
//!
//! The addresses of the look-ups depend on secrets: this kernel is not constant-time.

use super::fips;
use super::schedule::{BOUNDARY, PASS, Schedule, group_shift};
use core::ops::BitXor;

/// The E-expanded output of P after S1 to S8: 64 entries each, S8 (the lowest byte) first.
///
/// A whole byte indexes it, whose two highest bits are always zero; the unused entries at the end
/// let the compiler see that every index is in range.
static SP: [u64; 7 * 64 + 256] = {
    let mut table = [0; 7 * 64 + 256];
    let mut i = 0;
    while i < 8 * 64 {
        let s = 7 - i / 64;
        let out = (fips::s_box(s, i % 64) as u32) << (28 - 4 * s);
        let mut half = 0;
        let mut bit = 0;
        while bit < 32 {
            half |= (out >> (32 - fips::P[bit] as usize) & 1) << (31 - bit);
            bit += 1;
        }
        table[i] = expand(half);
        i += 1;
    }
    table
};

/// E, each group of six bits in a byte of its own, the first group in the highest byte.
const fn expand(half: u32) -> u64 {
    let mut expanded = 0;
    let mut bit = 0;
    while bit < 48 {
        let value = (half >> (32 - fips::E[bit] as usize) & 1) as u64;
        expanded |= value << group_shift(bit);
        bit += 1;
    }
    expanded
}

/// S-boxes and P on an expanded half that has its subkey in it, expanded again, XORed into `to`.
///
/// No bit comes from two S-boxes, so sum, OR and XOR are the same here. Mixed, they keep the
/// compiler from making one long chain out of the tree, in which what is loaded last waits least.
#[inline(always)]
fn add_f(to: u64, half: u64) -> u64 {
    let s = |i: usize| SP[64 * i + usize::from((half >> (8 * i)) as u8)];
    let first = to ^ ((s(0) + s(1)) | s(7));
    let second = (s(3) + s(2)) | s(4);
    (first ^ second) ^ (s(5) + s(6))
}

/// The two halves of a block between IP and IP⁻¹, expanded.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    pub(super) l: u64,
    pub(super) r: u64,
}

impl Halves {
    /// IP and E.
    #[inline(always)]
    pub(super) fn from_block(block: u64) -> Self {
        // With the bytes reversed, IP is the transpose of the block as 8 x 8 bits; the odd columns
        // make L, the even ones R.
        let columns = transpose(block.swap_bytes());
        Self { l: spread(columns & ALTERNATE), r: spread(columns >> 8 & ALTERNATE) }
    }

    /// E undone, and IP⁻¹.
    #[inline(always)]
    fn to_block(self) -> u64 {
        transpose(gather(self.r) << 8 | gather(self.l)).swap_bytes()
    }
}

impl BitXor for Halves {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self { l: self.l ^ other.l, r: self.r ^ other.r }
    }
}

const ALTERNATE: u64 = 0x00ff_00ff_00ff_00ff;

/// Four bytes in the low halves of 16-bit fields to the E-expanded form.
#[inline(always)]
fn spread(bytes: u64) -> u64 {
    let nibbles = (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let before = (nibbles & 0x0101_0101_0101_0101).rotate_right(3);
    let after = (nibbles & 0x0808_0808_0808_0808).rotate_left(5);
    nibbles << 1 | before | after
}

/// The inverse of [`spread`].
#[inline(always)]
fn gather(expanded: u64) -> u64 {
    let nibbles = expanded >> 1 & 0x0f0f_0f0f_0f0f_0f0f;
    (nibbles | nibbles >> 4) & ALTERNATE
}

/// The transpose of 8 x 8 bits, a byte a row.
#[inline(always)]
fn transpose(mut x: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let swap = (x ^ x >> shift) & mask;
        x ^= swap ^ swap << shift;
    }
    x
}

impl Schedule {
    /// CBC encryption: `chain` is the block before, at first the IV, and becomes the last one.
    ///
    /// The chain itself stays between IP and IP⁻¹; both run beside it.
    pub(crate) fn cbc_encrypt(&self, chain: &mut u64, blocks: &mut [[u8; 8]]) {
        let mut state = Halves::from_block(*chain);
        for block in blocks {
            let plain = Halves::from_block(u64::from_be_bytes(*block));
            [state] = self.crypt::<1, false>([state ^ plain]);
            *block = state.to_block().to_be_bytes();
        }
        *chain = state.to_block();
    }

    /// Encrypts independent blocks.
    pub(crate) fn encrypt_blocks(&self, blocks: &mut [[u8; 8]]) {
        self.crypt_blocks::<false>(blocks);
    }

    /// Decrypts independent blocks.
    pub(crate) fn decrypt_blocks(&self, blocks: &mut [[u8; 8]]) {
        self.crypt_blocks::<true>(blocks);
    }

    #[inline(always)]
    fn crypt_blocks<const BACK: bool>(&self, blocks: &mut [[u8; 8]]) {
        let (groups, rest) = blocks.as_chunks_mut::<INTERLEAVED>();
        for group in groups {
            let halves = group.map(|b| Halves::from_block(u64::from_be_bytes(b)));
            *group = self.crypt::<INTERLEAVED, BACK>(halves).map(|h| h.to_block().to_be_bytes());
        }
        for block in rest {
            let [halves] = self.crypt::<1, BACK>([Halves::from_block(u64::from_be_bytes(*block))]);
            *block = halves.to_block().to_be_bytes();
        }
    }

    /// All passes over `N` independent blocks interleaved in one stream of instructions.
    #[inline(always)]
    fn crypt<const N: usize, const BACK: bool>(&self, mut blocks: [Halves; N]) -> [Halves; N] {
        let words = self.words();
        let n = words.len() / PASS;
        let boundary = |i: usize| &words[PASS * if BACK { n - i } else { i }..][..BOUNDARY];
        cross(&mut blocks, boundary(0));
        for i in 0..n {
            let pass = if BACK { n - 1 - i } else { i };
            rounds::<N, BACK>(&mut blocks, &words[PASS * pass + BOUNDARY..PASS * (pass + 1)]);
            cross(&mut blocks, boundary(i + 1));
        }
        blocks
    }
}

/// How many blocks are interleaved where there are several.
const INTERLEAVED: usize = 2;

/// Before, between and after passes: the halves change sides, and each takes the difference from
/// the subkey that is in it to the one it needs next.
#[inline(always)]
fn cross<const N: usize>(blocks: &mut [Halves; N], boundary: &[u64]) {
    for b in blocks {
        *b = Halves { l: b.l ^ boundary[1], r: b.r ^ boundary[0] };
    }
}

/// Sixteen rounds; the last swap of halves is left out, as FIPS 46-3's preoutput wants it.
#[inline(always)]
fn rounds<const N: usize, const BACK: bool>(blocks: &mut [Halves; N], differences: &[u64]) {
    for i in 0..8 {
        let difference = |j: usize| match 2 * i + j {
            k if k >= 14 => 0,
            k if BACK => differences[13 - k],
            k => differences[k],
        };
        for b in blocks.iter_mut() {
            b.l = add_f(b.l, b.r);
            b.r ^= difference(0);
        }
        for b in blocks.iter_mut() {
            b.r = add_f(b.r, b.l);
            b.l ^= difference(1);
        }
    }
    for b in blocks {
        *b = Halves { l: b.r, r: b.l };
    }
}

#[cfg(test)]
mod tests;
