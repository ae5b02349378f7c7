//! NASM and YASM, for ELF, COFF (also DJGPP's), Mach-O, a.out, OMF, and programs without a container.

use iced_x86::{Formatter, NasmFormatter};

use super::operands::{Names, instruction};
use crate::isa::text::{Container, Dialect, Frame, Inst, Item, Layout, Refers, Section};
use crate::isa::x86::Mode;
use crate::isa::x86::object::cet;
use crate::isa::x86::object::unwind::windows;

/// Who reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// NASM, which fills gaps with long no-operations if it is told to.
    Nasm,
    /// YASM, which does so by itself.
    Yasm,
}

/// NASM or YASM for one container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nasm {
    pub(super) reader: Reader,
    pub(super) mode: Mode,
    pub(super) container: Container,
}

impl Nasm {
    fn symbol(&self, name: &str) -> String {
        self.container.symbol(self.mode.bytes(), name)
    }

    fn section(&self, section: Section) -> &'static str {
        match (section, self.container) {
            (Section::Text, Container::Coff) => ".text code align=64",
            // It has no section of constants, and no alignment of its own for any.
            (_, Container::AOut | Container::Go32) => ".text",
            // Tables lie beside the code: real mode reaches them by `cs`.
            (_, Container::Omf) => "_TEXT",
            (_, Container::Neutral | Container::As86) => ".text",
            (Section::Text, _) => ".text align=64",
            (Section::Constants, Container::Elf) => ".rodata align=64",
            (Section::Constants, Container::Coff) => ".rdata rdata align=64",
            (Section::Constants, Container::MachO) => "__TEXT,__const align=64",
        }
    }

    fn instruction(&self, inst: &Inst, tables: &str) -> (String, String) {
        let branch = match &inst.refers {
            Refers::Branch(label, _) => format!(".{}", label.name),
            _ => String::new(),
        };
        let tables = match &inst.refers {
            Refers::Distance(_) => ".tables".to_owned(),
            _ => self.symbol(tables),
        };
        let names = Names { branch, tables, constants: true, sums: false };
        instruction(inst, names, |resolver, numbers| {
            let mut formatter = NasmFormatter::with_options(Some(resolver), Some(numbers));
            formatter.options_mut().set_hex_prefix("0x");
            formatter.options_mut().set_hex_suffix("");
            formatter
        })
    }

    /// Places in a function's entry that Windows' unwind codes name.
    fn mark(frame: &Frame) -> Option<String> {
        match frame {
            Frame::Pushed { register: number, .. } => {
                Some(format!(".pushed_{}", Mode::Bits64.name(*number)))
            }
            // There are several where each page is touched.
            Frame::Lowered { depth, .. } => Some(format!(".lowered_{depth}")),
            Frame::Entered => Some(".entered".to_owned()),
            Frame::Popped { .. } | Frame::Raised { .. } | Frame::Again { .. } | Frame::Leaves => {
                None
            }
        }
    }

    /// Unwind information for Windows: NASM has no directives for it, so here are its bytes.
    fn unwind(&self, name: &str, entry: &[Frame], layout: &mut Layout) {
        let mut codes = Vec::new();
        for step in windows(entry) {
            let after = Self::mark(step.undoes).unwrap_or_default();
            codes.push(("db", format!("{after} - {name}, {}", step.code)));
            codes.extend(step.size.map(|size| ("dw", size.to_string())));
        }
        let count = codes.len();
        if count % 2 == 1 {
            codes.push(("dw", "0".to_owned()));
        }
        layout.left(".end:");
        layout.blank();
        layout.comment("unwind information");
        layout.line("section", ".xdata");
        layout.line("align", "4, db 0");
        layout.left(".unwind:");
        layout.line("db", &format!("1, .entered - {name}, {count}, 0"));
        for (directive, operands) in codes {
            layout.line(directive, &operands);
        }
        layout.line("section", ".pdata");
        for label in [name, ".end", ".unwind"] {
            layout.line("dd", &format!("{label} wrt ..imagebase"));
        }
        layout.line("section", ".text");
    }
}

