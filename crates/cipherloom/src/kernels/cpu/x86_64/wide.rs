//! Portable loops, compiled for vectors that not every x86-64 has.
#![allow(unsafe_code, reason = "calls functions for a processor with AVX2")]

use core::arch::x86_64::{
    __m256i, _mm256_permute2x128_si256, _mm256_setzero_si256, _mm256_unpackhi_epi64,
    _mm256_unpacklo_epi64,
};
use core::hint::black_box;
use core::mem::{MaybeUninit, transmute};

use super::detect::Avx2;
use crate::kernels::cpu::work::{Four, Plain, Vectors, Work};
use zeroize::optimization_barrier;

/// Does work as compiled for vectors of 256 bits, if the processor has AVX2, else as for all processors.
#[inline]
pub(crate) fn widely(work: impl Work) {
    #[target_feature(enable = "avx2")]
    fn with_avx2(avx2: Avx2, work: impl Work) {
        work.run(Wide(avx2));
    }
    match Avx2::detect() {
        // SAFETY: the witness says that the processor has AVX2.
        Some(avx2) => unsafe { with_avx2(avx2, work) },
        None => work.run(Plain),
    }
}

/// Vectors of 256 bits.
#[derive(Clone, Copy)]
struct Wide(Avx2);

impl Vectors for Wide {
    #[inline(always)]
    fn turn(self, rows: [Four; 4]) -> [Four; 4] {
        // SAFETY: the witness says that the processor has AVX2.
        unsafe { turn_by_avx2(rows) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn turn_by_avx2(rows: [Four; 4]) -> [Four; 4] {
    // SAFETY: both are 32 bytes of which any are valid.
    let [a, b, c, d] = rows.map(|row| unsafe { transmute::<Four, __m256i>(row) });
    let [ab, cd] = [_mm256_unpacklo_epi64(a, b), _mm256_unpacklo_epi64(c, d)];
    let [up_ab, up_cd] = [_mm256_unpackhi_epi64(a, b), _mm256_unpackhi_epi64(c, d)];
    let columns = [
        _mm256_permute2x128_si256::<0x20>(ab, cd),
        _mm256_permute2x128_si256::<0x20>(up_ab, up_cd),
        _mm256_permute2x128_si256::<0x31>(ab, cd),
        _mm256_permute2x128_si256::<0x31>(up_ab, up_cd),
    ];
    // SAFETY: as before.
    columns.map(|column| unsafe { transmute::<__m256i, Four>(column) })
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

#[inline]
fn zero_by_avx2(_: Avx2, room: &mut [MaybeUninit<u64>]) {
    #[inline]
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

/// Has the size and the place of a cache line: a store across the border of two takes more than twice as
/// long (measured on Golden Cove).
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "is only written")] [__m256i; 2]);
