//! The instructions of PA-RISC 2.0 that kernels are made of, on virtual or physical registers.
//!
//! Places of bits count from the lowest one, as in the IR; assembly counts from the highest.

use crate::isa::{Reg, Slot};

/// Arithmetic on two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alu {
    /// `and`.
    And,
    /// `andcm`: the first and not the second.
    AndNot,
    /// `or`.
    Or,
    /// `xor`.
    Xor,
    /// `add,l`.
    Add,
}

/// An instruction, on all 64 bits of its registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are those of the form in each variant's line")]
pub enum Inst {
    /// `dst = a op b`.
    Alu { op: Alu, dst: Reg, a: Reg, b: Reg },
    /// `dst = (a << by) + b`, by 1, 2 or 3: `shladd,l`.
    ShiftAdd { dst: Reg, a: Reg, by: u8, b: Reg },
    /// `dst = a + imm`, 14 bits with sign: `ldo`.
    AddImm { dst: Reg, a: Reg, imm: i32 },
    /// `dst = imm`, 14 bits with sign: `ldi`.
    Imm { dst: Reg, imm: i32 },
    /// `dst = imm`, whose low 11 bits are zero, with its sign above: `ldil`.
    ImmHigh { dst: Reg, imm: i32 },
    /// `dst = bits` bits of `a` from bit `shift` on, zeros above: `extrd,u`.
    Extract { dst: Reg, a: Reg, shift: u8, bits: u8 },
    /// `dst` = the low `bits` bits of `a` from bit `shift` on, zeros around: `depd,z`.
    Place { dst: Reg, a: Reg, shift: u8, bits: u8 },
    /// `dst = into` with the low `bits` bits of `a` from bit `shift` on, over `into`: `depd`.
    Insert { dst: Reg, into: Reg, a: Reg, shift: u8, bits: u8 },
    /// `dst` = the low 64 bits of `high` and `low` together, shifted right: `shrpd`.
    Pair { dst: Reg, high: Reg, low: Reg, by: u8 },
    /// `dst = not a`: `uaddcm`.
    Not { dst: Reg, a: Reg },
    /// `dst` = the halfwords of `a` in another order: `permh`.
    Halfwords { dst: Reg, a: Reg, order: u16 },
    /// `dst` = each halfword of `a` shifted: `hshl`, `hshr,u`.
    ShiftHalfwords { left: bool, dst: Reg, a: Reg, by: u8 },
    /// `dst = src`: `copy`.
    Copy { dst: Reg, src: Reg },
    /// `dst` = where this instruction is: `mfia`.
    Here { dst: Reg },
    /// `dst` = the high part of an address `at` bytes behind the tables' label, or of how far that is from
    /// [`Here`](Self::Here): `ldil`.
    TableHigh { dst: Reg, at: u32 },
    /// `dst = a` with the low part of that address: `ldo`.
    TableLow { dst: Reg, a: Reg, at: u32 },
    /// `dst` = 1, 2, 4 or 8 bytes of memory, zeros above: `ldb`, `ldh`, `ldw`, `ldd`.
    Load { bytes: u8, dst: Reg, base: Reg, disp: i32, ordered: Option<u32> },
    /// The same from `base + index`, or with `index` counting by as many bytes: `ldd,s`.
    LoadIndexed { bytes: u8, dst: Reg, base: Reg, index: Reg, scaled: bool, ordered: Option<u32> },
    /// 1, 2, 4 or 8 bytes to memory: `stb`, `sth`, `stw`, `std`.
    Store { bytes: u8, base: Reg, disp: i32, src: Reg, ordered: Option<u32> },
    /// The same to `base`, and `next = base + by`, over `base`: `std,ma`.
    StoreAdvance { bytes: u8, next: Reg, base: Reg, by: i32, src: Reg },
    /// `dst = then` if `a = b`, else `otherwise`, over `otherwise`: `cmpclr` that skips a `copy`.
    SelectEq { dst: Reg, otherwise: Reg, a: Reg, b: Reg, then: Reg },
    /// A register to a spill slot.
    Spill { slot: Slot, src: Reg },
    /// A spill slot to a register.
    Reload { dst: Reg, slot: Slot },
}

impl Inst {
    /// How many instructions of the processor it is.
    #[must_use]
    pub const fn count(&self) -> u64 {
        match self {
            Self::SelectEq { .. } => 2,
            _ => 1,
        }
    }
}

/// PA-RISC 2.0.
#[derive(Clone, Copy, Debug)]
pub struct Hppa;
