//! Key slices: a mask or 64·N different bits for each bit of C and D.

use super::transpose::Bits;
use crate::kernels::fips;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The key of one pass.
///
/// The subkeys are the same 56 bits at moving positions: with C and D each stored twice in a row,
/// a round's bits stand at fixed distances from a base that moves by one or two slices a round.
/// There is no key schedule. Wiped on drop.
#[derive(Clone)]
pub(super) struct KeySlices<const N: usize> {
    c: [[u64; N]; 56],
    d: [[u64; N]; 56],
}

/// C and D as one round reads them.
pub(super) type Window<'a, const N: usize> = (&'a [[u64; N]; 28], &'a [[u64; N]; 28]);

impl<const N: usize> KeySlices<N> {
    /// One key for every lane.
    pub(super) fn broadcast(key: u64) -> Self {
        Self::from_fn(|bit| [(key >> (64 - bit) & 1).wrapping_neg(); N])
    }

    /// A key for each lane.
    pub(super) fn from_bits(keys: &Bits<N>) -> Self {
        Self::from_fn(|bit| keys[usize::from(bit) - 1])
    }

    /// `slice` gives the slice of a bit of the 64-bit key, by its number in FIPS 46-3.
    #[inline(always)]
    fn from_fn(slice: impl Fn(u8) -> [u64; N]) -> Self {
        let twice = |from: usize| core::array::from_fn(|k| slice(fips::PC1[from + k % 28]));
        Self { c: twice(0), d: twice(28) }
    }

    /// C and D after a total shift of `shift` (0 to 28).
    #[inline(always)]
    pub(super) fn window(&self, shift: u8) -> Window<'_, N> {
        let at = usize::from(shift);
        (
            self.c[at..].first_chunk().expect("28 slices follow any shift"),
            self.d[at..].first_chunk().expect("28 slices follow any shift"),
        )
    }
}

impl<const N: usize> Drop for KeySlices<N> {
    fn drop(&mut self) {
        self.c.as_flattened_mut().zeroize();
        self.d.as_flattened_mut().zeroize();
    }
}

impl<const N: usize> ZeroizeOnDrop for KeySlices<N> {}
