//! Instruction selection: which instructions an operation of the IR becomes.
//!
//! Words of 32 bits lie in registers with zeros above. What costs nothing on its own is made where it is
//! wanted: a shift as part of logic, a field where it indexes, a constant where it has a form. The
//! addresses of tables that are looked up at an index wait in registers from the entry on.
//!
//! `memory.rs` makes addresses, `sums.rs` adds up, `vectors.rs` has what is done with vectors.

mod memory;
mod sums;
mod vectors;

use std::collections::HashMap;

use super::inst::{AArch64, Inst, Logic};
use super::operand::{Shift, Width, mask};
use crate::ir::{Endian, Kernel, Op, Type, Value};
use crate::isa::lower::{Lower, Lowered, Lowering, selects};
use crate::isa::{Choices, Reg};

/// Lowers a kernel.
///
/// # Panics
/// If it computes with what the processor does not have: kernel variants ask for none such.
pub(super) fn lower(isa: AArch64, kernel: &Kernel, choices: &Choices) -> Lowered<Inst> {
    let mut selection = Selection {
        base: Lowering::new(kernel),
        isa,
        choices: *choices,
        tables: Vec::new(),
        first_table: None,
        looked_up: Vec::new(),
        places: HashMap::new(),
    };
    let params: Vec<_> = kernel.params.iter().map(|param| selection.define(param.value)).collect();
    for (param, &src) in kernel.params.iter().zip(&params) {
        // A caller leaves anything above a word.
        if param.ty == Type::W32 {
            let dst = selection.emit(|dst| Inst::Copy { width: Width::Word, dst, src });
            selection.values.insert(param.value, dst);
        }
    }
    selection.find_tables();
    selection.statements(&kernel.body);
    selection.base.finish(params, Vec::new())
}

/// Instruction selection for a kernel.
struct Selection<'a> {
    base: Lowering<'a, Inst>,
    isa: AArch64,
    choices: Choices,
    /// Where each table begins behind the first, and its address, if it is wanted.
    tables: Vec<(i64, Option<Reg>)>,
    /// The address of the first.
    first_table: Option<Reg>,
    /// What was looked up inside registers, in the order of its registers.
    looked_up: Vec<Vec<Reg>>,
    /// Sums of a pointer and an index in the body under construction, by their factors.
    places: HashMap<(Reg, Reg, u8), Reg>,
}

selects!(Selection, Inst, base);

/// Width of a word.
fn width(ty: Type) -> Width {
    if ty == Type::W32 { Width::Word } else { Width::Double }
}

