//! Bit slices in assembly: the kernels of each feature, which all have 128 lanes, and which of them go together.

use super::blocks::Blocks;
use super::expand::by_bits;
use super::key_bits::{ONE_PASS, THREE_PASSES};
use super::key_windows::Windows;
use super::masks::Masks;
use super::merged::{self, MergedKeys};
use super::of_bits::{HALF, OfBits as _};
use super::vectors::Vector128;
use super::widths::{bytes, bytes_mut, halves};
use super::{generated, partial};
use crate::kernels::bitslice::kernel::{KEY, Kernel, State, Vector};
use crate::kernels::bitslice::rotating::{One, Three};
use crate::kernels::bitslice::{self, Keys, Lanes, Operation, Width};
use crate::kernels::cpu::Feature;
use crate::kernels::cpu::processor::{Baseline, Sha3};
use crate::kernels::{Direction, Key};

#[cfg(all(test, not(windows), not(cipherloom_other_vendor)))]
pub(super) use Neon128 as Narrow;

/// The bit-slice kernels of one feature.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bitslice {
    /// For every AArch64.
    Neon(Baseline),
    /// With XORs of three inputs.
    Sha3(Sha3),
}

/// Calls a function with the kernel of a width.
macro_rules! by_width {
    ($self:ident, $width:ident, $function:path $(, $argument:expr)*) => {
        match ($self, $width) {
            (Bitslice::Neon(baseline), _) => $function(Neon128(baseline) $(, $argument)*),
            (Bitslice::Sha3(sha3), Width::Wide) => $function(Sha3Merged(sha3) $(, $argument)*),
            (Bitslice::Sha3(sha3), Width::Narrow) => $function(Sha3x128(sha3) $(, $argument)*),
        }
    };
}

impl Bitslice {
    /// Those that need a feature, if there are such and this processor has it.
    #[inline]
    pub(crate) fn of(feature: Feature) -> Option<Self> {
        match feature {
            Feature::AArch64 => Baseline::detect().map(Self::Neon),
            Feature::Sha3 => Sha3::detect().map(Self::Sha3),
            _ => None,
        }
    }

    /// Lanes of a width, of which each has as many.
    pub(crate) const fn lanes(self, _: Width) -> usize {
        Neon128::LANES
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
}

widths! {
    /// 128 lanes.
    Neon128(Baseline), Vector128 of 2, |this| [],
    bitslice128_piece_in, bitslice128_rows_in, bitslice128_rows_out,
    bitslice128_piece_out, bitslice128_piece_out_xor, bitslice128_keys,
    [] des_bitslice128_lanes, tdes_bitslice128_lanes,
    [] bitslice128_counters of Vector128,
    One<Vector128>, Three<Vector128>;

    /// 128 lanes, with XORs of three inputs.
    Sha3x128(Sha3), Vector128 of 2, |this| [],
    bitslice128_piece_in, bitslice128_rows_in, bitslice128_rows_out,
    bitslice128_piece_out, bitslice128_piece_out_xor, bitslice128_keys,
    [this.0,] des_bitslice128_lanes_sha3, tdes_bitslice128_lanes_sha3,
    [] bitslice128_counters of Vector128,
    One<Vector128>, Three<Vector128>;

    /// The same where one key is worth more masks of it, for rounds with fewer instructions.
    Sha3Merged(Sha3), Vector128 of 2, |this| [],
    bitslice128_piece_in, bitslice128_rows_in, bitslice128_rows_out,
    bitslice128_piece_out, bitslice128_piece_out_xor, bitslice128_keys,
    [this.0,] des_bitslice128_lanes_sha3, tdes_bitslice128_lanes_sha3,
    [] bitslice128_counters of Vector128,
    merged::One<Vector128>, merged::Three<Vector128>;
}

merged! {
    Sha3Merged, Vector128, INVERTED_BY_SHA3, by_bits, des_bitslice128_sha3, tdes_bitslice128_sha3;
}
