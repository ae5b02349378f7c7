//! Masks of a key's bits, and what makes them of words.
#![allow(unsafe_code, reason = "memory that nobody has written yet")]

use core::mem::MaybeUninit;

use super::key_bits::{MASKS, WORDS, masks};

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
        let passes = N / MASKS;
        assert!(N == masks(passes) && words.len() == passes * WORDS + 1, "masks for all the words");
        // SAFETY: the caller's; each of these words writes the masks of its own, and together they are all.
        unsafe { expand(words, &mut self.masks) };
        self.are_made = true;
    }
}

/// Runs through the words of passes and their masks: a half before each pass, two words a round, and a half behind
/// the last pass.
macro_rules! expand {
    ($words:ident, $masks:ident, $half:ident, $twice:ident) => {
        for (words, masks) in $words.chunks(WORDS).zip($masks.chunks_mut(MASKS)) {
            let ([before, words @ ..], Some((half, masks))) =
                (words, masks.split_first_chunk_mut::<HALF>())
            else {
                return;
            };
            $half(before, half);
            let masks = masks.as_chunks_mut::<{ INNER + HALF }>().0;
            for ([inner, difference], masks) in words.as_chunks::<2>().0.iter().zip(masks) {
                let (twice, half) = masks.split_at_mut(INNER);
                $twice(inner, twice.first_chunk_mut().expect("masks of bits used twice"));
                $half(difference, half.first_chunk_mut().expect("masks of a half"));
            }
        }
    };
}
