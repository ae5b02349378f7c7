//! The rounds, on slices.

use super::keys::{KeySlices, Window};
use super::sboxes;
use super::slices::{Halves, Slice};
use crate::kernels::{Direction, Shape, fips};

/// All passes. Between passes IP⁻¹ and IP cancel, and what remains is that the halves change sides.
#[inline(always)]
pub(super) fn crypt<const N: usize>(
    keys: &[KeySlices<N>; 3],
    shape: Shape,
    direction: Direction,
    halves: &mut Halves<N>,
) {
    let back = direction == Direction::Decrypt;
    for i in 0..shape.passes() {
        let pass = if back { shape.passes() - 1 - i } else { i };
        sixteen_rounds(&keys[pass], back != shape.reversed(pass), halves);
        // FIPS 46-3's preoutput is R16 L16, and so is the next pass's input.
        core::mem::swap(&mut halves.l, &mut halves.r);
    }
}

/// Sixteen rounds; the halves end as L16 and R16.
fn sixteen_rounds<const N: usize>(key: &KeySlices<N>, back: bool, halves: &mut Halves<N>) {
    let (mut l, mut r) = (&mut halves.l, &mut halves.r);
    for i in 0..16 {
        round(l, r, key.window(fips::SHIFTS[if back { 15 - i } else { i }]));
        (l, r) = (r, l);
    }
}

/// L ^= f(R, K).
///
/// Not inlined: only as arguments are `l` and `r` known to be apart, which the compiler needs to
/// widen the loop; and one round fits the processor's cache of decoded instructions where two do not.
#[inline(never)]
fn round<const N: usize>(l: &mut [Slice<N>; 32], r: &[Slice<N>; 32], key: Window<'_, N>) {
    for n in 0..N {
        s_box::<N, 0>(sboxes::s1, n, l, r, key);
        s_box::<N, 1>(sboxes::s2, n, l, r, key);
        s_box::<N, 2>(sboxes::s3, n, l, r, key);
        s_box::<N, 3>(sboxes::s4, n, l, r, key);
        s_box::<N, 4>(sboxes::s5, n, l, r, key);
        s_box::<N, 5>(sboxes::s6, n, l, r, key);
        s_box::<N, 6>(sboxes::s7, n, l, r, key);
        s_box::<N, 7>(sboxes::s8, n, l, r, key);
    }
}

/// The part of a round that goes through S-box number `S` (0 is S1): E and P are names of slices.
#[inline(always)]
fn s_box<const N: usize, const S: usize>(
    circuit: impl Fn([u64; 6]) -> [u64; 4],
    n: usize,
    l: &mut [Slice<N>; 32],
    r: &[Slice<N>; 32],
    (c, d): Window<'_, N>,
) {
    let inputs = core::array::from_fn(|i| {
        let (e, k) = (fips::E[6 * S + i] as usize - 1, fips::PC2[6 * S + i] as usize - 1);
        r[e][n] ^ if k < 28 { c[k][n] } else { d[k - 28][n] }
    });
    for (i, output) in circuit(inputs).into_iter().enumerate() {
        l[DESTINATION[4 * S + i]][n] ^= output;
    }
}

/// P the other way round: where each output bit of the S-boxes goes.
const DESTINATION: [usize; 32] = {
    let mut destination = [0; 32];
    let mut k = 0;
    while k < 32 {
        destination[fips::P[k] as usize - 1] = k;
        k += 1;
    }
    destination
};
