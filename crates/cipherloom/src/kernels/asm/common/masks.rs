//! Masks of a key's bits, and what makes them of words.
#![allow(unsafe_code, reason = "memory that nobody has written yet")]

use core::mem::MaybeUninit;

use super::key_bits::ONE_PASS;
use super::of_bits::HALF;

/// Masks in a place that is not cleared before they are made: that would take as long.
#[repr(align(64))]
pub(super) struct Masks<M, const N: usize> {
    masks: [MaybeUninit<M>; N],
    /// Whether all of them are there.
    are_made: bool,
}

impl<M, const N: usize> Masks<M, N> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { masks: [const { MaybeUninit::uninit() }; N], are_made: false }
    }

    /// # Panics
    /// If they were never made.
    #[inline]
    pub(super) fn get(&self) -> &[M; N] {
        assert!(self.are_made, "masks are made before they are used");
        // SAFETY: all of them were written.
        unsafe { &*(&raw const self.masks).cast() }
    }

    /// Has all of them written.
    ///
    /// # Safety
    /// The processor can run `expand`, and that writes the masks of each word by [`expand!`].
    pub(super) unsafe fn make(
        &mut self,
        words: &[u64],
        expand: unsafe fn(&[u64], &mut [MaybeUninit<M>]),
    ) {
        // The words of so many passes, or of a half.
        let passes = (N + HALF) / (ONE_PASS + HALF);
        let is_whole = N + HALF == passes * (ONE_PASS + HALF) && words.len() + 1 == 33 * passes;
        assert!(is_whole || N == HALF && words.len() == 1, "masks for all the words");
        // SAFETY: the caller's; each of these words writes the masks of its own, and together they are all.
        unsafe { expand(words, &mut self.masks) };
        self.are_made = true;
    }
}

/// Runs through the rounds' words, two a round, and their masks; between passes is another word. Or
/// makes the masks of a half of one word.
macro_rules! expand {
    ($words:ident, $masks:ident, $half:ident, $twice:ident) => {
        if let ([word], Some(masks)) = ($words, $masks.as_mut_array()) {
            return $half(*word, masks);
        }
        let passes = $masks.chunks_mut(ONE_PASS + HALF);
        for (words, masks) in $words.chunks(33).zip(passes) {
            let (words, boundary) = words.as_chunks::<2>();
            let (masks, boundary_masks) = masks.as_chunks_mut::<{ INNER + HALF }>();
            for (words, masks) in words.iter().zip(masks) {
                let (inner, difference) = masks.split_at_mut(INNER);
                $twice(words[0], inner.first_chunk_mut().expect("masks of bits used twice"));
                $half(words[1], difference.first_chunk_mut().expect("masks of a half"));
            }
            if let (Some(word), Some(masks)) = (boundary.first(), boundary_masks.first_chunk_mut())
            {
                $half(*word, masks);
            }
        }
    };
}
