//! Bit slices in assembly: the kernels of each width, and which of them go together.

use super::blocks::Blocks;
use super::key_bits::{HALF, ONE_PASS, THREE_PASSES};
use super::masks::{Masks, OfBits as _, by_avx2, by_avx512};
use super::merged::{self, MergedKeys};
use super::vectors::{Vector128, Vector256, Vector512};
use super::windows::Windows;
use super::{generated, partial};
use crate::kernels::bitslice::kernel::{KEY, Kernel, State, Vector};
use crate::kernels::bitslice::rotating::{One, Three};
use crate::kernels::bitslice::{self, Keys, Lanes, Operation, Width};
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::{Avx2, Avx512, X64};
use crate::kernels::{Direction, Key};

/// The bit-slice kernels of one feature.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bitslice {
    /// For every x86-64: 128 lanes.
    Baseline(X64),
    /// With AVX2: 256 lanes.
    Avx2(Avx2),
    /// With AVX-512: 512 lanes, and 256.
    Avx512(Avx512),
}

/// Calls a function with the kernel of a width.
macro_rules! by_width {
    ($self:ident, $width:ident, $function:path $(, $argument:expr)*) => {
        match ($self, $width) {
            (Bitslice::Baseline(x64), _) => $function(Sse2x128(x64) $(, $argument)*),
            (Bitslice::Avx2(avx2), _) => $function(Avx2x256(avx2) $(, $argument)*),
            (Bitslice::Avx512(avx512), Width::Wide) => {
                $function(Avx512x512(avx512) $(, $argument)*)
            }
            (Bitslice::Avx512(avx512), Width::Narrow) => {
                $function(Avx512x256(avx512) $(, $argument)*)
            }
        }
    };
}

impl Bitslice {
    /// Those that need a feature, if there are such and this processor has it.
    #[inline]
    pub(crate) fn of(feature: Feature) -> Option<Self> {
        match feature {
            Feature::X64 => X64::detect().map(Self::Baseline),
            Feature::Avx2 => Avx2::detect().map(Self::Avx2),
            Feature::Avx512 => Avx512::detect().map(Self::Avx512),
            _ => None,
        }
    }

    /// Lanes of a width.
    pub(crate) const fn lanes(self, width: Width) -> usize {
        match (self, width) {
            (Self::Baseline(_), _) => Sse2x128::LANES,
            (Self::Avx2(_), _) => Avx2x256::LANES,
            (Self::Avx512(_), Width::Wide) => Avx512x512::LANES,
            (Self::Avx512(_), Width::Narrow) => Avx512x256::LANES,
        }
    }

    /// Does all of an operation by one width.
    pub(crate) fn run(self, width: Width, key: &Key<'_>, operation: Operation<'_>) {
        by_width!(self, width, bitslice::run, key, operation);
    }

    /// Calls `work` with lanes.
    pub(crate) fn with_lanes(
        self,
        width: Width,
        keys: Keys<'_>,
        direction: Direction,
        work: &mut dyn FnMut(&mut dyn Lanes),
    ) {
        by_width!(self, width, bitslice::with_lanes, keys, direction, work);
    }
}

/// Slices in memory.
macro_rules! vectors {
    ($($name:ident, $words:literal;)*) => {$(
        impl Vector for $name {
            const ZERO: Self = Self([0; $words]);

            #[inline(always)]
            fn words(&self) -> &[u64] {
                &self.0
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                &mut self.0
            }
        }
    )*};
}

vectors! {
    Vector128, 2;
    Vector256, 4;
    Vector512, 8;
}

/// The lanes' numbers, bit by bit: lane v of 64-bit part c is v times the parts, and c.
macro_rules! low {
    ($vector:ident, $words:literal) => {
        const {
            let mut slices = [$vector([0; $words]); ($words as usize * 64).ilog2() as usize];
            let mut lane = 0;
            while lane < 64 * $words {
                let mut bit = 0;
                while bit < slices.len() {
                    slices[bit].0[lane % $words] |= (lane as u64 >> bit & 1) << (lane / $words);
                    bit += 1;
                }
                lane += 1;
            }
            slices
        }
    };
}

