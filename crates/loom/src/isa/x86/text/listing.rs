//! Finished programs as listings.

use std::collections::HashSet;

use iced_x86::Instruction;

use super::trace::{Pointer, Seen, trace};
use crate::ir::{Kernel, Param};
use crate::isa::frame::Abi;
use crate::isa::program::{self, Program};
use crate::isa::text::{Code, Frame, Inst, Label, Line, Listing, Refers, Tables};
use crate::isa::x86::{Assembled, Mode, X86, is_call, names_tables};

/// A program to be printed.
///
/// # Panics
/// If it cannot be encoded, which allocation rules out.
pub(in super::super) fn listing(program: &Program<X86>, kernel: &Kernel, abi: &Abi) -> Listing {
    // With the tables at 0, the distances to them are what a linker adds.
    let assembled = program.assemble(0, 0).expect("tables in reach");
    let tables = Tables::of(kernel);
    let lines = lines(program, &kernel.params, abi, tables.as_ref(), &assembled.offsets);
    Listing {
        together: abi.position_independent,
        landing: program.has_landing(),
        code: Some(code(program.isa.mode, assembled, &lines)),
        lines: lines.into_iter().map(|(_, line)| line).collect(),
        tables,
    }
}

fn code(mode: Mode, assembled: Assembled, lines: &[(usize, Line)]) -> Code {
    let Assembled { bytes, tables, .. } = assembled;
    let addend = |at: usize| {
        let dword = || i32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        match mode {
            Mode::Real => (at, i64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))),
            Mode::Bits32 => (at, i64::from(dword())),
            // The processor counts from behind the instruction, a linker from the field.
            Mode::Bits64 => (at, i64::from(dword()) + at as i64),
        }
    };
    let tables = tables.into_iter().map(addend).collect();
    let frame = |(at, line): &(usize, Line)| match line {
        Line::Frame(frame) => Some((*at, frame.clone())),
        _ => None,
    };
    let frames = lines.iter().filter_map(frame).collect();
    Code { bytes, tables, frames }
}

fn label(program: &Program<X86>, number: u64) -> Label {
    let number = number as usize;
    Label { name: program.label_name(number), number }
}

/// The lines, each with its place in the code.
fn lines(
    program: &Program<X86>,
    params: &[Param],
    abi: &Abi,
    tables: Option<&Tables>,
    offsets: &[usize],
) -> Vec<(usize, Line)> {
    let mut lines = Vec::new();
    let mut passed = HashSet::new();
    let mut here = None;
    let traced = trace(program, abi, params);
    if traced.iter().all(|seen| seen.frame.is_empty()) {
        lines.push((0, Line::Frame(Frame::Entered)));
    }
    for (n, (line, Seen { frame, base })) in program.lines.iter().zip(traced).enumerate() {
        let (at, next) = (offsets[n], offsets[n + 1]);
        let line = match line {
            program::Line::Inst(inst) => {
                let mut inst = *inst;
                let mut comment = String::new();
                let refers = if is_call(&inst) {
                    here = Some(label(program, inst.near_branch64()));
                    comment = "to learn where this is".to_owned();
                    Refers::Branch(label(program, inst.near_branch64()), false)
                } else if let (true, Some(here)) = (names_tables(&inst), &here) {
                    Refers::Distance(here.clone())
                } else if is_branch(&inst) {
                    let to = inst.near_branch64();
                    // Assemblers find out which branches reach with one byte, but one that does
                    // not look long enough is told.
                    if next - at == 2 {
                        inst.as_short_branch();
                    }
                    Refers::Branch(label(program, to), passed.contains(&to))
                } else if names_tables(&inst) && !program.isa.mode.is_64() {
                    at_address(program.isa.mode, &inst, tables)
                } else if names_tables(&inst) {
                    Refers::Tables
                } else {
                    match base {
                        Some(Pointer::Tables(bias)) => entry(&inst, bias, tables),
                        Some(Pointer::Param(n)) => {
                            comment.clone_from(&params[n].name);
                            Refers::Nothing
                        }
                        None => Refers::Nothing,
                    }
                };
                Line::Inst(Inst::new(inst, refers, comment))
            }
            program::Line::Label(number) => {
                passed.insert(*number as u64);
                Line::Label(label(program, *number as u64))
            }
            program::Line::Align(bytes) => Line::Align(*bytes),
            program::Line::Comment(text) => Line::Comment(text.clone()),
        };
        lines.push((at, line));
        lines.extend(frame.into_iter().map(|frame| (next, Line::Frame(frame))));
    }
    lines
}

/// What an instruction of 32-bit code refers to by its address.
fn at_address(mode: Mode, inst: &Instruction, tables: Option<&Tables>) -> Refers {
    match entry(inst, -(mode.tables() as i64), tables) {
        Refers::Table { constant, at } => {
            let (constant, _) = constant.split_once('+').unwrap_or((&constant, ""));
            Refers::TableAt { constant: constant.to_owned(), at }
        }
        _ => Refers::Tables,
    }
}

/// The table that an instruction looks up, from a base that is `bias` bytes behind the tables' label.
fn entry(inst: &Instruction, bias: i64, tables: Option<&Tables>) -> Refers {
    let at = inst.memory_displacement64() as i64 + bias;
    let mut places = tables.into_iter().flat_map(Tables::places);
    let found = places.find(|(start, table)| {
        usize::try_from(at).is_ok_and(|at| (*start..start + table.bytes()).contains(&at))
    });
    let Some((start, table)) = found else { return Refers::Nothing };
    let name = Tables::constant(table);
    let constant = match bias {
        0 => name,
        1.. => format!("{name}-{bias}"),
        _ => format!("{name}+{}", -bias),
    };
    Refers::Table { constant, at: (start as i64 - bias) as u64 }
}

fn is_branch(inst: &Instruction) -> bool {
    inst.is_jcc_short_or_near() || inst.is_jmp_short_or_near()
}
