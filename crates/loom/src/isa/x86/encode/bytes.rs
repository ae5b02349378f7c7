//! Instructions on the bytes of vectors as the processor's own.

use iced_x86::{Code, Instruction, Register};

use super::codes::is_high;
use super::vectors::{named, vector};
use super::{Writer, named as general};
use crate::ir::Bytes;
use crate::isa::Reg;
use crate::isa::x86::inst::Inst;
use crate::isa::x86::operand::{Mem, VectorSource, Width};
use crate::isa::x86::vector::{Set, Shape};

/// One instruction in its encodings: legacy for 128 bits; VEX for 256; EVEX for 256 and 512 bits.
struct Codes {
    legacy: Code,
    vex: Code,
    evex: [Code; 2],
    /// What chooses among the forms of one instruction.
    immediate: Option<u32>,
}

const fn codes(legacy: Code, vex: Code, evex: [Code; 2], immediate: Option<u32>) -> Codes {
    Codes { legacy, vex, evex, immediate }
}

const NO: Code = Code::INVALID;

const PICK: Codes = codes(
    NO,
    NO,
    [Code::EVEX_Vpermb_ymm_k1z_ymm_ymmm256, Code::EVEX_Vpermb_zmm_k1z_zmm_zmmm512],
    None,
);
const SHUFFLE: Codes = codes(
    Code::Pshufb_xmm_xmmm128,
    Code::VEX_Vpshufb_ymm_ymm_ymmm256,
    [Code::EVEX_Vpshufb_ymm_k1z_ymm_ymmm256, Code::EVEX_Vpshufb_zmm_k1z_zmm_zmmm512],
    None,
);
/// Nothing is XORed to the result.
const MATRIX: Codes = codes(
    Code::Gf2p8affineqb_xmm_xmmm128_imm8,
    Code::VEX_Vgf2p8affineqb_ymm_ymm_ymmm256_imm8,
    [
        Code::EVEX_Vgf2p8affineqb_ymm_k1z_ymm_ymmm256b64_imm8,
        Code::EVEX_Vgf2p8affineqb_zmm_k1z_zmm_zmmm512b64_imm8,
    ],
    Some(0),
);
const DISTANCE: Codes = codes(
    NO,
    Code::VEX_Vpsadbw_ymm_ymm_ymmm256,
    [Code::EVEX_Vpsadbw_ymm_ymm_ymmm256, Code::EVEX_Vpsadbw_zmm_zmm_zmmm512],
    None,
);
const SIGN: Codes = codes(NO, Code::VEX_Vpsignb_ymm_ymm_ymmm256, [NO, NO], None);
/// Words 0 and 2 of each source.
const EVENS: Codes = codes(
    NO,
    Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8,
    [
        Code::EVEX_Vshufps_ymm_k1z_ymm_ymmm256b32_imm8,
        Code::EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8,
    ],
    Some(0b10_00_10_00),
);
/// Half 1 of the first source, then half 0 of the second, which is number 2.
const HALVES: Codes =
    codes(NO, Code::VEX_Vperm2i128_ymm_ymm_ymmm256_imm8, [NO, NO], Some(0b0010_0001));
/// Half 0 of the first source, then half 0 of the second.
const LOW_HALVES: Codes =
    codes(NO, Code::VEX_Vperm2i128_ymm_ymm_ymmm256_imm8, [NO, NO], Some(0b0010_0000));
