//! Instruction selection: which instructions an operation of the IR becomes.
//!
//! Words of 32 bits lie in registers with zeros above. What costs nothing on its own is made where it
//! is wanted: a field where it indexes, an address where it is read. Constants and the addresses
//! of tables, which no instruction of a round has room for, wait in registers from the entry on.

mod memory;

use super::inst::{Alu, Inst};
use crate::ir::{Endian, Kernel, Op, Param, Type, Value};
use crate::isa::frame::Abi;
use crate::isa::lower::{Lower, Lowered, Lowering, selects};
use crate::isa::{Node, Reg};
use std::collections::HashMap;

/// Lowers a kernel.
///
/// # Panics
/// If it has vectors, or moves bits under masks.
pub(super) fn lower(kernel: &Kernel, abi: &Abi) -> Lowered<Inst> {
    let mut selection = Selection {
        base: Lowering::new(kernel),
        constants: HashMap::new(),
        tables: Vec::new(),
        aligns: HashMap::new(),
        entry: Vec::new(),
    };
    let params: Vec<_> = kernel.params.iter().map(|param| selection.define(param.value)).collect();
    for (param, &a) in kernel.params.iter().zip(&params) {
        // A caller leaves anything above a word.
        if param.ty == Type::W32 || param.ty == Type::W64 && abi.argument < 8 {
            let dst = selection.first(|dst| Inst::Extract { dst, a, shift: 0, bits: 32 });
            selection.values.insert(param.value, dst);
        }
    }
    let asks = abi.position_independent && !kernel.tables.is_empty();
    let here = asks.then(|| selection.first(|dst| Inst::Here { dst }));
    let mut at = 0;
    for table in &kernel.tables {
        let (mut high, dst) = (selection.fresh(), selection.fresh());
        selection.entry.push(Inst::TableHigh { dst: high, at });
        if let Some(a) = here {
            high = selection.first(|dst| Inst::Alu { op: Alu::Add, dst, a, b: high });
        }
        selection.entry.push(Inst::TableLow { dst, a: high, at });
        selection.tables.push(dst);
        at += table.bytes() as u32;
    }
    selection.statements(&kernel.body);
    let align = |param: &Param| selection.aligns.get(&param.value.0).copied().unwrap_or(1);
    let aligns = kernel.params.iter().map(align).collect();
    let mut lowered = selection.base.finish(params, aligns);
    lowered.code.splice(0..0, selection.entry.into_iter().map(Node::Inst));
    lowered
}

/// Instruction selection for a kernel.
struct Selection<'a> {
    base: Lowering<'a, Inst>,
    /// Constants in registers.
    constants: HashMap<u64, Reg>,
    /// The address of each table.
    tables: Vec<Reg>,
    /// The widest access to each region, in bytes.
    aligns: HashMap<u32, u16>,
    /// What is done once, first.
    entry: Vec<Inst>,
}

selects!(Selection, Inst, base);

/// Whether a number fits 14 bits with a sign.
fn is_short(number: i64) -> bool {
    (-0x2000..0x2000).contains(&number)
}

/// Width of a word in bits.
fn width(ty: Type) -> u8 {
    if ty == Type::W32 { 32 } else { 64 }
}

