//! Slices in portable Rust.

use crate::kernels::bitslice::kernel::Vector;

/// One bit of 64·N blocks. Aligned so that a vector instruction can take it as its operand.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Slice<const N: usize>(pub(super) [u64; N]);

impl<const N: usize> Default for Slice<N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const N: usize> Vector for Slice<N> {
    const ZERO: Self = Self([0; N]);

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}
