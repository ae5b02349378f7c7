//! The instructions of PA-RISC 2.0 that kernels are made of, on virtual or physical registers.
//!
//! Places of bits count from the lowest one, as in the IR; assembly counts from the highest.

use super::costs::Kind;
use super::{GENERAL, reg};
use crate::isa::costs::Class;
use crate::isa::{Effect, Isa, Operand, Reg, RegSet, Role, Slot, Span};

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

/// The processor, to the generic steps.
#[derive(Clone, Copy, Debug)]
pub struct Hppa;

fn reads(reg: Reg) -> Operand {
    Operand { reg, role: Role::Use, allowed: GENERAL }
}

fn writes(reg: Reg) -> Operand {
    Operand { reg, role: Role::Define, allowed: GENERAL }
}

fn tied(reg: Reg) -> Operand {
    Operand { reg, role: Role::Tied, allowed: GENERAL }
}

/// What an instruction costs.
fn kind(inst: &Inst) -> Kind {
    match inst {
        Inst::Alu { .. }
        | Inst::ShiftAdd { .. }
        | Inst::AddImm { .. }
        | Inst::Imm { .. }
        | Inst::ImmHigh { .. }
        | Inst::Not { .. }
        | Inst::Here { .. }
        | Inst::TableHigh { .. }
        | Inst::TableLow { .. } => Kind::Logic,
        Inst::Extract { .. }
        | Inst::Place { .. }
        | Inst::Insert { .. }
        | Inst::Pair { .. }
        | Inst::Halfwords { .. }
        | Inst::ShiftHalfwords { .. } => Kind::Shift,
        Inst::Copy { .. } => Kind::Copy,
        Inst::Load { .. } | Inst::LoadIndexed { .. } | Inst::Reload { .. } => Kind::Load,
        Inst::Store { .. } | Inst::StoreAdvance { .. } | Inst::Spill { .. } => Kind::Store,
        Inst::SelectEq { .. } => Kind::Select,
    }
}

impl Isa for Hppa {
    type Inst = Inst;

    fn operands(inst: &Inst) -> Vec<Operand> {
        match *inst {
            Inst::Alu { dst, a, b, .. } | Inst::ShiftAdd { dst, a, b, .. } => {
                vec![reads(a), reads(b), writes(dst)]
            }
            Inst::Pair { dst, high, low, .. } => vec![reads(high), reads(low), writes(dst)],
            Inst::AddImm { dst, a, .. }
            | Inst::Extract { dst, a, .. }
            | Inst::Place { dst, a, .. }
            | Inst::Not { dst, a }
            | Inst::Halfwords { dst, a, .. }
            | Inst::ShiftHalfwords { dst, a, .. }
            | Inst::TableLow { dst, a, .. } => vec![reads(a), writes(dst)],
            Inst::Imm { dst, .. }
            | Inst::ImmHigh { dst, .. }
            | Inst::Here { dst }
            | Inst::TableHigh { dst, .. }
            | Inst::Reload { dst, .. } => vec![writes(dst)],
            Inst::Insert { dst, into, a, .. } => vec![tied(into), writes(dst), reads(a)],
            Inst::Copy { dst, src } => vec![reads(src), writes(dst)],
            Inst::Load { dst, base, .. } => vec![reads(base), writes(dst)],
            Inst::LoadIndexed { dst, base, index, .. } => {
                vec![reads(base), reads(index), writes(dst)]
            }
            Inst::Store { base, src, .. } => vec![reads(base), reads(src)],
            Inst::StoreAdvance { next, base, src, .. } => {
                vec![tied(base), writes(next), reads(src)]
            }
            Inst::SelectEq { dst, otherwise, a, b, then } => {
                vec![tied(otherwise), writes(dst), reads(a), reads(b), reads(then)]
            }
            Inst::Spill { src, .. } => vec![reads(src)],
        }
    }

    fn rename(inst: &Inst, registers: &[Reg]) -> Inst {
        let mut rest = registers.iter().copied();
        let mut next = || rest.next().expect("a register for every operand");
        // Fields are named in the order of `operands`.
        let mut inst = inst.clone();
        match &mut inst {
            Inst::Alu { dst, a, b, .. } | Inst::ShiftAdd { dst, a, b, .. } => {
                (*a, *b, *dst) = (next(), next(), next());
            }
            Inst::Pair { dst, high, low, .. } => (*high, *low, *dst) = (next(), next(), next()),
            Inst::AddImm { dst, a, .. }
            | Inst::Extract { dst, a, .. }
            | Inst::Place { dst, a, .. }
            | Inst::Not { dst, a }
            | Inst::Halfwords { dst, a, .. }
            | Inst::ShiftHalfwords { dst, a, .. }
            | Inst::TableLow { dst, a, .. } => (*a, *dst) = (next(), next()),
            Inst::Imm { dst, .. }
            | Inst::ImmHigh { dst, .. }
            | Inst::Here { dst }
            | Inst::TableHigh { dst, .. }
            | Inst::Reload { dst, .. } => *dst = next(),
            Inst::Insert { dst, into, a, .. } => (*into, *dst, *a) = (next(), next(), next()),
            Inst::Copy { dst, src } => (*src, *dst) = (next(), next()),
            Inst::Load { dst, base, .. } => (*base, *dst) = (next(), next()),
            Inst::LoadIndexed { dst, base, index, .. } => {
                (*base, *index, *dst) = (next(), next(), next());
            }
            Inst::Store { base, src, .. } => (*base, *src) = (next(), next()),
            Inst::StoreAdvance { next: after, base, src, .. } => {
                (*base, *after, *src) = (next(), next(), next());
            }
            Inst::SelectEq { dst, otherwise, a, b, then } => {
                (*otherwise, *dst) = (next(), next());
                (*a, *b, *then) = (next(), next(), next());
            }
            Inst::Spill { src, .. } => *src = next(),
        }
        inst
    }

    /// Sources need no exchange: no result of theirs lies over one.
    fn exchanged(_: &Inst) -> Vec<Inst> {
        Vec::new()
    }

    fn class(_: u8) -> RegSet {
        GENERAL
    }

    fn is_vector(_: u8) -> bool {
        false
    }

    fn any(_: bool) -> u8 {
        reg::RESULT
    }

    fn effect(inst: &Inst) -> Effect {
        // Which place an access leads to is not known: each keeps its order.
        let span = |region: Option<u32>, bytes: u8| {
            region.map(|region| Span { region, at: None, bytes: bytes.into() })
        };
        match inst {
            Inst::Load { bytes, ordered, .. } | Inst::LoadIndexed { bytes, ordered, .. } => {
                span(*ordered, *bytes).map_or(Effect::None, Effect::Read)
            }
            Inst::Store { bytes, ordered, .. } => {
                span(*ordered, *bytes).map_or(Effect::None, Effect::Write)
            }
            _ => Effect::None,
        }
    }

    /// No load comes before anything.
    fn cost(inst: &Inst) -> (Class, bool) {
        (kind(inst).class(), false)
    }

    fn copy(to: Reg, from: Reg) -> Inst {
        Inst::Copy { dst: to, src: from }
    }

    fn spill(slot: Slot, from: Reg) -> Inst {
        Inst::Spill { slot, src: from }
    }

    fn slot(inst: &Inst) -> Option<Slot> {
        match inst {
            Inst::Spill { slot, .. } | Inst::Reload { slot, .. } => Some(*slot),
            _ => None,
        }
    }

    fn reload(to: Reg, slot: Slot) -> Inst {
        Inst::Reload { dst: to, slot }
    }
}
