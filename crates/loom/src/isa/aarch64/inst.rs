//! The instructions of AArch64 that kernels are made of, on virtual or physical registers.

use super::operand::{Mem, Shift, Width};
use crate::isa::{Features, Reg, Slot};

/// Logic on two registers, for words and for vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// `and`.
    And,
    /// `bic`: the first and not the second.
    AndNot,
    /// `orr`.
    Or,
    /// `orn`: the first or not the second.
    OrNot,
    /// `eor`.
    Xor,
}

/// Logic on three vectors, of FEAT_SHA3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Three {
    /// `eor3`: the exclusive or of all.
    Xor,
    /// `bcax`: the first, exclusive or the second and not the third.
    XorAndNot,
}

/// Which of its sources a choice between two writes its result over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Over {
    /// `bsl`: the mask.
    Mask,
    /// `bif`: what is chosen where the mask has ones.
    Then,
    /// `bit`: what is chosen elsewhere.
    Otherwise,
}

/// What is done to the bytes of two vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bytes {
    /// `zip1 .16b`: bytes of the lower halves in turns.
    Interleave,
    /// `zip1 .4s`: the same with words of 4 bytes.
    InterleaveWords,
    /// `zip1 .2d`: the lower halves.
    LowHalves,
    /// `uzp1 .4s`: the even words of 4 bytes.
    Evens,
    /// `ext #8`: the upper half of the first, the lower half of the second.
    Middle,
    /// `add .16b`.
    Sum,
    /// `cmeq .16b`.
    Equal,
    /// `ushl .16b`: each byte of the first by the second's as a signed number.
    Move,
    /// `addp .16b`: sums of neighbours.
    Pairs,
}

