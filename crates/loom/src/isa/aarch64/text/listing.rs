//! Finished programs as listings.

use std::collections::{HashMap, HashSet};

use crate::ir::{Kernel, Param};
use crate::isa::aarch64::inst::{AArch64, Inst};
use crate::isa::aarch64::operand::{At, Mem};
use crate::isa::aarch64::program::Step;
use crate::isa::aarch64::reg::STACK;
use crate::isa::frame::Abi;
use crate::isa::program::{self, Program};
use crate::isa::text::{self, Code, Frame, Label, Line, Listing, Refers, Tables};
use crate::isa::{Isa, Reg, Role};

/// A program to be printed.
///
/// # Panics
/// If it cannot be encoded, which lowering rules out.
pub(in super::super) fn listing(program: &Program<AArch64>, kernel: &Kernel, abi: &Abi) -> Listing {
    let assembled = program.assemble(0, 0).expect("labels in reach");
    let tables = Tables::of(kernel);
    let lines = lines(program, &kernel.params, abi, tables.as_ref(), &assembled.offsets);
    let frame = |(at, line): &(usize, Line)| match line {
        Line::Frame(frame) => Some((*at, frame.clone())),
        _ => None,
    };
    let frames = lines.iter().filter_map(frame).collect();
    let places = assembled.tables.iter().map(|&at| (at, 0)).collect();
    Listing {
        together: false,
        landing: program.has_landing(),
        code: Some(Code { bytes: assembled.bytes, tables: places, frames }),
        lines: lines.into_iter().map(|(_, line)| line).collect(),
        tables,
    }
}

fn label(program: &Program<AArch64>, number: usize) -> Label {
    Label { name: program.label_name(number), number }
}

/// The lines, each with its place in the code.
fn lines(
    program: &Program<AArch64>,
    params: &[Param],
    abi: &Abi,
    tables: Option<&Tables>,
    offsets: &[usize],
) -> Vec<(usize, Line)> {
    let mut lines = Vec::new();
    let mut known = Known::new(abi, params, tables);
    let mut passed = HashSet::new();
    let mut stack = Stack::default();
    let frames: Vec<Vec<Frame>> = program.lines.iter().map(|line| stack.after(line)).collect();
    // The entry ends with the last instruction that it makes a frame by, or with the landing pad.
    let enters = |frames: &Vec<Frame>| {
        matches!(frames[..], [Frame::Pushed { .. } | Frame::Lowered { .. }, ..])
    };
    let lands = |line: &program::Line<Step>| matches!(line, program::Line::Inst(Step::Landing));
    let last = frames.iter().rposition(enters).max(program.lines.iter().position(lands));
    let leaves = |frames: &Vec<Frame>| {
        matches!(frames[..], [Frame::Popped { .. } | Frame::Raised { .. }, ..])
    };
    let returns = |line: &program::Line<Step>| matches!(line, program::Line::Inst(Step::Return));
    let exit = frames.iter().position(leaves).or_else(|| program.lines.iter().position(returns));
    if last.is_none() {
        lines.push((0, Line::Frame(Frame::Entered)));
    }
    for ((n, line), frames) in program.lines.iter().enumerate().zip(frames) {
        let (at, next) = (offsets[n], offsets[n + 1]);
        if exit == Some(n) {
            lines.push((at, Line::Frame(Frame::Leaves)));
        }
        let line = match line {
            program::Line::Comment(text) => Line::Comment(text.clone()),
            // Instructions one by one: LLVM cannot tell how long a function is that has a directive for them,
            // which it must for Windows.
            program::Line::Align(_) => {
                let nop = || Line::Inst(text::Inst::new(Step::Nop, Refers::Nothing, String::new()));
                lines.extend((at..next).step_by(4).map(|at| (at, nop())));
                continue;
            }
            program::Line::Label(number) => {
                passed.insert(*number);
                Line::Label(label(program, *number))
            }
            program::Line::Inst(step) => {
                let comment = known.comment(step);
                let refers = match step {
                    Step::Again(_, to)
                    | Step::IfZero(_, to)
                    | Step::IfEqual(to)
                    | Step::Branch(to) => Refers::Branch(label(program, *to), passed.contains(to)),
                    Step::Inst(Inst::TablePage { .. } | Inst::TableOffset { .. }) => Refers::Tables,
                    _ => Refers::Nothing,
                };
                Line::Inst(text::Inst::new(step.clone(), refers, comment))
            }
        };
        lines.push((at, line));
        lines.extend(frames.into_iter().map(|frame| (next, Line::Frame(frame))));
        if last == Some(n) {
            lines.push((next, Line::Frame(Frame::Entered)));
        }
    }
    lines
}

/// The stack pointer's way.
#[derive(Default)]
struct Stack {
    /// How far it is below where it was at entry.
    depth: u32,
    /// Whether the function returned, and what stands behind is out of line.
    returned: bool,
    /// What was saved, and at which depth; and how deep the stack was then.
    saved: Vec<(u8, u32)>,
    deepest: u32,
}