/// A kernel of some width, from its functions; those of the assembly begin with witnesses.
macro_rules! kernels {
    ($(
        $(#[$doc:meta])*
        $name:ident($witness:ty), $vector:ident of $words:literal,
        |$this:ident| [$($proof:tt)*],
        $piece_in:ident, $rows_in:ident, $rows_out:ident, $piece_out:ident, $piece_out_xor:ident,
        $keys:ident, $des:ident, $tdes:ident,
        [$($counter_proof:tt)*] $counters:ident of $mask:ty,
        $one:ty, $three:ty;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        struct $name($witness);

        impl $name {
            /// Takes blocks apart, with masks for Y.
            #[inline]
            fn enter_by(self, blocks: &[[u8; 8]], y: &[$mask; HALF], state: &mut State<Self>) {
                let $this = self;
                partial::to_rows(self.0, blocks, state, |blocks: &[_; Self::LANES / 8], rows| {
                    generated::$piece_in($($proof)* bytes(blocks), rows);
                });
                generated::$rows_in($($proof)* y, state);
            }

            /// Puts blocks together, with masks for X.
            #[inline]
            fn leave_by(self, state: &mut State<Self>, x: &[$mask; HALF], blocks: &mut [[u8; 8]]) {
                let $this = self;
                generated::$rows_out($($proof)* state, x);
                partial::to_blocks(self.0, state, blocks, |rows, blocks: &mut [_; Self::LANES / 8]| {
                    generated::$piece_out($($proof)* rows, bytes_mut(blocks));
                });
            }

            /// The same, XORed into blocks.
            #[inline]
            fn leave_xor_by(
                self,
                state: &mut State<Self>,
                x: &[$mask; HALF],
                blocks: &mut [[u8; 8]],
            ) {
                let $this = self;
                generated::$rows_out($($proof)* state, x);
                partial::to_blocks(self.0, state, blocks, |rows, blocks: &mut [_; Self::LANES / 8]| {
                    generated::$piece_out_xor($($proof)* rows, bytes_mut(blocks));
                });
            }
        }

        impl Kernel for $name {
            type Vector = $vector;
            type Blocks = Blocks<{ 64 * $words }>;
            type Des = $one;
            type Tdes = $three;

            const LANES: usize = 64 * $words;
            // Pieces, a few times.
            const BESIDE: usize = 2048 + 256 * $words;
            const NO_BLOCKS: Self::Blocks = Blocks::new();

            fn low() -> &'static [$vector] {
                static LOW: [$vector; (64 * $words as usize).ilog2() as usize] =
                    low!($vector, $words);
                &LOW
            }

            #[inline]
            fn begin<'b>(self, scratch: &'b mut Self::Blocks, first: &[[u8; 8]]) -> &'b mut [[u8; 8]] {
                scratch.begin(self.0, first)
            }

            #[inline]
            fn enter(self, blocks: &[[u8; 8]], state: &mut State<Self>) {
                self.enter_by(blocks, &<$mask>::NOTHING, state);
            }

            #[inline]
            fn leave(self, state: &mut State<Self>, blocks: &mut [[u8; 8]]) {
                self.leave_by(state, &<$mask>::NOTHING, blocks);
            }

            #[inline]
            fn leave_xor(self, state: &mut State<Self>, blocks: &mut [[u8; 8]]) {
                self.leave_xor_by(state, &<$mask>::NOTHING, blocks);
            }

            #[inline]
            fn keys(self, keys: &[[u8; 8]], slices: &mut [$vector; KEY]) {
                let $this = self;
                generated::$keys($($proof)* bytes(keys), slices);
            }

            #[inline]
            fn counters(self, low: &[$vector], high: u64, state: &mut State<Self>) {
                let $this = self;
                let low = low.first_chunk().expect("a slice for each bit of a lane's number");
                generated::$counters($($counter_proof)* low, &<$mask>::of_bits(high), state);
            }

            #[inline]
            fn des(self, state: &mut State<Self>, keys: &[$vector; KEY], windows: &[u64; 16]) {
                let $this = self;
                let (x, y) = halves(state);
                generated::$des($($proof)* x, y, keys, &Windows::new(*windows));
            }

            #[inline]
            fn tdes(self, state: &mut State<Self>, keys: &[$vector; 3 * KEY], windows: &[u64; 48]) {
                let $this = self;
                let (x, y) = halves(state);
                generated::$tdes($($proof)* x, y, keys, &Windows::new(*windows));
            }
        }
    )*};
}

