//! How blocks that do not fill a vector get in and out by wider vectors.
#![allow(unsafe_code, reason = "vector instructions, and memory that nobody has written yet")]

use core::arch::x86_64::{
    _MM_HINT_T0, _mm_prefetch, _mm256_loadu_si256, _mm256_setr_epi64x, _mm256_storeu_si256,
    _mm512_loadu_si512, _mm512_mask_storeu_epi64, _mm512_maskz_loadu_epi64, _mm512_storeu_si512,
};
use core::mem::MaybeUninit;

use super::blocks::Copies;
use crate::kernels::cpu::processor::{Avx2, Avx512};

/// Has the processor fetch memory into its nearest cache, and waits for nothing.
#[inline(always)]
pub(super) fn fetch(bytes: &[u8]) {
    // Of a length that the compiler knows it would make an instruction for each line, which fill eight lines themselves.
    for line in core::hint::black_box(bytes).as_chunks::<64>().0 {
        // SAFETY: every x86-64 has this instruction, which changes nothing but caches.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

// SAFETY: every vector of the scratch buffer is written, whatever blocks are missing.
unsafe impl Copies for Avx2 {
    fn fill(self, scratch: &mut [MaybeUninit<[u8; 8]>], blocks: &[[u8; 8]]) {
        assert!(blocks.len() <= scratch.len() && scratch.len().is_multiple_of(4), "whole vectors");
        // SAFETY: the witness says that the processor has what it needs.
        unsafe { fill256(scratch, blocks) };
    }
}

// SAFETY: as above.
unsafe impl Copies for Avx512 {
    fn fill(self, scratch: &mut [MaybeUninit<[u8; 8]>], blocks: &[[u8; 8]]) {
        assert!(blocks.len() <= scratch.len() && scratch.len().is_multiple_of(8), "whole vectors");
        // SAFETY: the witness says that the processor has what it needs.
        unsafe { fill512(scratch, blocks) };
    }

    fn take(self, blocks: &mut [[u8; 8]], from: &[[u8; 8]]) {
        assert!(blocks.len() <= from.len() && from.len().is_multiple_of(8), "whole vectors");
        // SAFETY: as above.
        unsafe { take512(blocks, from) };
    }
}

#[target_feature(enable = "avx512f")]
fn fill512(scratch: &mut [MaybeUninit<[u8; 8]>], blocks: &[[u8; 8]]) {
    if blocks.is_empty() {
        return scratch.fill(MaybeUninit::new([0; 8]));
    }
    assert!(scratch.len() <= 64, "a bit for each block");
    // No branch: the ends of the kernels' loops are foreseen the better.
    let mut places = u64::MAX >> (64 - blocks.len());
    for (n, scratch) in scratch.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mask = places as u8;
        // Without any block there its place may be one that takes the processor long.
        let at = if mask == 0 { blocks.as_ptr() } else { blocks.as_ptr().wrapping_add(8 * n) };
        // SAFETY: the mask selects none but blocks, and the buffer is the 64 bytes of a vector.
        unsafe {
            let vector = _mm512_maskz_loadu_epi64(mask, at.cast());
            _mm512_storeu_si512(scratch.as_mut_ptr().cast(), vector);
        }
        places >>= 8;
    }
}

#[target_feature(enable = "avx512f")]
fn take512(blocks: &mut [[u8; 8]], from: &[[u8; 8]]) {
    let (whole, some) = blocks.as_chunks_mut::<8>();
    let mut from = from.as_chunks::<8>().0.iter();
    for (blocks, from) in whole.iter_mut().zip(&mut from) {
        *blocks = *from;
    }
    if let (Some(from), [_, ..]) = (from.next(), &*some) {
        // SAFETY: these are the 64 bytes of a vector, and as many blocks as the mask selects.
        unsafe {
            let vector = _mm512_loadu_si512(from.as_ptr().cast());
            _mm512_mask_storeu_epi64(some.as_mut_ptr().cast(), first512(some), vector);
        }
    }
}

/// The places of blocks in a vector, of which they fill no more.
fn first512(blocks: &[[u8; 8]]) -> u8 {
    ((1 << blocks.len().min(8)) - 1) as u8
}

/// Not by `vpmaskmovq`, though it touches no more than its mask says: some emulators load all of the
/// vector.
#[target_feature(enable = "avx2")]
fn fill256(scratch: &mut [MaybeUninit<[u8; 8]>], blocks: &[[u8; 8]]) {
    for (n, scratch) in scratch.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let here = blocks.get(4 * n..).unwrap_or_default();
        let vector = match here.first_chunk::<4>() {
            // SAFETY: these are the 32 bytes of a vector.
            Some(four) => unsafe { _mm256_loadu_si256(four.as_ptr().cast()) },
            None => {
                let word = |n: usize| here.get(n).map_or(0, |&block| i64::from_ne_bytes(block));
                _mm256_setr_epi64x(word(0), word(1), word(2), 0)
            }
        };
        // SAFETY: the buffer is the 32 bytes of a vector.
        unsafe { _mm256_storeu_si256(scratch.as_mut_ptr().cast(), vector) };
    }
}