impl<'a> Lower<'a, Inst> for Selection<'a> {
    fn defers(&self, value: Value, op: &Op) -> bool {
        match op {
            Op::Load { ordered, .. } => !ordered || self.rare_load(value).is_some(),
            Op::Const(_)
            | Op::Field { .. }
            | Op::Lookup(..)
            | Op::Resize(_)
            | Op::Advance(..)
            | Op::Broadcast { .. } => true,
            Op::Shl(..) | Op::Shr(..) | Op::Rotl(..) => self.is_word(value) || self.is_fused(value),
            _ => self.uses.is_inner_xor(value) || self.is_fused(value),
        }
    }

    fn enter(&mut self) {
        self.places.clear();
    }

    fn leave(&mut self) {
        self.places.clear();
    }

    fn is_idle(&self, value: Value) -> bool {
        self.is_mask_of_transposes(value)
    }

    fn make(&mut self, value: Value, ty: Type, op: &Op) -> Reg {
        match *op {
            Op::Store { value, ref address, bytes, ordered, .. }
                if matches!(ty, Type::Vector(_)) =>
            {
                return self.store_vector(value, address, bytes, ordered);
            }
            Op::Store { .. } => {}
            _ if matches!(ty, Type::Vector(_)) => return self.vector(ty, op),
            _ => {}
        }
        let width = width(ty);
        match *op {
            Op::Const(number) => self.constant(width, number),
            Op::Xor(..) => self.xor(value, width),
            Op::And(a, b) => self.logic(Logic::And, width, a, b),
            Op::Or(a, b) => self.logic(Logic::Or, width, a, b),
            Op::AndNot(a, b) => {
                let a = self.reg(a);
                let (b, shift) = self.shifted(b, width);
                self.emit(|dst| Inst::Logic { op: Logic::AndNot, width, dst, a, b, shift })
            }
            Op::Not(a) => {
                let a = self.reg(a);
                self.emit(|dst| Inst::Not { width, dst, a })
            }
            Op::Add(a, b) => {
                let [a, b] = [a, b].map(|part| self.uncut(part, value));
                self.add(width, a, b)
            }
            Op::Shl(a, by) => match (self.reg(a), width.bits() - by) {
                (a, _) if by == 0 => a,
                (a, bits) => self.emit(|dst| Inst::Place { width, dst, a, shift: by, bits }),
            },
            Op::Shr(a, by) => {
                let a = self.reg(a);
                self.extract(width, a, by, width.bits() - by)
            }
            Op::Field { of, shift, bits } => {
                let (width, a) = (self.width_of(of), self.reg(of));
                self.extract(width, a, shift, bits)
            }
            Op::Rotl(a, by) => match (self.reg(a), width.bits() - by) {
                (a, _) if by == 0 => a,
                (a, by) => self.emit(|dst| Inst::Rotate { width, dst, a, by }),
            },
            Op::SwapBytes(a) => {
                let a = self.reg(a);
                self.emit(|dst| Inst::Reverse { width, dst, a })
            }
            Op::Resize(a) => {
                let from = self.reg(a);
                match self.uses.ty(a) {
                    Type::Vector(_) => self.emit(|dst| Inst::FromVector { width, dst, src: from }),
                    Type::W64 if width == Width::Word => {
                        self.emit(|dst| Inst::Copy { width, dst, src: from })
                    }
                    // The upper half is zero already.
                    _ => from,
                }
            }
            Op::SelectEq { a, b, then, otherwise, rare } => {
                let compared = self.width_of(a);
                if let Some((address, bytes, ordered)) = self.rare_load(then) {
                    let [a, b, otherwise] = [a, b, otherwise].map(|v| self.reg(v));
                    let mem = self.mem(&address, bytes, ordered);
                    return self.emit(|dst| Inst::BranchLoad {
                        compared,
                        dst,
                        otherwise,
                        a,
                        b,
                        bytes,
                        mem,
                    });
                }
                let [a, b, then, otherwise] = [a, b, then, otherwise].map(|v| self.reg(v));
                let branch = rare && self.choices.branch;
                self.emit(|dst| match branch {
                    true => Inst::BranchEq { compared, dst, otherwise, a, b, then },
                    false => Inst::SelectEq { compared, dst, otherwise, a, b, then },
                })
            }
            Op::Lookup(table, index) => self.look_up(table, index),
            Op::Load { ref address, bytes, endian, ordered } => {
                let mem = self.mem(address, bytes, ordered);
                let dst = self.emit(|dst| Inst::Load { bytes, dst, mem });
                self.in_order(dst, bytes, endian)
            }
            Op::Store { value, ref address, bytes, endian, ordered } => {
                let src = self.reg(value);
                let src = self.in_order(src, bytes, endian);
                let mem = self.mem(address, bytes, ordered);
                self.push(Inst::Store { bytes, mem, src });
                src
            }
            Op::Advance(pointer, by) => {
                let a = self.reg(pointer);
                self.add_constant(Width::Double, a, by.into())
            }
            Op::Compress(..) | Op::Expand(..) => {
                panic!("{op:?}: bits are moved by masks elsewhere")
            }
            Op::Ternary(..)
            | Op::Broadcast { .. }
            | Op::InsertByte { .. }
            | Op::Bytes(..)
            | Op::PickTwo(..)
            | Op::PickFrom(..) => {
                panic!("{op:?} is for vectors")
            }
        }
    }

    fn copy(&self, dst: Reg, src: Reg) -> Inst {
        Inst::Copy { width: Width::Double, dst, src }
    }
}

