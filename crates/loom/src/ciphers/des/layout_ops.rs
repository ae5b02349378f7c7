//! A layout at work: its tables, its permutations and f, for one kernel.

use super::layout::{Halves, Layout, Permute};
use super::registers::narrow::Narrow;
use super::registers::packed::Packed;
use super::registers::short::Short;
use super::registers::summed::Summed;
use super::registers::wide::Wide;
use super::{dense, expanded, matrices, moves, rotated};
use crate::ir::{Builder, Endian, TableId, Type, Value};

/// A layout at work in one kernel.
#[derive(Clone, Debug)]
pub(super) struct LayoutOps {
    pub(super) layout: Layout,
    tables: Vec<TableId>,
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
    Summed(Box<Summed>),
    Packed(Box<Packed>),
    Narrow(Box<Narrow>),
    Short(Box<Short>),
}

impl LayoutOps {
    /// Adds the layout's tables to a kernel that does so many blocks at a time.
    pub(super) fn new(
        b: &mut Builder,
        layout: Layout,
        permute: Permute,
        interleaved: usize,
    ) -> Self {
        let by_matrices = permute == Permute::Matrices;
        let kind = if by_matrices { "_matrices" } else { "" };
        b.table_set(format!("des_{}{kind}_tables", layout.name()));
        let (tables, vectors) = match layout {
            Layout::Bytes | Layout::Spaced | Layout::Pairs => {
                (expanded::tables(layout), Vectors::None)
            }
            Layout::Dense => (dense::tables(), Vectors::None),
            Layout::Rotated | Layout::Reversed | Layout::ReversedWide => {
                (rotated::tables(layout), Vectors::None)
            }
            Layout::Registers512 => (Vec::new(), Vectors::Wide(Wide::new(b).into())),
            Layout::Summed512 => (Vec::new(), Vectors::Summed(Summed::new(b).into())),
            Layout::Packed512 => (Vec::new(), Vectors::Packed(Packed::new(b).into())),
            Layout::Registers256 => {
                (Vec::new(), Vectors::Narrow(Narrow::new(b, interleaved).into()))
            }
            Layout::Registers128 => (Vec::new(), Vectors::Short(Short::new(b).into())),
        };
        let tables = tables.into_iter().map(|table| b.table(table)).collect();
        // Kernels that do not use the masks have them too, so that all share one set of tables.
        let masks = layout.is_by_bytes().then(|| b.table(moves::masks()));
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
            Vectors::Summed(summed) => summed.enter(b, data, offset),
            Vectors::Packed(packed) => packed.enter(b, data, offset),
            Vectors::Narrow(narrow) => narrow.enter(b, data, offset),
            Vectors::Short(short) => short.enter(b, data, offset),
            Vectors::None => match (self.permute, self.layout) {
                (Permutations::Matrices(constants), layout) if layout.is_by_bytes() => {
                    matrices::enter_grouped(constants, b, data, offset)
                }
                (Permutations::Matrices(constants), _) => {
                    matrices::enter(constants, b, data, offset)
                }
                (Permutations::Moves(masks), _) => moves::enter(masks, b, data, offset),
                (_, layout) if layout.is_rotated() => rotated::enter(layout, b, data, offset),
                (_, Layout::Dense) => dense::enter(&self.tables, b, data, offset),
                (_, layout) => expanded::enter(layout, b, data, offset),
            },
        }
    }

    /// Halves as rounds take them. Blocks that are XORed with such halves need nothing.
    pub(super) fn start(&self, b: &mut Builder, halves: Halves) -> Halves {
        match &self.vectors {
            Vectors::Wide(wide) => wide.start(b, halves),
            _ => halves,
        }
    }

    /// Applies IP⁻¹ and stores a block.
    pub(super) fn leave(&self, b: &mut Builder, halves: Halves, data: Value, offset: i32) {
        match &self.vectors {
            Vectors::Wide(wide) => wide.leave(b, halves, data, offset),
            Vectors::Summed(summed) => summed.leave(b, halves, data, offset),
            Vectors::Packed(packed) => packed.leave(b, halves, data, offset),
            Vectors::Narrow(narrow) => narrow.leave(b, halves, data, offset),
            Vectors::Short(_) => Short::leave(b, halves, data, offset),
            Vectors::None => match (self.permute, self.layout) {
                (Permutations::Matrices(constants), layout) if layout.is_by_bytes() => {
                    matrices::leave_grouped(constants, b, halves, data, offset);
                }
                (Permutations::Matrices(constants), _) => {
                    matrices::leave(constants, b, halves, data, offset);
                }
                (Permutations::Moves(masks), _) => moves::leave(masks, b, halves, data, offset),
                (_, layout) if layout.is_rotated() => {
                    rotated::leave(layout, b, halves, data, offset);
                }
                (_, Layout::Dense) => dense::leave(&self.tables, b, halves, data, offset),
                (_, layout) => expanded::leave(layout, b, halves, data, offset),
            },
        }
    }

    /// Eight bytes of the schedule, as a word or more.
    pub(super) fn subkey(&self, b: &mut Builder, schedule: Value, offset: i32) -> Vec<Value> {
        let (ty, step) = match &self.vectors {
            Vectors::Wide(wide) => return vec![wide.subkey(b, schedule, offset)],
            Vectors::Summed(_) => return vec![Summed::subkey(b, schedule, offset)],
            Vectors::Packed(packed) => return vec![packed.subkey(b, schedule, offset)],
            Vectors::Narrow(_) => return vec![Narrow::subkey(b, schedule, offset)],
            Vectors::Short(short) => return vec![short.subkey(b, schedule, offset)],
            Vectors::None if self.layout.is_rotated() => (Type::W32, 4),
            Vectors::None => (Type::W64, 8),
        };
        let at = (offset..offset + 8).step_by(step);
        at.map(|offset| b.load(schedule, offset, ty, Endian::Native)).collect()
    }

    /// A round's subkey as [`f`](Self::f) takes it, for all blocks.
    pub(super) fn ready(&self, b: &mut Builder, subkey: &[Value]) -> Vec<Value> {
        match (&self.vectors, subkey) {
            (Vectors::Narrow(narrow), &[subkey]) => narrow.ready(b, subkey).into(),
            _ => subkey.to_vec(),
        }
    }

    /// A half with a subkey, or with the difference of two.
    pub(super) fn add_subkey(&self, b: &mut Builder, subkey: Value, half: Value) -> Value {
        match &self.vectors {
            Vectors::Summed(summed) => summed.add_subkey(b, subkey, half),
            _ => b.xor(half, subkey),
        }
    }

    /// f of a half in parts, without its subkey where `subkey` is none (it is in the half already).
    pub(super) fn f(&self, b: &mut Builder, half: Value, subkey: &[Value]) -> Vec<Value> {
        match &self.vectors {
            Vectors::Wide(wide) => wide.f(b, half).into(),
            Vectors::Summed(summed) => vec![summed.f(b, half)],
            Vectors::Packed(packed) => packed.f(b, half),
            Vectors::Narrow(narrow) => narrow.f(b, half, subkey),
            Vectors::Short(short) => short.f(b, half).into(),
            Vectors::None if self.layout.is_rotated() => {
                rotated::f(self.layout, &self.tables, b, half, subkey)
            }
            Vectors::None => expanded::f(self.layout, &self.tables, b, half),
        }
    }

    /// The other half with the parts of f.
    pub(super) fn add(&self, b: &mut Builder, f: Vec<Value>, half: Value) -> Value {
        match (&self.vectors, &*f) {
            (Vectors::Wide(wide), &[low, high]) => wide.add(b, [low, high], half),
            (Vectors::Summed(summed), &[f]) => summed.add(b, f, half),
            (Vectors::Packed(packed), f) => packed.add(b, f, half),
            (Vectors::Narrow(_), f) => Narrow::add(b, f, half),
            _ => {
                let mut sum = f;
                sum.push(half);
                b.xor_all(&sum)
            }
        }
    }
}
