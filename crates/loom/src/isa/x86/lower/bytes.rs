//! Fields of words: bytes and others, in the ways of [`Extract`](crate::isa::Extract).

use super::{Selection, TOP};
use crate::ir::{Op, Value};
use crate::isa::lower::Lower;
use crate::isa::x86::features;
use crate::isa::x86::inst::{Alu, Inst, Shift};
use crate::isa::x86::operand::{Source, Width};
use crate::isa::{Reg, Way};

impl Selection<'_> {
    /// Whether `value` is an addition to a byte of which only the lowest byte is wanted: of what is added nothing
    /// else counts.
    pub(super) fn is_byte_sum(&self, value: Value) -> bool {
        let Some(Op::Add(a, _)) = self.uses.op(value) else { return false };
        let user = self.uses.user.get(&value).and_then(|user| self.uses.op(*user));
        self.choices.byte_sums
            && self.uses.is_used_once(value)
            && matches!(user, Some(Op::Field { shift: 0, bits: 8, .. }))
            && self.uses.is_byte(*a)
    }

    /// `reg` shifted right, once for all who want it.
    pub(super) fn shifted(&mut self, width: Width, reg: Reg, by: u8) -> Reg {
        if by == 0 {
            return reg;
        }
        if let Some(dst) = self.shifted.get(&(reg, by)) {
            return *dst;
        }
        let dst = self.fresh();
        // `rorx` needs no copy. It leaves other bits above, but what is taken is cut out anyway.
        if self.features.include(features::BMI2) {
            self.push(Inst::Rorx { width, dst, a: reg, by });
        } else {
            self.push(Inst::Shift { op: Shift::Right, width, dst, a: reg, by });
        }
        self.shifted.insert((reg, by), dst);
        dst
    }

    pub(super) fn field(&mut self, width: Width, of: Value, shift: u8, bits: u8) -> Reg {
        if let (0, 8, Some(Op::Add(a, b)), true) =
            (shift, bits, self.uses.op(of).cloned(), self.is_byte_sum(of))
        {
            let (a, b) = (self.reg(a), self.source(b, Width::Dword));
            let dst = self.fresh();
            self.push(Inst::Alu { op: Alu::Add, width: Width::Byte, dst, a, b });
            return dst;
        }
        let size = if width == Width::Dword { 32 } else { 64 };
        if let (true, Width::Dword, 16 | 24, 8, Some(&Op::Rotl(a, by))) =
            (self.features.include(features::BMI2), width, shift, bits, self.uses.op(of))
        {
            // The upper half of a rotated word by one rotation of the word itself, not by two.
            let word = self.reg(a);
            let src = self.shifted(width, word, (16 + size - by) % size);
            return self.byte(width, src, shift - 16, size);
        }
        let word = self.reg(of);
        match (shift % 8, bits) {
            (0, 8) => self.byte(width, word, shift, size),
            (0, 16) if shift + 16 == size => self.shift_of(width, word, shift),
            (0, 16) => {
                let src = self.shifted(width, word, shift);
                let dst = self.fresh();
                self.push(Inst::LowWord { dst, src });
                dst
            }
            _ => {
                let src = self.shift_of(width, word, shift);
                if shift + bits == size {
                    return src;
                }
                let mask = (1u64 << bits) - 1;
                let dst = self.fresh();
                if let Ok(imm) = i32::try_from(mask) {
                    let b = Source::Imm(imm);
                    self.push(Inst::Alu { op: Alu::And, width, dst, a: src, b });
                } else {
                    let b = self.fresh();
                    self.push(Inst::Imm { dst: b, value: mask });
                    let b = Source::Reg(b);
                    self.push(Inst::Alu { op: Alu::And, width, dst, a: src, b });
                }
                dst
            }
        }
    }

    /// `reg` shifted right with zeros from above.
    fn shift_of(&mut self, width: Width, reg: Reg, by: u8) -> Reg {
        if by == 0 {
            return reg;
        }
        let dst = self.fresh();
        let shift = match self.top.filter(|_| by == TOP && width == Width::Qword) {
            Some(top) => Inst::Shrx { dst, a: reg, by: top },
            None => Inst::Shift { op: Shift::Right, width, dst, a: reg, by },
        };
        self.push(shift);
        dst
    }

    pub(super) fn byte(&mut self, width: Width, word: Reg, shift: u8, size: u8) -> Reg {
        let way = self.choices.extract.way(shift, size);
        let high = match way {
            Way::High | Way::MoveHigh => shift > 0,
            Way::Offset => shift % 16 == 8,
            Way::Low | Way::Apart | Way::Free | Way::ByRegister | Way::MoveLow => false,
        };
        if !high && shift + 8 == size {
            return self.shift_of(width, word, shift);
        }
        let src = self.shifted(width, word, if high { shift - 8 } else { shift });
        if matches!(way, Way::MoveLow | Way::MoveHigh) && !self.mode.is_64() {
            return self.move_byte(src, high);
        }
        let dst = self.fresh();
        self.push(match high {
            true => Inst::HighByte { dst, src },
            false => Inst::LowByte { dst, src, apart: way.is_apart(), free: way == Way::Free },
        });
        dst
    }

    /// A byte into a register that was cleared; the byte before it there is no longer wanted.
    fn move_byte(&mut self, src: Reg, high: bool) -> Reg {
        let a = self.cleared[usize::from(high)].unwrap_or_else(|| {
            let dst = self.fresh();
            self.push(Inst::Zero { dst });
            dst
        });
        let dst = self.fresh();
        self.push(Inst::MoveByte { dst, a, src, high });
        self.cleared[usize::from(high)] = Some(dst);
        dst
    }
}
