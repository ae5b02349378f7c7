//! How a half of a block lies in registers.

use super::registers::narrow::{self, Narrow};
use super::registers::wide::{self, Wide};
use super::{dense, expanded, fips, matrices, moves, rotated};
use crate::ir::{Builder, Endian, TableId, Type, Value};

/// The layout of a half, which decides tables, permutations and subkeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// 64 bits: the eight groups of E in a byte each (Biham 1997). Eight tables of 64 entries of
    /// 8 bytes, 4 KB in all.
    Bytes,
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
    /// 256 bits: four bits a byte, looked up inside registers, 16 bytes at a time, in constant time
    /// (AVX2).
    Registers256,
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

/// A layout at work in one kernel.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) layout: Layout,
    pub(super) tables: Vec<TableId>,
    /// How permutations are done, with the constants that this takes.
    permute: Permutations,
    /// What layouts in vectors have.
    vectors: Vectors,
}

/// Permutations in one of the ways of [`Permute`].
#[derive(Clone, Copy, Debug)]
enum Permutations {
    Shifts,
    Moves(TableId),
    Matrices(TableId),
}

/// The constants of layouts in vectors.
#[derive(Clone, Debug)]
enum Vectors {
    None,
    Wide(Box<Wide>),
    Narrow(Box<Narrow>),
}

impl Layout {
    /// Every layout with kernels of its own; reversed ones are for
    /// libdes' functions.
    pub const ALL: [Self; 6] = [
        Self::Bytes,
        Self::Pairs,
        Self::Dense,
        Self::Rotated,
        Self::Registers512,
        Self::Registers256,
    ];

    /// The strategy's name in kernel names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "table64",
            Self::Pairs => "paired",
            Self::Dense => "paired12",
            Self::Rotated => "table32",
            Self::Reversed => "libdes",
            Self::ReversedWide => "libdes_wide",
            Self::Registers512 => "reg512",
            Self::Registers256 => "reg256",
        }
    }

    /// The word that holds a half.
    #[must_use]
    pub const fn half(self) -> Type {
        match self {
            Self::Bytes | Self::Pairs | Self::Dense => Type::W64,
            Self::Rotated | Self::Reversed | Self::ReversedWide => Type::W32,
            Self::Registers512 => wide::HALF,
            Self::Registers256 => narrow::HALF,
        }
    }

    /// Whether look-ups are inside registers: then no address depends on a secret.
    #[must_use]
    pub const fn is_in_registers(self) -> bool {
        matches!(self, Self::Registers512 | Self::Registers256)
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

    /// How many blocks its kernels weave together.
    #[must_use]
    pub const fn blocks(self) -> &'static [u8] {
        match self {
            // Registers for that many, and results that are long in coming.
            Self::Registers512 => &[1, 2, 3, 4, 8],
            // For processors with an extract instruction, which had no registers for more.
            Self::Dense => &[1],
            _ => &[1, 2, 3, 4],
        }
    }

    /// The layout whose schedule it reads.
    #[must_use]
    pub const fn schedule(self) -> Self {
        if self.is_in_registers() { Self::Bytes } else { self }
    }

    /// The bits that a half, or a subkey, can have in 8 bytes.
    #[must_use]
    pub const fn mask(self) -> u64 {
        match self {
            Self::Bytes | Self::Registers512 | Self::Registers256 => 0x3f3f_3f3f_3f3f_3f3f,
            Self::Pairs => 0x0fff_0fff_0fff_0fff,
            Self::Dense => 0x00ff_ffff_ffff_ffff,
            Self::Rotated | Self::Reversed | Self::ReversedWide => u64::MAX,
        }
    }
}

impl Form {
    /// Adds the layout's tables to a kernel that does so many blocks at a time.
    pub(super) fn new(b: &mut Builder, layout: Layout, permute: Permute, woven: usize) -> Self {
        let by_matrices = permute == Permute::Matrices;
        let kind = if by_matrices { "_matrices" } else { "" };
        b.table_set(format!("des_{}{kind}_tables", layout.name()));
        let (tables, vectors) = match layout {
            Layout::Bytes | Layout::Pairs => (expanded::tables(layout), Vectors::None),
            Layout::Dense => (dense::tables(), Vectors::None),
            Layout::Rotated | Layout::Reversed | Layout::ReversedWide => {
                (rotated::tables(layout), Vectors::None)
            }
            Layout::Registers512 => (Vec::new(), Vectors::Wide(Wide::new(b).into())),
            Layout::Registers256 => (Vec::new(), Vectors::Narrow(Narrow::new(b, woven).into())),
        };
        let tables = tables.into_iter().map(|table| b.table(table)).collect();
        // Kernels that do not use the masks have them too, so that all share one set of tables.
        let masks = (layout == Layout::Bytes).then(|| b.table(moves::masks()));
        let permute = match (permute, masks) {
            (Permute::Moves, Some(masks)) => Permutations::Moves(masks),
            (Permute::Matrices, _) => Permutations::Matrices(b.table(matrices::constants(layout))),
            _ => Permutations::Shifts,
        };
        Self { layout, tables, permute, vectors }
    }

