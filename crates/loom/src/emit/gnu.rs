//! GNU's syntax, AT&T's and Intel's operands, for the assemblers of several systems; and the body
//! that fits into every container.

use crate::isa::x86::{X86_32, X86_64};
use iced_x86::{Formatter, GasFormatter, Instruction, IntelFormatter, Mnemonic};

use super::sheet::{Item, Section};
use super::systems::{self, Align, CPP_FINISH, CPP_START, Symbols, System, Unwind};
use super::unit::{Frame, Inst, Label, Refers};
use super::x86::{Names, instruction};
use super::{Container, Dialect, Page, cet};
use crate::isa::Target;
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
    pub(super) target: &'static Target,
    pub(super) system: System,
}

/// The body that fits into every container.
pub(super) const BODY: Gnu = Gnu { syntax: Syntax::Att, target: &X86_64, system: systems::BODY };

/// Entries on a line.
const ENTRIES: usize = 4;

impl Gnu {
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

    fn instruction(
        &self,
        function: &str,
        inst: &Inst<Instruction>,
        tables: &str,
    ) -> (String, String) {
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
        let names = Names { branch, tables, constants };
        match self.syntax {
            Syntax::Att => instruction(inst, names, |resolver, numbers| {
                let mut formatter = GasFormatter::with_options(Some(resolver), Some(numbers));
                formatter.options_mut().set_rip_relative_addresses(true);
                formatter
            }),
            // The formatter's `ret far` is a near return to GNU as, with the address of `far`.
            Syntax::Intel if inst.inst.mnemonic() == Mnemonic::Retf => {
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
        let name = (self.target.register)(number);
        if self.syntax == Syntax::Att { format!("%{name}") } else { name.to_owned() }
    }

    /// Windows for 32 bits has no tables to undo frames by; its GNU tools read those of ELF.
    fn unwind(&self) -> Unwind {
        match self.system.unwind {
            Unwind::Windows if self.target == &X86_32 => Unwind::Dwarf,
            unwind => unwind,
        }
    }

    fn typed(&self, name: &str, what: &str, page: &mut Page) {
        match self.system.symbols {
            Symbols::Bare => {}
            Symbols::Typed => page.line(".type", &format!("{name}, @{what}")),
            Symbols::Macros => page.line(&format!("TYPE({name}, {what})"), ""),
        }
    }

    fn size(&self, name: &str, page: &mut Page) {
        match self.system.symbols {
            Symbols::Bare => {}
            Symbols::Typed => page.line(".size", &format!("{name}, .-{name}")),
            Symbols::Macros => page.line(&format!("SIZE({name})"), ""),
        }
    }

    /// Before a symbol appears: where the file may become a.out, its name may get an underscore.
    fn named(&self, name: &str, page: &mut Page) {
        if self.system.symbols == Symbols::Macros {
            page.left("#if defined(OUT) || defined(BSDI)");
            page.left(&format!("#define {name} _{name}"));
            page.left("#endif");
        }
    }

    /// Prints what is for ELF only, if it is, where the file may become something else.
    fn only_elf(&self, only: bool, page: &mut Page, print: impl FnOnce(&mut Page)) {
        let condition = only && self.system.symbols == Symbols::Macros;
        if condition {
            page.left("#if defined(ELF)");
        }
        print(page);
        if condition {
            page.left("#endif");
        }
    }

    /// Unwind information by DWARF's call frame instructions.
    fn cfi(&self, frame: &Frame, page: &mut Page) {
        let word = Mode::of(self.target).bytes();
        if let Some(bytes) = frame.caller(word) {
            page.line(".cfi_def_cfa_offset", &bytes.to_string());
        }
        let saved = |register: &u8, depth: &u32, page: &mut Page| {
            let at = format!("{}, -{}", self.register(*register), depth + word);
            page.line(".cfi_offset", &at);
        };
        match frame {
            Frame::Pushed { register, depth } => saved(register, depth, page),
            Frame::Popped { register, .. } => {
                page.line(".cfi_restore", &self.register(*register));
            }
            Frame::Again { pushed, .. } => {
                for (register, depth) in pushed {
                    saved(register, depth, page);
                }
            }
            Frame::Lowered { .. } | Frame::Raised { .. } | Frame::Entered => {}
        }
    }

    /// Unwind information for Windows: what the entry does.
    fn seh(&self, frame: &Frame, page: &mut Page) {
        match frame {
            Frame::Pushed { register, .. } => page.line(".seh_pushreg", &self.register(*register)),
            Frame::Lowered { by, .. } => page.line(".seh_stackalloc", &by.to_string()),
            Frame::Entered => page.line(".seh_endprologue", ""),
            Frame::Popped { .. } | Frame::Raised { .. } | Frame::Again { .. } => {}
        }
    }
}

impl Dialect<Instruction> for Gnu {
    fn comment(&self) -> [&'static str; 2] {
        self.system.comment
    }

    fn target(&self) -> &'static Target {
        self.target
    }

    fn container(&self) -> Container {
        self.system.container
    }

    fn without_cet(&self) -> Option<&'static str> {
        self.container().without_cet(self.target).or(self.system.without_cet)
    }