impl Stack {
    /// What a line does to it.
    fn after(&mut self, line: &program::Line<Step>) -> Vec<Frame> {
        let program::Line::Inst(step) = line else { return Vec::new() };
        let stack = Reg::Physical(STACK);
        match *step {
            Step::Save { registers, at, moves } => {
                let mut frames = Vec::new();
                if moves {
                    self.depth += at;
                    frames.push(Frame::Lowered { by: at, depth: self.depth });
                }
                let at = if moves { 0 } else { at };
                for (n, register) in (0..).zip(registers.into_iter().flatten()) {
                    let depth = self.depth - at - 8 * n;
                    self.saved.push((register, depth));
                    frames.push(Frame::Pushed { register, depth });
                }
                self.deepest = self.depth;
                frames
            }
            Step::Restore { registers, at, moves } => {
                if moves {
                    self.depth -= at;
                }
                let depth = self.depth;
                let popped = |register| Frame::Popped { register, depth };
                let mut frames: Vec<_> = registers.into_iter().flatten().map(popped).collect();
                if moves {
                    frames.push(Frame::Raised { depth });
                }
                frames
            }
            Step::Inst(Inst::SumImm { dst, imm, .. }) if dst == stack => {
                if imm < 0 {
                    self.depth += imm.unsigned_abs();
                    self.deepest = self.depth;
                    return vec![Frame::Lowered { by: imm.unsigned_abs(), depth: self.depth }];
                }
                self.depth -= imm.unsigned_abs();
                vec![Frame::Raised { depth: self.depth }]
            }
            Step::Return if !self.returned => {
                self.returned = true;
                let pushed = self.saved.clone();
                vec![Frame::Again { depth: self.deepest, pushed }]
            }
            _ => Vec::new(),
        }
    }
}

/// What registers and places on the stack point to, for comments.
struct Known<'a> {
    tables: Vec<(i64, String)>,
    registers: HashMap<Reg, Points<'a>>,
    /// By their distance from the stack pointer.
    stack: HashMap<i32, Points<'a>>,
}

/// What a register points to.
#[derive(Clone, Debug, Default)]
enum Points<'a> {
    /// Nothing that has a name.
    #[default]
    Nothing,
    /// A parameter's region.
    Param(&'a str),
    /// So far behind the tables' label.
    Tables(i64),
}

impl<'a> Known<'a> {
    fn new(abi: &Abi, params: &'a [Param], tables: Option<&Tables>) -> Self {
        let pointer = |(param, register): (&'a Param, &u8)| {
            param.memory.map(|_| (Reg::Physical(*register), Points::Param(param.name.as_str())))
        };
        let registers = params.iter().zip(abi.arguments).filter_map(pointer).collect();
        let places = tables.into_iter().flat_map(Tables::places);
        let tables = places.map(|(at, table)| (at as i64, Tables::constant(table))).collect();
        Self { tables, registers, stack: HashMap::new() }
    }

    fn of(&self, reg: Reg) -> Points<'a> {
        self.registers.get(&reg).cloned().unwrap_or_default()
    }

    /// What an access is to, or an address is of; keeps track of what is moved.
    fn comment(&mut self, step: &Step) -> String {
        let Step::Inst(inst) = step else { return String::new() };
        let mem = match inst {
            Inst::Load { mem, .. }
            | Inst::Store { mem, .. }
            | Inst::LoadVector { mem, .. }
            | Inst::StoreVector { mem, .. } => Some(mem),
            _ => None,
        };
        let slot = |mem: &Mem| match mem {
            Mem { base: Reg::Physical(STACK), at: At::Disp(disp), .. } => Some(*disp),
            _ => None,
        };
        let points = match inst {
            Inst::Copy { src, .. } => self.of(*src),
            Inst::TableOffset { .. } => Points::Tables(0),
            Inst::SumImm { a, imm, .. } => match self.of(*a) {
                Points::Tables(at) => Points::Tables(at + i64::from(*imm)),
                other => other,
            },
            Inst::Load { mem, .. } => {
                slot(mem).and_then(|at| self.stack.get(&at).cloned()).unwrap_or_default()
            }
            _ => Points::Nothing,
        };
        if let (Inst::Store { src, .. }, Some(at)) = (inst, mem.and_then(slot)) {
            self.stack.insert(at, self.of(*src));
        }
        let named = match mem {
            Some(mem) => self.of(mem.base),
            None => points.clone(),
        };
        let comment = match (named, mem) {
            (Points::Param(name), Some(_)) => name.to_owned(),
            (Points::Tables(at), _) => {
                let found = self.tables.iter().find(|(start, _)| *start == at);
                found.map_or(String::new(), |(_, name)| name.clone())
            }
            _ => String::new(),
        };
        for operand in AArch64::ANY.operands(inst) {
            if operand.role == Role::Define {
                self.registers.insert(operand.reg, points.clone());
            }
        }
        comment
    }
}
