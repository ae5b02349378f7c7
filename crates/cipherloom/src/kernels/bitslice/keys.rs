//! Key slices: for each bit of C and D a mask, or a bit for each lane.

use super::slices::{Halves, Slice};
use crate::kernels::fips;
use zeroize::{ZeroizeOnDrop, optimization_barrier};

/// The key of one pass.
///
/// The subkeys are the same 56 bits at moving positions: with C and D each stored twice in a row,
/// a round's bits stand at fixed distances from a base that moves by one or two slices a round.
/// There is no key schedule. Wiped on drop.
#[derive(Clone)]
pub(super) struct KeySlices<const N: usize> {
    c: [Slice<N>; 56],
    d: [Slice<N>; 56],
}

/// C and D as one round reads them.
pub(super) type Window<'a, const N: usize> = (&'a [Slice<N>; 28], &'a [Slice<N>; 28]);

impl<const N: usize> KeySlices<N> {
    pub(super) const ZERO: Self = Self { c: [Slice::ZERO; 56], d: [Slice::ZERO; 56] };

    /// One key for every lane.
    pub(super) fn set_one(&mut self, key: u64) {
        self.set(|number| Slice::splat((key >> (64 - number) & 1).wrapping_neg()));
    }

    /// The key of each lane, as a block of it was loaded.
    pub(super) fn set_lanes(&mut self, keys: &Halves<N>) {
        self.set(|number| keys.bit(number));
    }

    /// `slice` gives the slice of a bit of the 64-bit key, by its number in FIPS 46-3.
    #[inline(always)]
    fn set(&mut self, slice: impl Fn(u8) -> Slice<N>) {
        for (half, numbers) in [(&mut self.c, &fips::PC1[..28]), (&mut self.d, &fips::PC1[28..])] {
            for (k, number) in numbers.iter().enumerate() {
                let bit = slice(*number);
                half[k] = bit;
                half[k + 28] = bit;
            }
        }
    }

    /// C and D after a total shift of `shift` (0 to 28).
    #[inline(always)]
    pub(super) fn window(&self, shift: u8) -> Window<'_, N> {
        let shift = usize::from(shift);
        (
            self.c[shift..].first_chunk().expect("28 slices follow any shift"),
            self.d[shift..].first_chunk().expect("28 slices follow any shift"),
        )
    }
}

impl<const N: usize> Drop for KeySlices<N> {
    fn drop(&mut self) {
        self.c = [Slice::ZERO; 56];
        self.d = [Slice::ZERO; 56];
        optimization_barrier(self);
    }
}

impl<const N: usize> ZeroizeOnDrop for KeySlices<N> {}
