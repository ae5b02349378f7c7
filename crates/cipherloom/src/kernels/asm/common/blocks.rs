//! Scratch buffers of blocks, and how a few blocks get in and out.
#![allow(unsafe_code, reason = "memory that nobody has written yet")]

use core::mem::MaybeUninit;

use crate::kernels::cpu::processor::Baseline;
use crate::kernels::wipe::AT_A_TIME;

/// So many blocks. No vector of it lies in two lines of the cache.
#[repr(align(64))]
pub(super) struct Blocks<const N: usize>(MaybeUninit<[[u8; 8]; N]>);

/// Blocks written at a time.
const SOME: usize = AT_A_TIME / 8;

impl<const N: usize> Blocks<N> {
    /// No blocks yet.
    pub(super) const fn new() -> Self {
        Self(MaybeUninit::uninit())
    }

    /// Makes the first ones these, and zeros of the others.
    ///
    /// # Panics
    /// As [`Copies::fill`].
    pub(super) fn begin(&mut self, by: impl Copies, first: &[[u8; 8]]) -> &mut [[u8; 8]; N] {
        let scratch = self.0.as_mut_ptr().cast::<MaybeUninit<[u8; 8]>>();
        // SAFETY: there are N blocks, and a block that may be uninitialised can be anything.
        let scratch = unsafe { core::slice::from_raw_parts_mut(scratch, N) };
        by.fill(scratch, first);
        // SAFETY: every block was written.
        unsafe { self.0.assume_init_mut() }
    }
}

/// How a processor copies blocks that may not fill its vectors. Kernels load whole vectors, and wait
/// where these were not stored as such.
///
/// # Safety
/// [`fill`](Self::fill) writes all of the scratch buffer.
pub(super) unsafe trait Copies: Copy {
    /// Makes the first of `scratch` these blocks, and zeros of the others.
    ///
    /// # Panics
    /// If there are more than there is room for, or any where there is room for more than 64.
    #[inline]
    fn fill(self, scratch: &mut [MaybeUninit<[u8; 8]>], blocks: &[[u8; 8]]) {
        let (front, behind) = scratch.split_at_mut(blocks.len());
        for (to, from) in front.chunks_mut(SOME).zip(blocks.chunks(SOME)) {
            to.write_copy_of_slice(from);
        }
        for zeros in behind.chunks_mut(SOME) {
            zeros.fill(MaybeUninit::new([0; 8]));
        }
    }

    /// Makes of `blocks` the first of these.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    fn take(self, blocks: &mut [[u8; 8]], from: &[[u8; 8]]) {
        blocks.copy_from_slice(&from[..blocks.len()]);
    }
}

// SAFETY: the trait's own way writes all.
unsafe impl Copies for Baseline {}
