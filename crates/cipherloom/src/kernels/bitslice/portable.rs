//! The strategy in portable Rust.
//!
//! Slices are `[u64; N]`, so that the compiler widens loops over their words to the vectors of the
//! processor.

mod rounds;
mod slice;
mod transpose;

use super::kernel::{KEY, Kernel, State, Vector as _};
use super::rotating::{One, Three};
use crate::kernels::fips;
use slice::Slice;

/// 64·N blocks.
pub(crate) struct Blocks<const N: usize>([[[u8; 8]; N]; 64]);

impl<const N: usize> AsRef<[[u8; 8]]> for Blocks<N> {
    fn as_ref(&self) -> &[[u8; 8]] {
        self.0.as_flattened()
    }
}

impl<const N: usize> AsMut<[[u8; 8]]> for Blocks<N> {
    fn as_mut(&mut self) -> &mut [[u8; 8]] {
        self.0.as_flattened_mut()
    }
}

/// 64·N lanes. Block i sits in word i modulo N.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable<const N: usize>;

/// Words in a slice of the narrow form.
const NARROW: usize = 1;

/// Words in a slice of the wide form: two SSE2 or NEON vectors, or one of AVX2. (Of two words the
/// compiler makes no vectors.)
const WIDE: usize = 4;

/// 64 lanes.
pub(crate) type Narrow = Portable<NARROW>;
/// 256 lanes.
pub(crate) type Wide = Portable<WIDE>;

impl<const N: usize> Kernel for Portable<N> {
    type Vector = Slice<N>;
    type Blocks = Blocks<N>;
    type Des = One<Slice<N>>;
    type Tdes = Three<Slice<N>>;

    const LANES: usize = 64 * N;
    // Blocks that do not fill all lanes; whole ones become as many on their way out.
    const BESIDE: usize = 2 * size_of::<Blocks<N>>() + 2560;
    const NO_BLOCKS: Blocks<N> = Blocks([[[0; 8]; N]; 64]);

    fn low() -> &'static [Slice<N>] {
        const { &transpose::numbers::<N>() }
    }

    fn begin<'b>(self, scratch: &'b mut Blocks<N>, first: &[[u8; 8]]) -> &'b mut [[u8; 8]] {
        let (front, behind) = scratch.as_mut().split_at_mut(first.len());
        front.copy_from_slice(first);
        behind.fill([0; 8]);
        scratch.as_mut()
    }

    fn enter(self, blocks: &[[u8; 8]], state: &mut State<Self>) {
        if let Some(rows) = rows(blocks) {
            return transpose::enter(rows, state);
        }
        let mut scratch = Self::NO_BLOCKS;
        self.begin(&mut scratch, blocks);
        transpose::enter(&scratch.0, state);
    }

    fn leave(self, state: &mut State<Self>, blocks: &mut [[u8; 8]]) {
        self.put(state, blocks, |_, new| new);
    }

    fn leave_xor(self, state: &mut State<Self>, blocks: &mut [[u8; 8]]) {
        self.put(state, blocks, |old, new| old ^ new);
    }

    fn keys(self, keys: &[[u8; 8]], slices: &mut [Slice<N>; KEY]) {
        let mut state = [Slice::ZERO; 64];
        transpose::enter(rows(keys).expect("a key for every lane"), &mut state);
        for (i, half) in slices.as_chunks_mut::<28>().0.iter_mut().enumerate() {
            for (slice, number) in half.iter_mut().zip(&fips::PC1[28 * (i / 2)..]) {
                *slice = state[fips::IP_INV[usize::from(*number) - 1] as usize - 1];
            }
        }
    }

    fn counters(self, low: &[Slice<N>], high: u64, state: &mut State<Self>) {
        for (slice, number) in state.iter_mut().zip(fips::IP) {
            let bit = 64 - usize::from(number);
            *slice = Slice::splat((high >> bit & 1).wrapping_neg());
            if let Some(low) = low.get(bit) {
                slice.add(low);
            }
        }
    }

    fn des(self, state: &mut State<Self>, keys: &[Slice<N>; KEY], windows: &[u64; 16]) {
        rounds::crypt(state, keys, windows);
    }

    fn tdes(self, state: &mut State<Self>, keys: &[Slice<N>; 3 * KEY], windows: &[u64; 48]) {
        rounds::crypt(state, keys, windows);
    }
}

impl<const N: usize> Portable<N> {
    /// Puts blocks together, each with what stands in its place.
    #[inline(always)]
    fn put(self, state: &mut State<Self>, blocks: &mut [[u8; 8]], put: impl Fn(u64, u64) -> u64) {
        if let Some(rows) = blocks.as_chunks_mut().0.first_chunk_mut() {
            return transpose::leave(state, rows, put);
        }
        let mut scratch = Self::NO_BLOCKS;
        self.begin(&mut scratch, blocks);
        transpose::leave(state, &mut scratch.0, put);
        blocks.copy_from_slice(&scratch.as_ref()[..blocks.len()]);
    }
}

/// Blocks as rows of one for each word, if there is one for each lane.
#[inline(always)]
fn rows<const N: usize>(blocks: &[[u8; 8]]) -> Option<&[[[u8; 8]; N]; 64]> {
    blocks.as_chunks().0.first_chunk()
}
