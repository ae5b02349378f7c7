//! GNU as and LLVM's assembler: AT&T and Intel syntax, for ELF, COFF and Mach-O; and the body that
//! fits into all of them.

use iced_x86::{Formatter, GasFormatter, Instruction, IntelFormatter};

use super::sheet::{Item, Section};
use super::unit::{Frame, Inst, Label, Refers};
use super::x86::{Names, instruction, register};
use super::{Container, Dialect, Page};
use crate::target::Architecture;
use crate::target::x86::Mode;

/// How operands are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `mov %rax, %rbx`: from left to right.
    Att,
    /// `mov rbx, rax`.
    Intel,
}

/// GNU as for one container.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gnu {
    pub(super) syntax: Syntax,
    pub(super) architecture: Architecture,
    pub(super) container: Container,
}

/// The body that fits into every container.
pub(super) const BODY: Gnu =
    Gnu { syntax: Syntax::Att, architecture: Architecture::X86_64, container: Container::Neutral };

/// Entries on a line.
const ENTRIES: usize = 4;

impl Gnu {
    /// A function's own label. Numbers are nobody's name: they fit every container, and copies of
    /// them do not clash.
    fn label(&self, function: &str, label: &Label) -> String {
        let name = &label.name;
        match self.container {
            Container::Elf | Container::Coff => format!(".L{function}_{name}"),
            Container::MachO => format!("L{function}_{name}"),
            Container::Neutral => label.number.to_string(),
        }
    }

    fn branch(&self, function: &str, label: &Label, back: bool) -> String {
        let name = self.label(function, label);
        match self.container {
            Container::Neutral => format!("{name}{}", if back { "b" } else { "f" }),
            _ => name,
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
        let constants = self.container != Container::Neutral;
        let names = Names { branch, tables: self.symbol(tables), constants };
        match self.syntax {
            Syntax::Att => instruction(inst, names, |resolver, numbers| {
                let mut formatter = GasFormatter::with_options(Some(resolver), Some(numbers));
                formatter.options_mut().set_rip_relative_addresses(true);
                formatter
            }),
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
        let name = register(self.architecture, number);
        if self.syntax == Syntax::Att { format!("%{name}") } else { name.to_owned() }
    }

    /// Whether unwind information is in the form of 64-bit Windows.
    fn has_windows_unwind(&self) -> bool {
        (self.container, self.architecture) == (Container::Coff, Architecture::X86_64)
    }

    fn section(&self, section: Section) -> (&'static str, &'static str) {
        match (section, self.container) {
            (Section::Text, Container::MachO) => {
                (".section", "__TEXT,__text,regular,pure_instructions")
            }
            (Section::Text, _) => (".text", ""),
            (Section::Constants, Container::Elf) => (".section", ".rodata"),
            (Section::Constants, Container::Coff) => (".section", ".rdata,\"dr\""),
            (Section::Constants, Container::MachO) => (".section", "__TEXT,__const"),
            (Section::Constants, Container::Neutral) => unreachable!("a body has no sections"),
        }
    }

    /// Unwind information by DWARF's call frame instructions.
    fn cfi(&self, frame: &Frame, page: &mut Page) {
        let word = Mode::of(self.architecture).bytes();
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
    fn comment(&self) -> &'static str {
        "#"
    }

    fn architecture(&self) -> Architecture {
        self.architecture
    }

    fn container(&self) -> Container {
        self.container
    }

    fn item(&self, item: &Item<'_, Instruction>, page: &mut Page) {
        let symbol = |name: &str| self.symbol(name);
        let elf = self.container == Container::Elf;
        // Windows for 32 bits has no tables to undo frames by; its GNU tools read those of ELF.
        let windows = self.has_windows_unwind();
        match *item {
            Item::Start => {
                if self.syntax == Syntax::Intel {
                    page.line(".intel_syntax", "noprefix");
                }
            }
            Item::Section(section) => {
                let (directive, name) = self.section(section);
                page.line(directive, name);
            }
            Item::EndSection(_) => {}
            Item::Global(name) => page.line(".globl", &symbol(name)),
            Item::Align(bytes) => page.line(".p2align", &bytes.trailing_zeros().to_string()),
            Item::Entries(name, bytes, entries) => {
                if let Some(name) = name {
                    if elf {
                        page.line(".type", &format!("{name}, @object"));
                    }
                    page.left(&format!("{}:", symbol(name)));
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
            Item::Constant(name, value) => page.line(".set", &format!("{name}, {value}")),
            Item::Function(name) => {
                if elf {
                    page.line(".type", &format!("{name}, @function"));
                }
                if self.container == Container::Coff {
                    page.line(".def", &format!("{}; .scl 2; .type 32; .endef", symbol(name)));
                }
                if windows {
                    page.line(".seh_proc", name);
                }
                page.left(&format!("{}:", symbol(name)));
                if !windows {
                    page.line(".cfi_startproc", "");
                }
            }
            Item::Label(function, label) => {
                let name = self.label(function, label);
                if self.container == Container::Neutral {
                    let line = format!("{name}:");
                    page.left(&format!("{line:<16}# {}", label.name));
                } else {
                    page.left(&format!("{name}:"));
                }
            }
            Item::Inst(function, inst, tables) => {
                let (mnemonic, operands) = self.instruction(function, inst, tables);
                let comment = match &inst.refers {
                    Refers::Table { constant, .. } if self.container == Container::Neutral => {
                        constant
                    }
                    _ => &inst.comment,
                };
                page.commented(&mnemonic, &operands, comment);
            }
            Item::Frame(frame) if windows => self.seh(frame, page),
            Item::Frame(frame) => self.cfi(frame, page),
            Item::EndFunction(name, _) => {
                page.line(if windows { ".seh_endproc" } else { ".cfi_endproc" }, "");
                if elf {
                    page.line(".size", &format!("{name}, .-{name}"));
                }
            }
            Item::EndTables(name) => {
                if elf {
                    page.line(".size", &format!("{name}, .-{name}"));
                }
            }
            Item::Finish => {
                page.blank();
                match self.container {
                    Container::Elf => page.line(".section", ".note.GNU-stack,\"\",@progbits"),
                    Container::MachO => page.line(".subsections_via_symbols", ""),
                    Container::Coff | Container::Neutral => {}
                }
            }
        }
    }
}
