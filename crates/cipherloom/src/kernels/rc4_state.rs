//! The state of an RC4 keystream, in whatever form its kernel has it.
//!
//! One type for all of them, as no allocator can box the larger ones.
#![allow(unsafe_code, reason = "words that are looked at as bytes")]

use super::wipe;
use zeroize::ZeroizeOnDrop;

/// Bytes that kernels in assembly make at a time.
pub(crate) const GROUP: usize = 8;
/// Words of the largest state: a word an entry of S, then i and j.
const WORDS: usize = 256 + 2;

/// One RC4 keystream: S, then i and j in a word each, or what its kernel has in their place. Wiped on drop.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct State {
    pub(super) words: [u32; WORDS],
    pub(super) rest: Rest,
}

impl State {
    /// No keystream yet: zeros, which the compiler brings to their place at once.
    pub(crate) const fn blank() -> Self {
        Self { words: [0; WORDS], rest: Rest::NONE }
    }

    /// From S, i and j, for a kernel with so many bytes an entry, one or four.
    pub(crate) fn resume(entry: usize, s: &[u8; 256], i: u8, j: u8) -> Self {
        let mut state = Self::blank();
        let (words, count) = (&mut state.words, s.len() / 4 * entry);
        for (at, word) in words[..count].iter_mut().enumerate() {
            *word = match entry {
                1 => u32::from_ne_bytes(s.as_chunks().0[at]),
                _ => s[at].into(),
            };
        }
        (words[count], words[count + 1]) = (i.into(), j.into());
        state
    }

    /// S, i and j of such a kernel, where no group is in progress.
    pub(crate) fn pause(&self, entry: usize) -> Option<([u8; 256], u8, u8)> {
        let s = core::array::from_fn(|at| match entry {
            1 => self.words[at / 4].to_ne_bytes()[at % 4],
            _ => self.words[at] as u8,
        });
        let [i, j] = [0, 1].map(|after| self.words[64 * entry + after] as u8);
        self.rest.is_none().then_some((s, i, j))
    }

    /// S, i and j with a word an entry.
    pub(super) fn words(&mut self) -> (&mut [u32; 256], &mut [u32; 2]) {
        let (s, places) = self.words.split_first_chunk_mut().expect("S");
        (s, places.first_chunk_mut().expect("i and j stand behind S"))
    }

    /// Its first bytes.
    pub(super) fn bytes<const N: usize>(&mut self) -> &mut [u8; N] {
        bytes(&mut self.words)
    }
}

/// The first bytes of a state's words.
#[inline(always)]
pub(super) fn bytes<const N: usize>(words: &mut [u32; WORDS]) -> &mut [u8; N] {
    const { assert!(N <= size_of::<[u32; WORDS]>()) };
    // SAFETY: they are that many, lie as bytes may, and any bytes are words.
    unsafe { &mut *words.as_mut_ptr().cast() }
}

impl Drop for State {
    #[inline]
    fn drop(&mut self) {
        wipe(&mut self.words);
    }
}

impl ZeroizeOnDrop for State {}

/// What is left of the last group of a keystream. Wiped on drop.
#[derive(Clone)]
pub(super) struct Rest {
    pub(super) group: [u8; GROUP],
    /// How many bytes of it are left, its last ones.
    pub(super) left: usize,
}

impl Rest {
    /// Nothing.
    pub(super) const NONE: Self = Self { group: [0; GROUP], left: 0 };

    /// Whether nothing is left.
    fn is_none(&self) -> bool {
        self.left == 0
    }
}

impl Drop for Rest {
    #[inline]
    fn drop(&mut self) {
        wipe(&mut self.group);
    }
}
