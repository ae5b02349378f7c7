//! The kernel trait: what the strategy wants of each width.

use crate::kernels::{Direction, Key};

/// The most lanes that any kernel has.
pub(crate) const MOST_LANES: usize = 512;

/// Every backend has a kernel for much work and one for a rest; they may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Wide,
    Narrow,
}

/// One bit of every lane.
pub(crate) trait Vector: Copy + Default + 'static {
    const ZERO: Self;

    fn words(&self) -> &[u64];
    fn words_mut(&mut self) -> &mut [u64];

    /// The same word in every place.
    #[inline]
    fn splat(word: u64) -> Self {
        let mut vector = Self::ZERO;
        vector.words_mut().fill(word);
        vector
    }

    /// XORs another one in.
    #[inline]
    fn add(&mut self, other: &Self) {
        for (word, other) in self.words_mut().iter_mut().zip(other.words()) {
            *word ^= other;
        }
    }
}

/// What is between IP and IP⁻¹: X, which is L0 before the rounds and L16 after them, then Y, which
/// is R0 and R16; slice k of a half is its bit k + 1.
pub(crate) type State<K> = [<K as Kernel>::Vector; 64];

/// Slices of a DES key: C twice in a row, then D twice in a row.
pub(crate) const KEY: usize = 112;

/// A width of the strategy: a kernel for so many lanes, on a processor that has what it takes.
///
/// Slices of blocks have [`Self::LANES`] of them or, on the way in and out, fewer: what is in the
/// lanes of those that are not there does not matter. Which block sits in which lane is the kernel's
/// own business.
pub(crate) trait Kernel: Copy {
    type Vector: Vector;
    /// A scratch buffer with a block for each lane.
    type Blocks;
    /// One DES key for all lanes.
    type Des: Broadcast<Self>;
    /// One Triple-DES key for all lanes.
    type Tdes: Broadcast<Self>;

    const LANES: usize;
    /// Bytes of the stack that its functions and their callers need beside a state, keys, and what is
    /// made of [`Self::NO_BLOCKS`] elsewhere.
    const BESIDE: usize;
    /// An empty scratch buffer.
    const NO_BLOCKS: Self::Blocks;

    /// The bits of each lane's number, the lowest first; there may be more of them, all zeros.
    fn low() -> &'static [Self::Vector];

    /// Makes the first blocks these, and zeros of the others.
    fn begin<'b>(self, scratch: &'b mut Self::Blocks, first: &[[u8; 8]]) -> &'b mut [[u8; 8]];

    /// Takes blocks apart.
    fn enter(self, blocks: &[[u8; 8]], state: &mut State<Self>);

    /// Puts blocks together; what the state is afterwards is nobody's business.
    fn leave(self, state: &mut State<Self>, blocks: &mut [[u8; 8]]);

    /// The same, XORed into blocks.
    fn leave_xor(self, state: &mut State<Self>, blocks: &mut [[u8; 8]]);

    /// The slices of a DES key for each lane, parity bits left out.
    fn keys(self, keys: &[[u8; 8]], slices: &mut [Self::Vector; KEY]);

    /// Takes numbers apart, as [`Self::enter`] would: what is the same in every lane comes from
    /// `high`, into which the slices of their lowest bits, the lowest first, are XORed.
    fn counters(self, low: &[Self::Vector], high: u64, state: &mut State<Self>);

    /// Sixteen rounds under the slices of a key. In each window, a distance from their beginning in
    /// bytes, bits of C are slices 0 to 27 and those of D 56 to 83.
    fn des(self, state: &mut State<Self>, keys: &[Self::Vector; KEY], windows: &[u64; 16]);

    /// Three times sixteen rounds.
    fn tdes(self, state: &mut State<Self>, keys: &[Self::Vector; 3 * KEY], windows: &[u64; 48]);
}

/// One key for all lanes, or a key for each, in the form that a kernel likes best.
///
/// Blocks go in and out by the key: it may have a part in that. DESX's whitening is part of it.
pub(crate) trait Broadcast<K: Kernel> {
    /// No key.
    fn none() -> Self;

    fn set(&mut self, kernel: K, key: &Key<'_>, direction: Direction);

    /// Takes blocks apart.
    #[inline]
    fn enter(&self, kernel: K, blocks: &[[u8; 8]], state: &mut State<K>) {
        kernel.enter(blocks, state);
    }

    /// What counters are to be XORed with as they enter, which is not done by [`Self::enter`].
    fn enters_with(&self) -> u64 {
        0
    }

    /// All rounds of all passes.
    fn rounds(&self, kernel: K, state: &mut State<K>);

    /// Puts blocks together.
    #[inline]
    fn leave(&self, kernel: K, state: &mut State<K>, blocks: &mut [[u8; 8]]) {
        kernel.leave(state, blocks);
    }

    /// The same, XORed into blocks.
    #[inline]
    fn leave_xor(&self, kernel: K, state: &mut State<K>, blocks: &mut [[u8; 8]]) {
        kernel.leave_xor(state, blocks);
    }
}
