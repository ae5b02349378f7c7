//! How a half of a block lies in registers.

use super::{expanded, fips, moves, rotated};
use crate::ir::{Builder, TableId, Type, Value};

/// The layout of a half, which decides tables, permutations and subkeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// 64 bits: the eight groups of E in a byte each (Biham 1997). Eight tables of 64 entries of
    /// 8 bytes, 4 KB in all.
    Bytes,
    /// 64 bits: the groups of E in pairs, 12 bits in 16. Four tables of 4,096 entries of 8 bytes,
    /// 128 KiB in all: half the look-ups, where the first cache is large (HP's PA-RISC code, 2000).
    Pairs,
    /// 32 bits, rotated so that four groups lie on bytes, and after another rotation the other
    /// four. Eight tables of 64 entries of 4 bytes, 2 KB in all.
    Rotated,
}

/// How permutations are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permute {
    /// By shifts and masks, on every processor.
    Shifts,
    /// By moving bits together and apart under masks, where one instruction does it: a quarter fewer
    /// operations for IP with E, and for IP⁻¹.
    Moves,
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
    /// The masks of [`Permute::Moves`].
    pub(super) masks: Option<TableId>,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Self; 3] = [Self::Bytes, Self::Pairs, Self::Rotated];

    /// The strategy's name in kernel names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "table64",
            Self::Pairs => "paired",
            Self::Rotated => "table32",
        }
    }

    /// The word that holds a half.
    #[must_use]
    pub const fn half(self) -> Type {
        match self {
            Self::Bytes | Self::Pairs => Type::W64,
            Self::Rotated => Type::W32,
        }
    }

    /// Words of one subkey, and their type.
    #[must_use]
    pub const fn subkey(self) -> (usize, Type) {
        match self {
            Self::Bytes | Self::Pairs => (1, Type::W64),
            Self::Rotated => (2, Type::W32),
        }
    }

    /// The bits that a half, or a subkey, can have in 8 bytes.
    #[must_use]
    pub const fn mask(self) -> u64 {
        match self {
            Self::Bytes => 0x3f3f_3f3f_3f3f_3f3f,
            Self::Pairs => 0x0fff_0fff_0fff_0fff,
            Self::Rotated => u64::MAX,
        }
    }

    /// Bytes of one subkey in a schedule.
    #[must_use]
    pub const fn subkey_bytes(self) -> i32 {
        8
    }
}

impl Form {
    /// Adds the layout's tables to a kernel.
    pub(super) fn new(b: &mut Builder, layout: Layout, permute: Permute) -> Self {
        let tables = match layout {
            Layout::Bytes | Layout::Pairs => expanded::tables(layout),
            Layout::Rotated => rotated::tables(),
        };
        b.table_set(format!("des_{}_tables", layout.name()));
        let tables = tables.into_iter().map(|table| b.table(table)).collect();
        // Kernels that do not use the masks have them too, so that all share one set of tables.
        let masks = (layout == Layout::Bytes).then(|| b.table(moves::masks()));
        let masks = masks.filter(|_| permute == Permute::Moves);
        Self { layout, tables, masks }
    }

    /// Loads a block and applies IP.
    pub(super) fn enter(&self, b: &mut Builder, data: Value, offset: i32) -> Halves {
        match self.layout {
            Layout::Bytes | Layout::Pairs => match self.masks {
                Some(masks) => moves::enter(masks, b, data, offset),
                None => expanded::enter(self.layout, b, data, offset),
            },
            Layout::Rotated => rotated::enter(b, data, offset),
        }
    }

    /// Applies IP⁻¹ and stores a block.
    pub(super) fn leave(&self, b: &mut Builder, halves: Halves, data: Value, offset: i32) {
        match self.layout {
            Layout::Bytes | Layout::Pairs => match self.masks {
                Some(masks) => moves::leave(masks, b, halves, data, offset),
                None => expanded::leave(self.layout, b, halves, data, offset),
            },
            Layout::Rotated => rotated::leave(b, halves, data, offset),
        }
    }

    /// f of a half, without its subkey where `subkey` is none (it is in the half already).
    pub(super) fn f(&self, b: &mut Builder, half: Value, subkey: &[Value]) -> Vec<Value> {
        match self.layout {
            Layout::Bytes | Layout::Pairs => expanded::f(self, b, half),
            Layout::Rotated => rotated::f(self, b, half, subkey),
        }
    }
}

/// The output of P after S-box number `s` (0 is S1) for six input bits.
pub(super) fn p_of_s(s: usize, input: usize) -> u32 {
    let out = u32::from(fips::s_box(s, input)) << (28 - 4 * s);
    (0..32).fold(0, |half, bit| half | (out >> (32 - fips::P[bit]) & 1) << (31 - bit))
}
