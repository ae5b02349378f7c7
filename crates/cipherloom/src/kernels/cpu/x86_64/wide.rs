//! Portable loops, compiled for vectors that not every x86-64 has.
#![allow(unsafe_code, reason = "calls functions for a processor with AVX2")]

use core::arch::x86_64::{__m256i, _mm256_setzero_si256};
use core::hint::black_box;
use core::mem::MaybeUninit;

use super::detect::Avx2;
use crate::kernels::blocks::and_each;
use zeroize::optimization_barrier;

/// ANDs `mask` into every block, if the processor has AVX2; says whether it has.
#[inline]
pub(crate) fn mask(blocks: &mut [[u8; 8]], mask: u64) -> bool {
    let avx2 = Avx2::detect();
    if let Some(avx2) = avx2 {
        mask_by_avx2(avx2, blocks, mask);
    }
    avx2.is_some()
}

/// Writes zeros to at least eight words, if the processor has AVX2; says whether it has.
///
/// # Panics
/// If these are fewer.
#[inline]
pub(crate) fn zero(room: &mut [MaybeUninit<u64>]) -> bool {
    let avx2 = Avx2::detect();
    if let Some(avx2) = avx2 {
        zero_by_avx2(avx2, room);
    }
    avx2.is_some()
}

fn zero_by_avx2(_: Avx2, room: &mut [MaybeUninit<u64>]) {
    #[target_feature(enable = "avx2")]
    fn with_avx2(room: &mut [MaybeUninit<u64>]) {
        // Of zeros that the compiler knows it would make calls of `memset`, which cost more.
        let zero = black_box(_mm256_setzero_si256());
        let first = room.first_chunk_mut::<8>().expect("a line").as_mut_ptr();
        // SAFETY: there are eight words.
        unsafe { first.cast::<[__m256i; 2]>().write_unaligned([zero; 2]) };
        let last = room.last_chunk_mut::<8>().expect("a line").as_mut_ptr();
        // SAFETY: as before.
        unsafe { last.cast::<[__m256i; 2]>().write_unaligned([zero; 2]) };
        // SAFETY: any byte of a line may be uninitialized, as those of the words.
        let (_, lines, _) = unsafe { room.align_to_mut::<MaybeUninit<Line>>() };
        for line in lines {
            line.write(Line([zero; 2]));
        }
        optimization_barrier(room);
    }
    // SAFETY: the witness says that the processor has AVX2.
    unsafe { with_avx2(room) }
}

fn mask_by_avx2(_: Avx2, blocks: &mut [[u8; 8]], mask: u64) {
    #[target_feature(enable = "avx2")]
    fn with_avx2(blocks: &mut [[u8; 8]], mask: u64) {
        and_each(blocks, mask);
    }
    // SAFETY: the witness says that the processor has AVX2.
    unsafe { with_avx2(blocks, mask) }
}

/// Has the size and the place of a cache line: a store across the border of two takes more than twice as
/// long (measured on Golden Cove).
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "is only written")] [__m256i; 2]);
