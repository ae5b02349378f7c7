//! The subkeys of a DES key, and the schedule made of them, by vector instructions, in constant time.
//!
//! Every byte of output takes its next bit from wherever in the key that is, for all sixteen subkeys
//! side by side: six steps, one per bit of a group. With AVX-512 VBMI a step is a rotation of the key by
//! an amount of each byte's own; with AVX2 it takes the byte that has the bit, and compares. (All of it
//! in 256 bits: wider vectors would have to wake up for a key.)
#![allow(unsafe_code, reason = "calls vector instructions")]

use core::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
    _mm256_multishift_epi64_epi8, _mm256_or_si256, _mm256_permute2x128_si256,
    _mm256_permute4x64_epi64, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_sub_epi8, _mm256_xor_si256,
};

use crate::kernels::cpu::processor::{Avx2, Vbmi};
use crate::kernels::fips;
use crate::kernels::passes::Passes;
use crate::kernels::schedule::{BOUNDARY, PASS, Words};

/// Calls a function of the best way that the processor has; says whether it has one.
macro_rules! best {
    ($function:ident($($argument:expr),*)) => {
        if let Some(vbmi) = Vbmi::detect() {
            rotating::$function(vbmi, $($argument),*);
            true
        } else if let Some(avx2) = Avx2::detect() {
            comparing::$function(avx2, $($argument),*);
            true
        } else {
            false
        }
    };
}

/// Writes K1 to K16, each group of six bits in a byte of its own, if the processor has vectors for
/// it; says whether it has.
#[inline]
pub(crate) fn subkeys(key: u64, subkeys: &mut [u64; 16]) -> bool {
    best!(subkeys(key, subkeys))
}

/// Fills a schedule, whitening aside, if the processor has vectors for it; says whether it has.
#[inline]
pub(crate) fn schedule<const N: usize>(words: &mut Words<N>, passes: &Passes) -> bool {
    best!(schedule(words, passes))
}

/// Bytes of a vector.
const WIDTH: usize = 32;
/// Vectors of sixteen subkeys.
const VECTORS: usize = 16 * 8 / WIDTH;
/// A byte for each of a vector's.
type Bytes = [u8; WIDTH];

/// What both functions are in each way: its witness, its features, its subkeys.
macro_rules! ways {
    ($($way:ident: $witness:ident, $features:literal, $vectors:ident;)*) => {$(
        mod $way {
            use super::*;

            pub(super) fn subkeys(_: $witness, key: u64, subkeys: &mut [u64; 16]) {
                // SAFETY: the witness says that the processor has these features.
                unsafe { write(key, subkeys) }
            }

            pub(super) fn schedule<const N: usize>(
                _: $witness,
                words: &mut Words<N>,
                passes: &Passes,
            ) {
                // SAFETY: the witness says that the processor has these features.
                unsafe { fill(words, passes) }
            }

            #[target_feature(enable = $features)]
            fn write(key: u64, subkeys: &mut [u64; 16]) {
                for (four, vector) in subkeys.as_chunks_mut().0.iter_mut().zip($vectors(key)) {
                    *four = words_of(vector);
                }
            }

            // A vector is stored whole: who moves the key loads more than a word at a time, which
            // would wait for stores of single words.
            #[target_feature(enable = $features)]
            fn fill<const N: usize>(words: &mut Words<N>, passes: &Passes) {
                let mut boundary = _mm256_setzero_si256();
                for pass in 0..N / PASS {
                    let mut k = $vectors(passes.keys[pass]);
                    if passes.shape.reversed(pass) {
                        k.reverse();
                        k = k.map(|four| _mm256_permute4x64_epi64::<0b00_01_10_11>(four));
                    }
                    let start = PASS * pass;
                    let [first, second, ..] = words_of(_mm256_xor_si256(boundary, k[0]));
                    words.set(start, [first, second]);
                    for i in 0..VECTORS - 1 {
                        // Words 2 to 5 of eight.
                        let two_later = _mm256_permute2x128_si256::<0x21>(k[i], k[i + 1]);
                        let differences = _mm256_xor_si256(k[i], two_later);
                        words.set(start + BOUNDARY + 4 * i, words_of(differences));
                    }
                    // The last two differences, and K15 and K16 as they are.
                    let two_later = _mm256_permute2x128_si256::<0x81>(k[VECTORS - 1], k[VECTORS - 1]);
                    let last = _mm256_xor_si256(k[VECTORS - 1], two_later);
                    let [difference, next, k15, k16] = words_of(last);
                    words.set(start + PASS - BOUNDARY, [difference, next]);
                    words.set(start + PASS, [k16, k15]);
                    boundary = _mm256_permute4x64_epi64::<0b11_11_10_11>(last);
                }
            }
        }
    )*};
}

ways! {
    rotating: Vbmi, "avx512f,avx512vl,avx512vbmi", by_rotations;
    comparing: Avx2, "avx2", by_comparisons;
}

/// The number in the key (the highest bit is 63) of bit `i` of the group that is byte `at` of the
/// subkeys in memory: the lowest byte of each holds its last group.
const fn source(at: usize, i: usize) -> usize {
    64 - fips::key_bit(at / 8, 6 * (7 - at % 8) + i)
}

