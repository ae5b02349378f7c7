//! The rounds, on slices.

use super::keys::{KeySlices, Window};
use super::sboxes;
use super::transpose::Halves;
use crate::kernels::{Direction, Shape, fips};

/// All passes. Between passes IP⁻¹ and IP cancel, and what remains is that the halves change sides.
#[inline(always)]
pub(super) fn crypt<const N: usize>(
    keys: &[KeySlices<N>],
    shape: Shape,
    direction: Direction,
    halves: &mut Halves<N>,
) {
    let back = direction == Direction::Decrypt;
    for i in 0..shape.passes() {
        let pass = if back { shape.passes() - 1 - i } else { i };
        let Halves { l, r } = halves;
        // Which half is called L changes with every pass.
        let (l, r) = if i % 2 == 0 { (l, r) } else { (r, l) };
        sixteen_rounds(&keys[pass], back != shape.reversed(pass), l, r);
    }
    // An odd number of passes: the halves stand swapped, as FIPS 46-3's preoutput wants them.
    core::mem::swap(&mut halves.l, &mut halves.r);
}

/// Sixteen rounds, two a loop; `l` ends as L16 and `r` as R16.
#[inline(never)]
fn sixteen_rounds<const N: usize>(
    key: &KeySlices<N>,
    back: bool,
    l: &mut [[u64; N]; 32],
    r: &mut [[u64; N]; 32],
) {
    let shift = |round: usize| fips::SHIFTS[if back { 15 - round } else { round }];
    for i in 0..8 {
        round(l, r, key.window(shift(2 * i)));
        round(r, l, key.window(shift(2 * i + 1)));
    }
}

/// L ^= f(R, K).
#[inline(always)]
fn round<const N: usize>(l: &mut [[u64; N]; 32], r: &[[u64; N]; 32], key: Window<'_, N>) {
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
    l: &mut [[u64; N]; 32],
    r: &[[u64; N]; 32],
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
