//! The instructions of x86 that kernels are made of, on virtual or physical registers.

use super::operand::{Mem, Source, VectorSource, Width};
use super::vector::{Bitwise, Shape};
use crate::ir::Bytes;
use crate::isa::{Reg, Slot};

/// Two-operand arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alu {
    /// `xor`.
    Xor,
    /// `and`.
    And,
    /// `or`.
    Or,
    /// `add`.
    Add,
}

/// Shifts and rotations by constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shift {
    /// `shl`.
    Left,
    /// `shr`.
    Right,
    /// `rol`.
    Rotate,
}

/// An instruction. Where the processor writes its result over its first source, both are named
/// here, and allocation gives them one register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are those of the form in each variant's line")]
pub enum Inst {
    /// `dst = a op b`, over `a`.
    Alu { op: Alu, width: Width, dst: Reg, a: Reg, b: Source },
    /// `dst = a shifted by`, over `a`.
    Shift { op: Shift, width: Width, dst: Reg, a: Reg, by: u8 },
    /// `dst = not a`, over `a`.
    Not { width: Width, dst: Reg, a: Reg },
    /// `dst` = the bytes of `a` reversed, over `a`.
    Bswap { width: Width, dst: Reg, a: Reg },
    /// `dst = a` rotated right, no flags (BMI2).
    Rorx { width: Width, dst: Reg, a: Reg, by: u8 },
    /// `dst = a` shifted right by the number in `by`, no flags (BMI2).
    Shrx { dst: Reg, a: Reg, by: Reg },
    /// `dst = b and not a`, of 32 bits (BMI1).
    AndNot { dst: Reg, a: Reg, b: Reg },
    /// `dst` = the bits of `a` that the mask selects, together (`pext`) or, from its low end,
    /// apart (`pdep`) (BMI2).
    Bits { apart: bool, dst: Reg, a: Reg, mask: Source },
    /// `dst` = a constant, by the shortest form.
    Imm { dst: Reg, value: u64 },
    /// `dst = src`; a copy of 32 bits clears the upper half.
    Copy { width: Width, dst: Reg, src: Reg },
    /// `dst` = 1, 2, 4 or 8 bytes of memory, zeros above.
    Load { bytes: u8, dst: Reg, mem: Mem },
    /// 1, 2, 4 or 8 bytes to memory.
    Store { bytes: u8, mem: Mem, src: Reg },
    /// `dst` = 0, by an XOR with itself.
    Zero { dst: Reg },
    /// `dst = a` with the lowest or second byte of `src` as its lowest byte, over `a`.
    MoveByte { dst: Reg, a: Reg, src: Reg, high: bool },
    /// `dst` = the lowest byte of `src`, `apart`: in another register, `free`: from where renaming takes it.
    LowByte { dst: Reg, src: Reg, apart: bool, free: bool },
    /// `dst` = the second byte of `src`.
    HighByte { dst: Reg, src: Reg },
    /// `dst` = the lowest two bytes of `src`.
    LowWord { dst: Reg, src: Reg },
    /// `dst` = an address.
    Lea { dst: Reg, mem: Mem },
    /// `dst` = the address of the kernel's tables.
    Tables { dst: Reg },
    /// `dst` = the argument of this number, from the stack.
    Argument { number: u8, dst: Reg },
    /// `dst = then` if `a = b`, else `otherwise`, over `otherwise`: by a branch to code out of
    /// line, or by a conditional move.
    SelectEq { width: Width, dst: Reg, otherwise: Reg, a: Reg, b: Reg, then: Reg, branch: bool },
    /// `dst` = so many bytes from memory, zeros above, if `a = b`, else `otherwise`, over `otherwise`: by a branch to
    /// code out of line.
    BranchLoad { width: Width, dst: Reg, otherwise: Reg, a: Reg, b: Reg, bytes: u8, mem: Mem },
    /// A register to a spill slot.
    Spill { slot: Slot, src: Reg },
    /// A spill slot to a register.
    Reload { dst: Reg, slot: Slot },
    /// `dst = a op b` on vectors; with SSE2 over `a`.
    Bitwise { op: Bitwise, shape: Shape, dst: Reg, a: Reg, b: VectorSource },
    /// `dst` = bit `4 a + 2 b + c` of a table, for each bit, over `a` (AVX-512).
    Ternary { table: u8, shape: Shape, dst: Reg, a: Reg, b: Reg, c: VectorSource },
    /// `dst` = each 64 bits of `a` shifted; with SSE2 over `a`.
    ShiftParts { left: bool, shape: Shape, dst: Reg, a: Reg, by: u8 },
    /// `dst` = a vector from memory, at any address.
    LoadVector { shape: Shape, dst: Reg, mem: Mem },
    /// A vector to memory, at any address.
    StoreVector { shape: Shape, mem: Mem, src: Reg },
    /// `dst` = 4 or 8 bytes of memory, over and over (AVX2, AVX-512).
    Repeat { bytes: u8, shape: Shape, dst: Reg, mem: Mem },
    /// `dst` = a general register in each `bytes` bytes, 4 or 8; 32 bits in 8 bytes with zeros above.
    Splat { bytes: u8, shape: Shape, dst: Reg, src: Reg },
    /// `dst` = all bits set.
    Ones { shape: Shape, dst: Reg },
    /// `dst` = a general register as the lowest bits of a vector, zeros above.
    ToVector { width: Width, shape: Shape, dst: Reg, src: Reg },
    /// `dst` = the lowest bits of a vector.
    FromVector { width: Width, shape: Shape, dst: Reg, src: Reg },
    /// `dst` = 4 or 8 bytes of memory as the lowest of a vector, zeros above.
    LoadLow { bytes: u8, shape: Shape, dst: Reg, mem: Mem },
    /// `dst` = the lowest 16 bytes of `a`, byte `at` of them from memory, zeros above (AVX).
    InsertByte { shape: Shape, dst: Reg, a: Reg, mem: Mem, at: u8 },
    /// `dst` = what [`Bytes`] says of `a` and `b`; with SSE2 over `a`.
    Bytes { op: Bytes, shape: Shape, dst: Reg, a: Reg, b: VectorSource },
    /// `dst` = bytes of `low` and `high` by the numbers in `index`, over `index` (AVX-512 VBMI).
    PickTwo { shape: Shape, dst: Reg, index: Reg, low: Reg, high: VectorSource },
    /// `dst` = the bytes of `then` where those of `a` and `b` are equal, else those of `otherwise`: a
    /// comparison into `k1`, which lives no longer, and a choice by it (AVX-512).
    SelectBytes { shape: Shape, dst: Reg, a: Reg, b: Reg, then: Reg, otherwise: Reg },
    /// The lowest 8 bytes of a vector to memory.
    StoreLow { shape: Shape, mem: Mem, src: Reg },
}

impl Inst {
    /// The shape of the vectors that it is about.
    #[must_use]
    pub fn shape(&self) -> Option<Shape> {
        match self {
            Self::Bitwise { shape, .. }
            | Self::Ternary { shape, .. }
            | Self::ShiftParts { shape, .. }
            | Self::LoadVector { shape, .. }
            | Self::StoreVector { shape, .. }
            | Self::Repeat { shape, .. }
            | Self::Splat { shape, .. }
            | Self::Ones { shape, .. }
            | Self::ToVector { shape, .. }
            | Self::FromVector { shape, .. }
            | Self::LoadLow { shape, .. }
            | Self::InsertByte { shape, .. }
            | Self::Bytes { shape, .. }
            | Self::PickTwo { shape, .. }
            | Self::SelectBytes { shape, .. }
            | Self::StoreLow { shape, .. } => Some(*shape),
            _ => None,
        }
    }
}
