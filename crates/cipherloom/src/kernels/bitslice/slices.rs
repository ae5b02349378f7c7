//! Slices: one bit of many blocks; and blocks to slices and back.

use core::ops::{Index, IndexMut};
use zeroize::{ZeroizeOnDrop, optimization_barrier};

/// One bit of 64·N blocks. Aligned so that a vector instruction can take it as its operand.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Slice<const N: usize>([u64; N]);

impl<const N: usize> Slice<N> {
    pub(super) const ZERO: Self = Self([0; N]);

    /// The same word in every place.
    pub(super) const fn splat(word: u64) -> Self {
        Self([word; N])
    }
}

impl<const N: usize> Index<usize> for Slice<N> {
    type Output = u64;
    #[inline(always)]
    fn index(&self, n: usize) -> &u64 {
        &self.0[n]
    }
}

impl<const N: usize> IndexMut<usize> for Slice<N> {
    #[inline(always)]
    fn index_mut(&mut self, n: usize) -> &mut u64 {
        &mut self.0[n]
    }
}

/// 64·N blocks in memory.
pub(super) type Piece<const N: usize> = [[[u8; 8]; N]; 64];

/// The slices of 64·N blocks between IP and IP⁻¹: slice k of `l` holds bit k + 1 of every L.
///
/// Wiped on drop.
pub(super) struct Halves<const N: usize> {
    pub(super) l: [Slice<N>; 32],
    pub(super) r: [Slice<N>; 32],
    /// What is half transposed.
    rows: [Slice<N>; 64],
}

impl<const N: usize> Halves<N> {
    pub(super) const ZERO: Self =
        Self { l: [Slice::ZERO; 32], r: [Slice::ZERO; 32], rows: [Slice::ZERO; 64] };

    /// Takes blocks apart. IP only gives the slices their names.
    #[inline(always)]
    pub(super) fn load(&mut self, piece: &Piece<N>) {
        for (row, blocks) in self.rows.iter_mut().zip(piece) {
            row.0 = blocks.map(u64::from_le_bytes);
        }
        self.byte_levels();
        for byte in 0..8 {
            for n in 0..N {
                let mut bits = core::array::from_fn(|i| self.rows[8 * byte + i][n]);
                exchange_eight::<4, 2, 1>(&mut bits);
                for i in 0..4 {
                    self.r[8 * i + byte][n] = bits[2 * i];
                    self.l[8 * i + byte][n] = bits[2 * i + 1];
                }
            }
        }
    }

    /// Puts blocks together: the inverse of [`Self::load`].
    #[inline(always)]
    pub(super) fn store(&mut self, piece: &mut Piece<N>) {
        for byte in 0..8 {
            for n in 0..N {
                let mut bits = core::array::from_fn(|i| {
                    let half = if i % 2 == 0 { &self.r } else { &self.l };
                    half[8 * (i / 2) + byte][n]
                });
                exchange_eight::<4, 2, 1>(&mut bits);
                for (i, bits) in bits.into_iter().enumerate() {
                    self.rows[8 * byte + i][n] = bits;
                }
            }
        }
        self.byte_levels();
        for (row, blocks) in self.rows.iter().zip(piece) {
            *blocks = row.0.map(u64::to_le_bytes);
        }
    }

    /// The slice of the blocks' bit `number` (FIPS 46-3: 1 to 64, the first is the leftmost).
    #[inline(always)]
    pub(super) fn bit(&self, number: u8) -> Slice<N> {
        let (byte, bit) = (usize::from(number - 1) / 8, usize::from(number - 1) % 8);
        let half = if bit % 2 == 0 { &self.r } else { &self.l };
        half[8 * (bit / 2) + 7 - byte]
    }

    /// The levels of the transpose that move whole bytes.
    #[inline(always)]
    fn byte_levels(&mut self) {
        for bit in 0..8 {
            for n in 0..N {
                let mut bytes = core::array::from_fn(|i| self.rows[8 * i + bit][n]);
                exchange_eight::<32, 16, 8>(&mut bytes);
                for (i, bytes) in bytes.into_iter().enumerate() {
                    self.rows[8 * i + bit][n] = bytes;
                }
            }
        }
    }
}

impl<const N: usize> Drop for Halves<N> {
    fn drop(&mut self) {
        self.l = [Slice::ZERO; 32];
        self.r = [Slice::ZERO; 32];
        self.rows = [Slice::ZERO; 64];
        optimization_barrier(self);
    }
}

impl<const N: usize> ZeroizeOnDrop for Halves<N> {}

/// Three levels of a transpose over rows that stand `W1` apart: first the fields of 4 times that
/// width change places, then those of 2, then those of 1.
///
/// Written out, since the compiler widens the loop around it only if nothing in it is a loop.
#[inline(always)]
fn exchange_eight<const W4: usize, const W2: usize, const W1: usize>(rows: &mut [u64; 8]) {
    let [a, b, c, d, e, f, g, h] = rows;
    exchange::<W4>(a, e);
    exchange::<W4>(b, f);
    exchange::<W4>(c, g);
    exchange::<W4>(d, h);
    exchange::<W2>(a, c);
    exchange::<W2>(b, d);
    exchange::<W2>(e, g);
    exchange::<W2>(f, h);
    exchange::<W1>(a, b);
    exchange::<W1>(c, d);
    exchange::<W1>(e, f);
    exchange::<W1>(g, h);
}

/// Every other field of `WIDTH` bits: the lower ones of `a` change places with the upper ones of `b`.
#[inline(always)]
fn exchange<const WIDTH: usize>(a: &mut u64, b: &mut u64) {
    let mask = u64::MAX / ((1 << WIDTH) + 1);
    let swap = (*a ^ *b >> WIDTH) & mask;
    *a ^= swap;
    *b ^= swap << WIDTH;
}
