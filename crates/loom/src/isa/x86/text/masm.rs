//! MASM: Microsoft's ml64 and ml, and llvm-ml.

use iced_x86::{Formatter, Instruction, MasmFormatter, MemorySizeOptions};

use super::operands::{Names, instruction};
use crate::isa::text::{
    Container, Dialect, Frame, Inst, Item, Label, Layout, Refers, Run, Section, runs,
};
use crate::isa::x86::Mode;

/// MASM.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masm {
    pub(super) mode: Mode,
}

fn segment(section: Section) -> (&'static str, &'static str) {
    match section {
        Section::Text => (".text$", "ALIGN(64) 'CODE'"),
        Section::Constants => (".rdata", "READONLY ALIGN(64)"),
    }
}

/// What opens the instructions that a file needs: MASM begins with those of the 8086.
fn processor(features: &[&str]) -> Vec<&'static str> {
    let needs = |names: &[&str]| features.iter().any(|feature| names.contains(feature));
    if needs(&["sse2", "bmi2", "gfni", "avx2", "avx512", "vbmi"]) {
        vec![".686", ".XMM"]
    } else if needs(&["cmov"]) {
        vec![".686"]
    } else if needs(&["bswap"]) {
        vec![".486"]
    } else {
        vec![".386"]
    }
}

fn local(function: &str, label: &Label) -> String {
    format!("{function}_{}", label.name)
}

/// A number that begins with a digit, as a name does not.
fn hexadecimal(number: u64, digits: usize) -> String {
    format!("0{number:0digits$x}h")
}

fn operands(function: &str, inst: &Inst, tables: String) -> (String, String) {
    let branch = match &inst.refers {
        Refers::Branch(label, _) => local(function, label),
        _ => String::new(),
    };
    let names = Names { branch, tables, constants: true, sums: true };
    let (mnemonic, operands) = instruction(inst, names, |resolver, numbers| {
        let mut formatter = MasmFormatter::with_options(Some(resolver), Some(numbers));
        // The size of what a name stands for is not that of the operand.
        formatter.options_mut().set_memory_size_options(MemorySizeOptions::Always);
        formatter.options_mut().set_show_branch_size(false);
        formatter.options_mut().set_masm_symbol_displ_in_brackets(true);
        formatter
    });
    (mnemonic, repeated(&operands, inst.of()))
}

/// A word of memory that is repeated, as llvm-ml wants it: `dword ptr [rcx]{1to16}`. (ml64 has
/// `dword bcst [rcx]` for it, which llvm-ml does not know; ml64 could not be tried.)
fn repeated(operands: &str, inst: &Instruction) -> String {
    let Some((before, place)) = operands.split_once(" bcst ") else { return operands.to_owned() };
    let times = inst.op0_register().size() / inst.memory_size().info().element_size();
    match place.split_once(']') {
        Some((place, behind)) => format!("{before} ptr {place}]{{1to{times}}}{behind}"),
        None => panic!("a place in memory without brackets: {operands}"),
    }
}

impl Dialect for Masm {
    fn comment(&self) -> [&'static str; 2] {
        [";", ""]
    }

    fn item(&self, item: &Item<'_>, layout: &mut Layout) {
        let wide = self.mode.is_64();
        let symbol = |name: &str| Container::Coff.symbol(self.mode.bytes(), name);
        match *item {
            Item::Start(features, _) => {
                if !wide {
                    processor(features).into_iter().for_each(|line| layout.line(line, ""));
                    layout.line(".MODEL", "FLAT");
                }
            }
            Item::EndTables(_) => {}
            Item::Section(section) => {
                let (name, what) = segment(section);
                layout.left(&format!("{name:<7} SEGMENT {what}"));
            }
            Item::EndSection(section) => {
                let (name, _) = segment(section);
                layout.left(&format!("{name:<7} ENDS"));
            }
            Item::Global(name) => layout.line("PUBLIC", &symbol(name)),
            Item::Align(bytes) => layout.line("ALIGN", &bytes.to_string()),
            Item::Entries(name, bytes, entries) => {
                let directive = match bytes {
                    1 => "BYTE",
                    2 => "WORD",
                    4 => "DWORD",
                    _ => "QWORD",
                };
                let digits = 2 * usize::from(bytes);
                for (n, run) in runs(bytes, entries).into_iter().enumerate() {
                    let line = match run {
                        Run::Entries(line) => {
                            let line = line.iter().map(|entry| hexadecimal(*entry, digits));
                            line.collect::<Vec<_>>().join(", ")
                        }
                        Run::Gap(many) => format!("{many} DUP (0)"),
                    };
                    match name {
                        Some(name) if n == 0 => {
                            layout.left(&format!("{} {directive} {line}", symbol(name)));
                        }
                        _ => layout.line(directive, &line),
                    }
                }
            }
            // Refused before.
            Item::Distance(..) | Item::Landing => {}
            Item::Constant(name, value) => layout.left(&format!("{name:<7} = {value}")),
            Item::Function(name) => {
                let frame = if wide { " FRAME" } else { "" };
                layout.left(&format!("{} PROC{frame}", symbol(name)));
            }
            Item::Label(function, label) => layout.left(&format!("{}:", local(function, label))),
            Item::Inst(function, inst, tables) => {
                let (mnemonic, operands) = operands(function, inst, symbol(tables));
                layout.commented(&mnemonic, &operands, &inst.comment);
            }
            Item::Frame(_) if !wide => {}
            Item::Frame(frame) => match frame {
                Frame::Pushed { register: number, .. } => {
                    layout.line(".pushreg", self.mode.name(*number));
                }
                Frame::Lowered { by, .. } => layout.line(".allocstack", &by.to_string()),
                Frame::Entered => layout.line(".endprolog", ""),
                Frame::Popped { .. }
                | Frame::Raised { .. }
                | Frame::Again { .. }
                | Frame::Leaves => {}
            },
            Item::EndFunction(name, _) => layout.left(&format!("{} ENDP", symbol(name))),
            Item::Finish(_) => layout.line("END", ""),
        }
    }
}
