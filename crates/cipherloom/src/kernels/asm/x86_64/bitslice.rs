//! Bit slices in assembly: the kernels of each width, and which of them go together.

use super::blocks::Blocks;
use super::expand::{by_avx2, by_avx512};
use super::key_bits::{ONE_PASS, THREE_PASSES};
use super::key_windows::Windows;
use super::masks::Masks;
use super::merged::{self, MergedKeys};
use super::of_bits::{HALF, OfBits as _};
use super::vectors::{Vector128, Vector256, Vector512};
use super::widths::{bytes, bytes_mut, halves};
use super::{generated, partial};
use crate::kernels::bitslice::kernel::{KEY, Kernel, State, Vector};
use crate::kernels::bitslice::rotating::{One, Three};
use crate::kernels::bitslice::{self, Keys, Lanes, Operation, Width};
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::{Avx2, Avx512, Baseline};
use crate::kernels::{Direction, Key};

#[cfg(all(test, not(windows), not(cipherloom_other_vendor)))]
pub(super) use Sse2x128 as Narrow;

/// The bit-slice kernels of one feature.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bitslice {
    /// For every x86-64: 128 lanes.
    Baseline(Baseline),
    /// With AVX2: 256 lanes.
    Avx2(Avx2),
    /// With AVX-512: 512 lanes, and 256.
    Avx512(Avx512),
}

/// Calls a function with the kernel of a width.
macro_rules! by_width {
    ($self:ident, $width:ident, $function:path $(, $argument:expr)*) => {
        match ($self, $width) {
            (Bitslice::Baseline(baseline), _) => $function(Sse2x128(baseline) $(, $argument)*),
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
            Feature::X64 => Baseline::detect().map(Self::Baseline),
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

vectors! {
    Vector128, 2;
    Vector256, 4;
    Vector512, 8;
}

widths! {
    /// 128 lanes.
    Sse2x128(Baseline), Vector128 of 2, |this| [],
    bitslice128_piece_in, bitslice128_rows_in, bitslice128_rows_out,
    bitslice128_piece_out, bitslice128_piece_out_xor,
    bitslice128_keys,
    [] des_bitslice128_lanes, tdes_bitslice128_lanes,
    [] bitslice128_counters of Vector128,
    One<Vector128>, Three<Vector128>;

    /// 256 lanes, with AVX2.
    Avx2x256(Avx2), Vector256 of 4, |this| [this.0,],
    bitslice256_piece_in_avx2, bitslice256_rows_in_avx2, bitslice256_rows_out_avx2,
    bitslice256_piece_out_avx2, bitslice256_piece_out_xor_avx2,
    bitslice256_keys_avx2,
    [this.0,] des_bitslice256_lanes_avx2, tdes_bitslice256_lanes_avx2,
    [this.0,] bitslice256_counters_avx2 of u32,
    merged::One<u32>, merged::Three<u32>;

    /// 256 lanes, with AVX-512.
    Avx512x256(Avx512), Vector256 of 4, |this| [this.0,],
    bitslice256_piece_in_avx512, bitslice256_rows_in_avx512, bitslice256_rows_out_avx512,
    bitslice256_piece_out_avx512, bitslice256_piece_out_xor_avx512,
    bitslice256_keys_avx512,
    [this.0,] des_bitslice256_lanes_avx512, tdes_bitslice256_lanes_avx512,
    [this.0.avx2(),] bitslice256_counters_avx2 of u32,
    merged::One<u32>, merged::Three<u32>;

    /// 512 lanes, with AVX-512.
    Avx512x512(Avx512), Vector512 of 8, |this| [this.0,],
    bitslice512_piece_in_avx512, bitslice512_rows_in_avx512, bitslice512_rows_out_avx512,
    bitslice512_piece_out_avx512, bitslice512_piece_out_xor_avx512,
    bitslice512_keys_avx512,
    [this.0,] des_bitslice512_lanes_avx512, tdes_bitslice512_lanes_avx512,
    [this.0,] bitslice512_counters_avx512 of u32,
    merged::One<u32>, merged::Three<u32>;
}

merged! {
    Avx2x256, u32, INVERTED_BY_TWO, by_avx2, des_bitslice256_avx2, tdes_bitslice256_avx2;

    Avx512x256, u32, INVERTED_BY_THREE, by_avx512, des_bitslice256_avx512, tdes_bitslice256_avx512;

    Avx512x512, u32, INVERTED_BY_THREE, by_avx512, des_bitslice512_avx512, tdes_bitslice512_avx512;
}
