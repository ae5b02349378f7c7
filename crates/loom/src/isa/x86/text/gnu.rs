//! GNU's syntax, AT&T's and Intel's operands, for the assemblers of several flavours; and the body
//! that fits into every container.

use iced_x86::{Formatter, GasFormatter, Instruction, IntelFormatter, Mnemonic};

use super::flavours::{self, Align, CPP_FINISH, CPP_START, Flavour, Symbols, Unwind};
use super::operands::{Names, instruction};
use crate::isa::text::{Container, Dialect, Frame, Inst, Item, Label, Layout, Refers, Section};
use crate::isa::x86::object::cet;
use crate::isa::x86::{Mode, is_landing};

/// How operands are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `mov %rax, %rbx`: from left to right.
    Att,
    /// `mov rbx, rax`.
    Intel,
}

/// GNU's syntax for one system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gnu {
    pub(super) syntax: Syntax,
    pub(super) mode: Mode,
    pub(super) system: Flavour,
}

impl Gnu {
    fn symbol(&self, name: &str) -> String {
        self.system.container.symbol(self.mode.bytes(), name)
    }

    fn is_body(&self) -> bool {
        self.system.container == Container::Neutral
    }

    /// A function's own label. Numbers are nobody's name: they fit every container, and copies of
    /// them do not clash.
    fn label(&self, function: &str, label: &Label) -> String {
        if self.is_body() {
            return label.number.to_string();
        }
        let [before, behind] = self.system.local;
        format!("{before}{function}_{}{behind}", label.name)
    }

    /// Whether a distance gets a name: an operand of Intel's syntax has room for one symbol only.
    fn names_distances(&self) -> bool {
        self.syntax == Syntax::Intel || self.system.names_distances
    }

    /// The name of how far away a function's tables are.
    fn distance(&self, function: &str) -> String {
        let [before, behind] = self.system.local;
        format!("{before}{function}_tables{behind}")
    }

    fn branch(&self, function: &str, label: &Label, back: bool) -> String {
        let name = self.label(function, label);
        match (self.is_body(), back) {
            (false, _) => name,
            (true, true) => name + "b",
            (true, false) => name + "f",
        }
    }

    fn instruction(&self, function: &str, inst: &Inst, tables: &str) -> (String, String) {
        let branch = match &inst.refers {
            Refers::Branch(label, back) => self.branch(function, label, *back),
            _ => String::new(),
        };
        let constants = !self.is_body();
        let tables = match &inst.refers {
            Refers::Distance(_) if self.names_distances() => self.distance(function),
            Refers::Distance(here) => {
                format!("{} - {}", self.symbol(tables), self.label(function, here))
            }
            _ => self.symbol(tables),
        };
        let names = Names { branch, tables, constants, sums: true };
        match self.syntax {
            Syntax::Att => instruction(inst, names, |resolver, numbers| {
                let mut formatter = GasFormatter::with_options(Some(resolver), Some(numbers));
                formatter.options_mut().set_rip_relative_addresses(true);
                formatter
            }),
            // The formatter's `ret far` is a near return to GNU as, with the address of `far`.
            Syntax::Intel if inst.of::<Instruction>().mnemonic() == Mnemonic::Retf => {
                ("retf".to_owned(), String::new())
            }
            Syntax::Intel => instruction(inst, names, |resolver, numbers| {
                let mut formatter = IntelFormatter::with_options(Some(resolver), Some(numbers));
                formatter.options_mut().set_rip_relative_addresses(true);
                formatter.options_mut().set_show_branch_size(false);
                formatter.options_mut().set_hex_prefix("0x");
                formatter.options_mut().set_hex_suffix("");
                formatter
            }),
        }
    }

    fn register(&self, number: u8) -> String {
        let name = self.mode.name(number);
        if self.syntax == Syntax::Att { format!("%{name}") } else { name.to_owned() }
    }

    /// Windows for 32 bits has no tables to undo frames by; its GNU tools read those of ELF.
    fn unwind(&self) -> Unwind {
        match self.system.unwind {
            Unwind::Windows if self.mode == Mode::Bits32 => Unwind::Dwarf,
            unwind => unwind,
        }
    }

