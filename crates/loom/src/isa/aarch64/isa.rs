//! AArch64 as the shared steps see it.

use super::inst::{AArch64, Inst, Logic, Over};
use super::kind::{is_vector, kind};
use super::lower::lower;
use super::operand::{At, Mem, Shift};
use super::program::{Step, finish};
use super::reg::STACK;
use super::text::listing;
use super::{GENERAL, TABLES, VECTOR_0, VECTORS_32, timing};
use crate::ir::{Kernel, Param};
use crate::isa::costs::Class;
use crate::isa::frame::Abi;
use crate::isa::lower::Lowered;
use crate::isa::program::{Allocated, Program};
use crate::isa::text::Listing;
use crate::isa::timing::{Cost, Flow};
use crate::isa::{Choices, Effect, Features, Isa, Reg, RegClass, RegSet, Role, Slot, Target};

/// The registers of a class.
const fn of_class(class: u8) -> RegSet {
    AArch64::CLASSES[class as usize].registers
}

/// Vectors that are no tables of a look-up. (Only `tbl`'s own tables are bound to their registers: with its
/// index and result elsewhere, these can always be made free.)
const BESIDE_TABLES: RegSet = VECTORS_32.without(TABLES);

/// What is told of each register operand.
type Visitor<'a> = &'a mut dyn FnMut(&mut Reg, Role, RegSet);

impl Mem {
    fn visit(&mut self, visit: Visitor<'_>) {
        visit(&mut self.base, Role::Use, GENERAL);
        if let At::Index(index, _) = &mut self.at {
            visit(index, Role::Use, GENERAL);
        }
    }
}

impl Isa for AArch64 {
    type Inst = Inst;
    type Step = Step;

    const LOOPS_IN_PLACE: bool = true;

