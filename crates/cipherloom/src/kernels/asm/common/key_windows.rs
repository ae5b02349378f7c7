//! Where rounds with a key per lane find their key bits.

/// Slices of a DES key: C twice in a row, then D twice in a row.
const KEY: u64 = 112;
/// The slice behind the last one at which a window may begin: both Cs less one.
const BEHIND: u64 = 29;

/// For each round the distance of its window from the first key slice, in bytes, with `LANES` bits a
/// slice and a key for every 16 rounds. No window reaches behind the last key.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Windows<const LANES: u64, const ROUNDS: usize>([u64; ROUNDS]);

impl<const LANES: u64, const ROUNDS: usize> Windows<LANES, ROUNDS> {
    const SLICE: u64 = LANES / 8;
    const END: u64 = (KEY * (ROUNDS as u64 / 16 - 1) + BEHIND) * Self::SLICE;

    /// # Panics
    /// If a window does not begin at a slice, or reaches too far.
    pub(crate) fn new(words: [u64; ROUNDS]) -> Self {
        let begins = |word: &u64| word.is_multiple_of(Self::SLICE) && *word < Self::END;
        assert!(words.iter().all(begins), "windows of a key");
        Self(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_window_ends_with_the_last_key() {
        // D's second copy, from its last bit but one on: 28 + 28 + 28 + 27 slices behind the first.
        assert_eq!(BEHIND - 1 + 56 + 27, KEY - 1);
        assert_eq!(Windows::<512, 16>::new([28 * 64; 16]).0, [28 * 64; 16]);
        assert_eq!(Windows::<256, 48>::new([(224 + 28) * 32; 48]).0[7], 252 * 32);
    }

    #[test]
    #[should_panic(expected = "windows of a key")]
    fn one_slice_further_is_refused() {
        let _ = Windows::<512, 16>::new([29 * 64; 16]);
    }

    #[test]
    #[should_panic(expected = "windows of a key")]
    fn between_slices_is_refused() {
        let _ = Windows::<128, 16>::new([8; 16]);
    }
}
