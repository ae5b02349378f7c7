//! The subkeys of a DES key by vector instructions, in constant time.
//!
//! Every byte of output takes the byte of the key that has its next bit, for all sixteen subkeys
//! side by side: six steps, one per bit of a group. (AVX-512 has an instruction that picks any 64
//! bits of a word; it made a new 3DES key and a block 2 % faster, which is not worth another way.)
#![allow(unsafe_code, reason = "calls vector instructions")]

use core::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_storeu_si256,
    _mm256_sub_epi8,
};

use crate::kernels::cpu::processor::Avx2;
use crate::kernels::fips;

/// Writes K1 to K16, each group of six bits in a byte of its own, if the processor has AVX2; says
/// whether it has.
#[inline]
pub(crate) fn subkeys(key: u64, subkeys: &mut [u64; 16]) -> bool {
    let avx2 = Avx2::detect();
    if let Some(avx2) = avx2 {
        by_shuffles(avx2, key, subkeys);
    }
    avx2.is_some()
}

/// Bytes of a vector.
const WIDTH: usize = 32;
/// Vectors of sixteen subkeys.
const VECTORS: usize = 16 * 8 / WIDTH;

/// For one bit of every group of a vector: the byte of the key that it comes from, and the bit of
/// that byte.
struct Step {
    byte: [u8; WIDTH],
    bit: [u8; WIDTH],
}

/// A group's six bits from the highest on, for each vector.
static STEPS: [[Step; 6]; VECTORS] = {
    let mut steps = [const { [const { Step { byte: [0; WIDTH], bit: [0; WIDTH] } }; 6] }; VECTORS];
    let mut at = 0;
    while at < VECTORS * WIDTH {
        // Byte `at` of the subkeys in memory: the lowest byte of each holds its last group.
        let (round, group) = (at / 8, 7 - at % 8);
        let mut i = 0;
        while i < 6 {
            let from = 64 - fips::key_bit(round, 6 * group + i);
            let step = &mut steps[at / WIDTH][i];
            step.byte[at % WIDTH] = (from / 8) as u8;
            step.bit[at % WIDTH] = 1 << (from % 8);
            i += 1;
        }
        at += 1;
    }
    steps
};

fn by_shuffles(_: Avx2, key: u64, subkeys: &mut [u64; 16]) {
    // SAFETY: the witness says that the processor has AVX2.
    unsafe { shuffles(key, subkeys) }
}

#[target_feature(enable = "avx2")]
fn shuffles(key: u64, subkeys: &mut [u64; 16]) {
    // The instruction takes bytes within each half of a vector: the key is in all of them.
    let key = _mm256_set1_epi64x(key.cast_signed());
    for (four, steps) in subkeys.as_chunks_mut::<4>().0.iter_mut().zip(&STEPS) {
        let mut groups = _mm256_setzero_si256();
        for Step { byte, bit } in steps {
            let bit = load(bit);
            let bits = _mm256_and_si256(_mm256_shuffle_epi8(key, load(byte)), bit);
            // Twice what there is, and one more where the bit is set: there the comparison says -1.
            let set = _mm256_cmpeq_epi8(bits, bit);
            groups = _mm256_sub_epi8(_mm256_add_epi8(groups, groups), set);
        }
        // SAFETY: `four` has the 32 bytes of a vector.
        unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), groups) };
    }
}

#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; WIDTH]) -> __m256i {
    // SAFETY: these are the 32 bytes of a vector.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
