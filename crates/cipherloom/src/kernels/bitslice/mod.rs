//! Strategy `bitslice`: a word holds one bit of 64 blocks, the S-boxes are Boolean circuits.
//!
//! Constant time: no address and no branch depends on a secret.

mod keys;
mod rounds;
#[rustfmt::skip]
mod sboxes;
mod transpose;
mod word;

use super::{Direction, Passes, Shape};
use keys::KeySlices;
use transpose::{Halves, from_bits, to_bits};

/// Words in a slice of the wide form.
const WIDE: usize = 2;

/// Lanes of the wide form.
pub(crate) const LANES: usize = 64 * WIDE;

/// Encrypts or decrypts any number of blocks under one key.
pub(crate) fn crypt_blocks(passes: &Passes, direction: Direction, blocks: &mut [[u8; 8]]) {
    let (wide, narrow) = blocks.split_at_mut(if blocks.len() > 64 { blocks.len() } else { 0 });
    crypt_pieces::<WIDE>(passes, direction, wide);
    crypt_pieces::<1>(passes, direction, narrow);
}

fn crypt_pieces<const N: usize>(passes: &Passes, direction: Direction, blocks: &mut [[u8; 8]]) {
    if blocks.is_empty() {
        return;
    }
    let keys = passes.keys.map(KeySlices::<N>::broadcast);
    for piece in blocks.chunks_mut(64 * N) {
        let mut lanes = [[0u64; N]; 64];
        for (lane, block) in lanes.as_flattened_mut().iter_mut().zip(piece.iter()) {
            *lane = u64::from_be_bytes(*block);
        }
        transpose::transpose(&mut lanes);
        let mut halves = Halves::from_bits(&lanes);
        rounds::crypt(&keys, passes.shape, direction, &mut halves);
        lanes = halves.to_bits();
        transpose::transpose(&mut lanes);
        for (lane, block) in lanes.as_flattened().iter().zip(piece) {
            *block = lane.to_be_bytes();
        }
    }
}

/// A key for each lane. Wiped on drop.
#[derive(Clone)]
pub(crate) struct LaneKeys {
    keys: [KeySlices<WIDE>; 3],
    shape: Shape,
}

impl LaneKeys {
    /// Takes up to [`LANES`] keys, each as in [`Passes::keys`]; more are ignored.
    pub(crate) fn new(shape: Shape, keys: &[[u64; 3]]) -> Self {
        debug_assert!(keys.len() <= LANES);
        let pass = |p: usize| KeySlices::from_bits(&to_bits(keys.iter().map(|k| k[p])));
        Self { keys: core::array::from_fn(pass), shape }
    }

    /// Encrypts or decrypts each block under the key of its lane.
    pub(crate) fn crypt(&self, direction: Direction, blocks: &mut [u64]) {
        debug_assert!(blocks.len() <= LANES);
        let mut halves = Halves::from_bits(&to_bits(blocks.iter().copied()));
        rounds::crypt(&self.keys, self.shape, direction, &mut halves);
        from_bits(halves.to_bits(), blocks.iter_mut());
    }
}

#[cfg(test)]
mod tests;
