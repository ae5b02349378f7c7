//! Finished programs as listings.

use std::collections::HashMap;

use crate::ir::{Kernel, Param};
use crate::isa::frame::Abi;
use crate::isa::hppa::{self, Hppa, Step, reg};
use crate::isa::program::{self, LabelKind, Program};
use crate::isa::text::{Frame, Inst, Label, Line, Listing, Refers, Tables};
use crate::isa::{Isa, Reg, Role};

/// A program to be printed; an assembler makes its machine code.
pub(in super::super) fn listing(program: &Program<Hppa>, kernel: &Kernel, abi: &Abi) -> Listing {
    let tables = Tables::of(kernel);
    Listing {
        together: abi.position_independent,
        landing: false,
        lines: lines(program, &kernel.params, abi, tables.as_ref()),
        tables,
        code: None,
    }
}

fn label(program: &Program<Hppa>, number: usize) -> Label {
    Label { name: program.label_name(number), number }
}

fn lines(
    program: &Program<Hppa>,
    params: &[Param],
    abi: &Abi,
    tables: Option<&Tables>,
) -> Vec<Line> {
    // What an unwinder is told stands before the first instruction.
    let frame = Frame::Lowered { by: program.stack, depth: program.stack };
    let mut lines = vec![Line::Frame(frame), Line::Frame(Frame::Entered)];
    let mut known = Known::new(abi, params, tables);
    let here = || Label { name: "here".to_owned(), number: program.labels.len() + 1 };
    for line in &program.lines {
        let line = match line {
            program::Line::Comment(text) => Line::Comment(text.clone()),
            program::Line::Align(bytes) => Line::Align(*bytes),
            program::Line::Label(number) => Line::Label(label(program, *number)),
            program::Line::Inst(step) => {
                let comment = known.comment(step);
                let refers = match step {
                    Step::Again(_, to) | Step::AgainUnlessZero(_, to) => {
                        Refers::Branch(label(program, *to), true)
                    }
                    Step::IfZero(_, to) | Step::UnlessZero(_, to) => {
                        Refers::Branch(label(program, *to), false)
                    }
                    Step::Branch(to) => Refers::Branch(
                        label(program, *to),
                        program.labels[to - 1] == LabelKind::Again,
                    ),
                    Step::Inst(
                        hppa::Inst::TableHigh { at, .. } | hppa::Inst::TableLow { at, .. },
                    ) => match (known.table(*at), abi.position_independent) {
                        (Refers::Table { constant, .. }, true) => {
                            Refers::TableFrom { constant, here: here() }
                        }
                        (absolute, _) => absolute,
                    },
                    Step::Inst(hppa::Inst::Here { .. }) => {
                        lines.push(Line::Label(here()));
                        Refers::Nothing
                    }
                    _ => Refers::Nothing,
                };
                Line::Inst(Inst::new(step.clone(), refers, comment))
            }
        };
        lines.push(line);
    }
    lines
}

/// What registers and places on the stack point to, for comments.
struct Known<'a> {
    tables: Option<&'a Tables>,
    registers: HashMap<Reg, String>,
    /// By their distance from the stack pointer.
    stack: HashMap<i32, String>,
}

impl<'a> Known<'a> {
    fn new(abi: &Abi, params: &[Param], tables: Option<&'a Tables>) -> Self {
        let pointer = |(param, register): (&Param, &u8)| {
            param.memory.map(|_| (Reg::Physical(*register), param.name.clone()))
        };
        let registers = params.iter().zip(abi.arguments).filter_map(pointer).collect();
        Self { tables, registers, stack: HashMap::new() }
    }

    /// The table that begins so many bytes behind the label of all.
    fn table(&self, at: u32) -> Refers {
        let mut places = self.tables.into_iter().flat_map(Tables::places);
        match places.find(|(start, _)| *start == at as usize) {
            Some((_, table)) => {
                Refers::Table { constant: Tables::constant(table), at: u64::from(at) }
            }
            None => Refers::Tables,
        }
    }

    /// What an access is to; keeps track of what is moved.
    fn comment(&mut self, step: &Step) -> String {
        let Step::Inst(inst) = step else { return String::new() };
        if let hppa::Inst::Here { .. } = inst {
            return "to learn where this is".to_owned();
        }
        let name = |base: &Reg| self.registers.get(base).cloned().unwrap_or_default();
        let comment = match inst {
            hppa::Inst::Load { base, .. }
            | hppa::Inst::LoadIndexed { base, .. }
            | hppa::Inst::Store { base, .. }
            | hppa::Inst::StoreAdvance { base, .. } => name(base),
            _ => String::new(),
        };
        let stack = Reg::Physical(reg::STACK);
        let moved = match inst {
            hppa::Inst::Copy { src, .. } => Some(name(src)),
            hppa::Inst::AddImm { a, .. } => Some(name(a)),
            hppa::Inst::StoreAdvance { base, .. } => Some(name(base)),
            hppa::Inst::TableLow { at, .. } => match self.table(*at) {
                Refers::Table { constant, .. } => Some(constant),
                _ => None,
            },
            hppa::Inst::Load { base, disp, .. } if *base == stack => self.stack.get(disp).cloned(),
            _ => None,
        };
        if let hppa::Inst::Store { base, disp, src, .. } = inst
            && *base == stack
        {
            self.stack.insert(*disp, name(src));
        }
        for operand in Hppa.operands(inst) {
            if operand.role == Role::Define {
                self.registers.insert(operand.reg, moved.clone().unwrap_or_default());
            }
        }
        comment
    }
}
