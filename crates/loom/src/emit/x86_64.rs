//! x86-64 kernels as units to print; what its dialects have in common.

use std::collections::HashSet;

use iced_x86::{
    Formatter, FormatterOperandOptions, FormatterOptionsProvider, Instruction, NumberBase,
    NumberFormattingOptions, OpKind, Register, SymbolResolver, SymbolResult,
};

use super::gnu::{Gnu, Syntax};
use super::masm::Masm;
use super::nasm::Nasm;
use super::trace::{Seen, trace};
use super::unit::{Frame, Inst, Label, Line, Refers, Tables, Target, Unit};
use super::{Container, Dialect, Format};
use crate::target::x86_64::{self, Made, Program, Role, TABLES};

/// A unit of x86-64.
pub type Unit64 = Unit<Instruction>;

const fn gnu(syntax: Syntax, container: Container) -> Gnu {
    Gnu { syntax, container }
}

const fn format(
    name: &'static str,
    doc: &'static str,
    dialect: &'static dyn Dialect<Instruction>,
) -> Format {
    Format { name, doc, dialect }
}

/// Every way to emit kernels for x86-64.
pub static FORMATS: &[Format] = &[
    format("elf-att", "GNU as, AT&T syntax; Linux, BSD", &gnu(Syntax::Att, Container::Elf)),
    format("elf-intel", "GNU as, Intel syntax; Linux, BSD", &gnu(Syntax::Intel, Container::Elf)),
    format("elf-nasm", "NASM -f elf64; Linux, BSD", &Nasm { container: Container::Elf }),
    format("coff-att", "GNU as, AT&T syntax; Windows", &gnu(Syntax::Att, Container::Coff)),
    format("coff-intel", "GNU as, Intel syntax; Windows", &gnu(Syntax::Intel, Container::Coff)),
    format("coff-nasm", "NASM -f win64; Windows", &Nasm { container: Container::Coff }),
    format("coff-masm", "MASM: ml64, llvm-ml -m64; Windows", &Masm),
    format("macho-att", "LLVM's as, AT&T syntax; macOS", &gnu(Syntax::Att, Container::MachO)),
    format("macho-intel", "LLVM's as, Intel syntax; macOS", &gnu(Syntax::Intel, Container::MachO)),
    format("macho-nasm", "NASM -f macho64; macOS", &Nasm { container: Container::MachO }),
];

/// The names of the general registers.
pub(super) fn register(number: u8) -> &'static str {
    const NAMES: [&str; 16] = [
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
        "r13", "r14", "r15",
    ];
    NAMES[usize::from(number)]
}

const TARGET: Target = Target { name: "x86-64", register };

impl Unit64 {
    /// A kernel to be printed. `made` says in a few lines how it was made: the plan, and whether
    /// it was tuned.
    #[must_use]
    pub fn new(made: &Made, how: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let tables = Tables::of(&made.kernel);
        let lines = lines(made, tables.as_ref());
        let made_so = how.into_iter().map(Into::into).collect();
        Self { record: made.record.clone(), made: made_so, target: TARGET, tables, lines }
    }
}

/// The name of a label: its role, numbered where there are several of it.
fn label(program: &Program, number: u64) -> Label {
    let name = |role| match role {
        Role::Again => "again",
        Role::Done => "done",
        Role::Rare => "rare",
        Role::Back => "back",
    };
    let number = number as usize;
    let role = program.labels[number - 1];
    let alike = |labels: &[Role]| labels.iter().filter(|other| **other == role).count();
    let name = match alike(&program.labels) {
        1 => name(role).to_owned(),
        _ => format!("{}{}", name(role), alike(&program.labels[..number])),
    };
    Label { name, number }
}

/// The lines with branches that reach with one byte. Assemblers find them, too, but one that does
/// not look long enough may be told.
fn short_branches(program: &Program) -> HashSet<usize> {
    let offsets = program.assemble(0, TABLES).map(|assembled| assembled.offsets);
    let offsets = offsets.expect("tables in reach");
    let branch = |line: &x86_64::Line| match line {
        x86_64::Line::Inst(inst) => inst.is_jcc_short_or_near() || inst.is_jmp_short_or_near(),
        _ => false,
    };
    let is_short = |n: usize| offsets[n + 1] - offsets[n] == 2;
    (0..program.lines.len()).filter(|&n| branch(&program.lines[n]) && is_short(n)).collect()
}

