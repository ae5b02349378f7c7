//! PA-RISC as the shared steps see it.

use super::costs::SchedulingClass;
use super::inst::{Hppa, Inst};
use super::lower::lower;
use super::program::{Step, finish};
use super::text::listing;
use super::{GENERAL, reg, timing};
use crate::ir::{Kernel, Param};
use crate::isa::costs::Class;
use crate::isa::frame::Abi;
use crate::isa::lower::Lowered;
use crate::isa::program::{Allocated, Program};
use crate::isa::text::Listing;
use crate::isa::timing::{Cost, Flow};
use crate::isa::{Choices, Effect, Features, Isa, Reg, RegClass, RegSet, Role, Slot, Span, Target};

/// What an instruction costs.
fn kind(inst: &Inst) -> SchedulingClass {
    match inst {
        Inst::Alu { .. }
        | Inst::ShiftAdd { .. }
        | Inst::AddImm { .. }
        | Inst::Imm { .. }
        | Inst::ImmHigh { .. }
        | Inst::Not { .. }
        | Inst::Here { .. }
        | Inst::TableHigh { .. }
        | Inst::TableLow { .. } => SchedulingClass::Logic,
        Inst::Extract { .. }
        | Inst::Place { .. }
        | Inst::Insert { .. }
        | Inst::Pair { .. }
        | Inst::Halfwords { .. }
        | Inst::ShiftHalfwords { .. } => SchedulingClass::Shift,
        Inst::Copy { .. } => SchedulingClass::Copy,
        Inst::Load { .. } | Inst::LoadIndexed { .. } | Inst::Reload { .. } => SchedulingClass::Load,
        Inst::Store { .. } | Inst::StoreAdvance { .. } | Inst::Spill { .. } => {
            SchedulingClass::Store
        }
        Inst::SelectEq { .. } => SchedulingClass::Select,
    }
}

impl Isa for Hppa {
    type Inst = Inst;
    type Step = Step;

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

    fn listing(program: &Program<Self>, kernel: &Kernel, abi: &Abi) -> Listing {
        listing(program, kernel, abi)
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
