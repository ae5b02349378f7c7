//! Sets of nodes as bits of a word.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of nodes. Small circuits take 64 bits, which is faster; starts may be larger.
pub(super) trait Mask:
    Copy
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Nodes that fit.
    const BITS: usize;
    /// No node.
    const NONE: Self;
    /// One node.
    fn bit(node: usize) -> Self;
    /// All nodes below one.
    fn below(end: usize) -> Self;
    /// Whether a node is in it.
    fn has(self, node: usize) -> bool;
    /// How many are in it.
    fn count(self) -> usize;
    /// The lowest node in it.
    fn first(self) -> usize;
    /// Without its lowest node.
    fn rest(self) -> Self;
    /// The nodes in it, upwards.
    fn ones(self) -> Ones<Self> {
        Ones(self)
    }
    /// Rows and columns exchanged: bit `k` of result `m` is bit `m` of `columns[k]`.
    fn transposed(columns: &[u64; 128]) -> [Self; 64];
}

/// The nodes of a set, upwards.
pub(super) struct Ones<M>(M);

impl<M: Mask> Iterator for Ones<M> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == M::NONE {
            return None;
        }
        let first = self.0.first();
        self.0 = self.0.rest();
        Some(first)
    }
}

macro_rules! mask {
    ($word:ty, $transposed:expr) => {
        impl Mask for $word {
            const BITS: usize = <$word>::BITS as usize;
            const NONE: Self = 0;
            fn bit(node: usize) -> Self {
                1 << node
            }
            fn below(end: usize) -> Self {
                if end >= Self::BITS as usize { Self::MAX } else { (1 << end) - 1 }
            }
            fn has(self, node: usize) -> bool {
                // A node behind the last is in no set.
                node < <Self as Mask>::BITS && self >> node & 1 != 0
            }
            fn count(self) -> usize {
                self.count_ones() as usize
            }
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            fn transposed(columns: &[u64; 128]) -> [Self; 64] {
                $transposed(columns)
            }
        }
    };
}

mask!(u64, |columns: &[u64; 128]| square(columns[..64].try_into().expect("64 columns")));
mask!(u128, |columns: &[u64; 128]| {
    let low = square(columns[..64].try_into().expect("64 columns"));
    let high = square(columns[64..].try_into().expect("64 columns"));
    std::array::from_fn(|m| u128::from(high[m]) << 64 | u128::from(low[m]))
});

/// A square of bits with rows and columns exchanged, by exchanges of ever smaller squares in it.
fn square(mut rows: [u64; 64]) -> [u64; 64] {
    let mut width = 32;
    let mut mask = 0xffff_ffff_u64;
    while width != 0 {
        let mut k = 0;
        while k < 64 {
            let exchanged = (rows[k] >> width ^ rows[k + width]) & mask;
            rows[k] ^= exchanged << width;
            rows[k + width] ^= exchanged;
            k = (k + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn rows_become_columns() {
        let mut random = Random::new(1);
        let columns: [u64; 128] = std::array::from_fn(|_| random.bits());
        let narrow = u64::transposed(&columns);
        let wide = u128::transposed(&columns);
        for m in 0..64 {
            for (k, column) in columns.iter().enumerate() {
                let bit = column >> m & 1 != 0;
                assert_eq!(wide[m].has(k), bit);
                assert_eq!(narrow[m].has(k), bit && k < 64);
            }
        }
    }

    #[test]
    fn a_set_lists_its_nodes() {
        let set = u64::bit(3) | u64::bit(63);
        assert_eq!(set.ones().collect::<Vec<_>>(), [3, 63]);
        assert_eq!((set.count(), set.first()), (2, 3));
        assert!(u64::below(64).has(63) && !u64::below(63).has(63) && !u64::MAX.has(64));
        assert_eq!(u128::below(128).count(), 128);
    }
}
