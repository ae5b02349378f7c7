//! Keys as slices at moving positions.

use super::kernel::{Broadcast, KEY, Kernel, State, Vector};
use crate::kernels::{Direction, Key, Shape, fips};

/// One key for every lane or a key for each, of one pass or three.
///
/// The subkeys are the same 56 bits at moving positions: with C and D each stored twice in a row, a
/// round's bits stand at fixed distances from a window that moves by one or two slices a round.
/// There is no key schedule.
pub(crate) struct Rotating<V, const SLICES: usize, const ROUNDS: usize> {
    pub(in crate::kernels) slices: [V; SLICES],
    windows: [u64; ROUNDS],
    /// DESX: what is XORed into the state before and after the rounds.
    whitening: Option<[u64; 2]>,
}

/// A DES key.
pub(crate) type One<V> = Rotating<V, KEY, 16>;
/// A Triple-DES key.
pub(crate) type Three<V> = Rotating<V, { 3 * KEY }, 48>;

/// Where the windows are, in order of application, and in bytes.
pub(in crate::kernels) fn windows<const ROUNDS: usize>(
    shape: Shape,
    direction: Direction,
    slice: usize,
) -> [u64; ROUNDS] {
    let back = direction == Direction::Decrypt;
    core::array::from_fn(|i| {
        let (pass, round) = (i / 16, i % 16);
        let pass = if back { shape.passes() - 1 - pass } else { pass };
        let round = if back == shape.reversed(pass) { round } else { 15 - round };
        (slice * (KEY * pass + usize::from(fips::SHIFTS[round]))) as u64
    })
}

impl<V: Vector, const SLICES: usize, const ROUNDS: usize> Rotating<V, SLICES, ROUNDS> {
    const NONE: Self = Self { slices: [V::ZERO; SLICES], windows: [0; ROUNDS], whitening: None };

    /// The slices of each DES key in turn.
    fn passes(&mut self) -> impl Iterator<Item = &mut [V; KEY]> {
        self.slices.as_chunks_mut::<KEY>().0.iter_mut()
    }

    /// What kind of work the keys are for.
    pub(super) fn set_kind(&mut self, shape: Shape, direction: Direction) {
        self.windows = windows(shape, direction, size_of::<V>());
    }

    /// A key for each lane, without whitening.
    pub(super) fn set_lanes<K: Kernel<Vector = V>>(&mut self, kernel: K, keys: [&[[u8; 8]]; 3]) {
        for (slices, keys) in self.passes().zip(keys) {
            kernel.keys(keys, slices);
        }
    }

    fn set_one(&mut self, key: &Key<'_>, direction: Direction) {
        self.set_kind(key.passes.shape, direction);
        self.whitening = key.whitening(direction);
        for (slices, key) in self.passes().zip(key.passes.keys) {
            for (twice, numbers) in slices.as_chunks_mut::<56>().0.iter_mut().zip(PC1) {
                let (first, second) = twice.split_at_mut(28);
                for ((first, second), number) in first.iter_mut().zip(second).zip(numbers) {
                    *first = V::splat((key >> (64 - number) & 1).wrapping_neg());
                    *second = *first;
                }
            }
        }
    }

    /// Whitens before and after the rounds.
    #[inline(always)]
    fn around(&self, state: &mut [V; 64], rounds: impl FnOnce(&mut [V; 64])) {
        let Some([before, after]) = self.whitening else { return rounds(state) };
        whiten(state, before, 0);
        rounds(state);
        // FIPS 46-3's preoutput is R16 L16.
        whiten(state, after, 32);
    }
}

/// PC-1: C, then D.
const PC1: [&[u8; 28]; 2] = {
    let (c, d) = fips::PC1.split_at(28);
    [c.first_chunk().unwrap(), d.first_chunk().unwrap()]
};

/// XORs the bits of a block into slices; the first of those that IP gives is slice `first`.
#[cold]
fn whiten<V: Vector>(state: &mut [V; 64], mask: u64, first: usize) {
    for (k, number) in fips::IP.into_iter().enumerate() {
        state[(first + k) % 64].add(&V::splat((mask >> (64 - number) & 1).wrapping_neg()));
    }
}

/// Broadcast for one key, and the same rounds for a key in each lane.
macro_rules! kinds {
    ($($name:ident, $rounds:ident;)*) => {$(
        impl<K: Kernel> Broadcast<K> for $name<K::Vector> {
            #[inline(always)]
            fn none() -> Self {
                Self::NONE
            }

            fn set(&mut self, _: K, key: &Key<'_>, direction: Direction) {
                self.set_one(key, direction);
            }

            #[inline]
            fn rounds(&self, kernel: K, state: &mut State<K>) {
                self.around(state, |state| kernel.$rounds(state, &self.slices, &self.windows));
            }
        }
    )*};
}

kinds! {
    One, des;
    Three, tdes;
}
