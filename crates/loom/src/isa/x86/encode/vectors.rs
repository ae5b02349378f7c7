//! Instructions for vectors as the processor's own.

use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

use super::Writer;
use super::codes::{
    AND, AND_NOT, COPY, LOAD, OR, REPEAT_4, REPEAT_8, SHIFT_LEFT, SHIFT_RIGHT, STORE, TERNARY, XOR,
};
use crate::isa::program::Line;
use crate::isa::x86::inst::Inst;
use crate::isa::x86::operand::{Mem, VectorSource};
use crate::isa::x86::vector::{Bitwise, Set, Shape};
use crate::isa::x86::{VECTOR_0, VECTORS};
use crate::isa::{Reg, Slot};

type Encoded = Result<Instruction, IcedError>;

/// A register for vectors by its number and the width.
pub(super) fn vector(register: u8, bits: u16) -> Register {
    let first = match bits {
        128 => Register::XMM0,
        256 => Register::YMM0,
        _ => Register::ZMM0,
    };
    first + u32::from(register - VECTOR_0)
}

pub(super) fn named(reg: Reg, shape: Shape) -> Register {
    vector(reg.number(), shape.bits)
}

impl Writer<'_> {
    /// Writes an instruction for vectors.
    ///
    /// # Panics
    /// If it is another one.
    pub(super) fn vector(&mut self, inst: &Inst) {
        match *inst {
            Inst::Bitwise { op, shape, dst, a, ref b } => self.bitwise(op, shape, [dst, a], b),
            Inst::Ternary { table, shape, dst, b, ref c, .. } => {
                let (dst, b) = (named(dst, shape), named(b, shape));
                let codes = &TERNARY[usize::from(matches!(c, VectorSource::Repeat(_, 8)))];
                let code = codes[usize::from(shape.bits.ilog2() as u16 - 7)];
                let table = u32::from(table);
                self.push(match c {
                    VectorSource::Reg(c) => {
                        Instruction::with4(code, dst, b, named(*c, shape), table)
                    }
                    VectorSource::Mem(mem) => {
                        Instruction::with4(code, dst, b, self.place(mem), table)
                    }
                    VectorSource::Repeat(mem, _) => {
                        Instruction::with4(code, dst, b, repeated(self.place(mem)), table)
                    }
                });
            }
            Inst::ShiftParts { left, shape, dst, a, by } => {
                let (dst, a, by) = (named(dst, shape), named(a, shape), u32::from(by));
                let code = if left { SHIFT_LEFT } else { SHIFT_RIGHT }.of(shape, &[dst, a], false);
                self.push(match shape.set {
                    Set::Sse2 => Instruction::with2(code, dst, by),
                    _ => Instruction::with3(code, dst, a, by),
                });
            }
            Inst::LoadVector { shape, dst, ref mem } => {
                let dst = named(dst, shape);
                self.push(Instruction::with2(LOAD.of(shape, &[dst], false), dst, self.place(mem)));
            }
            Inst::StoreVector { shape, ref mem, src } => {
                let src = named(src, shape);
                self.push(Instruction::with2(STORE.of(shape, &[src], false), self.place(mem), src));
            }
            Inst::Repeat { bytes, shape, dst, ref mem } => {
                let dst = named(dst, shape);
                let codes = if bytes == 4 { REPEAT_4 } else { REPEAT_8 };
                self.push(Instruction::with2(codes.of(shape, &[dst], false), dst, self.place(mem)));
            }
            Inst::Splat { bytes, shape, dst, src } => {
                self.splat(bytes, shape, dst.number(), src.number());
            }
            Inst::Ones { shape, dst } => {
                let dst = named(dst, shape);
                self.push(match (shape.set, shape.bits) {
                    (Set::Sse2, _) => Instruction::with2(Code::Pcmpeqd_xmm_xmmm128, dst, dst),
                    (Set::Avx2, _) => {
                        Instruction::with3(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, dst, dst, dst)
                    }
                    (_, bits) => {
                        let code = TERNARY[0][usize::from(bits.ilog2() as u16 - 7)];
                        Instruction::with4(code, dst, dst, dst, 0xffu32)
                    }
                });
            }
            ref other => assert!(self.is_on_bytes(other), "{other:?} is not for vectors"),
        }
    }

    fn bitwise(&mut self, op: Bitwise, shape: Shape, [dst, a]: [Reg; 2], b: &VectorSource) {
        let (dst, mut a) = (named(dst, shape), named(a, shape));
        let codes = match op {
            Bitwise::Xor => &XOR,
            Bitwise::And => &AND,
            Bitwise::Or => &OR,
            Bitwise::AndNot => &AND_NOT,
        };
        let codes = &codes[usize::from(!matches!(b, VectorSource::Repeat(_, 4)))];
        let repeats = matches!(b, VectorSource::Repeat(..));
        let encoded: Encoded = match b {
            VectorSource::Reg(b) => {
                let mut b = named(*b, shape);
                let code = codes.of(shape, &[dst, a, b], false);
                let is_vex = code == codes.vex;
                // A register from 8 on as the last source makes VEX one byte longer: where the
                // order does not matter, assemblers put it first.
                if is_vex && op != Bitwise::AndNot && b.number() >= 8 && a.number() < 8 {
                    std::mem::swap(&mut a, &mut b);
                }
                match shape.set {
                    Set::Sse2 => Instruction::with2(code, dst, b),
                    _ => Instruction::with3(code, dst, a, b),
                }
            }
            VectorSource::Mem(mem) | VectorSource::Repeat(mem, _) => {
                let code = codes.of(shape, &[dst, a], repeats);
                let place = if repeats { repeated(self.place(mem)) } else { self.place(mem) };
                match shape.set {
                    Set::Sse2 => Instruction::with2(code, dst, place),
                    _ => Instruction::with3(code, dst, a, place),
                }
            }
        };
        self.push(encoded);
    }

    /// A general register in each 4 or 8 bytes of a vector.
    fn splat(&mut self, bytes: u8, shape: Shape, to: u8, from: u8) {
        let (low, dst) = (vector(to, 128), vector(to, shape.bits));
        let from = self.mode.register(from);
        // What comes from 32 bits has zeros above.
        let legacy = self.mode.code(Code::Movd_xmm_rm32, Code::Movq_xmm_rm64);
        let vex = self.mode.code(Code::VEX_Vmovd_xmm_rm32, Code::VEX_Vmovq_xmm_rm64);
        match (shape.set, shape.bits) {
            (Set::Sse2, _) => {
                self.push(Instruction::with2(legacy, low, from));
                self.push(match bytes {
                    4 => Instruction::with3(Code::Pshufd_xmm_xmmm128_imm8, low, low, 0),
                    _ => Instruction::with2(Code::Punpcklqdq_xmm_xmmm128, low, low),
                });
            }
            (Set::Avx2, _) => {
                self.push(Instruction::with2(vex, low, from));
                let codes = if bytes == 4 { REPEAT_4 } else { REPEAT_8 };
                self.push(Instruction::with2(codes.vex, dst, low));
            }
            (_, bits) => {
                let code = match bits {
                    128 => Code::EVEX_Vpbroadcastq_xmm_k1z_r64,
                    256 => Code::EVEX_Vpbroadcastq_ymm_k1z_r64,
                    _ => Code::EVEX_Vpbroadcastq_zmm_k1z_r64,
                };
                self.push(Instruction::with2(code, dst, from));
            }
        }
    }

    /// A place in memory.
    pub(super) fn place(&self, mem: &Mem) -> MemoryOperand {
        short(self.mode.memory(mem))
    }

    fn vectors(&self) -> Shape {
        self.shape.expect("a kernel with vectors has a shape")
    }

    /// A copy of all of a register; none if allocation gave both the same one.
    pub(super) fn copy_vector(&mut self, to: u8, from: u8) {
        if to == from {
            return;
        }
        let shape = self.vectors();
        let (to, from) = (vector(to, shape.bits), vector(from, shape.bits));
        let code = COPY.of(shape, &[to, from], false);
        // Assemblers have two ways to write this one, of which some take the shorter and some do
        // not; there is another instruction for it that has one.
        let two_ways = code == COPY.vex && from.number() >= 8 && to.number() < 8;
        self.push(match (two_ways, shape.set) {
            (false, _) => Instruction::with2(code, to, from),
            (true, Set::Avx2) => Instruction::with3(OR[0].vex, to, from, from),
            (true, _) => Instruction::with2(COPY.evex[1], to, from),
        });
    }

    pub(super) fn spill_vector(&mut self, slot: Slot, src: Reg) {
        let shape = self.vectors();
        let (slot, src) = (short(self.slot(slot)), named(src, shape));
        self.push(Instruction::with2(STORE.of(shape, &[src], false), slot, src));
    }

    pub(super) fn reload_vector(&mut self, dst: Reg, slot: Slot) {
        let shape = self.vectors();
        let (slot, dst) = (short(self.slot(slot)), named(dst, shape));
        self.push(Instruction::with2(LOAD.of(shape, &[dst], false), dst, slot));
    }

    /// Spilled vectors were secrets.
    pub(super) fn wipe_vectors(&mut self, slots: u32) {
        let Some(shape) = self.shape.filter(|_| slots > 0) else { return };
        let zero = vector(VECTOR_0, shape.bits);
        let code = XOR[1].of(shape, &[zero], false);
        self.push(match shape.set {
            Set::Sse2 => Instruction::with2(code, zero, zero),
            _ => Instruction::with3(code, zero, zero, zero),
        });
        for number in 0..slots {
            let slot = short(self.slot(Slot { class: VECTORS, number }));
            self.push(Instruction::with2(STORE.of(shape, &[zero], false), slot, zero));
        }
    }

    /// Upper halves in use would make SSE2 code after this one slow.
    pub(super) fn leave_vectors(&mut self) {
        if self.shape.is_some_and(|shape| shape.set != Set::Sse2) {
            self.lines.push(Line::Comment("no upper halves are left in use".to_owned()));
            self.push(Ok(Instruction::with(Code::VEX_Vzeroupper)));
        }
    }
}

/// The same with its displacement in one byte, if that is enough: EVEX counts it in units of what
/// is read or written.
fn short(place: MemoryOperand) -> MemoryOperand {
    if place.base == Register::None {
        return place;
    }
    MemoryOperand { displ_size: place.displ_size.min(1), ..place }
}

/// The place of a word that is repeated.
fn repeated(place: MemoryOperand) -> MemoryOperand {
    MemoryOperand { is_broadcast: true, ..place }
}