impl Selection<'_> {
    /// Whether a value is a word.
    fn is_word(&self, value: Value) -> bool {
        !matches!(self.uses.ty(value), Type::Vector(_))
    }

    fn width_of(&self, value: Value) -> Width {
        width(self.kernel_type(value))
    }

    /// The type of a value, a parameter's included.
    fn kernel_type(&self, value: Value) -> Type {
        let param = self.kernel.params.iter().find(|param| param.value == value);
        param.map_or_else(|| self.uses.ty(value), |param| param.ty)
    }

    /// A constant in a register: the 16 bits that are neither all zeros nor all ones, whichever are more.
    fn constant(&mut self, width: Width, number: u64) -> Reg {
        let number = width.cut(number);
        let places = || (0..width.bits()).step_by(16);
        let part = |at: u8| (number >> at) as u16;
        let count = |value: u16| places().filter(|&at| part(at) == value).count();
        let not = count(u16::MAX) > count(0);
        let around = if not { u16::MAX } else { 0 };
        if count(around) + 1 < places().count() && mask(number, width).is_some() {
            return self.emit(|dst| Inst::Mask { width, dst, imm: number });
        }
        let mut wanted = places().filter(|&at| part(at) != around);
        let at = wanted.next().unwrap_or(0);
        let imm = if not { !part(at) } else { part(at) };
        let first = self.emit(|dst| Inst::Move { not, width, dst, imm, at });
        wanted.fold(first, |a, at| self.emit(|dst| Inst::Keep { width, dst, a, imm: part(at), at }))
    }

    /// A register and how it is shifted: a shift that is wanted only here is part of what wants it.
    fn shifted(&mut self, value: Value, wanted: Width) -> (Reg, Shift) {
        let alone = self.uses.is_used_once(value)
            && !self.values.contains_key(&value)
            && !self.uses.outer.contains(&value);
        let shift = match self.uses.definitions.get(&value) {
            Some((ty, op)) if alone && width(*ty) == wanted => match *op {
                Op::Shl(a, by) if by > 0 => Some((a, Shift::Left(by))),
                Op::Shr(a, by) if by > 0 => Some((a, Shift::Right(by))),
                Op::Rotl(a, by) if by > 0 => Some((a, Shift::Rotate(wanted.bits() - by))),
                _ => None,
            },
            _ => None,
        };
        match shift {
            Some((a, shift)) => (self.reg(a), shift),
            None => (self.reg(value), Shift::NONE),
        }
    }

    /// And, or, exclusive or.
    fn logic(&mut self, op: Logic, width: Width, a: Value, b: Value) -> Reg {
        for (a, b) in [(a, b), (b, a)] {
            let number = self.number(b).map(|number| width.cut(number));
            if let Some(imm) = number.filter(|&imm| mask(imm, width).is_some()) {
                let a = self.reg(a);
                return self.emit(|dst| Inst::LogicImm { op, width, dst, a, imm });
            }
        }
        let (first, second) = self.shift_last(a, b);
        let a = self.reg(first);
        let (b, shift) = self.shifted(second, width);
        self.emit(|dst| Inst::Logic { op, width, dst, a, b, shift })
    }

    /// Two values, so that one that is shifted comes last.
    fn shift_last(&self, a: Value, b: Value) -> (Value, Value) {
        let shifts = |value: Value| {
            matches!(self.uses.op(value), Some(Op::Shl(..) | Op::Shr(..) | Op::Rotl(..)))
        };
        if shifts(a) && !shifts(b) { (b, a) } else { (a, b) }
    }

    fn extract(&mut self, width: Width, a: Reg, shift: u8, bits: u8) -> Reg {
        let bits = bits.min(width.bits() - shift);
        match (shift, bits) {
            (0, bits) if bits == width.bits() => a,
            (0, 32) => self.emit(|dst| Inst::Copy { width: Width::Word, dst, src: a }),
            // Some processors look up later by a field than by what is masked.
            (0, _) => {
                let (op, imm) = (Logic::And, u64::MAX >> (64 - bits));
                self.emit(|dst| Inst::LogicImm { op, width, dst, a, imm })
            }
            _ => self.emit(|dst| Inst::Field { width, dst, a, shift, bits }),
        }
    }

    /// The low `bytes` bytes of a register in the order of memory.
    ///
    /// # Panics
    /// If they are two that begin with the highest: nobody asks for such.
    fn in_order(&mut self, a: Reg, bytes: u8, endian: Endian) -> Reg {
        let width = match (endian, bytes) {
            (Endian::Little | Endian::Native, _) | (_, 1) => return a,
            (Endian::Big, 4) => Width::Word,
            (Endian::Big, 8) => Width::Double,
            (Endian::Big, _) => panic!("{bytes} bytes are not reversed"),
        };
        self.emit(|dst| Inst::Reverse { width, dst, a })
    }
}
