//! Portable loops, compiled for vectors that not every x86-64 has.
#![allow(unsafe_code, reason = "calls functions for a processor with AVX2")]

use super::cpu::Avx2;
use crate::kernels::blocks::and_each;

/// ANDs `mask` into every block, if the processor has AVX2; says whether it has.
#[inline]
pub(crate) fn mask(blocks: &mut [[u8; 8]], mask: u64) -> bool {
    let avx2 = Avx2::detect();
    if let Some(avx2) = avx2 {
        mask_by_avx2(avx2, blocks, mask);
    }
    avx2.is_some()
}

fn mask_by_avx2(_: Avx2, blocks: &mut [[u8; 8]], mask: u64) {
    #[target_feature(enable = "avx2")]
    fn with_avx2(blocks: &mut [[u8; 8]], mask: u64) {
        and_each(blocks, mask);
    }
    // SAFETY: the witness says that the processor has AVX2.
    unsafe { with_avx2(blocks, mask) }
}
