//! Bits of keys to masks, by vector instructions.
#![allow(unsafe_code, reason = "calls vector instructions")]

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_blend_epi32, _mm256_cmpeq_epi32, _mm256_loadu_si256,
    _mm256_set1_epi32, _mm256_storeu_si256, _mm512_loadu_si512, _mm512_mask_blend_epi32,
    _mm512_movm_epi32, _mm512_set1_epi32, _mm512_storeu_si512, _mm512_test_epi32_mask,
};
use core::mem::MaybeUninit;

use super::key_bits::{FIRST_USES, INNER, MASKS, SECOND_USES, WORDS};
use super::masks::Masks;
use super::of_bits::HALF;
use crate::kernels::cpu::processor::{Avx2, Avx512};

/// For each mask the bit that it comes from, within its half of a word; and whether that is the
/// lower one.
struct Bits<const N: usize> {
    bit: [u32; N],
    is_low: [bool; N],
}

impl<const N: usize> Bits<N> {
    const fn new(places: &[usize; N]) -> Self {
        let mut bits = Self { bit: [0; N], is_low: [false; N] };
        let mut k = 0;
        while k < N {
            bits.bit[k] = 1 << (places[k] % 32);
            bits.is_low[k] = places[k] < 32;
            k += 1;
        }
        bits
    }

    /// Bit n of the result: whether mask `from + n` of `count` comes from the lower half.
    const fn low(&self, from: usize, count: usize) -> u16 {
        let (mut low, mut n) = (0, 0);
        while n < count {
            low |= (self.is_low[from + n] as u16) << n;
            n += 1;
        }
        low
    }
}

static FIRSTS: Bits<HALF> = FIRST_BITS;
const FIRST_BITS: Bits<HALF> = Bits::new(&FIRST_USES);
static SECONDS: Bits<INNER> = SECOND_BITS;
const SECOND_BITS: Bits<INNER> = Bits::new(&SECOND_USES);

/// The halves of a word, the lower one first: a vector takes each to all of its places from memory, and no shuffle is
/// needed.
#[inline(always)]
fn halves(word: &u64) -> [i32; 2] {
    let low = core::ptr::from_ref(word).cast::<i32>();
    // SAFETY: these are the two halves of a word.
    unsafe { [low.read(), low.add(1).read()] }
}

/// The masks of words, with AVX-512.
pub(super) fn by_avx512<const N: usize>(_: Avx512, words: &[u64], masks: &mut Masks<u32, N>) {
    // SAFETY: the witness says that the processor has the features; all masks are written.
    unsafe { masks.make(words, expand512) };
}

#[target_feature(enable = "avx512f,avx512dq")]
fn expand512(words: &[u64], masks: &mut [MaybeUninit<u32>]) {
    #[target_feature(enable = "avx512f,avx512dq")]
    fn sixteen<const LOW: u16>(word: &u64, bits: &[u32; 16], masks: &mut [MaybeUninit<u32>; 16]) {
        let [low, high] = halves(word).map(|half| _mm512_set1_epi32(half));
        // SAFETY: these are the 64 bytes of a vector.
        let bits = unsafe { _mm512_loadu_si512(bits.as_ptr().cast()) };
        let set = _mm512_test_epi32_mask(_mm512_mask_blend_epi32(LOW, high, low), bits);
        // SAFETY: as are these.
        unsafe { _mm512_storeu_si512(masks.as_mut_ptr().cast(), _mm512_movm_epi32(set)) };
    }
    #[target_feature(enable = "avx512f,avx512dq")]
    fn half(word: &u64, masks: &mut [MaybeUninit<u32>; HALF]) {
        let [first, second] = FIRSTS.bit.as_chunks::<16>().0 else { return };
        let [one, other] = masks.as_chunks_mut::<16>().0 else { return };
        sixteen::<{ FIRST_BITS.low(0, 16) }>(word, first, one);
        sixteen::<{ FIRST_BITS.low(16, 16) }>(word, second, other);
    }
    #[target_feature(enable = "avx512f,avx512dq")]
    fn twice(word: &u64, masks: &mut [MaybeUninit<u32>; INNER]) {
        sixteen::<{ SECOND_BITS.low(0, 16) }>(word, &SECONDS.bit, masks);
    }
    expand!(words, masks, half, twice);
}

/// The same with AVX2.
pub(super) fn by_avx2<const N: usize>(_: Avx2, words: &[u64], masks: &mut Masks<u32, N>) {
    // SAFETY: the witness says that the processor has the features; all masks are written.
    unsafe { masks.make(words, expand256) };
}

#[target_feature(enable = "avx2")]
fn expand256(words: &[u64], masks: &mut [MaybeUninit<u32>]) {
    #[target_feature(enable = "avx2")]
    fn eight<const LOW: i32>(word: &u64, bits: &[u32; 8], masks: &mut [MaybeUninit<u32>; 8]) {
        let [low, high] = halves(word).map(|half| _mm256_set1_epi32(half));
        // SAFETY: these are the 32 bytes of a vector.
        let bits: __m256i = unsafe { _mm256_loadu_si256(bits.as_ptr().cast()) };
        let own = _mm256_and_si256(_mm256_blend_epi32::<LOW>(high, low), bits);
        let set = _mm256_cmpeq_epi32(own, bits);
        // SAFETY: as are these.
        unsafe { _mm256_storeu_si256(masks.as_mut_ptr().cast(), set) };
    }
    #[target_feature(enable = "avx2")]
    fn half(word: &u64, masks: &mut [MaybeUninit<u32>; HALF]) {
        let [a, b, c, d] = FIRSTS.bit.as_chunks::<8>().0 else { return };
        let [e, f, g, h] = masks.as_chunks_mut::<8>().0 else { return };
        eight::<{ FIRST_BITS.low(0, 8) as i32 }>(word, a, e);
        eight::<{ FIRST_BITS.low(8, 8) as i32 }>(word, b, f);
        eight::<{ FIRST_BITS.low(16, 8) as i32 }>(word, c, g);
        eight::<{ FIRST_BITS.low(24, 8) as i32 }>(word, d, h);
    }
    #[target_feature(enable = "avx2")]
    fn twice(word: &u64, masks: &mut [MaybeUninit<u32>; INNER]) {
        let [a, b] = SECONDS.bit.as_chunks::<8>().0 else { return };
        let [c, d] = masks.as_chunks_mut::<8>().0 else { return };
        eight::<{ SECOND_BITS.low(0, 8) as i32 }>(word, a, c);
        eight::<{ SECOND_BITS.low(8, 8) as i32 }>(word, b, d);
    }
    expand!(words, masks, half, twice);
}