    /// Loads a block and applies IP.
    pub(super) fn enter(&self, b: &mut Builder, data: Value, offset: i32) -> Halves {
        match &self.vectors {
            Vectors::Wide(wide) => wide.enter(b, data, offset),
            Vectors::Narrow(narrow) => narrow.enter(b, data, offset),
            Vectors::None => match (self.permute, self.layout) {
                (Permutations::Matrices(constants), Layout::Bytes) => {
                    matrices::enter_grouped(constants, b, data, offset)
                }
                (Permutations::Matrices(constants), _) => {
                    matrices::enter(constants, b, data, offset)
                }
                (Permutations::Moves(masks), _) => moves::enter(masks, b, data, offset),
                (_, layout) if layout.is_rotated() => rotated::enter(layout, b, data, offset),
                (_, Layout::Dense) => dense::enter(self, b, data, offset),
                (_, layout) => expanded::enter(layout, b, data, offset),
            },
        }
    }

    /// Halves as rounds take them. Blocks that are XORed with such halves need nothing.
    pub(super) fn start(&self, b: &mut Builder, halves: Halves) -> Halves {
        match &self.vectors {
            Vectors::Wide(wide) => wide.start(b, halves),
            Vectors::Narrow(_) | Vectors::None => halves,
        }
    }

    /// Applies IP⁻¹ and stores a block.
    pub(super) fn leave(&self, b: &mut Builder, halves: Halves, data: Value, offset: i32) {
        match &self.vectors {
            Vectors::Wide(wide) => wide.leave(b, halves, data, offset),
            Vectors::Narrow(narrow) => narrow.leave(b, halves, data, offset),
            Vectors::None => match (self.permute, self.layout) {
                (Permutations::Matrices(constants), Layout::Bytes) => {
                    matrices::leave_grouped(constants, b, halves, data, offset);
                }
                (Permutations::Matrices(constants), _) => {
                    matrices::leave(constants, b, halves, data, offset);
                }
                (Permutations::Moves(masks), _) => moves::leave(masks, b, halves, data, offset),
                (_, layout) if layout.is_rotated() => {
                    rotated::leave(layout, b, halves, data, offset);
                }
                (_, Layout::Dense) => dense::leave(self, b, halves, data, offset),
                (_, layout) => expanded::leave(layout, b, halves, data, offset),
            },
        }
    }

    /// Eight bytes of the schedule, as a word or more.
    pub(super) fn subkey(&self, b: &mut Builder, schedule: Value, offset: i32) -> Vec<Value> {
        let (ty, step) = match &self.vectors {
            Vectors::Wide(wide) => return vec![wide.subkey(b, schedule, offset)],
            Vectors::Narrow(_) => return vec![Narrow::subkey(b, schedule, offset)],
            Vectors::None if self.layout.is_rotated() => (Type::W32, 4),
            Vectors::None => (Type::W64, 8),
        };
        let at = (offset..offset + 8).step_by(step);
        at.map(|offset| b.load(schedule, offset, ty, Endian::Native)).collect()
    }

    /// f of a half in parts, without its subkey where `subkey` is none (it is in the half already).
    pub(super) fn f(&self, b: &mut Builder, half: Value, subkey: &[Value]) -> Vec<Value> {
        match &self.vectors {
            Vectors::Wide(wide) => wide.f(b, half).into(),
            Vectors::Narrow(narrow) => vec![narrow.f(b, half, subkey[0])],
            Vectors::None if self.layout.is_rotated() => rotated::f(self, b, half, subkey),
            Vectors::None => expanded::f(self, b, half),
        }
    }

    /// The other half with the parts of f.
    pub(super) fn add(&self, b: &mut Builder, f: Vec<Value>, half: Value) -> Value {
        match (&self.vectors, &*f) {
            (Vectors::Wide(wide), &[low, high]) => wide.add(b, [low, high], half),
            _ => {
                let mut sum = f;
                sum.push(half);
                b.xor_all(&sum)
            }
        }
    }
}

/// The output of P after S-box number `s` (0 is S1) for six input bits.
pub(super) fn p_of_s(s: usize, input: usize) -> u32 {
    let out = u32::from(fips::s_box(s, input)) << (28 - 4 * s);
    (0..32).fold(0, |half, bit| half | (out >> (32 - fips::P[bit]) & 1) << (31 - bit))
}
