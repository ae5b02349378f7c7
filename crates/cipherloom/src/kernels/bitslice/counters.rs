//! CTR's counters as slices, from any number on.

use super::kernel::{Broadcast, Kernel, State, Vector};
use crate::kernels::fips;

/// Consecutive numbers in the lanes.
///
/// The lanes' own numbers are added to the first counter's lowest bits, slice by slice, once for a
/// message: every group starts with the same of these. Where that carries, the bits above are those
/// of the next number; few of them differ, and only they take the carry.
pub(super) struct Counters<K: Kernel> {
    pub(super) low: [K::Vector; 16],
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

    pub(super) fn new(first: u64, key: &impl Broadcast<K>) -> Self {
        let (mut low, mut carry) = ([K::Vector::ZERO; 16], K::Vector::ZERO);
        let bits = low.iter_mut().zip(K::low()).take(Self::BITS as usize);
        for (bit, (sum, lane)) in bits.enumerate() {
            let first = (first >> bit & 1).wrapping_neg();
            let sums = sum.words_mut().iter_mut().zip(lane.words());
            for ((sum, lane), carry) in sums.zip(carry.words_mut()) {
                let half = lane ^ first;
                *sum = half ^ *carry;
                *carry = lane & first | half & *carry;
            }
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