/// Both sources side by side, the first above, moved down by one word of 64 bits.
const NEXT: Codes = codes(
    NO,
    NO,
    [
        Code::EVEX_Valignq_ymm_k1z_ymm_ymmm256b64_imm8,
        Code::EVEX_Valignq_zmm_k1z_zmm_zmmm512b64_imm8,
    ],
    Some(1),
);
/// The same within each 16 bytes, by bytes.
const NEXT_WITHIN: Codes = codes(
    NO,
    Code::VEX_Vpalignr_ymm_ymm_ymmm256_imm8,
    [Code::EVEX_Vpalignr_ymm_k1z_ymm_ymmm256_imm8, Code::EVEX_Vpalignr_zmm_k1z_zmm_zmmm512_imm8],
    Some(8),
);
const SUM: Codes = codes(
    Code::Paddb_xmm_xmmm128,
    Code::VEX_Vpaddb_ymm_ymm_ymmm256,
    [Code::EVEX_Vpaddb_ymm_k1z_ymm_ymmm256, Code::EVEX_Vpaddb_zmm_k1z_zmm_zmmm512],
    None,
);
/// With AVX-512 the result is a mask.
const EQUAL: Codes =
    codes(Code::Pcmpeqb_xmm_xmmm128, Code::VEX_Vpcmpeqb_ymm_ymm_ymmm256, [NO, NO], None);
const INTERLEAVE: Codes = codes(Code::Punpcklbw_xmm_xmmm128, NO, [NO, NO], None);
const INTERLEAVE_PAIRS: Codes =
    interleave(Code::Punpcklwd_xmm_xmmm128, Code::VEX_Vpunpcklwd_ymm_ymm_ymmm256);
const INTERLEAVE_WORDS: Codes =
    interleave(Code::Punpckldq_xmm_xmmm128, Code::VEX_Vpunpckldq_ymm_ymm_ymmm256);
const INTERLEAVE_PARTS: Codes =
    interleave(Code::Punpcklqdq_xmm_xmmm128, Code::VEX_Vpunpcklqdq_ymm_ymm_ymmm256);
const UPPER_PAIRS: Codes =
    interleave(Code::Punpckhwd_xmm_xmmm128, Code::VEX_Vpunpckhwd_ymm_ymm_ymmm256);
const UPPER_WORDS: Codes =
    interleave(Code::Punpckhdq_xmm_xmmm128, Code::VEX_Vpunpckhdq_ymm_ymm_ymmm256);
const UPPER_PARTS: Codes =
    interleave(Code::Punpckhqdq_xmm_xmmm128, Code::VEX_Vpunpckhqdq_ymm_ymm_ymmm256);

/// What no kernel has in AVX-512.
const fn interleave(legacy: Code, vex: Code) -> Codes {
    codes(legacy, vex, [NO, NO], None)
}

/// What is another processor's.
const NONE: Codes = codes(NO, NO, [NO, NO], None);

fn of(op: Bytes) -> &'static Codes {
    match op {
        Bytes::Pick => &PICK,
        Bytes::Shuffle => &SHUFFLE,
        Bytes::Matrix => &MATRIX,
        Bytes::Distance => &DISTANCE,
        Bytes::Sign => &SIGN,
        Bytes::Evens => &EVENS,
        Bytes::Halves => &HALVES,
        Bytes::LowHalves => &LOW_HALVES,
        Bytes::Next => &NEXT,
        Bytes::NextWithin => &NEXT_WITHIN,
        Bytes::Sum => &SUM,
        Bytes::Equal => &EQUAL,
        Bytes::Interleave => &INTERLEAVE,
        Bytes::InterleavePairs => &INTERLEAVE_PAIRS,
        Bytes::InterleaveWords => &INTERLEAVE_WORDS,
        Bytes::InterleaveParts => &INTERLEAVE_PARTS,
        Bytes::UpperPairs => &UPPER_PAIRS,
        Bytes::UpperWords => &UPPER_WORDS,
        Bytes::UpperParts => &UPPER_PARTS,
        Bytes::Move | Bytes::Pairs => &NONE,
    }
}

/// Whether there is an instruction for vectors of a shape.
pub(in crate::isa::x86) fn exists(op: Bytes, shape: Shape) -> bool {
    let codes = of(op);
    match (shape.set, shape.bits) {
        (Set::Sse2, 128) => codes.legacy != NO,
        (Set::Avx2, 256) => codes.vex != NO && op != Bytes::Matrix,
        (Set::Avx512, 256) => codes.evex[0] != NO,
        (Set::Avx512, 512) => codes.evex[1] != NO,
        _ => false,
    }
}

/// A register by the name of its lowest 16 bytes.
fn lowest(reg: Reg) -> Register {
    vector(reg.number(), 128)
}

