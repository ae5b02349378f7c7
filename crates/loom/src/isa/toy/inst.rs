//! The machine: 16 registers of 64 bits, loads and stores of the lowest byte first, logic, shifts.

use super::target::{ALL, COMPUTES};
use crate::ir::{Kernel, Param};
use crate::isa::costs::Class;
use crate::isa::frame::Abi;
use crate::isa::lower::Lowered;
use crate::isa::program::{Allocated, LabelKind, Line, Location, Out, Program};
use crate::isa::timing::{Cost, Flow};
use crate::isa::{Choices, Effect, Features, Isa, Reg, RegClass, RegSet, Role, Slot, Span, Target};

/// Logic on two registers, and their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    And,
    Or,
    Xor,
    Add,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inst {
    /// `dst = value`.
    Imm {
        dst: Reg,
        value: u64,
    },
    /// `dst` = where a table begins.
    Table {
        dst: Reg,
        table: usize,
    },
    /// `dst = src`.
    Copy {
        dst: Reg,
        src: Reg,
    },
    /// `dst = a op b`.
    Logic {
        op: Logic,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    /// `dst = a` shifted to the left, or to the right if negative, with zeros.
    Shift {
        dst: Reg,
        a: Reg,
        by: i8,
    },
    /// `dst = a` so many bytes further on.
    Step {
        dst: Reg,
        a: Reg,
        by: i32,
    },
    /// `dst` = bytes at `base + index + disp`, zeros above.
    Load {
        bytes: u8,
        dst: Reg,
        base: Reg,
        index: Option<Reg>,
        disp: i32,
    },
    /// Bytes to `base + disp`.
    Store {
        bytes: u8,
        base: Reg,
        disp: i32,
        src: Reg,
    },
    Spill {
        slot: Slot,
        src: Reg,
    },
    Reload {
        dst: Reg,
        slot: Slot,
    },
}

/// An instruction of a finished program.
#[derive(Clone, Debug)]
pub enum Step {
    Inst(Inst),
    /// To a label, if a count is zero.
    IfZero(Location, usize),
    /// A count is one less; to a label, if it is not zero then.
    Again(Location, usize),
    Return,
}

/// The instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Toy;

impl Isa for Toy {
    type Inst = Inst;
    type Step = Step;

    const CLASSES: &'static [RegClass] =
        &[RegClass { registers: ALL, lent: 0, far_from_memory: false }];

    fn new(_: &'static Target, _: Features) -> Self {
        Self
    }

    fn usable(&self, _: &Abi) -> RegSet {
        ALL
    }

    fn lower(&self, kernel: &Kernel, _: &Abi, _: &Choices) -> Lowered<Inst> {
        super::lower::lower(kernel)
    }

    fn finish(
        &self,
        allocated: &Allocated<Inst>,
        _: &Lowered<Inst>,
        _: &Abi,
        _: &[Param],
    ) -> Program<Self> {
        let (mut lines, mut labels, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for line in &allocated.lines {
            match line {
                Out::Inst(inst, _) => lines.push(Line::Inst(Step::Inst(inst.clone()))),
                Out::Comment(text) => lines.push(Line::Comment(text.clone())),
                Out::Begin(_, count, _) => {
                    labels.extend([LabelKind::Again, LabelKind::Done]);
                    let (top, done) = (labels.len() - 1, labels.len());
                    lines.extend([Line::Inst(Step::IfZero(*count, done)), Line::Label(top)]);
                    open.push((top, done));
                }
                Out::End(count) => {
                    let (top, done) = open.pop().expect("a loop is open");
                    lines.extend([Line::Inst(Step::Again(*count, top)), Line::Label(done)]);
                }
            }
        }
        lines.push(Line::Inst(Step::Return));
        let stack = 8 * allocated.slots.count(0);
        Program { isa: *self, lines, labels, stack, scratch: RegSet::EMPTY, each: None }
    }

    fn visit(&self, inst: &mut Inst, visit: &mut dyn FnMut(&mut Reg, Role, RegSet)) {
        let (reads, dst): (Vec<&mut Reg>, Option<&mut Reg>) = match inst {
            Inst::Imm { dst, .. } | Inst::Table { dst, .. } | Inst::Reload { dst, .. } => {
                (vec![], Some(dst))
            }
            Inst::Copy { dst, src: a } | Inst::Shift { dst, a, .. } | Inst::Step { dst, a, .. } => {
                (vec![a], Some(dst))
            }
            Inst::Logic { dst, a, b, .. } => (vec![a, b], Some(dst)),
            Inst::Load { dst, base, index, .. } => {
                ([base].into_iter().chain(index).collect(), Some(dst))
            }
            Inst::Store { base, src, .. } => (vec![base, src], None),
            Inst::Spill { src, .. } => (vec![src], None),
        };
        reads.into_iter().for_each(|reg| visit(reg, Role::Use, ALL));
        dst.into_iter().for_each(|reg| visit(reg, Role::Define, ALL));
    }

    /// Any store may be to where any load is from.
    fn effect(&self, inst: &Inst) -> Effect {
        let span = |bytes: u8| Span { region: 0, at: None, bytes: bytes.into() };
        match inst {
            Inst::Load { bytes, .. } => Effect::Read(span(*bytes)),
            Inst::Store { bytes, .. } => Effect::Write(span(*bytes)),
            _ => Effect::None,
        }
    }

    fn cost(&self, inst: &Inst) -> (Class, bool) {
        let class = match inst {
            Inst::Load { .. } | Inst::Reload { .. } => Class::LOAD,
            Inst::Store { .. } | Inst::Spill { .. } => Class::STORE,
            _ => COMPUTES,
        };
        (class, false)
    }

    fn copy(&self, to: Reg, from: Reg) -> Inst {
        Inst::Copy { dst: to, src: from }
    }

    fn spill(&self, slot: Slot, from: Reg) -> Inst {
        Inst::Spill { slot, src: from }
    }

    fn reload(&self, to: Reg, slot: Slot) -> Inst {
        Inst::Reload { dst: to, slot }
    }

    fn slot(&self, inst: &Inst) -> Option<Slot> {
        match inst {
            Inst::Spill { slot, .. } | Inst::Reload { slot, .. } => Some(*slot),
            _ => None,
        }
    }

    fn flow(program: &Program<Self>) -> Vec<(usize, Flow)> {
        let flow = |line: &Line<Step>| match line {
            Line::Label(label) if program.labels[label - 1] == LabelKind::Again => {
                Some(Flow::Top(*label))
            }
            Line::Label(label) => Some(Flow::Label(*label)),
            Line::Inst(Step::IfZero(_, label)) => Some(Flow::Around(*label)),
            Line::Inst(Step::Again(_, label)) => Some(Flow::Again(*label)),
            Line::Inst(Step::Return) => Some(Flow::Return),
            Line::Inst(Step::Inst(_)) => Some(Flow::Do),
            Line::Align(_) | Line::Comment(_) => None,
        };
        let lines = program.lines.iter().enumerate();
        lines.filter_map(|(n, line)| Some((n, flow(line)?))).collect()
    }

    fn costs(program: &Program<Self>) -> Vec<Option<Cost>> {
        let cost = |line: &Line<Step>| match line {
            Line::Inst(_) => Some(Cost { class: Some(COMPUTES), ..Cost::default() }),
            Line::Label(_) | Line::Align(_) | Line::Comment(_) => None,
        };
        program.lines.iter().map(cost).collect()
    }

    fn code_bytes(program: &Program<Self>) -> usize {
        4 * program.instructions()
    }
}
