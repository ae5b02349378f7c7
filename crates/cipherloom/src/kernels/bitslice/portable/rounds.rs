//! The rounds, on slices.

use super::slice::Slice;
use crate::kernels::bitslice::sboxes;
use crate::kernels::fips;

/// C and D as one round reads them.
type Window<'a, const N: usize> = (&'a [Slice<N>; 28], &'a [Slice<N>; 28]);

/// All passes. Between passes IP⁻¹ and IP cancel, and what remains is that the halves change sides:
/// FIPS 46-3's preoutput is R16 L16, and so is the next pass's input.
#[inline(always)]
pub(super) fn crypt<const N: usize>(
    state: &mut [Slice<N>; 64],
    keys: &[Slice<N>],
    windows: &[u64],
) {
    invert(state);
    let (x, y) = state.split_at_mut(32);
    let mut halves: (&mut [Slice<N>; 32], &mut [Slice<N>; 32]) = (
        x.first_chunk_mut().expect("32 slices before"),
        y.first_chunk_mut().expect("32 slices behind"),
    );
    for windows in windows.as_chunks::<16>().0 {
        let (x, y) = (&mut *halves.0, &mut *halves.1);
        for windows in windows.as_chunks::<2>().0 {
            round(x, y, window(keys, windows[0]));
            round(y, x, window(keys, windows[1]));
        }
        halves = (halves.1, halves.0);
    }
    invert(state);
}

/// Inverts what the S-boxes want inverted.
fn invert<const N: usize>(state: &mut [Slice<N>; 64]) {
    for (k, slice) in state.iter_mut().enumerate() {
        if sboxes::INVERTED >> (31 - k % 32) & 1 == 1 {
            slice.0 = slice.0.map(|word| !word);
        }
    }
}

/// What stands at a distance in bytes from the beginning of the keys.
#[inline(always)]
fn window<const N: usize>(keys: &[Slice<N>], distance: u64) -> Window<'_, N> {
    let keys = &keys[distance as usize / size_of::<Slice<N>>()..];
    (
        keys.first_chunk().expect("28 slices follow any shift"),
        keys[56..].first_chunk().expect("28 slices follow any shift"),
    )
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
        r[e].0[n] ^ if k < 28 { c[k].0[n] } else { d[k - 28].0[n] }
    });
    for (i, output) in circuit(inputs).into_iter().enumerate() {
        l[DESTINATION[4 * S + i]].0[n] ^= output;
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