kernels! {
    /// 128 lanes.
    Sse2x128(X64), Vector128 of 2, |_this| [],
    bitslice128_piece_in, bitslice128_rows_in, bitslice128_rows_out,
    bitslice128_piece_out, bitslice128_piece_out_xor,
    bitslice128_keys, des_bitslice128_lanes, tdes_bitslice128_lanes,
    [] bitslice128_counters of Vector128,
    One<Vector128>, Three<Vector128>;

    /// 256 lanes, with AVX2.
    Avx2x256(Avx2), Vector256 of 4, |this| [this.0,],
    bitslice256_piece_in_avx2, bitslice256_rows_in_avx2, bitslice256_rows_out_avx2,
    bitslice256_piece_out_avx2, bitslice256_piece_out_xor_avx2,
    bitslice256_keys_avx2, des_bitslice256_lanes_avx2, tdes_bitslice256_lanes_avx2,
    [this.0,] bitslice256_counters_avx2 of u32,
    merged::One, merged::Three;

    /// 256 lanes, with AVX-512.
    Avx512x256(Avx512), Vector256 of 4, |this| [this.0,],
    bitslice256_piece_in_avx512, bitslice256_rows_in_avx512, bitslice256_rows_out_avx512,
    bitslice256_piece_out_avx512, bitslice256_piece_out_xor_avx512,
    bitslice256_keys_avx512, des_bitslice256_lanes_avx512, tdes_bitslice256_lanes_avx512,
    [this.0.avx2(),] bitslice256_counters_avx2 of u32,
    merged::One, merged::Three;

    /// 512 lanes, with AVX-512.
    Avx512x512(Avx512), Vector512 of 8, |this| [this.0,],
    bitslice512_piece_in_avx512, bitslice512_rows_in_avx512, bitslice512_rows_out_avx512,
    bitslice512_piece_out_avx512, bitslice512_piece_out_xor_avx512,
    bitslice512_keys_avx512, des_bitslice512_lanes_avx512, tdes_bitslice512_lanes_avx512,
    [this.0,] bitslice512_counters_avx512 of u32,
    merged::One, merged::Three;
}

/// What kernels with one key merged into the halves have more.
macro_rules! merged {
    ($(
        $name:ident, $inverted:ident, $expand:ident, $des:ident, $tdes:ident;
    )*) => {$(
        impl MergedKeys for $name {
            const INVERTED: u32 = generated::$inverted;

            #[inline]
            fn expand<const N: usize>(self, words: &[u64], masks: &mut Masks<N>) {
                $expand(self.0, words, masks);
            }

            #[inline]
            fn enter_with(self, blocks: &[[u8; 8]], y: &[u32; HALF], state: &mut State<Self>) {
                self.enter_by(blocks, y, state);
            }

            #[inline]
            fn des_merged(self, state: &mut State<Self>, masks: &[u32; ONE_PASS]) {
                let (x, y) = halves(state);
                generated::$des(self.0, x, y, masks);
            }

            #[inline]
            fn tdes_merged(self, state: &mut State<Self>, masks: &[u32; THREE_PASSES]) {
                let (x, y) = halves(state);
                generated::$tdes(self.0, x, y, masks);
            }

            #[inline]
            fn leave_with(self, state: &mut State<Self>, x: &[u32; HALF], blocks: &mut [[u8; 8]]) {
                self.leave_by(state, x, blocks);
            }

            #[inline]
            fn leave_xor_with(
                self,
                state: &mut State<Self>,
                x: &[u32; HALF],
                blocks: &mut [[u8; 8]],
            ) {
                self.leave_xor_by(state, x, blocks);
            }
        }
    )*};
}

merged! {
    Avx2x256, INVERTED_BY_TWO, by_avx2, des_bitslice256_avx2, tdes_bitslice256_avx2;

    Avx512x256, INVERTED_BY_THREE, by_avx512, des_bitslice256_avx512, tdes_bitslice256_avx512;

    Avx512x512, INVERTED_BY_THREE, by_avx512, des_bitslice512_avx512, tdes_bitslice512_avx512;
}

/// The halves of a state.
#[inline(always)]
fn halves<V>(state: &mut [V; 64]) -> (&mut [V; 32], &mut [V; 32]) {
    let (x, y) = state.split_at_mut(32);
    (x.first_chunk_mut().expect("32 slices before"), y.first_chunk_mut().expect("32 slices behind"))
}

/// So many blocks as bytes.
#[inline(always)]
fn bytes<const N: usize>(blocks: &[[u8; 8]]) -> &[u8; N] {
    blocks.as_flattened().first_chunk().expect("so many blocks")
}

#[inline(always)]
fn bytes_mut<const N: usize>(blocks: &mut [[u8; 8]]) -> &mut [u8; N] {
    blocks.as_flattened_mut().first_chunk_mut().expect("so many blocks")
}