    const CLASSES: &'static [RegClass] = &[
        RegClass { registers: GENERAL, lent: 16, far_from_memory: false },
        RegClass { registers: VECTORS_32, lent: VECTOR_0, far_from_memory: true },
    ];

    fn new(_: &'static Target, features: Features) -> Self {
        Self { features }
    }

    fn usable(&self, _: &Abi) -> RegSet {
        GENERAL.or(VECTORS_32)
    }

    fn lower(&self, kernel: &Kernel, _: &Abi, choices: &Choices) -> Lowered<Inst> {
        lower(*self, kernel, choices)
    }

    fn finish(
        &self,
        allocated: &Allocated<Inst>,
        _: &Lowered<Inst>,
        abi: &Abi,
        _: &[Param],
    ) -> Program<Self> {
        finish(*self, allocated, abi)
    }

    fn visit(&self, inst: &mut Inst, visit: Visitor<'_>) {
        use Role::{Define, Tied, Use};
        match inst {
            Inst::Logic { dst, a, b, .. } | Inst::Sum { dst, a, b, .. } => {
                visit(a, Use, GENERAL);
                visit(b, Use, GENERAL);
                visit(dst, Define, GENERAL);
            }
            Inst::LogicImm { dst, a, .. }
            | Inst::SumImm { dst, a, .. }
            | Inst::Field { dst, a, .. }
            | Inst::Place { dst, a, .. }
            | Inst::Rotate { dst, a, .. }
            | Inst::Reverse { dst, a, .. }
            | Inst::Not { dst, a, .. }
            | Inst::TableOffset { dst, a } => {
                visit(a, Use, GENERAL);
                visit(dst, Define, GENERAL);
            }
            Inst::Keep { dst, a, .. } => {
                visit(a, Tied, GENERAL);
                visit(dst, Define, GENERAL);
            }
            Inst::Move { dst, .. } | Inst::Mask { dst, .. } | Inst::TablePage { dst } => {
                visit(dst, Define, GENERAL);
            }
            Inst::Copy { dst, src, .. } => {
                let named = if is_vector(*dst) || is_vector(*src) { VECTORS_32 } else { GENERAL };
                visit(src, Use, named);
                visit(dst, Define, named);
            }
            Inst::Load { dst, mem, .. } => {
                mem.visit(visit);
                visit(dst, Define, GENERAL);
            }
            Inst::Store { mem, src, .. } => {
                mem.visit(visit);
                visit(src, Use, GENERAL);
            }
            Inst::SelectEq { dst, otherwise, a, b, then, .. } => {
                [otherwise, a, b, then].into_iter().for_each(|reg| visit(reg, Use, GENERAL));
                visit(dst, Define, GENERAL);
            }
            Inst::BranchEq { dst, otherwise, a, b, then, .. } => {
                visit(otherwise, Tied, GENERAL);
                visit(dst, Define, GENERAL);
                [a, b, then].into_iter().for_each(|reg| visit(reg, Use, GENERAL));
            }
            Inst::BranchLoad { dst, otherwise, a, b, mem, .. } => {
                visit(otherwise, Tied, GENERAL);
                visit(dst, Define, GENERAL);
                [a, b].into_iter().for_each(|reg| visit(reg, Use, GENERAL));
                mem.visit(visit);
            }
            Inst::Spill { slot, src } => visit(src, Use, of_class(slot.class)),
            Inst::Reload { dst, slot } => visit(dst, Define, of_class(slot.class)),
            Inst::Bitwise { dst, a, b, .. }
            | Inst::Bytes { dst, a, b, .. }
            | Inst::RotateXor { dst, a, b, .. }
            | Inst::Transpose { dst, a, b, .. } => {
                visit(a, Use, VECTORS_32);
                visit(b, Use, VECTORS_32);
                visit(dst, Define, VECTORS_32);
            }
            Inst::LookUp { dst, index, tables, first } => {
                for (register, table) in (*first..).zip(tables.iter_mut()) {
                    visit(table, Use, RegSet::one(register));
                }
                visit(index, Use, BESIDE_TABLES);
                visit(dst, Define, BESIDE_TABLES);
            }
            Inst::ShiftInto { dst, a, b, .. } => {
                visit(a, Tied, VECTORS_32);
                visit(dst, Define, VECTORS_32);
                visit(b, Use, VECTORS_32);
            }
            Inst::NotVector { dst, a } | Inst::ShiftParts { dst, a, .. } => {
                visit(a, Use, VECTORS_32);
                visit(dst, Define, VECTORS_32);
            }
            Inst::Three { dst, a, b, c, .. } => {
                [a, b, c].into_iter().for_each(|reg| visit(reg, Use, VECTORS_32));
                visit(dst, Define, VECTORS_32);
            }
            Inst::Select { over, dst, mask, then, otherwise } => {
                let [tied, a, b] = match over {
                    Over::Mask => [mask, then, otherwise],
                    Over::Then => [then, otherwise, mask],
                    Over::Otherwise => [otherwise, then, mask],
                };
                visit(tied, Tied, VECTORS_32);
                visit(dst, Define, VECTORS_32);
                visit(a, Use, VECTORS_32);
                visit(b, Use, VECTORS_32);
            }
            Inst::LoadVector { dst, mem, .. } => {
                mem.visit(visit);
                visit(dst, Define, VECTORS_32);
            }
            Inst::StoreVector { mem, src, .. } => {
                mem.visit(visit);
                visit(src, Use, VECTORS_32);
            }
            Inst::Repeat { dst, base, .. } => {
                visit(base, Use, GENERAL);
                visit(dst, Define, VECTORS_32);
            }
            Inst::Splat { dst, src, .. } | Inst::ToVector { dst, src, .. } => {
                visit(src, Use, GENERAL);
                visit(dst, Define, VECTORS_32);
            }
            Inst::Fill { dst, .. } => visit(dst, Define, VECTORS_32),
            Inst::FromVector { dst, src, .. } => {
                visit(src, Use, VECTORS_32);
                visit(dst, Define, GENERAL);
            }
        }
    }

    fn exchanged(&self, inst: &Inst) -> Vec<Inst> {
        match *inst {
            Inst::Logic {
                op: op @ (Logic::And | Logic::Or | Logic::Xor),
                width,
                dst,
                a,
                b,
                shift,
            } if shift == Shift::NONE => {
                vec![Inst::Logic { op, width, dst, a: b, b: a, shift }]
            }
            Inst::Bitwise { op: op @ (Logic::And | Logic::Or | Logic::Xor), dst, a, b } => {
                vec![Inst::Bitwise { op, dst, a: b, b: a }]
            }
            Inst::Select { over: was, dst, mask, then, otherwise } => {
                let others = [Over::Mask, Over::Then, Over::Otherwise].into_iter();
                let others = others.filter(|over| *over != was);
                others.map(|over| Inst::Select { over, dst, mask, then, otherwise }).collect()
            }
            _ => Vec::new(),
        }
    }

    fn effect(&self, inst: &Inst) -> Effect {
        match inst {
            Inst::Load { bytes, mem, .. }
            | Inst::LoadVector { bytes, mem, .. }
            | Inst::BranchLoad { bytes, mem, .. } => mem.effect(*bytes, Effect::Read),
            Inst::Store { bytes, mem, .. } | Inst::StoreVector { bytes, mem, .. } => {
                mem.effect(*bytes, Effect::Write)
            }
            _ => Effect::None,
        }
    }

    /// No load comes before anything.
    fn cost(&self, inst: &Inst) -> (Class, bool) {
        (kind(inst).class(), false)
    }

    fn copy(&self, to: Reg, from: Reg) -> Inst {
        Inst::Copy { width: super::Width::Double, dst: to, src: from }
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

    fn lowers_stack(step: &Step) -> (u32, Option<u32>) {
        match *step {
            Step::Save { at, moves: true, .. } => (at, Some(0)),
            Step::Save { at, .. } => (0, Some(at)),
            Step::Inst(Inst::SumImm { dst: Reg::Physical(STACK), imm: by @ ..0, .. }) => {
                (by.unsigned_abs(), None)
            }
            _ => (0, None),
        }
    }

    fn flow(program: &Program<Self>) -> Vec<(usize, Flow)> {
        timing::flow(program)
    }

    fn costs(program: &Program<Self>) -> Vec<Option<Cost>> {
        timing::costs(program)
    }

    fn code_bytes(program: &Program<Self>) -> usize {
        program.assemble(0, 0).expect("tables in reach").bytes.len()
    }

    fn bytes(program: &Program<Self>, places: Option<(u64, u64)>) -> Result<Vec<u8>, String> {
        let (at, tables) = places.unwrap_or_default();
        Ok(program.assemble(at, tables)?.bytes)
    }

    fn land(program: &mut Program<Self>) {
        program.land();
    }

    fn listing(program: &Program<Self>, kernel: &Kernel, abi: &Abi) -> Listing {
        listing(program, kernel, abi)
    }
}