/// By how much every byte's part of the key is rotated: bit `i` of a group stands at 5 - i.
static AMOUNTS: [[Bytes; 6]; VECTORS] = {
    let mut amounts = [[[0; WIDTH]; 6]; VECTORS];
    let mut at = 0;
    while at < VECTORS * WIDTH {
        let mut i = 0;
        while i < 6 {
            amounts[at / WIDTH][i][at % WIDTH] = ((source(at, i) + 64 - (5 - i)) % 64) as u8;
            i += 1;
        }
        at += 1;
    }
    amounts
};

#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
fn by_rotations(key: u64) -> [__m256i; VECTORS] {
    let key = _mm256_set1_epi64x(key.cast_signed());
    let [a, b, c, d] = &AMOUNTS;
    [rotated(key, a), rotated(key, b), rotated(key, c), rotated(key, d)]
}

/// The same for a vector of groups.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
fn rotated(key: __m256i, steps: &[Bytes; 6]) -> __m256i {
    let mut groups = _mm256_setzero_si256();
    for (i, amounts) in steps.iter().enumerate() {
        let rotated = _mm256_multishift_epi64_epi8(load(amounts), key);
        let bit = _mm256_and_si256(rotated, _mm256_set1_epi8(0x20 >> i));
        groups = _mm256_or_si256(groups, bit);
    }
    groups
}

/// For one bit of every group of a vector: the byte of the key that it comes from, and the bit of
/// that byte.
struct Step {
    byte: Bytes,
    bit: Bytes,
}

/// A group's six bits from the highest on, for each vector.
static STEPS: [[Step; 6]; VECTORS] = {
    let mut steps = [const { [const { Step { byte: [0; WIDTH], bit: [0; WIDTH] } }; 6] }; VECTORS];
    let mut at = 0;
    while at < VECTORS * WIDTH {
        let mut i = 0;
        while i < 6 {
            let step = &mut steps[at / WIDTH][i];
            step.byte[at % WIDTH] = (source(at, i) / 8) as u8;
            step.bit[at % WIDTH] = 1 << (source(at, i) % 8);
            i += 1;
        }
        at += 1;
    }
    steps
};

#[inline]
#[target_feature(enable = "avx2")]
fn by_comparisons(key: u64) -> [__m256i; VECTORS] {
    // The instruction takes bytes within each half of a vector: the key is in all of them.
    let key = _mm256_set1_epi64x(key.cast_signed());
    let [a, b, c, d] = &STEPS;
    [compared(key, a), compared(key, b), compared(key, c), compared(key, d)]
}

/// The same for a vector of groups.
#[inline]
#[target_feature(enable = "avx2")]
fn compared(key: __m256i, steps: &[Step; 6]) -> __m256i {
    let mut groups = _mm256_setzero_si256();
    for Step { byte, bit } in steps {
        let bit = load(bit);
        let bits = _mm256_and_si256(_mm256_shuffle_epi8(key, load(byte)), bit);
        // Twice what there is, and one more where the bit is set: there the comparison says -1.
        let set = _mm256_cmpeq_epi8(bits, bit);
        groups = _mm256_sub_epi8(_mm256_add_epi8(groups, groups), set);
    }
    groups
}

#[target_feature(enable = "avx2")]
fn load(bytes: &Bytes) -> __m256i {
    // SAFETY: these are the 32 bytes of a vector.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The words of a vector, from the lowest on.
#[target_feature(enable = "avx2")]
fn words_of(vector: __m256i) -> [u64; 4] {
    let mut words = [0; 4];
    // SAFETY: `words` has the 32 bytes of a vector.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), vector) };
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::println;

    use crate::kernels::key_rows;
    use crate::kernels::passes::Shape;

    /// All is linear in the bits of keys: none, each alone, and many.
    fn keys() -> impl Iterator<Item = [u64; 3]> {
        let alone = (0..3 * 64).map(|bit| {
            let mut keys = [0; 3];
            keys[bit / 64] = 1 << (bit % 64);
            keys
        });
        alone.chain([[0; 3], [u64::MAX; 3], [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x1337]])
    }

    fn schedules_agree<const N: usize>(shape: Shape, fill: impl Fn(&mut Words<N>, &Passes)) {
        for keys in keys() {
            let passes = Passes { keys, shape };
            let [mut made, mut expected] = [Words::ZERO, Words::ZERO];
            fill(&mut made, &passes);
            key_rows::fill(&mut expected, &passes);
            assert_eq!(made.words(), expected.words(), "{shape:?}, {keys:x?}");
        }
    }

    macro_rules! ways_are_the_portable_one {
        ($($way:ident: $witness:ident;)*) => {$(
            #[test]
            fn $way() {
                let Some(witness) = $witness::detect() else {
                    println!("not run: this processor has no {}", stringify!($witness));
                    return;
                };
                for [key, ..] in keys() {
                    let [mut made, mut expected] = [[1; 16]; 2];
                    super::$way::subkeys(witness, key, &mut made);
                    key_rows::subkeys(key, &mut expected);
                    assert_eq!(made, expected, "{key:#x}");
                }
                schedules_agree::<18>(Shape::Single, |words, of| super::$way::schedule(witness, words, of));
                for shape in [Shape::Ede, Shape::Eee] {
                    schedules_agree::<50>(shape, |words, of| super::$way::schedule(witness, words, of));
                }
            }
        )*};
    }

    ways_are_the_portable_one! {
        rotating: Vbmi;
        comparing: Avx2;
    }
}
