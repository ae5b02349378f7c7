//! Instructions on general registers as the processor's own.

use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

use super::{Writer, line, named};
use crate::isa::program::{LabelKind, Line};
use crate::isa::x86::inst::{Alu, Inst, Shift};
use crate::isa::x86::mode::TABLES;
use crate::isa::x86::operand::{Mem, Source, Width};
use crate::isa::x86::{Mode, VECTOR_0, VECTORS};
use crate::isa::{Reg, Slot};

/// An instruction, if the processor has such a form.
type Made = Result<Instruction, IcedError>;

impl Writer<'_> {
    pub(super) fn inst(&mut self, inst: &Inst) {
        match *inst {
            Inst::Alu { op, width, dst, b, .. } => self.alu(op, width, dst, &b),
            Inst::Shift { op, width, dst, by, .. } => {
                let code = match (op, width) {
                    (Shift::Left, Width::Qword) => Code::Shl_rm64_imm8,
                    (Shift::Left, _) => Code::Shl_rm32_imm8,
                    (Shift::Right, Width::Qword) => Code::Shr_rm64_imm8,
                    (Shift::Right, _) => Code::Shr_rm32_imm8,
                    (Shift::Rotate, Width::Word) => Code::Rol_rm16_imm8,
                    (Shift::Rotate, Width::Qword) => Code::Rol_rm64_imm8,
                    (Shift::Rotate, _) => Code::Rol_rm32_imm8,
                };
                self.push(Instruction::with2(code, named(dst, width), u32::from(by)));
            }
            Inst::Not { width, dst, .. } => {
                let code = if width == Width::Qword { Code::Not_rm64 } else { Code::Not_rm32 };
                self.push(Instruction::with1(code, named(dst, width)));
            }
            Inst::Bswap { width, dst, .. } => {
                let code = if width == Width::Qword { Code::Bswap_r64 } else { Code::Bswap_r32 };
                self.push(Instruction::with1(code, named(dst, width)));
            }
            Inst::Shrx { dst, a, by } => {
                let [dst, a, by] = [dst, a, by].map(|reg| named(reg, Width::Qword));
                self.push(Instruction::with3(Code::VEX_Shrx_r64_rm64_r64, dst, a, by));
            }
            Inst::AndNot { dst, a, b } => {
                let [dst, a, b] = [dst, a, b].map(|reg| named(reg, Width::Dword));
                self.push(Instruction::with3(Code::VEX_Andn_r32_r32_rm32, dst, a, b));
            }
            Inst::Rorx { width, dst, a, by } => {
                let code = match width {
                    Width::Qword => Code::VEX_Rorx_r64_rm64_imm8,
                    _ => Code::VEX_Rorx_r32_rm32_imm8,
                };
                let (dst, a) = (named(dst, width), named(a, width));
                self.push(Instruction::with3(code, dst, a, u32::from(by)));
            }
            Inst::Bits { apart, dst, a, ref mask } => {
                let code = match apart {
                    true => Code::VEX_Pdep_r64_r64_rm64,
                    false => Code::VEX_Pext_r64_r64_rm64,
                };
                let (dst, a) = (named(dst, Width::Qword), named(a, Width::Qword));
                self.push(match mask {
                    Source::Reg(mask) => {
                        Instruction::with3(code, dst, a, named(*mask, Width::Qword))
                    }
                    Source::Mem(mem) => Instruction::with3(code, dst, a, self.mode.memory(mem)),
                    Source::Imm(_) => panic!("a mask is a register or in memory"),
                });
            }
            Inst::Imm { dst, value } => self.push(match (u32::try_from(value), value as i64) {
                (Ok(value), _) => {
                    Instruction::with2(Code::Mov_r32_imm32, named(dst, Width::Dword), value)
                }
                (_, signed) if i32::try_from(signed).is_ok() => Instruction::with2(
                    Code::Mov_rm64_imm32,
                    named(dst, Width::Qword),
                    signed as i32,
                ),
                _ => Instruction::with2(Code::Mov_r64_imm64, named(dst, Width::Qword), value),
            }),
            Inst::Copy { dst: Reg::Physical(to), src: Reg::Physical(from), .. }
                if to >= VECTOR_0 =>
            {
                self.copy_vector(to, from);
            }
            Inst::Spill { slot: slot @ Slot { class: VECTORS, .. }, src } => {
                self.spill_vector(slot, src);
            }
            Inst::Reload { dst, slot: slot @ Slot { class: VECTORS, .. } } => {
                self.reload_vector(dst, slot);
            }
            // Allocation gave both the same register.
            Inst::Copy { width, dst, src } if dst == src && width == self.mode.width() => {}
            Inst::Copy { width, dst, src } => {
                let code = match width {
                    Width::Qword => Code::Mov_r64_rm64,
                    _ => Code::Mov_r32_rm32,
                };
                self.push(Instruction::with2(code, named(dst, width), named(src, width)));
            }
            Inst::Load { bytes, dst, ref mem } => {
                let load = self.load(bytes, dst, mem);
                self.push(load);
            }
            Inst::Store { bytes, ref mem, src } => {
                let (code, register) = match bytes {
                    1 => (Code::Mov_rm8_r8, named(src, Width::Byte)),
                    2 => (Code::Mov_rm16_r16, Register::AX + u32::from(src.number())),
                    4 => (Code::Mov_rm32_r32, named(src, Width::Dword)),
                    _ => (Code::Mov_rm64_r64, named(src, Width::Qword)),
                };
                self.push(Instruction::with2(code, self.mode.memory(mem), register));
            }
            Inst::Zero { dst } => {
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with2(Code::Xor_r32_rm32, dst, dst));
            }
            Inst::MoveByte { dst, src, high, .. } => {
                let src = match high {
                    true => Register::AH + u32::from(src.number()),
                    false => named(src, Width::Byte),
                };
                let dst = named(dst, Width::Byte);
                self.push(Instruction::with2(Code::Mov_r8_rm8, dst, src));
            }
            Inst::LowByte { dst, src, .. } => {
                let (dst, src) = (named(dst, Width::Dword), named(src, Width::Byte));
                self.push(Instruction::with2(Code::Movzx_r32_rm8, dst, src));
            }
            Inst::HighByte { dst, src } => {
                let src = Register::AH + u32::from(src.number());
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with2(Code::Movzx_r32_rm8, dst, src));
            }
            Inst::LowWord { dst, src } => {
                let src = Register::AX + u32::from(src.number());
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with2(Code::Movzx_r32_rm16, dst, src));
            }
            Inst::Lea { dst, ref mem } => {
                let lea = self.mode.code(Code::Lea_r32_m, Code::Lea_r64_m);
                let dst = named(dst, self.mode.width());
                self.push(Instruction::with2(lea, dst, self.mode.memory(mem)));
            }
            Inst::Tables { dst } if self.abi.position_independent => {
                // A shadow stack takes no part in it: a call of distance 0 pushes nothing there (Intel's
                // manual, volume 2, the operation of CALL).
                let here = self.label(LabelKind::Here);
                self.push(Instruction::with_branch(Code::Call_rel32_32, here as u64));
                self.lines.push(Line::Label(here));
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with1(Code::Pop_r32, dst));
                let place = MemoryOperand::with_base_displ_size(dst, TABLES as i64, 4);
                self.push(Instruction::with2(Code::Lea_r32_m, dst, place));
            }
            Inst::Tables { dst } if !self.mode.is_64() => {
                let dst = named(dst, Width::Dword);
                self.push(Instruction::with2(Code::Mov_r32_imm32, dst, TABLES as u32));
            }
            Inst::Argument { number, dst } => {
                let place = self.argument(usize::from(number), 0);
                let load = match self.mode {
                    Mode::Real => Code::Movzx_r32_rm16,
                    _ => self.mode.code(Code::Mov_r32_rm32, Code::Mov_r64_rm64),
                };
                self.push(Instruction::with2(load, named(dst, self.mode.width()), place));
            }
            Inst::Tables { dst } => {
                let place = MemoryOperand::with_base_displ(Register::RIP, TABLES as i64);
                self.push(Instruction::with2(Code::Lea_r64_m, named(dst, Width::Qword), place));
            }
            Inst::SelectEq { width, dst, a, b, then, branch, .. } => {
                let (copy, select) = match width {
                    Width::Qword => (Code::Mov_r64_rm64, Code::Cmove_r64_rm64),
                    _ => (Code::Mov_r32_rm32, Code::Cmove_r32_rm32),
                };
                let (dst, then) = (named(dst, width), named(then, width));
                if branch {
                    self.rarely(width, a, b, Instruction::with2(copy, dst, then));
                } else {
                    self.compare(width, a, b);
                    self.push(Instruction::with2(select, dst, then));
                }
            }
            Inst::BranchLoad { width, dst, a, b, bytes, ref mem, .. } => {
                let load = self.load(bytes, dst, mem);
                self.rarely(width, a, b, load);
            }
            Inst::Spill { slot, src } => {
                let store = self.mode.code(Code::Mov_rm32_r32, Code::Mov_rm64_r64);
                let slot = self.slot(slot);
                self.push(Instruction::with2(store, slot, named(src, self.mode.width())));
            }
            Inst::Reload { dst, slot } => {
                let load = self.mode.code(Code::Mov_r32_rm32, Code::Mov_r64_rm64);
                let slot = self.slot(slot);
                self.push(Instruction::with2(load, named(dst, self.mode.width()), slot));
            }
            ref vector => self.vector(vector),
        }
    }

    /// So many bytes from memory, zeros above.
    fn load(&self, bytes: u8, dst: Reg, mem: &Mem) -> Made {
        let (code, width) = match bytes {
            1 => (Code::Movzx_r32_rm8, Width::Dword),
            2 => (Code::Movzx_r32_rm16, Width::Dword),
            4 => (Code::Mov_r32_rm32, Width::Dword),
            _ => (Code::Mov_r64_rm64, Width::Qword),
        };
        Instruction::with2(code, named(dst, width), self.mode.memory(mem))
    }

    fn compare(&mut self, width: Width, a: Reg, b: Reg) {
        let code = if width == Width::Qword { Code::Cmp_r64_rm64 } else { Code::Cmp_r32_rm32 };
        self.push(Instruction::with2(code, named(a, width), named(b, width)));
    }

    /// An instruction out of line, for where two words are equal.
    fn rarely(&mut self, width: Width, a: Reg, b: Reg, inst: Made) {
        self.compare(width, a, b);
        let (there, back) = (self.label(LabelKind::Rare), self.label(LabelKind::Back));
        self.branch(Code::Je_rel32_32, Code::Je_rel32_64, there);
        self.lines.push(Line::Label(back));
        let jump = self.mode.code(Code::Jmp_rel32_32, Code::Jmp_rel32_64);
        self.cold.push(Line::Label(there));
        let inst = [inst, Instruction::with_branch(jump, back as u64)];
        self.cold.extend(inst.map(|inst| line(self.mode, inst)));
    }

    fn alu(&mut self, op: Alu, width: Width, dst: Reg, b: &Source) {
        let to = named(dst, width);
        let (register, imm8, imm32) = match (op, width) {
            (Alu::Xor, Width::Qword) => {
                (Code::Xor_r64_rm64, Code::Xor_rm64_imm8, Code::Xor_rm64_imm32)
            }
            (_, Width::Word) => panic!("arithmetic of 16 bits is wanted by nobody"),
            (Alu::Xor, _) => (Code::Xor_r32_rm32, Code::Xor_rm32_imm8, Code::Xor_rm32_imm32),
            (Alu::And, Width::Qword) => {
                (Code::And_r64_rm64, Code::And_rm64_imm8, Code::And_rm64_imm32)
            }
            (Alu::And, _) => (Code::And_r32_rm32, Code::And_rm32_imm8, Code::And_rm32_imm32),
            (Alu::Or, Width::Qword) => (Code::Or_r64_rm64, Code::Or_rm64_imm8, Code::Or_rm64_imm32),
            (Alu::Or, _) => (Code::Or_r32_rm32, Code::Or_rm32_imm8, Code::Or_rm32_imm32),
            (Alu::Add, Width::Qword) => {
                (Code::Add_r64_rm64, Code::Add_rm64_imm8, Code::Add_rm64_imm32)
            }
            (Alu::Add, Width::Byte) => (Code::Add_r8_rm8, Code::Add_rm8_imm8, Code::Add_rm8_imm8),
            (Alu::Add, Width::Dword) => {
                (Code::Add_r32_rm32, Code::Add_rm32_imm8, Code::Add_rm32_imm32)
            }
        };
        self.push(match b {
            Source::Reg(b) => Instruction::with2(register, to, named(*b, width)),
            Source::Mem(mem) => Instruction::with2(register, to, self.mode.memory(mem)),
            Source::Imm(imm) if i8::try_from(*imm).is_ok() => Instruction::with2(imm8, to, *imm),
            Source::Imm(imm) => Instruction::with2(imm32, to, *imm),
        });
    }
}
