//! The instructions of PA-RISC 2.0 that kernels are made of, on virtual or physical registers.
//!
//! Places of bits count from the lowest one, as in the IR; assembly counts from the highest.

use super::costs::Kind;
use super::lower::lower;
use super::program::finish;
use super::{GENERAL, reg, timing};
use crate::ir::{Kernel, Param};
use crate::isa::costs::Class;
use crate::isa::frame::Abi;
use crate::isa::lower::Lowered;
use crate::isa::program::{Allocated, Program};
use crate::isa::timing::{Cost, Flow};
use crate::isa::{Choices, Effect, Features, Isa, Reg, RegClass, RegSet, Role, Slot, Span, Target};

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
    type Step = super::Step;

    const CLASSES: &'static [RegClass] =
        &[RegClass { registers: GENERAL, lent: reg::RESULT, far_from_memory: false }];

    const SPARE: usize = 2;

    /// A store takes a step of its pointer along.
    const FOLDS_STEPS: bool = false;

    fn new(_: &'static Target, _: Features) -> Self {
        Self
    }

    fn usable(&self, _: &Abi) -> RegSet {
        GENERAL
    }

    fn lower(&self, kernel: &Kernel, abi: &Abi, _: &Choices) -> Lowered<Inst> {
        lower(kernel, abi)
    }

    fn finish(
        &self,
        allocated: &Allocated<Inst>,
        lowered: &Lowered<Inst>,
        abi: &Abi,
        _: &[Param],
    ) -> Program<Self> {
        finish(allocated, &lowered.trips, abi)
    }

    fn visit(&self, inst: &mut Inst, visit: &mut dyn FnMut(&mut Reg, Role, RegSet)) {
        // Every instruction can name every register.
        let mut tied = |from: &mut Reg, to: &mut Reg| {
            visit(from, Role::Tied, GENERAL);
            visit(to, Role::Define, GENERAL);
        };
        match inst {
            Inst::Insert { dst, into, .. } => tied(into, dst),
            Inst::StoreAdvance { next, base, .. } => tied(base, next),
            Inst::SelectEq { dst, otherwise, .. } => tied(otherwise, dst),
            _ => {}
        }
        let mut reads = |reg: &mut Reg| visit(reg, Role::Use, GENERAL);
        match inst {
            Inst::Alu { a, b, .. }
            | Inst::ShiftAdd { a, b, .. }
            | Inst::Pair { high: a, low: b, .. }
            | Inst::LoadIndexed { base: a, index: b, .. }
            | Inst::Store { base: a, src: b, .. } => [a, b].into_iter().for_each(&mut reads),
            Inst::AddImm { a, .. }
            | Inst::Extract { a, .. }
            | Inst::Place { a, .. }
            | Inst::Insert { a, .. }
            | Inst::Not { a, .. }
            | Inst::Halfwords { a, .. }
            | Inst::ShiftHalfwords { a, .. }
            | Inst::TableLow { a, .. }
            | Inst::Copy { src: a, .. }
            | Inst::Load { base: a, .. }
            | Inst::StoreAdvance { src: a, .. }
            | Inst::Spill { src: a, .. } => reads(a),
            Inst::SelectEq { a, b, then, .. } => [a, b, then].into_iter().for_each(&mut reads),
            Inst::Imm { .. }
            | Inst::ImmHigh { .. }
            | Inst::Here { .. }
            | Inst::TableHigh { .. }
            | Inst::Reload { .. } => {}
        }
        match inst {
            Inst::Alu { dst, .. }
            | Inst::ShiftAdd { dst, .. }
            | Inst::Pair { dst, .. }
            | Inst::AddImm { dst, .. }
            | Inst::Extract { dst, .. }
            | Inst::Place { dst, .. }
            | Inst::Not { dst, .. }
            | Inst::Halfwords { dst, .. }
            | Inst::ShiftHalfwords { dst, .. }
            | Inst::TableLow { dst, .. }
            | Inst::Imm { dst, .. }
            | Inst::ImmHigh { dst, .. }
            | Inst::Here { dst }
            | Inst::TableHigh { dst, .. }
            | Inst::Reload { dst, .. }
            | Inst::Copy { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::LoadIndexed { dst, .. } => visit(dst, Role::Define, GENERAL),
            Inst::Insert { .. }
            | Inst::StoreAdvance { .. }
            | Inst::SelectEq { .. }
            | Inst::Store { .. }
            | Inst::Spill { .. } => {}
        }
    }

    fn flow(program: &Program<Self>) -> Vec<(usize, Flow)> {
        timing::flow(program)
    }

    fn costs(program: &Program<Self>) -> Vec<Option<Cost>> {
        timing::costs(program)
    }

    fn code_bytes(program: &Program<Self>) -> usize {
        timing::code_bytes(program)
    }

    fn effect(&self, inst: &Inst) -> Effect {
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
    fn cost(&self, inst: &Inst) -> (Class, bool) {
        (kind(inst).class(), false)
    }

    fn copy(&self, to: Reg, from: Reg) -> Inst {
        Inst::Copy { dst: to, src: from }
    }

    fn spill(&self, slot: Slot, from: Reg) -> Inst {
        Inst::Spill { slot, src: from }
    }

    fn slot(&self, inst: &Inst) -> Option<Slot> {
        match inst {
            Inst::Spill { slot, .. } | Inst::Reload { slot, .. } => Some(*slot),
            _ => None,
        }
    }

    fn reload(&self, to: Reg, slot: Slot) -> Inst {
        Inst::Reload { dst: to, slot }
    }
}