impl Writer<'_> {
    pub(super) fn bytes(
        &mut self,
        op: Bytes,
        shape: Shape,
        [dst, a]: [Reg; 2],
        source: &VectorSource,
    ) {
        let codes = of(op);
        let (dst, mut a) = (named(dst, shape), named(a, shape));
        let mut last = match source {
            VectorSource::Reg(b) => Some(named(*b, shape)),
            VectorSource::Mem(_) => None,
            VectorSource::Repeat(..) => panic!("{op:?} repeats no words of memory"),
        };
        let high = [Some(dst), Some(a), last].into_iter().flatten().any(is_high);
        let code = match shape.bits {
            128 => codes.legacy,
            512 => codes.evex[1],
            _ if high || codes.vex == NO => codes.evex[0],
            _ => codes.vex,
        };
        // As with logic: what makes VEX a byte shorter.
        if let Some(b) = last.as_mut().filter(|b| b.number() >= 8 && a.number() < 8)
            && op.is_symmetric()
            && code == codes.vex
        {
            std::mem::swap(&mut a, b);
        }
        if shape.set == Set::Sse2 {
            // Over the first source, which allocation gave the same register.
            self.push(match (last, source, codes.immediate) {
                (Some(b), _, None) => Instruction::with2(code, dst, b),
                (Some(b), _, Some(number)) => Instruction::with3(code, dst, b, number),
                (None, VectorSource::Mem(mem), None) => {
                    Instruction::with2(code, dst, self.place(mem))
                }
                (None, VectorSource::Mem(mem), Some(number)) => {
                    Instruction::with3(code, dst, self.place(mem), number)
                }
                _ => unreachable!("a source is a register or in memory"),
            });
            return;
        }
        self.push(match (last, source, codes.immediate) {
            (Some(b), _, None) => Instruction::with3(code, dst, a, b),
            (Some(b), _, Some(number)) => Instruction::with4(code, dst, a, b, number),
            (None, VectorSource::Mem(mem), None) => {
                Instruction::with3(code, dst, a, self.place(mem))
            }
            (None, VectorSource::Mem(mem), Some(number)) => {
                Instruction::with4(code, dst, a, self.place(mem), number)
            }
            _ => unreachable!("a source is a register or in memory"),
        });
    }

    /// `dst` holds the index already.
    pub(super) fn pick_two(&mut self, shape: Shape, [dst, low]: [Reg; 2], high: &VectorSource) {
        let (dst, low) = (named(dst, shape), named(low, shape));
        let code = match shape.bits {
            512 => Code::EVEX_Vpermi2b_zmm_k1z_zmm_zmmm512,
            _ => Code::EVEX_Vpermi2b_ymm_k1z_ymm_ymmm256,
        };
        self.push(match high {
            VectorSource::Reg(high) => Instruction::with3(code, dst, low, named(*high, shape)),
            VectorSource::Mem(mem) => Instruction::with3(code, dst, low, self.place(mem)),
            VectorSource::Repeat(..) => panic!("bytes are not picked from repeated words"),
        });
    }

    /// A comparison into a mask, and a choice by it.
    fn select_bytes(&mut self, shape: Shape, dst: Reg, [a, b, then, otherwise]: [Reg; 4]) {
        let mask = Register::K1;
        let [dst, a, b] = [dst, a, b].map(|reg| named(reg, shape));
        let [then, otherwise] = [then, otherwise].map(|reg| named(reg, shape));
        let [compare, select] = match shape.bits {
            512 => {
                [Code::EVEX_Vpcmpeqb_kr_k1_zmm_zmmm512, Code::EVEX_Vpblendmb_zmm_k1z_zmm_zmmm512]
            }
            256 => {
                [Code::EVEX_Vpcmpeqb_kr_k1_ymm_ymmm256, Code::EVEX_Vpblendmb_ymm_k1z_ymm_ymmm256]
            }
            _ => [Code::EVEX_Vpcmpeqb_kr_k1_xmm_xmmm128, Code::EVEX_Vpblendmb_xmm_k1z_xmm_xmmm128],
        };
        self.push(Instruction::with3(compare, mask, a, b));
        let mut select = Instruction::with3(select, dst, otherwise, then);
        if let Ok(select) = &mut select {
            select.set_op_mask(mask);
        }
        self.push(select);
    }

    /// The lowest 8 bytes of a register to memory.
    pub(super) fn store_low(&mut self, shape: Shape, mem: &Mem, src: Reg) {
        let src = lowest(src);
        let code = match shape.set {
            Set::Sse2 => Code::Movq_xmmm64_xmm,
            _ => Code::VEX_Vmovq_xmmm64_xmm,
        };
        self.push(Instruction::with2(code, self.place(mem), src));
    }

    /// 4 or 8 bytes of memory to the lowest of a register.
    fn load_low(&mut self, bytes: u8, shape: Shape, dst: Reg, mem: &Mem) {
        let dst = lowest(dst);
        let code = match (bytes, shape.set) {
            (4, Set::Sse2) => Code::Movd_xmm_rm32,
            (4, _) => Code::VEX_Vmovd_xmm_rm32,
            (_, Set::Sse2) => Code::Movq_xmm_xmmm64,
            _ => Code::VEX_Vmovq_xmm_xmmm64,
        };
        self.push(Instruction::with2(code, dst, self.place(mem)));
    }

    /// A byte of memory among the lowest 16 of a register.
    fn insert_byte(&mut self, [dst, a]: [Reg; 2], mem: &Mem, at: u8) {
        let [dst, a] = [dst, a].map(lowest);
        let code = Code::VEX_Vpinsrb_xmm_xmm_r32m8_imm8;
        self.push(Instruction::with4(code, dst, a, self.place(mem), u32::from(at)));
    }

    /// A general register to the lowest bits of one for vectors.
    fn word_in(&mut self, width: Width, shape: Shape, dst: Reg, src: Reg) {
        let code = match (width, shape.set) {
            (Width::Qword, Set::Sse2) => Code::Movq_xmm_rm64,
            (Width::Qword, _) => Code::VEX_Vmovq_xmm_rm64,
            (_, Set::Sse2) => Code::Movd_xmm_rm32,
            _ => Code::VEX_Vmovd_xmm_rm32,
        };
        self.push(Instruction::with2(code, lowest(dst), general(src, width)));
    }

    /// The other way.
    fn word_out(&mut self, width: Width, shape: Shape, dst: Reg, src: Reg) {
        let code = match (width, shape.set) {
            (Width::Qword, Set::Sse2) => Code::Movq_rm64_xmm,
            (Width::Qword, _) => Code::VEX_Vmovq_rm64_xmm,
            (_, Set::Sse2) => Code::Movd_rm32_xmm,
            _ => Code::VEX_Vmovd_rm32_xmm,
        };
        self.push(Instruction::with2(code, general(dst, width), lowest(src)));
    }

    /// Whether it is an instruction on bytes, which is written then.
    pub(super) fn is_on_bytes(&mut self, inst: &Inst) -> bool {
        match *inst {
            Inst::Bytes { op, shape, dst, a, ref b } => self.bytes(op, shape, [dst, a], b),
            Inst::PickTwo { shape, dst, low, ref high, .. } => {
                self.pick_two(shape, [dst, low], high);
            }
            Inst::SelectBytes { shape, dst, a, b, then, otherwise } => {
                self.select_bytes(shape, dst, [a, b, then, otherwise]);
            }
            Inst::StoreLow { shape, ref mem, src } => self.store_low(shape, mem, src),
            Inst::LoadLow { bytes, shape, dst, ref mem } => self.load_low(bytes, shape, dst, mem),
            Inst::InsertByte { dst, a, ref mem, at, .. } => self.insert_byte([dst, a], mem, at),
            Inst::ToVector { width, shape, dst, src } => self.word_in(width, shape, dst, src),
            Inst::FromVector { width, shape, dst, src } => self.word_out(width, shape, dst, src),
            _ => return false,
        }
        true
    }
}