    fn typed(&self, name: &str, what: &str, layout: &mut Layout) {
        match self.system.symbols {
            Symbols::Bare => {}
            Symbols::Typed => layout.line(".type", &format!("{name}, @{what}")),
            Symbols::Macros => layout.line(&format!("TYPE({name}, {what})"), ""),
        }
    }

    fn size(&self, name: &str, layout: &mut Layout) {
        match self.system.symbols {
            Symbols::Bare => {}
            Symbols::Typed => layout.line(".size", &format!("{name}, .-{name}")),
            Symbols::Macros => layout.line(&format!("SIZE({name})"), ""),
        }
    }

    /// Before a symbol appears: where the file may become a.out, its name may get an underscore.
    fn named(&self, name: &str, layout: &mut Layout) {
        if self.system.symbols == Symbols::Macros {
            layout.left("#if defined(OUT) || defined(BSDI)");
            layout.left(&format!("#define {name} _{name}"));
            layout.left("#endif");
        }
    }

    /// Prints what is for ELF only, if it is, where the file may become something else.
    fn only_elf(&self, only: bool, layout: &mut Layout, print: impl FnOnce(&mut Layout)) {
        let condition = only && self.system.symbols == Symbols::Macros;
        if condition {
            layout.left("#if defined(ELF)");
        }
        print(layout);
        if condition {
            layout.left("#endif");
        }
    }

    /// Unwind information by DWARF's call frame instructions.
    fn cfi(&self, frame: &Frame, layout: &mut Layout) {
        let word = self.mode.bytes();
        if self.system.unwind == Unwind::Both {
            let own = match frame {
                Frame::Lowered { by, .. } => Some((".cfi_adjust_cfa_offset", by.to_string())),
                Frame::Entered => Some((".cfi_remember_state", String::new())),
                Frame::Again { .. } => Some((".cfi_restore_state", String::new())),
                Frame::Pushed { .. }
                | Frame::Popped { .. }
                | Frame::Raised { .. }
                | Frame::Leaves => None,
            };
            if let Some((directive, operands)) = own {
                return layout.line(directive, &operands);
            }
        }
        if let Some(bytes) = frame.caller(word) {
            layout.line(".cfi_def_cfa_offset", &bytes.to_string());
        }
        let saved = |register: &u8, depth: &u32, layout: &mut Layout| {
            let at = format!("{}, -{}", self.register(*register), depth + word);
            layout.line(".cfi_offset", &at);
        };
        match frame {
            Frame::Pushed { register, depth } => saved(register, depth, layout),
            Frame::Popped { register, .. } => {
                layout.line(".cfi_restore", &self.register(*register));
            }
            Frame::Again { pushed, .. } => {
                for (register, depth) in pushed {
                    saved(register, depth, layout);
                }
            }
            Frame::Lowered { .. } | Frame::Raised { .. } | Frame::Entered | Frame::Leaves => {}
        }
    }

    /// Unwind information for Windows: what the entry does.
    fn seh(&self, frame: &Frame, layout: &mut Layout) {
        match frame {
            Frame::Pushed { register, .. } => {
                layout.line(".seh_pushreg", &self.register(*register));
            }
            Frame::Lowered { by, .. } => layout.line(".seh_stackalloc", &by.to_string()),
            Frame::Entered => layout.line(".seh_endprologue", ""),
            Frame::Popped { .. } | Frame::Raised { .. } | Frame::Again { .. } | Frame::Leaves => {}
        }
    }
}

impl Dialect for Gnu {
    fn comment(&self) -> [&'static str; 2] {
        self.system.comment
    }