impl<'a> Lower<'a, Inst> for Selection<'a> {
    fn defers(&self, value: Value, op: &Op) -> bool {
        match op {
            Op::Load { ordered, .. } => !ordered,
            Op::Const(_)
            | Op::Field { .. }
            | Op::Lookup(..)
            | Op::Resize(_)
            | Op::Shl(..)
            | Op::Advance(..) => true,
            _ => self.uses.is_inner_xor(value),
        }
    }

    fn make(&mut self, value: Value, ty: Type, op: &Op) -> Reg {
        match *op {
            Op::Const(number) => self.constant(number),
            Op::Xor(..) => self.xor(value),
            Op::And(a, b) => self.and(a, b),
            Op::Or(a, b) => self.alu(Alu::Or, a, b),
            Op::AndNot(a, b) => self.alu(Alu::AndNot, a, b),
            Op::Not(a) => {
                let a = self.reg(a);
                let not = self.emit(|dst| Inst::Not { dst, a });
                self.cut(not, ty)
            }
            Op::Add(a, b) => self.add(ty, a, b),
            Op::Shl(a, by) => {
                let (a, bits) = (self.reg(a), width(ty) - by);
                if by == 0 { a } else { self.emit(|dst| Inst::Place { dst, a, shift: by, bits }) }
            }
            Op::Shr(a, by) => self.extract(a, by, width(ty) - by, width(ty)),
            Op::Field { of, shift, bits } => self.extract(of, shift, bits, self.width_of(of)),
            Op::Rotl(a, by) => self.rotate(ty, a, by),
            Op::SwapBytes(a) => {
                let a = self.reg(a);
                self.swap(a, width(ty) / 8)
            }
            Op::Resize(a) => self.extract(a, 0, width(ty), self.width_of(a)),
            Op::SelectEq { a, b, then, otherwise, .. } => {
                let (a, b) = (self.reg(a), self.reg(b));
                let (then, otherwise) = (self.reg(then), self.reg(otherwise));
                self.emit(|dst| Inst::SelectEq { dst, otherwise, a, b, then })
            }
            Op::Lookup(table, index) => self.look_up(table, index),
            Op::Load { ref address, bytes, endian, ordered } => {
                let region = self.touch(address, bytes);
                let ordered = ordered.then_some(region);
                let loaded = self.load(address, bytes, ordered);
                if endian == Endian::Little { self.swap(loaded, bytes) } else { loaded }
            }
            Op::Store { value, ref address, bytes, endian, ordered } => {
                let region = self.touch(address, bytes);
                let ordered = ordered.then_some(region);
                let mut src = self.reg(value);
                if endian == Endian::Little {
                    src = self.swap(src, bytes);
                }
                let (base, disp) = self.place(address);
                self.push(Inst::Store { bytes, base, disp, src, ordered });
                src
            }
            Op::Advance(pointer, by) => self.advance(pointer, by),
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
        Inst::Copy { dst, src }
    }
}

