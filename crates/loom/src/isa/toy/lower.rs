//! Which instructions an operation becomes.

use super::inst::{Inst, Logic};
use crate::ir::{Endian, Kernel, Op, Type, Value};
use crate::isa::Reg;
use crate::isa::lower::{Lower, Lowered, Lowering, selects};

pub(super) fn lower(kernel: &Kernel) -> Lowered<Inst> {
    let mut selection = Selection(Lowering::new(kernel));
    let params = kernel.params.iter().map(|param| selection.define(param.value)).collect();
    selection.statements(&kernel.body);
    selection.0.finish(params, Vec::new())
}

/// Instruction selection for a kernel.
struct Selection<'a>(Lowering<'a, Inst>);

selects!(Selection, Inst, 0);

impl<'a> Lower<'a, Inst> for Selection<'a> {
    /// A look-up where its result is wanted: there are few registers.
    fn defers(&self, _: Value, op: &Op) -> bool {
        matches!(op, Op::Const(_) | Op::Field { .. } | Op::Lookup(..))
    }

    fn copy(&self, dst: Reg, src: Reg) -> Inst {
        Inst::Copy { dst, src }
    }

    fn make(&mut self, _: Value, ty: Type, op: &Op) -> Reg {
        let bits = if ty == Type::W32 { 32 } else { 64 };
        match *op {
            Op::Const(value) => self.imm(value),
            Op::Xor(a, b) => self.both(Logic::Xor, a, b),
            Op::And(a, b) => self.both(Logic::And, a, b),
            Op::Or(a, b) => self.both(Logic::Or, a, b),
            Op::Add(a, b) => {
                let sum = self.both(Logic::Add, a, b);
                self.cut(sum, bits)
            }
            Op::Not(a) => {
                let (a, ones) = (self.reg(a), self.imm(u64::MAX >> (64 - bits)));
                self.logic(Logic::Xor, a, ones)
            }
            Op::AndNot(a, b) => {
                let both = self.both(Logic::And, a, b);
                let a = self.reg(a);
                self.logic(Logic::Xor, a, both)
            }
            Op::Shl(a, by) => {
                let shifted = self.shifted(a, by as i8);
                self.cut(shifted, bits)
            }
            Op::Shr(a, by) => self.shifted(a, -(by as i8)),
            Op::Rotl(a, by) => {
                let left = self.shifted(a, by as i8);
                let right = self.shifted(a, by as i8 - bits as i8);
                let both = self.logic(Logic::Or, left, right);
                self.cut(both, bits)
            }
            Op::Field { of, shift, bits } => {
                let field = self.shifted(of, -(shift as i8));
                self.cut(field, bits)
            }
            Op::SwapBytes(a) => {
                let a = self.reg(a);
                self.swapped(a, bits / 8)
            }
            Op::Resize(a) => {
                let a = self.reg(a);
                self.cut(a, bits)
            }
            Op::Lookup(table, index) => {
                let bytes = self.kernel.tables[table.0].entry_bytes;
                let base = self.emit(|dst| Inst::Table { dst, table: table.0 });
                let index = Some(self.shifted(index, bytes.trailing_zeros() as i8));
                self.emit(|dst| Inst::Load { bytes, dst, base, index, disp: 0 })
            }
            Op::Load { address, bytes, endian, .. } => {
                assert!(address.index.is_none(), "no strategy here has indexed loads");
                let base = self.reg(address.base);
                let disp = address.offset;
                let loaded = self.emit(|dst| Inst::Load { bytes, dst, base, index: None, disp });
                if endian == Endian::Big { self.swapped(loaded, bytes) } else { loaded }
            }
            Op::Store { value, address, bytes, endian, .. } => {
                let mut src = self.reg(value);
                let base = self.reg(address.base);
                if endian == Endian::Big {
                    src = self.swapped(src, bytes);
                }
                self.push(Inst::Store { bytes, base, disp: address.offset, src });
                src
            }
            Op::Advance(pointer, by) => {
                let a = self.reg(pointer);
                self.emit(|dst| Inst::Step { dst, a, by })
            }
            ref other => panic!("{other:?}: the machine has no such thing"),
        }
    }
}

impl Selection<'_> {
    fn imm(&mut self, value: u64) -> Reg {
        self.emit(|dst| Inst::Imm { dst, value })
    }

    fn logic(&mut self, op: Logic, a: Reg, b: Reg) -> Reg {
        self.emit(|dst| Inst::Logic { op, dst, a, b })
    }

    fn both(&mut self, op: Logic, a: Value, b: Value) -> Reg {
        let (a, b) = (self.reg(a), self.reg(b));
        self.logic(op, a, b)
    }

    fn shift(&mut self, a: Reg, by: i8) -> Reg {
        if by == 0 { a } else { self.emit(|dst| Inst::Shift { dst, a, by }) }
    }

    fn shifted(&mut self, a: Value, by: i8) -> Reg {
        let a = self.reg(a);
        self.shift(a, by)
    }

    /// The lowest bits of a register.
    fn cut(&mut self, a: Reg, bits: u8) -> Reg {
        if bits == 64 {
            return a;
        }
        let mask = self.imm(u64::MAX >> (64 - bits));
        self.logic(Logic::And, a, mask)
    }

    /// The lowest bytes of a register in reverse order.
    fn swapped(&mut self, a: Reg, bytes: u8) -> Reg {
        let mut sum = None;
        for n in 0..bytes as i8 {
            let moved = self.shift(a, -8 * n);
            let byte = self.cut(moved, 8);
            let byte = self.shift(byte, 8 * (bytes as i8 - 1 - n));
            sum = Some(match sum {
                Some(sum) => self.logic(Logic::Or, sum, byte),
                None => byte,
            });
        }
        sum.expect("a word has bytes")
    }
}