    fn item(&self, item: &Item<'_>, layout: &mut Layout) {
        let symbol = |name: &str| self.symbol(name);
        let unwind = self.unwind();
        let mode = self.mode;
        match *item {
            Item::Start(..) => {
                if self.system.symbols == Symbols::Macros {
                    CPP_START.lines().for_each(|line| layout.left(line));
                }
                if self.syntax == Syntax::Intel {
                    layout.line(".intel_syntax", "noprefix");
                }
                if mode == Mode::Real {
                    layout.line(".arch", "i386");
                    layout.line(".code16", "");
                }
            }
            Item::Section(section) => {
                let (directive, name) = match section {
                    Section::Text => self.system.text,
                    Section::Constants => self.system.constants,
                };
                layout.line(directive, name);
            }
            Item::EndSection(_) => {}
            Item::Global(name) => {
                self.named(name, layout);
                layout.line(".globl", &symbol(name));
            }
            Item::Align(bytes) => {
                // Segments begin at multiples of 16.
                let bytes = if mode == Mode::Real { bytes.min(16) } else { bytes };
                let power = bytes.trailing_zeros();
                match self.system.align {
                    Align::Bytes(directive) => layout.line(directive, &bytes.to_string()),
                    Align::Power(directive) => layout.line(directive, &power.to_string()),
                    Align::Either => layout.line(&format!("ALIGN({bytes}, {power})"), ""),
                }
            }
            Item::Entries(name, bytes, entries) => {
                if let Some(name) = name {
                    let symbol = symbol(name);
                    self.named(name, layout);
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
            Item::Distance(..) if !self.names_distances() => {}
            Item::Distance(function, here, tables) => {
                let (name, here) = (self.distance(function), self.label(function, here));
                layout.line(".set", &format!("{name}, {} - {here}", symbol(tables)));
            }
            Item::Constant(name, value) => layout.line(".set", &format!("{name}, {value}")),
            Item::Function(name) => {
                let symbol = symbol(name);
                self.typed(&symbol, "function", layout);
                if self.system.container == Container::Coff {
                    layout.line(".def", &format!("{symbol}; .scl 2; .type 32; .endef"));
                }
                if unwind == Unwind::Windows {
                    layout.line(".seh_proc", name);
                }
                layout.left(&format!("{symbol}:"));
                if matches!(unwind, Unwind::Dwarf | Unwind::Both) {
                    layout.line(".cfi_startproc", "");
                }
            }
            Item::Label(function, label) => {
                let name = self.label(function, label);
                if self.is_body() {
                    let line = format!("{name}:");
                    layout.left(&format!("{line:<16}# {}", label.name));
                } else {
                    layout.left(&format!("{name}:"));
                }
            }
            Item::Inst(function, inst, tables) => {
                let (mnemonic, operands) = self.instruction(function, inst, tables);
                let comment = match &inst.refers {
                    Refers::Table { constant, .. } if self.is_body() => constant,
                    _ => &inst.comment,
                };
                self.only_elf(is_landing(inst.of()), layout, |layout| {
                    layout.commented(&mnemonic, &operands, comment);
                });
            }
            Item::Frame(frame) => match unwind {
                Unwind::None => {}
                Unwind::Dwarf | Unwind::Both => self.cfi(frame, layout),
                Unwind::Windows => self.seh(frame, layout),
            },
            Item::EndFunction(name, _) => {
                match unwind {
                    Unwind::None => {}
                    Unwind::Dwarf | Unwind::Both => layout.line(".cfi_endproc", ""),
                    Unwind::Windows => layout.line(".seh_endproc", ""),
                }
                self.size(&symbol(name), layout);
            }
            Item::EndTables(name) => self.size(&symbol(name), layout),
            Item::Landing => {
                layout.blank();
                self.only_elf(true, layout, |layout| {
                    layout.line(".section", &format!("{},\"a\",@note", cet::SECTION));
                    layout.line(".p2align", &cet::align(mode).trailing_zeros().to_string());
                    for (words, comment) in cet::rows(mode) {
                        let words: Vec<_> = words.iter().map(|word| format!("{word:#x}")).collect();
                        layout.commented(".long", &words.join(", "), comment);
                    }
                });
            }
            Item::Finish(apart) => {
                layout.blank();
                for (directive, operands) in self.system.finish {
                    if apart || *directive != flavours::APART {
                        layout.line(directive, operands);
                    }
                }
                if self.system.symbols == Symbols::Macros {
                    CPP_FINISH.lines().for_each(|line| layout.left(line));
                }
            }
        }
    }
}
