//! GNU's syntax, which LLVM reads, too, for the assemblers of several systems; and the body that fits into
//! every container.
//!
//! Containers differ in how the place of tables is named. In a body two macros stand for that:
//! `tables_page` and `tables_place`. They differ in their unwind information, too. A body has DWARF's and
//! Windows', and who takes it in makes nothing of one.

use super::operands::{Names, step};
use crate::isa::aarch64::inst::Inst as Form;
use crate::isa::aarch64::object::note;
use crate::isa::aarch64::program::Step;
use crate::isa::aarch64::unwind::{Unwind, name};
use crate::isa::text::{Container, Dialect, Frame, Inst, Item, Label, Layout, Refers, Section};

/// GNU's syntax for the systems of a container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gnu {
    pub(super) container: Container,
}

impl Gnu {
    fn symbol(self, name: &str) -> String {
        self.container.symbol(8, name)
    }

    fn is_elf(self) -> bool {
        self.container == Container::Elf
    }

    fn is_body(self) -> bool {
        self.container == Container::Neutral
    }

    /// A function's own label. Numbers are nobody's name: they fit every container, and copies of
    /// them do not clash.
    fn local(self, function: &str, label: &Label) -> String {
        if self.is_body() {
            return label.number.to_string();
        }
        let before = if self.container == Container::MachO { "L" } else { ".L" };
        format!("{before}{function}_{}", label.name)
    }

    fn inst(self, function: &str, inst: &Inst, tables: &str, layout: &mut Layout) {
        let branch = match &inst.refers {
            Refers::Branch(label, back) => {
                let side = if *back { "b" } else { "f" };
                self.local(function, label) + if self.is_body() { side } else { "" }
            }
            _ => String::new(),
        };
        let tables = self.symbol(tables);
        let tables = match self.container {
            Container::MachO => [format!("{tables}@PAGE"), format!("{tables}@PAGEOFF")],
            _ => [tables.clone(), format!(":lo12:{tables}")],
        };
        let (mut mnemonic, mut operands) = step(inst.of(), &Names { branch, tables });
        if let (true, Step::Inst(form)) = (self.is_body(), inst.of()) {
            match form {
                Form::TablePage { .. } => mnemonic = "tables_page".to_owned(),
                Form::TableOffset { .. } => {
                    mnemonic = "tables_place".to_owned();
                    operands = operands.replace(":lo12:", "");
                }
                _ => {}
            }
        }
        if self.has_seh() && *inst.of::<Step>() == Step::Return {
            layout.line(".seh_endepilogue", "");
        }
        layout.commented(&mnemonic, &operands, &inst.comment);
        if let (true, Some(unwind)) = (self.has_seh(), Unwind::of(inst.of())) {
            let (directive, operands) = unwind.directive();
            layout.line(directive, &operands);
        }
    }

    fn typed(self, name: &str, what: &str, layout: &mut Layout) {
        if self.is_elf() {
            layout.line(".type", &format!("{name}, %{what}"));
        }
    }

    fn size(self, name: &str, layout: &mut Layout) {
        if self.is_elf() {
            layout.line(".size", &format!("{name}, .-{name}"));
        }
    }

    /// Unwind information by DWARF's call frame instructions.
    fn cfi(frame: &Frame, layout: &mut Layout) {
        let saved = |register: u8, depth: u32, layout: &mut Layout| {
            layout.line(".cfi_offset", &format!("{}, -{depth}", name(register)));
        };
        let depth = |depth: u32, layout: &mut Layout| {
            layout.line(".cfi_def_cfa_offset", &depth.to_string());
        };
        match frame {
            Frame::Lowered { depth: now, .. } | Frame::Raised { depth: now } => depth(*now, layout),
            Frame::Pushed { register, depth } => saved(*register, *depth, layout),
            Frame::Popped { register, .. } => layout.line(".cfi_restore", &name(*register)),
            Frame::Again { depth: now, pushed } => {
                depth(*now, layout);
                for (register, depth) in pushed {
                    saved(*register, *depth, layout);
                }
            }
            Frame::Entered | Frame::Leaves => {}
        }
    }

