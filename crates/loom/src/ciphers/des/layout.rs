//! How a half of a block lies in registers, by name.

use cipherloom_circuits::fips;

use crate::ir::{Type, Value};

/// The layout of a half, which decides tables, permutations and subkeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// 64 bits: the eight groups of E in a byte each (Biham 1997). Eight tables of 64 entries of
    /// 8 bytes, 4 KB in all.
    Bytes,
    /// The same, but the tables of three groups stand side by side in rows 256 bytes apart: a byte's
    /// index is cut out by a mask alone, or after a shift that another byte wants too. 18.6 KB, of which 6 KB
    /// are read.
    Spaced,
    /// 64 bits: the groups of E in pairs, 12 bits in 16. Four tables of 4,096 entries of 8 bytes,
    /// 128 KiB in all: half the look-ups, where the first cache is large (HP's PA-RISC code, 2000).
    Pairs,
    /// 64 bits: the groups of E in other pairs, two of 12 bits in each word, cut out by shift and
    /// length; the low word holds every bit of the half, so that IP and its inverse take six look-ups
    /// each. Four tables of 4,096 entries of 8 bytes and six of 1,024 or 2,048, 208 KiB in all.
    Dense,
    /// 32 bits, rotated so that four groups lie on bytes, and after another rotation the other
    /// four. Eight tables of 64 entries of 4 bytes, 2 KB in all.
    Rotated,
    /// The same with the first bit of halves and groups lowest: libdes' words and key schedule.
    Reversed,
    /// The same with tables of 256 entries, 8 KB in all, where the first cache has room for more: a byte
    /// is an index as it is, and its lowest two bits make no difference.
    ReversedWide,
    /// 512 bits: a bit a byte, looked up inside registers of 64 bytes in constant time (AVX-512 VBMI
    /// and GFNI).
    Registers512,
    /// 512 bits: a bit a byte, inputs as sums of bytes, looked up inside registers 16 bytes at a time in constant time
    /// (AVX-512 VBMI and GFNI).
    Summed512,
    /// 512 bits for eight blocks: a byte an S-box, looked up inside registers of 64 bytes in constant time (AVX-512
    /// VBMI and GFNI).
    Packed512,
    /// 256 bits: four bits a byte, looked up inside registers, 16 bytes at a time, in constant time
    /// (AVX2).
    Registers256,
    /// 128 bits: the groups of E in two bytes each, three bits in either; looked up inside registers, 64
    /// bytes at a time, in constant time (AArch64).
    Registers128,
}

/// How permutations are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permute {
    /// By shifts and masks, on every processor.
    Shifts,
    /// By moving bits together and apart under masks, where one instruction does it: a quarter fewer
    /// operations for IP with E, and for IP⁻¹.
    Moves,
    /// By products with matrices of bits, where one instruction makes eight: a quarter of the
    /// operations, and no chain of exchanges.
    Matrices,
}

/// The two halves of one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    pub(super) l: Value,
    pub(super) r: Value,
}

impl Layout {
    /// Every layout with kernels of its own; reversed ones are for
    /// libdes' functions.
    pub const ALL: [Self; 10] = [
        Self::Bytes,
        Self::Spaced,
        Self::Pairs,
        Self::Dense,
        Self::Rotated,
        Self::Registers512,
        Self::Summed512,
        Self::Packed512,
        Self::Registers256,
        Self::Registers128,
    ];

    /// The strategy's name in kernel names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "table64",
            Self::Spaced => "spaced64",
            Self::Pairs => "paired",
            Self::Dense => "paired12",
            Self::Rotated => "table32",
            Self::Reversed => "libdes",
            Self::ReversedWide => "libdes_wide",
            Self::Registers512 => "reg512",
            Self::Summed512 => "sum512",
            Self::Packed512 => "pack512",
            Self::Registers256 => "reg256",
            Self::Registers128 => "reg128",
        }
    }

    /// The word that holds a half.
    #[must_use]
    pub const fn half(self) -> Type {
        match self {
            Self::Bytes | Self::Spaced | Self::Pairs | Self::Dense => Type::W64,
            Self::Rotated | Self::Reversed | Self::ReversedWide => Type::W32,
            Self::Registers512 | Self::Summed512 | Self::Packed512 => Type::Vector(512),
            Self::Registers256 => Type::Vector(256),
            Self::Registers128 => Type::Vector(128),
        }
    }

    /// Whether look-ups are inside registers: then no address depends on a secret.
    #[must_use]
    pub const fn is_in_registers(self) -> bool {
        matches!(
            self,
            Self::Registers512
                | Self::Summed512
                | Self::Packed512
                | Self::Registers256
                | Self::Registers128
        )
    }

    /// Whether halves have the eight groups of E in a byte each.
    #[must_use]
    pub const fn is_by_bytes(self) -> bool {
        matches!(self, Self::Bytes | Self::Spaced)
    }

    /// Whether halves are rotated words of 32 bits.
    #[must_use]
    pub const fn is_rotated(self) -> bool {
        matches!(self, Self::Rotated | Self::Reversed | Self::ReversedWide)
    }

    /// Whether the first bit of a half is its lowest.
    #[must_use]
    pub const fn is_reversed(self) -> bool {
        matches!(self, Self::Reversed | Self::ReversedWide)
    }

    /// How many blocks its kernels interleave.
    #[must_use]
    pub const fn blocks(self) -> &'static [u8] {
        match self {
            // Registers for that many, and results that are long in coming.
            Self::Registers512 => &[1, 2, 3, 4, 8],
            // Another block would have its subkeys made once more.
            Self::Summed512 => &[1],
            // What a vector has, two and four.
            Self::Packed512 => &[8, 16, 32],
            // Several blocks do not wait for an index.
            Self::Spaced => &[1],
            // For processors with an extract instruction, which had no registers for more.
            Self::Dense => &[1],
            _ => &[1, 2, 3, 4],
        }
    }

    /// How many blocks have their halves in two registers.
    #[must_use]
    pub const fn blocks_in_halves(self) -> usize {
        match self {
            Self::Packed512 => 8,
            _ => 1,
        }
    }

    /// The layout whose schedule it reads.
    #[must_use]
    pub const fn schedule(self) -> Self {
        if self.is_in_registers() || self.is_by_bytes() { Self::Bytes } else { self }
    }

    /// The bits that a half, or a subkey, can have in 8 bytes.
    #[must_use]
    pub const fn mask(self) -> u64 {
        match self {
            Self::Bytes
            | Self::Spaced
            | Self::Registers512
            | Self::Summed512
            | Self::Packed512
            | Self::Registers256
            | Self::Registers128 => 0x3f3f_3f3f_3f3f_3f3f,
            Self::Pairs => 0x0fff_0fff_0fff_0fff,
            Self::Dense => 0x00ff_ffff_ffff_ffff,
            Self::Rotated | Self::Reversed | Self::ReversedWide => u64::MAX,
        }
    }
}

/// The output of P after S-box number `s` (0 is S1) for six input bits.
pub(super) fn p_of_s(s: usize, input: usize) -> u32 {
    let out = u32::from(fips::s_box(s, input)) << (28 - 4 * s);
    (0..32).fold(0, |half, bit| half | (out >> (32 - fips::P[bit]) & 1) << (31 - bit))
}
