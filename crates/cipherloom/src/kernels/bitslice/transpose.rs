//! Blocks to slices and back: 64 x 64 bits at a time, by swap-and-mask.

use crate::kernels::fips;

/// 64·N blocks as 64 slices: slice `k` holds bit `k` + 1 (FIPS 46-3's numbers) of every block.
pub(super) type Bits<const N: usize> = [[u64; N]; 64];

/// Up to 64·N blocks to slices; lanes without a block are zero.
#[inline(always)]
pub(super) fn to_bits<const N: usize>(blocks: impl Iterator<Item = u64>) -> Bits<N> {
    let mut bits = [[0; N]; 64];
    for (lane, block) in bits.as_flattened_mut().iter_mut().zip(blocks) {
        *lane = block;
    }
    transpose(&mut bits);
    bits
}

/// The inverse of [`to_bits`]: `blocks` takes as many as it has.
#[inline(always)]
pub(super) fn from_bits<'a, const N: usize>(
    mut bits: Bits<N>,
    blocks: impl Iterator<Item = &'a mut u64>,
) {
    transpose(&mut bits);
    for (block, lane) in blocks.zip(bits.as_flattened()) {
        *block = *lane;
    }
}

/// Transposes N matrices of 64 x 64 bits, a column of `m` each. Its own inverse.
#[inline(always)]
pub(super) fn transpose<const N: usize>(m: &mut Bits<N>) {
    let mut mask = u64::MAX;
    let mut width = 32;
    while width != 0 {
        mask ^= mask << width;
        for pair in m.chunks_exact_mut(2 * width) {
            let (upper, lower) = pair.split_at_mut(width);
            for (a, b) in upper.iter_mut().zip(lower) {
                for n in 0..N {
                    let swap = (a[n] ^ b[n] >> width) & mask;
                    a[n] ^= swap;
                    b[n] ^= swap << width;
                }
            }
        }
        width /= 2;
    }
}

/// The halves of blocks between IP and IP⁻¹: slice k holds bit k + 1 of L, or of R.
#[derive(Clone)]
pub(super) struct Halves<const N: usize> {
    pub(super) l: [[u64; N]; 32],
    pub(super) r: [[u64; N]; 32],
}

impl<const N: usize> Halves<N> {
    /// IP.
    #[inline(always)]
    pub(super) fn from_bits(bits: &Bits<N>) -> Self {
        let half = |from: usize| core::array::from_fn(|k| bits[fips::IP[from + k] as usize - 1]);
        Self { l: half(0), r: half(32) }
    }

    /// IP⁻¹.
    #[inline(always)]
    pub(super) fn to_bits(&self) -> Bits<N> {
        let mut bits = [[0; N]; 64];
        for k in 0..32 {
            bits[fips::IP[k] as usize - 1] = self.l[k];
            bits[fips::IP[32 + k] as usize - 1] = self.r[k];
        }
        bits
    }
}