    /// Whether it has DWARF's unwind information.
    fn has_cfi(self) -> bool {
        self.container != Container::Coff
    }

    /// Whether it has Windows'.
    fn has_seh(self) -> bool {
        matches!(self.container, Container::Coff | Container::Neutral)
    }
}

impl Dialect for Gnu {
    fn comment(&self) -> [&'static str; 2] {
        ["//", ""]
    }

    fn item(&self, item: &Item<'_>, layout: &mut Layout) {
        match *item {
            Item::Start(features, _) if features.contains(&"sha3") && self.is_elf() => {
                layout.line(".arch", "armv8.2-a+sha3");
            }
            Item::Start(..) | Item::EndSection(_) | Item::Distance(..) => {}
            Item::Section(section) => match (section, self.container) {
                (Section::Text, Container::MachO) => {
                    layout.line(".section", "__TEXT,__text,regular,pure_instructions");
                }
                (Section::Text, _) => layout.line(".text", ""),
                (Section::Constants, Container::MachO) => layout.line(".section", "__TEXT,__const"),
                (Section::Constants, Container::Coff) => layout.line(".section", ".rdata,\"dr\""),
                (Section::Constants, _) => layout.line(".section", ".rodata"),
            },
            Item::Global(name) => layout.line(".globl", &self.symbol(name)),
            Item::Align(bytes) => layout.line(".p2align", &bytes.trailing_zeros().to_string()),
            Item::Entries(name, bytes, entries) => {
                if let Some(name) = name {
                    let symbol = self.symbol(name);
                    self.typed(&symbol, "object", layout);
                    layout.left(&format!("{symbol}:"));
                }
                let directive = match bytes {
                    1 => ".byte",
                    2 => ".short",
                    4 => ".long",
                    _ => ".quad",
                };
                layout.entries(directive, [".skip", ", 0"], bytes, entries);
            }
            Item::EndTables(name) => self.size(&self.symbol(name), layout),
            Item::Constant(name, value) => layout.line(".set", &format!("{name}, {value}")),
            Item::Function(name) => {
                let symbol = self.symbol(name);
                self.typed(&symbol, "function", layout);
                if self.container == Container::Coff {
                    layout.line(".def", &symbol);
                    layout.line(".scl", "2");
                    layout.line(".type", "32");
                    layout.line(".endef", "");
                }
                if self.has_seh() {
                    layout.line(".seh_proc", &symbol);
                }
                layout.left(&format!("{symbol}:"));
                if self.has_cfi() {
                    layout.line(".cfi_startproc", "");
                }
            }
            Item::Label(function, label) => {
                layout.left(&format!("{}:", self.local(function, label)));
            }
            Item::Inst(function, inst, tables) => self.inst(function, inst, tables, layout),
            Item::Frame(frame) => {
                if self.has_cfi() {
                    Self::cfi(frame, layout);
                }
                match frame {
                    Frame::Entered if self.has_seh() => layout.line(".seh_endprologue", ""),
                    Frame::Leaves if self.has_seh() => layout.line(".seh_startepilogue", ""),
                    _ => {}
                }
            }
            Item::EndFunction(name, _) => {
                if self.has_cfi() {
                    layout.line(".cfi_endproc", "");
                }
                if self.has_seh() {
                    layout.line(".seh_endproc", "");
                }
                self.size(&self.symbol(name), layout);
            }
            Item::Landing => {
                layout.blank();
                layout.line(".section", &format!("{},\"a\",%note", note::SECTION));
                layout.line(".p2align", "3");
                let words = note::WORDS.map(|word| format!("{word:#x}"));
                layout.line(".long", &words.join(", "));
            }
            Item::Finish(apart) => {
                layout.blank();
                match self.container {
                    Container::Elf => {
                        layout.line(".section", ".note.GNU-stack,\"\",%progbits");
                    }
                    Container::MachO if apart => layout.line(".subsections_via_symbols", ""),
                    _ => {}
                }
            }
        }
    }
}