impl Selection<'_> {
    /// An instruction that is done once, first.
    fn first(&mut self, inst: impl FnOnce(Reg) -> Inst) -> Reg {
        let dst = self.fresh();
        self.entry.push(inst(dst));
        dst
    }

    fn width_of(&self, value: Value) -> u8 {
        // Parameters are wide.
        self.uses.definitions.get(&value).map_or(64, |(ty, _)| width(*ty))
    }

    /// A constant in a register, from the entry on.
    fn constant(&mut self, number: u64) -> Reg {
        if let Some(reg) = self.constants.get(&number) {
            return *reg;
        }
        let (high, low) = ((number >> 32) as u32, number as u32);
        let reg = if i64::from(low as i32) as u64 == number {
            self.short_constant(low as i32)
        } else {
            let into = self.short_constant(low as i32);
            let a = if high == low { into } else { self.short_constant(high as i32) };
            let dst = self.fresh();
            self.entry.push(Inst::Insert { dst, into, a, shift: 32, bits: 32 });
            dst
        };
        self.constants.insert(number, reg);
        reg
    }

    /// The same for 32 bits with their sign above.
    fn short_constant(&mut self, imm: i32) -> Reg {
        let dst = self.fresh();
        if is_short(imm.into()) {
            self.entry.push(Inst::Imm { dst, imm });
            return dst;
        }
        self.entry.push(Inst::ImmHigh { dst, imm: imm & !0x7ff });
        if imm & 0x7ff == 0 {
            return dst;
        }
        let (a, dst) = (dst, self.fresh());
        self.entry.push(Inst::AddImm { dst, a, imm: imm & 0x7ff });
        dst
    }

    /// A register as a word of a type: with zeros above.
    fn cut(&mut self, a: Reg, ty: Type) -> Reg {
        match ty {
            Type::W32 => self.emit(|dst| Inst::Extract { dst, a, shift: 0, bits: 32 }),
            _ => a,
        }
    }

    fn alu(&mut self, op: Alu, a: Value, b: Value) -> Reg {
        let (a, b) = (self.reg(a), self.reg(b));
        self.emit(|dst| Inst::Alu { op, dst, a, b })
    }

    fn and(&mut self, a: Value, b: Value) -> Reg {
        // A mask of low bits is a field.
        for (a, mask) in [(a, b), (b, a)] {
            if let Some(bits) = self.number(mask).filter(|&mask| mask > 0 && mask & (mask + 1) == 0)
            {
                return self.extract(a, 0, bits.count_ones() as u8, 64);
            }
        }
        self.alu(Alu::And, a, b)
    }

    fn add(&mut self, ty: Type, a: Value, b: Value) -> Reg {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(imm) = self.number(b).map(|number| number as i64).filter(|&n| is_short(n)) {
                let (a, imm) = (self.reg(a), imm as i32);
                let sum = self.emit(|dst| Inst::AddImm { dst, a, imm });
                return self.cut(sum, ty);
            }
            let shift = self.uses.op(b).cloned();
            if let Some(Op::Shl(b, by @ 1..=3)) = shift.filter(|_| ty == Type::W64) {
                let (a, b) = (self.reg(a), self.reg(b));
                return self.emit(|dst| Inst::ShiftAdd { dst, a: b, by, b: a });
            }
        }
        let sum = self.alu(Alu::Add, a, b);
        self.cut(sum, ty)
    }

    /// `bits` bits of a word of `width` bits, from bit `shift` on.
    fn extract(&mut self, of: Value, shift: u8, bits: u8, width: u8) -> Reg {
        let a = self.reg(of);
        let bits = bits.min(width - shift);
        if shift == 0 && bits == width {
            return a;
        }
        self.emit(|dst| Inst::Extract { dst, a, shift, bits })
    }

    fn rotate(&mut self, ty: Type, a: Value, by: u8) -> Reg {
        let a = self.reg(a);
        if by == 0 {
            return a;
        }
        if ty == Type::W64 {
            return self.emit(|dst| Inst::Pair { dst, high: a, low: a, by: 64 - by });
        }
        let twice = self.emit(|dst| Inst::Insert { dst, into: a, a, shift: 32, bits: 32 });
        self.emit(|dst| Inst::Extract { dst, a: twice, shift: 32 - by, bits: 32 })
    }

    /// The low `bytes` bytes of a register in reverse order, zeros above.
    fn swap(&mut self, a: Reg, bytes: u8) -> Reg {
        if bytes == 1 {
            return a;
        }
        let high = self.emit(|dst| Inst::ShiftHalfwords { left: true, dst, a, by: 8 });
        let low = self.emit(|dst| Inst::ShiftHalfwords { left: false, dst, a, by: 8 });
        let both = self.emit(|dst| Inst::Alu { op: Alu::Or, dst, a: high, b: low });
        match bytes {
            2 => both,
            4 => self.emit(|dst| Inst::Halfwords { dst, a: both, order: 132 }),
            _ => self.emit(|dst| Inst::Halfwords { dst, a: both, order: 3210 }),
        }
    }

    /// An exclusive or of all leaves of a tree: what is known early, and the first half of the
    /// look-ups, in one sum, the other half in another.
    fn xor(&mut self, root: Value) -> Reg {
        let leaves = self.leaves(root);
        let is_late = |leaf: &Value| matches!(self.uses.op(*leaf), Some(Op::Lookup(..)));
        let (late, mut first): (Vec<_>, Vec<_>) = leaves.into_iter().partition(is_late);
        let (some, rest) = late.split_at(late.len().div_ceil(2));
        first.extend(some);
        let first = self.chain(&first).expect("an exclusive or has operands");
        match self.chain(rest) {
            Some(b) => self.emit(|dst| Inst::Alu { op: Alu::Xor, dst, a: first, b }),
            None => first,
        }
    }

    fn chain(&mut self, leaves: &[Value]) -> Option<Reg> {
        leaves.iter().fold(None, |sum, &leaf| {
            let b = self.reg(leaf);
            Some(match sum {
                Some(a) => self.emit(|dst| Inst::Alu { op: Alu::Xor, dst, a, b }),
                None => b,
            })
        })
    }
}
