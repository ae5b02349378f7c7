//! CTR's counters as slices, from any number on.

use super::kernel::{Broadcast, Kernel, MOST_LANES, State, Vector};
use crate::kernels::fips;

/// Bits that tell the lanes of the widest kernel apart.
const MOST_BITS: usize = MOST_LANES.ilog2() as usize;

/// Consecutive numbers in the lanes.
///
/// The lanes' own numbers are added to the first counter's lowest bits, slice by slice, once for a
/// message: every group starts with the same of these. Where that carries, the bits above are those
/// of the next number; few of them differ, and only they take the carry.
pub(super) struct Counters<K: Kernel> {
    pub(super) low: [K::Vector; MOST_BITS],
    pub(super) carry: K::Vector,
    /// The first lane's number without its lowest bits.
    high: u64,
    /// What the key wants XORed in.
    enters_with: u64,
}

impl<K: Kernel> Counters<K> {
    /// Bits that tell the lanes apart.
    pub(super) const BITS: u32 = K::LANES.ilog2();

    /// Bytes of the frames that count: numbers in the lanes, 64 masks of at most 16 bytes, and what calls keep. Where
    /// nothing is optimised, what is moved is there several times.
    pub(super) const FRAMES: usize = if cfg!(debug_assertions) {
        2 * size_of::<Self>() + 4 * 64 * 16 + 1024
    } else {
        size_of::<Self>() + 64 * 16 + 384
    };

    #[inline(always)]
    pub(super) fn new(first: u64, key: &impl Broadcast<K>) -> Self {
        let (mut low, mut carry) = ([K::Vector::ZERO; MOST_BITS], K::Vector::ZERO);
        let lanes = &K::low()[..Self::BITS as usize];
        for (n, word) in carry.words_mut().iter_mut().enumerate() {
            let mut carry = 0;
            for (bit, (sum, lane)) in low.iter_mut().zip(lanes).enumerate() {
                let (first, lane) = ((first >> bit & 1).wrapping_neg(), lane.words()[n]);
                let half = lane ^ first;
                sum.words_mut()[n] = half ^ carry;
                carry = lane & first | half & carry;
            }
            *word = carry;
        }
        let high = first >> Self::BITS << Self::BITS;
        Self { low, carry, high, enters_with: key.enters_with() }
    }

    /// The next group, and after it the one behind that.
    pub(super) fn enter(&mut self, kernel: K, state: &mut State<K>) {
        let low = &self.low[..Self::BITS as usize];
        kernel.counters(low, self.high ^ self.enters_with, state);
        let next = self.high.wrapping_add(1 << Self::BITS);
        let mut differ = self.high ^ next;
        while differ != 0 {
            let number = 64 - differ.trailing_zeros() as usize;
            state[usize::from(fips::IP_INV[number - 1]) - 1].add(&self.carry);
            differ &= differ - 1;
        }
        self.high = next;
    }
}