fn lines(made: &Made, tables: Option<&Tables>) -> Vec<Line<Instruction>> {
    let program = &made.program;
    let params = &made.record.params;
    let mut lines = Vec::new();
    let mut passed = HashSet::new();
    let short = short_branches(program);
    let traced = trace(program, made.record.abi);
    if traced.iter().all(|seen| seen.frame.is_empty()) {
        lines.push(Line::Frame(Frame::Entered));
    }
    for (n, (line, Seen { frame, base })) in program.lines.iter().zip(traced).enumerate() {
        match line {
            x86_64::Line::Inst(inst) => {
                let mut comment = String::new();
                let refers = if inst.is_jcc_short_or_near() || inst.is_jmp_short_or_near() {
                    let to = inst.near_branch64();
                    Refers::Branch(label(program, to), passed.contains(&to))
                } else if inst.is_ip_rel_memory_operand() {
                    Refers::Tables
                } else {
                    match base {
                        Some(super::trace::Pointer::Param(n)) => {
                            comment.clone_from(&params[n].name);
                            Refers::Nothing
                        }
                        Some(super::trace::Pointer::Tables(bias)) => {
                            entry(inst.memory_displacement64() as i64 + bias, bias, tables)
                        }
                        None => Refers::Nothing,
                    }
                };
                let mut inst = *inst;
                if short.contains(&n) {
                    inst.as_short_branch();
                }
                lines.push(Line::Inst(Inst { inst, refers, comment }));
            }
            x86_64::Line::Label(number) => {
                passed.insert(*number);
                lines.push(Line::Label(label(program, *number)));
            }
            x86_64::Line::Align(bytes) => lines.push(Line::Align(*bytes)),
            x86_64::Line::Remark(text) => lines.push(Line::Remark(text.clone())),
        }
        lines.extend(frame.into_iter().map(Line::Frame));
    }
    lines
}

/// The table that lies at `at` behind the tables' label, for a base that is `bias` bytes behind it.
fn entry(at: i64, bias: i64, tables: Option<&Tables>) -> Refers {
    let at = at as usize;
    let table = tables
        .into_iter()
        .flat_map(Tables::places)
        .find(|(start, table)| (*start..start + table.bytes()).contains(&at));
    match table {
        Some((start, table)) if bias == 0 => {
            Refers::Table { constant: Tables::constant(table), at: start as u64 }
        }
        Some((start, table)) => Refers::Table {
            constant: format!("{}-{bias}", Tables::constant(table)),
            at: start as u64 - bias as u64,
        },
        None => Refers::Nothing,
    }
}

/// What a dialect calls the things that instructions refer to.
pub(super) struct Names {
    /// The label of a branch.
    pub(super) branch: String,
    /// The tables.
    pub(super) tables: String,
    /// Whether a table's constant is named; otherwise its value is printed.
    pub(super) constants: bool,
}

struct Resolver {
    refers: Refers,
    names: Names,
}

impl SymbolResolver for Resolver {
    fn symbol(
        &mut self,
        inst: &Instruction,
        _operand: u32,
        operand: Option<u32>,
        address: u64,
        _size: u32,
    ) -> Option<SymbolResult<'_>> {
        let kind = operand.map(|operand| inst.op_kind(operand));
        let memory = kind == Some(OpKind::Memory);
        match &self.refers {
            Refers::Branch(..) => {
                Some(SymbolResult::with_string(address, self.names.branch.clone()))
            }
            Refers::Tables if memory => {
                Some(SymbolResult::with_string(TABLES, self.names.tables.clone()))
            }
            Refers::Table { constant, at } if memory && self.names.constants => {
                Some(SymbolResult::with_string(*at, constant.clone()))
            }
            _ => None,
        }
    }
}

/// Displacements and distances of shifts are read in tens, masks in sixteens.
struct Numbers;

impl FormatterOptionsProvider for Numbers {
    fn operand_options(
        &mut self,
        inst: &Instruction,
        _operand: u32,
        operand: Option<u32>,
        _options: &mut FormatterOperandOptions,
        numbers: &mut NumberFormattingOptions<'_>,
    ) {
        let byte = operand.is_some_and(|operand| {
            matches!(inst.op_kind(operand), OpKind::Memory | OpKind::Immediate8)
        });
        let stack = inst.op0_register() == Register::RSP;
        if byte || stack {
            numbers.number_base = NumberBase::Decimal;
            numbers.prefix = "";
            numbers.suffix = "";
        }
    }
}

/// Mnemonic and operands, by a formatter that gets a resolver and a source of options.
pub(super) fn instruction<F: Formatter>(
    inst: &Inst<Instruction>,
    names: Names,
    formatter: impl FnOnce(Box<dyn SymbolResolver>, Box<dyn FormatterOptionsProvider>) -> F,
) -> (String, String) {
    let resolver = Resolver { refers: inst.refers.clone(), names };
    let mut formatter = formatter(Box::new(resolver), Box::new(Numbers));
    let options = formatter.options_mut();
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(true);
    options.set_add_leading_zero_to_hex_numbers(true);
    options.set_first_operand_char_index(0);
    options.set_space_after_operand_separator(true);
    let (mut mnemonic, mut operands) = (String::new(), String::new());
    formatter.format_mnemonic(&inst.inst, &mut mnemonic);
    formatter.format_all_operands(&inst.inst, &mut operands);
    (mnemonic, operands)
}

/// The stack as it was when a kernel was entered.
pub(super) const RETURN_ADDRESS: u32 = 8;

impl Frame {
    /// Bytes between the stack pointer and the caller's, where that changed.
    pub(super) fn caller(&self) -> Option<u32> {
        match self {
            Self::Pushed { depth, .. }
            | Self::Lowered { depth, .. }
            | Self::Popped { depth, .. }
            | Self::Raised { depth }
            | Self::Again { depth, .. } => Some(depth + RETURN_ADDRESS),
            Self::Entered => None,
        }
    }
}
