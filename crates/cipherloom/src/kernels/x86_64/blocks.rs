//! Room for a block in every lane.
#![allow(unsafe_code, reason = "memory that nobody has written yet")]

use core::mem::MaybeUninit;

use crate::kernels::AT_A_TIME;

/// A block for every lane. No vector of it lies in two lines of the cache.
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
    pub(super) fn begin(&mut self, first: &[[u8; 8]]) -> &mut [[u8; 8]] {
        let room = self.0.as_mut_ptr().cast::<MaybeUninit<[u8; 8]>>();
        // SAFETY: there are N blocks, and a block that may be uninitialised can be anything.
        let room = unsafe { core::slice::from_raw_parts_mut(room, N) };
        let (front, behind) = room.split_at_mut(first.len());
        for (to, from) in front.chunks_mut(SOME).zip(first.chunks(SOME)) {
            to.write_copy_of_slice(from);
        }
        for zeros in behind.chunks_mut(SOME) {
            zeros.fill(MaybeUninit::new([0; 8]));
        }
        // SAFETY: every block was written.
        unsafe { self.0.assume_init_mut() }
    }
}