impl Dialect for Nasm {
    fn comment(&self) -> [&'static str; 2] {
        [";", ""]
    }

    fn item(&self, item: &Item<'_>, layout: &mut Layout) {
        let symbol = |name: &str| self.symbol(name);
        let elf = self.container == Container::Elf;
        let mode = self.mode;
        let windows = self.container == Container::Coff && mode == Mode::Bits64;
        match *item {
            Item::Start(..) => {
                layout.line("bits", &mode.bits().to_string());
                if mode == Mode::Real {
                    layout.line("cpu", "386");
                }
                if mode == Mode::Bits64 {
                    layout.line("default", "rel");
                }
                if mode == Mode::Bits64 && self.reader == Reader::Nasm {
                    layout.comment("gaps are filled with long no-operations");
                    layout.line("%use", "smartalign");
                    layout.line("alignmode", "p6, nojmp");
                }
                if self.container == Container::Omf {
                    layout.line("section", "_TEXT public use16 class=CODE align=16");
                }
                if windows {
                    // What a section is, is said once.
                    layout.line("section", ".xdata rdata align=8");
                    layout.line("section", ".pdata rdata align=4");
                } else if mode != Mode::Real {
                    layout.comment("no unwind information: there are no directives for it");
                }
            }
            Item::Section(section) => layout.line("section", self.section(section)),
            Item::EndSection(_) => {}
            Item::Global(name) if elf => {
                layout.line("global", &format!("{name}:function ({name}.end - {name})"));
            }
            Item::Global(_) if self.container == Container::Neutral => {}
            Item::Global(name) => layout.line("global", &symbol(name)),
            Item::Align(bytes) => {
                // Segments begin at multiples of 16.
                let bytes = if mode == Mode::Real { bytes.min(16) } else { bytes };
                layout.line("align", &bytes.to_string());
            }
            Item::Entries(name, bytes, entries) => {
                if let Some(name) = name {
                    layout.left(&format!("{}:", symbol(name)));
                }
                let directive = match bytes {
                    1 => "db",
                    2 => "dw",
                    4 => "dd",
                    _ => "dq",
                };
                layout.entries(directive, ["times", " db 0"], bytes, entries);
            }
            Item::EndTables(_) => {}
            Item::Distance(_, here, tables) => {
                layout.left(&format!(
                    "{:<8}equ     {} - .{}",
                    ".tables",
                    symbol(tables),
                    here.name
                ));
            }
            Item::Constant(name, value) => layout.line("%assign", &format!("{name} {value}")),
            Item::Function(name) => layout.left(&format!("{}:", symbol(name))),
            Item::Label(_, label) => layout.left(&format!(".{}:", label.name)),
            Item::Inst(_, inst, tables) => {
                let (mnemonic, operands) = self.instruction(inst, tables);
                layout.commented(&mnemonic, &operands, &inst.comment);
            }
            Item::Frame(frame) => {
                if let Some(mark) = Self::mark(frame).filter(|_| windows) {
                    layout.left(&format!("{mark}:"));
                }
            }
            Item::EndFunction(name, entry) if windows => self.unwind(name, entry, layout),
            Item::EndFunction(..) => layout.left(".end:"),
            Item::Landing => {
                layout.blank();
                let kind = format!("note alloc noexec nowrite align={}", cet::align(mode));
                layout.line("section", &format!("{} {kind}", cet::SECTION));
                for (words, comment) in cet::rows(mode) {
                    let words: Vec<_> = words.iter().map(|word| format!("{word:#x}")).collect();
                    layout.commented("dd", &words.join(", "), comment);
                }
            }
            Item::Finish(_) => {
                layout.blank();
                if elf {
                    let flags = if self.reader == Reader::Nasm { " nowrite progbits" } else { "" };
                    let section = format!(".note.GNU-stack noalloc noexec{flags}");
                    layout.line("section", &section);
                }
            }
        }
    }
}
