//! armasm64, Microsoft's assembler ("ARM assembler directives" in its documentation). It could not be tried;
//! where its versions differ, this is what programs that are built with it have.
//!
//! It has no directives for unwind information but macros of a header of Microsoft's.

use super::operands::{Names, step};
use crate::isa::Reg;
use crate::isa::aarch64::VECTOR_0;
use crate::isa::aarch64::inst::{Bytes, Inst as Form};
use crate::isa::aarch64::program::Step;
use crate::isa::text::{Container, Dialect, Inst, Item, Label, Layout, Refers, Section};

/// armasm64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Armasm;

fn symbol(name: &str) -> String {
    Container::Coff.symbol(8, name)
}

/// Labels belong to the whole file.
fn local(function: &str, label: &Label) -> String {
    format!("{function}_{}", label.name)
}

fn instruction(function: &str, inst: &Inst, tables: &str) -> (String, String) {
    let branch = match &inst.refers {
        Refers::Branch(label, _) => local(function, label),
        _ => String::new(),
    };
    // Which part of the address is meant, it knows by the instruction.
    let tables = [symbol(tables), symbol(tables)];
    let (mnemonic, operands) = step(inst.of(), &Names { branch, tables });
    let Step::Inst(form) = inst.of() else { return (mnemonic, operands) };
    match form {
        // Not all versions know `mov` of vectors, and `ext` by that name.
        Form::Copy { dst: Reg::Physical(VECTOR_0..), .. } => {
            let source = operands.split(", ").nth(1).expect("two operands");
            ("orr".to_owned(), format!("{operands}, {source}"))
        }
        Form::Bytes { op: Bytes::Middle, .. } => ("ext8".to_owned(), operands),
        // It shifts no constant by itself.
        Form::SumImm { imm, .. } if imm.abs() > 0xfff => {
            let (registers, _) = operands.rsplit_once('#').expect("a constant");
            (mnemonic, format!("{registers}#{}, lsl #12", imm.abs() >> 12))
        }
        _ => (mnemonic, operands),
    }
}

impl Dialect for Armasm {
    fn comment(&self) -> [&'static str; 2] {
        [";", ""]
    }

    fn item(&self, item: &Item<'_>, layout: &mut Layout) {
        match *item {
            Item::Section(section) => layout.line(
                "AREA",
                match section {
                    // What fills up to a multiple is run: by instructions that do nothing.
                    Section::Text => "|.text|, CODE, READONLY, ALIGN=6, CODEALIGN",
                    Section::Constants => "|.rdata|, DATA, READONLY, ALIGN=6",
                },
            ),
            Item::Global(name) => layout.line("EXPORT", &symbol(name)),
            Item::Align(bytes) => layout.line("ALIGN", &bytes.to_string()),
            Item::Entries(name, bytes, entries) => {
                if let Some(name) = name {
                    layout.left(&symbol(name));
                }
                let directive = match bytes {
                    1 => "DCB",
                    2 => "DCW",
                    4 => "DCD",
                    _ => "DCQ",
                };
                layout.entries(directive, ["SPACE", ""], bytes, entries);
            }
            // Instructions have the number; comments have the name.
            Item::Constant(name, value) => {
                layout.comment(&format!("{name:<6} at {value:>6} of the tables"));
            }
            Item::Function(name) => layout.left(&format!("{} PROC", symbol(name))),
            Item::Label(function, label) => layout.left(&local(function, label)),
            Item::Inst(function, inst, tables) => {
                let (mnemonic, operands) = instruction(function, inst, tables);
                layout.commented(&mnemonic, &operands, &inst.comment);
            }
            Item::EndFunction(..) => layout.line("ENDP", ""),
            Item::Finish(_) => {
                layout.blank();
                layout.line("END", "");
            }
            Item::Start(..)
            | Item::EndSection(_)
            | Item::EndTables(_)
            | Item::Distance(..)
            | Item::Frame(_)
            | Item::Landing => {}
        }
    }
}
