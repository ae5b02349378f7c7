//! Words of secrets that are safe to look up with.

use super::wipe;
use zeroize::ZeroizeOnDrop;

/// Words without a bit outside of `MASK`, whatever they are made from.
///
/// Kernels in assembly look up at bytes of such words: that no byte is beyond the end of a table is
/// what this type says; a reference to them is the pointer that kernels want. Wiped on drop.
#[repr(transparent)]
pub(crate) struct Masked<const MASK: u64, const N: usize>([u64; N]);

impl<const MASK: u64, const N: usize> Masked<MASK, N> {
    pub(crate) const ZERO: Self = Self([0; N]);

    pub(crate) fn words(&self) -> &[u64; N] {
        &self.0
    }

    /// Puts what of `words` lies within the mask into words that follow each other, written at once.
    #[inline(always)]
    pub(crate) fn set<const SOME: usize>(&mut self, at: usize, words: [u64; SOME]) {
        self.0[at..at + SOME].copy_from_slice(&words.map(|word| word & MASK));
    }

    /// XORs what of `word` lies within the mask into a word.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize, word: u64) {
        self.0[at] ^= word & MASK;
    }
}

impl<const MASK: u64, const N: usize> Clone for Masked<MASK, N> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0)
    }

    /// Copies from place to place.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }
}

impl<const MASK: u64, const N: usize> Drop for Masked<MASK, N> {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

impl<const MASK: u64, const N: usize> ZeroizeOnDrop for Masked<MASK, N> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bit_leaves_the_mask() {
        let mut words = Masked::<0x3f00, 2>::ZERO;
        words.add(1, u64::MAX);
        assert_eq!(words.words(), &[0, 0x3f00]);
        words.add(1, 0x1234);
        words.set(0, [u64::MAX, 0x1234]);
        assert_eq!(words.words(), &[0x3f00, 0x1200]);
    }
}