    fn item(&self, item: &Item<'_, Instruction>, page: &mut Page) {
        let symbol = |name: &str| self.symbol(name);
        let unwind = self.unwind();
        let mode = Mode::of(self.target);
        match *item {
            Item::Start(_) => {
                if self.system.symbols == Symbols::Macros {
                    CPP_START.lines().for_each(|line| page.left(line));
                }
                if self.syntax == Syntax::Intel {
                    page.line(".intel_syntax", "noprefix");
                }
                if mode == Mode::Real {
                    page.line(".arch", "i386");
                    page.line(".code16", "");
                }
            }
            Item::Section(section) => {
                let (directive, name) = match section {
                    Section::Text => self.system.text,
                    Section::Constants => self.system.constants,
                };
                page.line(directive, name);
            }
            Item::EndSection(_) => {}
            Item::Global(name) => {
                self.named(name, page);
                page.line(".globl", &symbol(name));
            }
            Item::Align(bytes) => {
                // Segments begin at multiples of 16.
                let bytes = if mode == Mode::Real { bytes.min(16) } else { bytes };
                let power = bytes.trailing_zeros();
                match self.system.align {
                    Align::Bytes(directive) => page.line(directive, &bytes.to_string()),
                    Align::Power(directive) => page.line(directive, &power.to_string()),
                    Align::Either => page.line(&format!("ALIGN({bytes}, {power})"), ""),
                }
            }
            Item::Entries(name, bytes, entries) => {
                if let Some(name) = name {
                    let symbol = symbol(name);
                    self.named(name, page);
                    self.typed(&symbol, "object", page);
                    page.left(&format!("{symbol}:"));
                }
                let directive = match bytes {
                    1 => ".byte",
                    2 => ".short",
                    4 => ".long",
                    _ => ".quad",
                };
                let digits = 2 * usize::from(bytes);
                for line in entries.chunks(ENTRIES) {
                    let line: Vec<_> =
                        line.iter().map(|entry| format!("0x{entry:0digits$x}")).collect();
                    page.line(directive, &line.join(", "));
                }
            }
            Item::Distance(..) if !self.names_distances() => {}
            Item::Distance(function, here, tables) => {
                let (name, here) = (self.distance(function), self.label(function, here));
                page.line(".set", &format!("{name}, {} - {here}", symbol(tables)));
            }
            Item::Constant(name, value) => page.line(".set", &format!("{name}, {value}")),
            Item::Function(name) => {
                let symbol = symbol(name);
                self.typed(&symbol, "function", page);
                if self.system.container == Container::Coff {
                    page.line(".def", &format!("{symbol}; .scl 2; .type 32; .endef"));
                }
                if unwind == Unwind::Windows {
                    page.line(".seh_proc", name);
                }
                page.left(&format!("{symbol}:"));
                if unwind == Unwind::Dwarf {
                    page.line(".cfi_startproc", "");
                }
            }
            Item::Label(function, label) => {
                let name = self.label(function, label);
                if self.is_body() {
                    let line = format!("{name}:");
                    page.left(&format!("{line:<16}# {}", label.name));
                } else {
                    page.left(&format!("{name}:"));
                }
            }
            Item::Inst(function, inst, tables) => {
                let (mnemonic, operands) = self.instruction(function, inst, tables);
                let comment = match &inst.refers {
                    Refers::Table { constant, .. } if self.is_body() => constant,
                    _ => &inst.comment,
                };
                self.only_elf(is_landing(&inst.inst), page, |page| {
                    page.commented(&mnemonic, &operands, comment);
                });
            }
            Item::Frame(frame) => match unwind {
                Unwind::None => {}
                Unwind::Dwarf => self.cfi(frame, page),
                Unwind::Windows => self.seh(frame, page),
            },
            Item::EndFunction(name, _) => {
                match unwind {
                    Unwind::None => {}
                    Unwind::Dwarf => page.line(".cfi_endproc", ""),
                    Unwind::Windows => page.line(".seh_endproc", ""),
                }
                self.size(&symbol(name), page);
            }
            Item::EndTables(name) => self.size(&symbol(name), page),
            Item::Cet if self.without_cet().is_some() => {}
            Item::Cet => {
                page.blank();
                self.only_elf(true, page, |page| {
                    page.line(".section", &format!("{},\"a\",@note", cet::SECTION));
                    page.line(".p2align", &cet::align(mode).trailing_zeros().to_string());
                    for (words, comment) in cet::rows(mode) {
                        let words: Vec<_> = words.iter().map(|word| format!("{word:#x}")).collect();
                        page.commented(".long", &words.join(", "), comment);
                    }
                });
            }
            Item::Finish(apart) => {
                page.blank();
                for (directive, operands) in self.system.finish {
                    if apart || *directive != systems::APART {
                        page.line(directive, operands);
                    }
                }
                if self.system.symbols == Symbols::Macros {
                    CPP_FINISH.lines().for_each(|line| page.left(line));
                }
            }
        }
    }
}
