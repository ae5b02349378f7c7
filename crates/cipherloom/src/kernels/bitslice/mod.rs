//! Strategy `bitslice`: a word holds one bit of 64 blocks, the S-boxes are Boolean circuits.
//!
//! Slices are `[u64; N]`, so that the compiler widens loops over their words to the vectors of the
//! processor. Constant time: no address and no branch depends on a secret.

mod keys;
mod rounds;
mod sboxes;
mod slices;
mod word;

use super::{Direction, Passes, Shape, wipe};
use keys::KeySlices;
use slices::{Halves, Piece};

/// Words in a slice of the narrow form.
const NARROW: usize = 1;

/// Words in a slice of the wide form: two SSE2 or NEON vectors, or one of AVX2. (Of two words the
/// compiler makes no vectors.)
const WIDE: usize = 4;

/// Lanes of the narrow form.
pub(crate) const NARROW_LANES: usize = 64 * NARROW;

/// Lanes of the wide form.
pub(crate) const LANES: usize = 64 * WIDE;

/// Encrypts or decrypts any number of blocks under one key.
pub(crate) fn crypt_blocks(passes: &Passes, direction: Direction, blocks: &mut [[u8; 8]]) {
    // What does not fill the wide form is worth its cost if it overflows the narrow one.
    let rest = blocks.len() % LANES;
    let wide = if rest > NARROW_LANES { blocks.len() } else { blocks.len() - rest };
    let (wide, narrow) = blocks.split_at_mut(wide);
    if !wide.is_empty() {
        Lanes::<WIDE>::one_key(passes).crypt(direction, wide);
    }
    if !narrow.is_empty() {
        Lanes::<NARROW>::one_key(passes).crypt(direction, narrow);
    }
}

/// A key for each lane. Wiped on drop.
#[derive(Clone)]
pub(crate) struct LaneKeys(Form);

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "there is no allocator to box it")]
enum Form {
    Narrow(Lanes<NARROW>),
    Wide(Lanes<WIDE>),
}

impl LaneKeys {
    /// Takes up to [`LANES`] keys, each as in [`Passes::keys`].
    pub(crate) fn new(shape: Shape, keys: &[[u64; 3]]) -> Self {
        debug_assert!(keys.len() <= LANES);
        Self(if keys.len() <= NARROW_LANES {
            Form::Narrow(Lanes::key_each(shape, keys))
        } else {
            Form::Wide(Lanes::key_each(shape, keys))
        })
    }

    /// Encrypts or decrypts each block under the key of its lane; there are as many as keys, or
    /// fewer.
    pub(crate) fn crypt(&self, direction: Direction, blocks: &mut [u64]) {
        debug_assert!(blocks.len() <= LANES);
        let mut bytes = [[0; 8]; LANES];
        let bytes = &mut bytes[..blocks.len()];
        for (b, block) in bytes.iter_mut().zip(blocks.iter()) {
            *b = block.to_be_bytes();
        }
        match &self.0 {
            Form::Narrow(lanes) => lanes.crypt(direction, bytes),
            Form::Wide(lanes) => lanes.crypt(direction, bytes),
        }
        for (b, block) in bytes.iter().zip(blocks) {
            *block = u64::from_be_bytes(*b);
        }
        wipe(bytes);
    }
}

/// Keys for 64·N lanes: one for all, or one for each.
#[derive(Clone)]
struct Lanes<const N: usize> {
    keys: [KeySlices<N>; 3],
    shape: Shape,
}

impl<const N: usize> Lanes<N> {
    fn new(shape: Shape) -> Self {
        Self { keys: [const { KeySlices::ZERO }; 3], shape }
    }

    fn one_key(passes: &Passes) -> Self {
        let mut lanes = Self::new(passes.shape);
        for (pass, key) in lanes.passes().zip(passes.keys) {
            pass.set_one(key);
        }
        lanes
    }

    fn key_each(shape: Shape, keys: &[[u64; 3]]) -> Self {
        let mut lanes = Self::new(shape);
        let mut halves = Halves::ZERO;
        let mut piece = [[[0; 8]; N]; 64];
        for (i, pass) in lanes.passes().enumerate() {
            for (lane, key) in piece.as_flattened_mut().iter_mut().zip(keys) {
                *lane = key[i].to_be_bytes();
            }
            halves.load(&piece);
            pass.set_lanes(&halves);
        }
        wipe(piece.as_flattened_mut());
        lanes
    }

    /// The passes that the shape has.
    fn passes(&mut self) -> impl Iterator<Item = &mut KeySlices<N>> {
        self.keys.iter_mut().take(self.shape.passes())
    }

    /// Block i goes through lane i, modulo the number of lanes.
    fn crypt(&self, direction: Direction, blocks: &mut [[u8; 8]]) {
        let mut halves = Halves::ZERO;
        let mut crypt = |piece: &mut Piece<N>| {
            halves.load(piece);
            rounds::crypt(&self.keys, self.shape, direction, &mut halves);
            halves.store(piece);
        };
        let (whole, rest) = blocks.split_at_mut(blocks.len() - blocks.len() % (64 * N));
        for piece in whole.as_chunks_mut::<N>().0.as_chunks_mut::<64>().0 {
            crypt(piece);
        }
        if !rest.is_empty() {
            let mut piece = [[[0; 8]; N]; 64];
            piece.as_flattened_mut()[..rest.len()].copy_from_slice(rest);
            crypt(&mut piece);
            rest.copy_from_slice(&piece.as_flattened()[..rest.len()]);
            wipe(piece.as_flattened_mut());
        }
    }
}

#[cfg(test)]
mod tests;
