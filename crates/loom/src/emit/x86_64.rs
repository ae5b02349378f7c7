//! x86-64 kernels as units to print; what its dialects have in common.

use std::collections::HashSet;

use iced_x86::{
    Formatter, FormatterOperandOptions, FormatterOptionsProvider, Instruction, NumberBase,
    NumberFormattingOptions, OpKind, Register, SymbolResolver, SymbolResult,
};

use super::gnu::{Gnu, Syntax};
use super::masm::Masm;
use super::nasm::Nasm;
use super::trace::{Pointer, Seen, trace};
use super::unit::{Code, Frame, Inst, Label, Line, Refers, Tables, Target, Unit};
use super::{Container, Dialect, Format};
use crate::target::x86_64::{self, Assembled, ENTRY, Made, Program, Role, TABLES};

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

/// The names of registers. Those of vectors are for a header: `v0` is `xmm0`, `ymm0` or `zmm0`.
pub(super) fn register(number: u8) -> &'static str {
    const NAMES: [&str; 48] = [
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
        "r13", "r14", "r15", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",
        "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
        "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31",
    ];
    NAMES[usize::from(number)]
}

const TARGET: Target = Target {
    name: "x86-64",
    register,
    entry: ENTRY,
    flags: "flags",
    stack: "below the return address",
};

impl Unit64 {
    /// A kernel to be printed. `made` says in a few lines how it was made: the plan, and whether
    /// it was tuned.
    ///
    /// # Panics
    /// If the program cannot be encoded, which [`make`](crate::target::x86_64::make) rules out.
    #[must_use]
    pub fn new(made: &Made, how: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let program = &made.program;
        // With the tables at 0, the distances to them are what a linker adds.
        let assembled = program.assemble(0, 0).expect("tables in reach");
        let tables = Tables::of(&made.kernel);
        let lines = lines(made, tables.as_ref(), &assembled.offsets);
        Self {
            record: made.record.clone(),
            made: how.into_iter().map(Into::into).collect(),
            target: TARGET,
            code: code(assembled, &lines),
            lines: lines.into_iter().map(|(_, line)| line).collect(),
            tables,
        }
    }
}

fn code(assembled: Assembled, lines: &[(usize, Line<Instruction>)]) -> Code {
    let Assembled { bytes, tables, .. } = assembled;
    let addend = |at: usize| {
        let field = bytes[at..at + 4].try_into().expect("four bytes");
        // The processor counts from behind the instruction, a linker from the field.
        (at, i64::from(i32::from_le_bytes(field)) + at as i64)
    };
    let tables = tables.into_iter().map(addend).collect();
    let frame = |(at, line): &(usize, Line<Instruction>)| match line {
        Line::Frame(frame) => Some((*at, frame.clone())),
        _ => None,
    };
    let frames = lines.iter().filter_map(frame).collect();
    Code { bytes, tables, frames }
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

/// The lines, each with its place in the code.
fn lines(
    made: &Made,
    tables: Option<&Tables>,
    offsets: &[usize],
) -> Vec<(usize, Line<Instruction>)> {
    let program = &made.program;
    let params = &made.record.params;
    let mut lines = Vec::new();
    let mut passed = HashSet::new();
    let traced = trace(program, made.record.abi);
    if traced.iter().all(|seen| seen.frame.is_empty()) {
        lines.push((0, Line::Frame(Frame::Entered)));
    }
    for (n, (line, Seen { frame, base })) in program.lines.iter().zip(traced).enumerate() {
        let (at, next) = (offsets[n], offsets[n + 1]);
        let line = match line {
            x86_64::Line::Inst(inst) => {
                let mut inst = *inst;
                let mut comment = String::new();
                let refers = if is_branch(&inst) {
                    let to = inst.near_branch64();
                    // Assemblers find out which branches reach with one byte, but one that does
                    // not look long enough is told.
                    if next - at == 2 {
                        inst.as_short_branch();
                    }
                    Refers::Branch(label(program, to), passed.contains(&to))
                } else if inst.is_ip_rel_memory_operand() {
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
                Line::Inst(Inst { inst, refers, comment })
            }
            x86_64::Line::Label(number) => {
                passed.insert(*number);
                Line::Label(label(program, *number))
            }
            x86_64::Line::Align(bytes) => Line::Align(*bytes),
            x86_64::Line::Remark(text) => Line::Remark(text.clone()),
        };
        lines.push((at, line));
        lines.extend(frame.into_iter().map(|frame| (next, Line::Frame(frame))));
    }
    lines
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

impl Frame {
    /// Bytes between the stack pointer and the caller's, where that changed: the return address
    /// lies between, too.
    pub(super) fn caller(&self) -> Option<u32> {
        match self {
            Self::Pushed { depth, .. }
            | Self::Lowered { depth, .. }
            | Self::Popped { depth, .. }
            | Self::Raised { depth }
            | Self::Again { depth, .. } => Some(depth + 8),
            Self::Entered => None,
        }
    }
}