/// An instruction. Where the processor writes its result over a source, both are named here, and
/// allocation gives them one register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are those of the form in each variant's line")]
pub enum Inst {
    /// `dst = a op b`, with `b` shifted.
    Logic { op: Logic, width: Width, dst: Reg, a: Reg, b: Reg, shift: Shift },
    /// The same with a constant that has a form: `and`, `orr`, `eor` only.
    LogicImm { op: Logic, width: Width, dst: Reg, a: Reg, imm: u64 },
    /// `dst = a + b`, with `b` shifted, but not rotated.
    Sum { width: Width, dst: Reg, a: Reg, b: Reg, shift: Shift },
    /// `dst = a + imm`, of 12 bits beside a sign, or of 12 bits above 12 zeros.
    SumImm { width: Width, dst: Reg, a: Reg, imm: i32 },
    /// `dst = imm` at bit `at`, zeros around: `movz`; `not`: all of it inverted, `movn`.
    Move { not: bool, width: Width, dst: Reg, imm: u16, at: u8 },
    /// `dst = a` with `imm` at bit `at`, over `a`: `movk`.
    Keep { width: Width, dst: Reg, a: Reg, imm: u16, at: u8 },
    /// `dst` = a constant that has a form in logic: `orr` with zero.
    Mask { width: Width, dst: Reg, imm: u64 },
    /// `dst = bits` bits of `a` from bit `shift` on, zeros above: `ubfx`, `lsr`.
    Field { width: Width, dst: Reg, a: Reg, shift: u8, bits: u8 },
    /// `dst` = the low `bits` bits of `a` from bit `shift` on, zeros around: `ubfiz`, `lsl`.
    Place { width: Width, dst: Reg, a: Reg, shift: u8, bits: u8 },
    /// `dst = a` rotated right: `ror`.
    Rotate { width: Width, dst: Reg, a: Reg, by: u8 },
    /// `dst` = the bytes of `a` reversed: `rev`.
    Reverse { width: Width, dst: Reg, a: Reg },
    /// `dst = not a`: `mvn`.
    Not { width: Width, dst: Reg, a: Reg },
    /// `dst = src`; a copy of 32 bits clears the upper half. Of vectors: all.
    Copy { width: Width, dst: Reg, src: Reg },
    /// `dst` = the page of 4 KB that the tables begin in: `adrp`.
    TablePage { dst: Reg },
    /// `dst = a` and where in their page the tables begin: `add`.
    TableOffset { dst: Reg, a: Reg },
    /// `dst` = 1, 2, 4 or 8 bytes of memory, zeros above.
    Load { bytes: u8, dst: Reg, mem: Mem },
    /// 1, 2, 4 or 8 bytes to memory.
    Store { bytes: u8, mem: Mem, src: Reg },
    /// `dst = then` if `a = b`, else `otherwise`: `cmp`, `csel`.
    SelectEq { compared: Width, dst: Reg, otherwise: Reg, a: Reg, b: Reg, then: Reg },
    /// The same over `otherwise`, by a branch out of line.
    BranchEq { compared: Width, dst: Reg, otherwise: Reg, a: Reg, b: Reg, then: Reg },
    /// The same with 1, 2, 4 or 8 bytes of memory in place of `then`, which are loaded out of line.
    BranchLoad { compared: Width, dst: Reg, otherwise: Reg, a: Reg, b: Reg, bytes: u8, mem: Mem },
    /// A register to a spill slot.
    Spill { slot: Slot, src: Reg },
    /// A spill slot to a register.
    Reload { dst: Reg, slot: Slot },
    /// `dst = a op b` on vectors.
    Bitwise { op: Logic, dst: Reg, a: Reg, b: Reg },
    /// `dst = not a` on vectors.
    NotVector { dst: Reg, a: Reg },
    /// `dst = a op b op c` on vectors.
    Three { op: Three, dst: Reg, a: Reg, b: Reg, c: Reg },
    /// `dst = a xor b`, each 64 bits rotated right by 1 to 63: `xar`, of FEAT_SHA3.
    RotateXor { dst: Reg, a: Reg, b: Reg, by: u8 },
    /// `dst` = bits of `then` where `mask` has ones, of `otherwise` elsewhere, over one of them.
    Select { over: Over, dst: Reg, mask: Reg, then: Reg, otherwise: Reg },
    /// Each 64 bits shifted: `shl`, `ushr`.
    ShiftParts { left: bool, dst: Reg, a: Reg, by: u8 },
    /// `dst` = every second part of `a`, of so many bytes, and those of `b` beside them, from the first on:
    /// `trn1`; or from the second on: `trn2`.
    Transpose { second: bool, bytes: u8, dst: Reg, a: Reg, b: Reg },
    /// `dst` = each byte of `b` shifted, with the bits of `a` where none of it are, over `a`: `sli`, `sri`.
    ShiftInto { left: bool, dst: Reg, a: Reg, b: Reg, by: u8 },
    /// `dst = op(a, b)` byte by byte.
    Bytes { op: Bytes, dst: Reg, a: Reg, b: Reg },
    /// `dst` = bytes of one to four vectors by their numbers in `index`, zeros where there is none: `tbl`. The
    /// vectors are in registers that follow each other, from `first` on.
    LookUp { dst: Reg, index: Reg, tables: Vec<Reg>, first: u8 },
    /// `dst` = 4, 8 or 16 bytes of memory, zeros above.
    LoadVector { bytes: u8, dst: Reg, mem: Mem },
    /// The lowest 8 bytes, or all 16, to memory.
    StoreVector { bytes: u8, mem: Mem, src: Reg },
    /// `dst` = 4 or 8 bytes at `base`, over and over: `ld1r`.
    Repeat { bytes: u8, dst: Reg, base: Reg },
    /// `dst` = the lowest 4 or 8 bytes of a word, over and over: `dup`.
    Splat { bytes: u8, dst: Reg, src: Reg },
    /// `dst` = a constant in each 64 bits that has a form: `movi`.
    Fill { dst: Reg, imm: u64 },
    /// `dst` = a word, zeros above: `fmov`.
    ToVector { width: Width, dst: Reg, src: Reg },
    /// `dst` = the lowest bits of a vector: `fmov`.
    FromVector { width: Width, dst: Reg, src: Reg },
}

/// AArch64 with certain features.
#[derive(Clone, Copy, Debug)]
pub struct AArch64 {
    /// What it has beyond the baseline, which has vectors.
    pub features: Features,
}

impl AArch64 {
    /// Whose operands are asked for, whatever the features.
    pub(super) const ANY: Self = Self { features: Features::NONE };
}
