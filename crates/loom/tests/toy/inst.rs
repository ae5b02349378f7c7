//! The machine: 16 registers of 64 bits, loads and stores of the lowest byte first, logic, shifts.

use loom::ir::{Kernel, Param, Requirements};
use loom::isa::costs::{Class, Cpu, Pipeline, Row};
use loom::isa::frame::Abi;
use loom::isa::lower::Lowered;
use loom::isa::program::{Allocated, LabelKind, Line, Out, Place, Program};
use loom::isa::timing::{Cost, Flow};
use loom::isa::{
    Choices, Effect, Features, Isa, Reg, RegClass, RegSet, Role, Slot, Span, Target, Usual,
};

/// All registers: nothing has a part of its own, as the stack is elsewhere.
const ALL: RegSet = RegSet(0xffff);

/// Logic on two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inst {
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
pub(crate) enum Step {
    Inst(Inst),
    /// To a label, if a count is zero.
    IfZero(Place, usize),
    /// A count is one less; to a label, if it is not zero then.
    Again(Place, usize),
    Return,
}

/// Scheduling classes, beside loads and stores.
const COMPUTES: Class = Class(2);

/// A machine that does two things at a time.
pub(crate) static COSTS: Cpu = Cpu {
    name: "toy",
    doc: "a made-up machine: one computes, one loads or stores",
    width: 2,
    rows: &[
        Row { class: Class::LOAD, latency: 3, ports: 0b10 },
        Row { class: Class::STORE, latency: 1, ports: 0b10 },
        Row { class: COMPUTES, latency: 1, ports: 0b01 },
    ],
    pipeline: Pipeline::OutOfOrder(&[]),
};

/// The first four registers have arguments, and a function may change all.
pub(crate) static ABI: Abi = Abi {
    name: "toy",
    doc: "the made-up machine's only one",
    target: &TARGET,
    container: None,
    arguments: &[0, 1, 2, 3],
    clobbered: ALL,
    saved: RegSet::EMPTY,
    return_address: 0,
    argument: 8,
    pointer: 8,
    segments: &[],
    stack_alignment: 8,
    red_zone: 0,
    position_independent: false,
};

/// What would stand in the registry.
pub(crate) static TARGET: Target = Target {
    name: "toy",
    word: 8,
    register: |_| "r",
    segment: |_| "",
    entry: 8,
    flags: "",
    stack: "in a memory of its own",
    landing: Err("nothing branches by a register"),
    conventions: &[&ABI],
    formats: &[],
    missing: &[],
    elsewhere: "it has no assembler",
    body: None,
    costs: &[&COSTS],
    old_costs: &[],
    features: &[],
    here: || None,
    complete: |features| features,
    serves: |asked: &Requirements| match asked.vectors {
        Some(_) => Err("has vectors, which the machine has not"),
        None => Ok(&[Features::NONE]),
    },
    usual: Usual {
        costs: &COSTS,
        choices: Choices::default,
        unroll: 0,
        hoist: 0,
        ordered: true,
        ways: &[],
    },
    processors: &[],
};

/// The instruction set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toy;

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
