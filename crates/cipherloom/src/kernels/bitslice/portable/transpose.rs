//! Blocks to slices and back. IP only gives the slices their names.

use super::slice::Slice;
use crate::kernels::bitslice::kernel::Vector as _;

/// The half, as its first slice in the state, and the place in a row of eight in which a bit of
/// every byte ends: bits 2, 4, 6, 8 of each byte make L, the others R.
const fn row(bit: usize) -> usize {
    32 * ((bit + 1) % 2) + 8 * (bit / 2)
}

/// Takes blocks apart.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "a loop over words is what the compiler widens")]
pub(super) fn enter<const N: usize>(blocks: &[[[u8; 8]; N]; 64], state: &mut [Slice<N>; 64]) {
    for (byte, rows) in blocks.as_chunks::<8>().0.iter().enumerate() {
        for n in 0..N {
            let mut bits = core::array::from_fn(|i| u64::from_le_bytes(rows[i][n]));
            exchange_eight::<4, 2, 1>(&mut bits);
            for (i, bits) in bits.into_iter().enumerate() {
                state[row(i) + byte].0[n] = bits;
            }
        }
    }
    byte_levels(state);
}

/// Puts blocks together: the inverse of [`enter`], for halves that changed sides; `put` makes of
/// what stands in a block, and what comes, what will stand there.
#[inline(always)]
pub(super) fn leave<const N: usize>(
    state: &mut [Slice<N>; 64],
    blocks: &mut [[[u8; 8]; N]; 64],
    put: impl Fn(u64, u64) -> u64,
) {
    byte_levels(state);
    for (byte, rows) in blocks.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        for n in 0..N {
            let mut bits = core::array::from_fn(|i| state[(row(i) + 32) % 64 + byte].0[n]);
            exchange_eight::<4, 2, 1>(&mut bits);
            for (row, bits) in rows.iter_mut().zip(bits) {
                row[n] = put(u64::from_le_bytes(row[n]), bits).to_le_bytes();
            }
        }
    }
}

/// The levels of the transpose that move whole bytes.
#[inline(always)]
fn byte_levels<const N: usize>(state: &mut [Slice<N>; 64]) {
    for rows in state.as_chunks_mut::<8>().0 {
        for n in 0..N {
            let mut bytes = core::array::from_fn(|i| rows[i].0[n]);
            exchange_eight::<32, 16, 8>(&mut bytes);
            for (row, bytes) in rows.iter_mut().zip(bytes) {
                row.0[n] = bytes;
            }
        }
    }
}

/// The bits of each lane's number, the lowest first.
pub(super) const fn numbers<const N: usize>() -> [Slice<N>; 16] {
    let mut slices = [Slice::ZERO; 16];
    let mut lane = 0;
    while lane < 64 * N {
        let mut bit = 0;
        while bit < 16 {
            slices[bit].0[lane % N] |= (lane as u64 >> bit & 1) << (63 - lane / N);
            bit += 1;
        }
        lane += 1;
    }
    slices
}

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
