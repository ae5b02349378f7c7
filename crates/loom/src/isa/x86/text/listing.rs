//! Kernels for x86 as units to print; what its dialects have in common.

use crate::isa::x86::{X86_32, X86_64, X86_REAL};
use std::collections::HashSet;

use iced_x86::{
    Formatter, FormatterOperandOptions, FormatterOptionsProvider, Instruction, Mnemonic,
    NumberBase, NumberFormattingOptions, OpKind, Register, SymbolResolver, SymbolResult,
};

use super::gnu::{Gnu, Syntax};
use super::masm::Masm;
use super::nasm::{Nasm, Reader};

use super::trace::{Pointer, Seen, trace};
use super::unit::{Code, Frame, Inst, Label, Line, Refers, Tables, Unit};
use super::{Container, Dialect, Format};
use crate::isa::Target;
use crate::isa::program::{self, Program};
use crate::isa::x86::{Assembled, Mode, TABLES, X86, is_call, names_tables};
use crate::pipeline::Compiled;

/// A unit of x86.
pub type X86Unit = Unit<Instruction>;

use super::flavours::{BSDI, COFF, CPP, DJGPP, ELF, Flavour, MACHO, OUT, REAL, SOLARIS, YASM};
use Container::{AOut, As86, Coff, Elf, Go32, MachO, Neutral, Omf};
use Syntax::{Att, Intel};

const SET_64: &Target = &X86_64;
const SET_32: &Target = &X86_32;
const REAL_MODE: &Target = &X86_REAL;

const fn gnu(target: &'static Target, syntax: Syntax, system: Flavour) -> Gnu {
    Gnu { syntax, target, system }
}

const fn nasm(target: &'static Target, container: Container) -> Nasm {
    Nasm { reader: Reader::Nasm, target, container }
}

const fn yasm(target: &'static Target, container: Container) -> Nasm {
    Nasm { reader: Reader::Yasm, target, container }
}

const fn format(
    name: &'static str,
    doc: &'static str,
    dialect: &'static dyn Dialect<Instruction>,
) -> Format {
    Format { name, doc, dialect, lacks: None }
}

/// A format of an assembler that knows nothing of AVX-512 and what came with it.
const fn older(format: Format) -> Format {
    Format { lacks: Some((&["gfni", "avx512", "vbmi"], "YASM does not know")), ..format }
}

/// Every way to emit kernels for x86.
pub static FORMATS: &[Format] = &[
    format("elf-att", "GNU as, AT&T syntax; Linux, BSD", &gnu(SET_64, Att, ELF)),
    format("elf-intel", "GNU as, Intel syntax; Linux, BSD", &gnu(SET_64, Intel, ELF)),
    format("elf-nasm", "NASM -f elf64; Linux, BSD", &nasm(SET_64, Elf)),
    older(format("elf-yasm", "YASM -f elf64; Linux, BSD", &yasm(SET_64, Elf))),
    older(format("elf-att-yasm", "YASM -p gas -f elf64; Linux, BSD", &gnu(SET_64, Att, YASM))),
    format("sol-att", "as, AT&T syntax; Solaris", &gnu(SET_64, Att, SOLARIS)),
    format("coff-att", "GNU as, AT&T syntax; Windows", &gnu(SET_64, Att, COFF)),
    format("coff-intel", "GNU as, Intel syntax; Windows", &gnu(SET_64, Intel, COFF)),
    format("coff-nasm", "NASM -f win64; Windows", &nasm(SET_64, Coff)),
    older(format("coff-yasm", "YASM -f win64; Windows", &yasm(SET_64, Coff))),
    format("coff-masm", "MASM: ml64, llvm-ml -m64; Windows", &Masm { target: SET_64 }),
    format("macho-att", "LLVM's as, AT&T syntax; macOS", &gnu(SET_64, Att, MACHO)),
    format("macho-intel", "LLVM's as, Intel syntax; macOS", &gnu(SET_64, Intel, MACHO)),
    format("macho-nasm", "NASM -f macho64; macOS", &nasm(SET_64, MachO)),
    older(format("macho-yasm", "YASM -f macho64; macOS", &yasm(SET_64, MachO))),
    format("elf-att", "GNU as --32, AT&T syntax; Linux, BSD", &gnu(SET_32, Att, ELF)),
    format("elf-intel", "GNU as --32, Intel syntax; Linux, BSD", &gnu(SET_32, Intel, ELF)),
    format("elf-nasm", "NASM -f elf32; Linux, BSD", &nasm(SET_32, Elf)),
    older(format("elf-yasm", "YASM -f elf32; Linux, BSD", &yasm(SET_32, Elf))),
    older(format("elf-att-yasm", "YASM -p gas -f elf32; Linux, BSD", &gnu(SET_32, Att, YASM))),
    format("sol-att", "as, AT&T syntax; Solaris", &gnu(SET_32, Att, SOLARIS)),
    format("aout-att", "GNU as for a.out; Linux and BSD before ELF", &gnu(SET_32, Att, OUT)),
    format("bsdi-att", "as, AT&T syntax; BSD/OS", &gnu(SET_32, Att, BSDI)),
    format(
        "cpp-att",
        "cc -E with -DELF, -DSOL, -DOUT or -DBSDI, then one of these four",
        &gnu(SET_32, Att, CPP),
    ),
    format("aout-nasm", "NASM -f aout, aoutb; Linux and BSD before ELF", &nasm(SET_32, AOut)),
    format("go32-att", "GNU as for DJGPP; 32-bit programs of DOS", &gnu(SET_32, Att, DJGPP)),
    format("go32-nasm", "NASM -f coff; 32-bit programs of DOS", &nasm(SET_32, Go32)),
    format("coff-att", "GNU as --32, AT&T syntax; Windows", &gnu(SET_32, Att, COFF)),
    format("coff-intel", "GNU as --32, Intel syntax; Windows", &gnu(SET_32, Intel, COFF)),
    format("coff-nasm", "NASM -f win32; Windows", &nasm(SET_32, Coff)),
    older(format("coff-yasm", "YASM -f win32; Windows", &yasm(SET_32, Coff))),
    format("coff-masm", "MASM: ml, llvm-ml -m32; Windows", &Masm { target: SET_32 }),
    format("macho-att", "LLVM's as, AT&T syntax; macOS to 10.14", &gnu(SET_32, Att, MACHO)),
    format("macho-intel", "LLVM's as, Intel syntax; macOS to 10.14", &gnu(SET_32, Intel, MACHO)),
    format("macho-nasm", "NASM -f macho32; macOS to 10.14", &nasm(SET_32, MachO)),
    older(format("macho-yasm", "YASM -f macho32; macOS to 10.14", &yasm(SET_32, MachO))),
    format("com-nasm", "NASM -f bin, to be included in a program; DOS", &nasm(REAL_MODE, Neutral)),
    format("omf-nasm", "NASM -f obj; 16-bit C of DOS", &nasm(REAL_MODE, Omf)),
    format("as86-nasm", "NASM -f as86; 16-bit C by bcc and ld86", &nasm(REAL_MODE, As86)),
    format("elf-att", "GNU as --32, .code16, AT&T syntax; gcc-ia16", &gnu(REAL_MODE, Att, REAL)),
    format(
        "elf-intel",
        "GNU as --32, .code16, Intel syntax; gcc-ia16",
        &gnu(REAL_MODE, Intel, REAL),
    ),
];

impl X86Unit {
    /// A kernel to be printed. `made` says in a few lines how it was made: the plan, and whether
    /// it was tuned.
    ///
    /// # Panics
    /// If the program cannot be encoded, which [`compile`](crate::pipeline::compile) rules out.
    #[must_use]
    pub fn new(made: &Compiled<X86>, how: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let program = &made.program;
        // With the tables at 0, the distances to them are what a linker adds.
        let assembled = program.assemble(0, 0).expect("tables in reach");
        let tables = Tables::of(&made.kernel);
        let lines = lines(made, tables.as_ref(), &assembled.offsets);
        Self {
            record: made.record.clone(),
            made: how.into_iter().map(Into::into).collect(),
            target: made.record.abi.target,
            landing: program.has_landing(),
            code: code(program.isa.mode, assembled, &lines),
            lines: lines.into_iter().map(|(_, line)| line).collect(),
            tables,
        }
    }
}

fn code(mode: Mode, assembled: Assembled, lines: &[(usize, Line<Instruction>)]) -> Code {
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
    let frame = |(at, line): &(usize, Line<Instruction>)| match line {
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
    made: &Compiled<X86>,
    tables: Option<&Tables>,
    offsets: &[usize],
) -> Vec<(usize, Line<Instruction>)> {
    let program = &made.program;
    let params = &made.record.params;
    let mut lines = Vec::new();
    let mut passed = HashSet::new();
    let mut here = None;
    let traced = trace(program, made.record.abi, params);
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
                Line::Inst(Inst { inst, refers, comment })
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

/// What a dialect calls the things that instructions refer to.
pub(super) struct Names {
    /// The label of a branch.
    pub(super) branch: String,
    /// The tables.
    pub(super) tables: String,
    /// Whether a table's constant is named, and numbers have signs; otherwise values are printed.
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
            Refers::Distance(_) if memory => {
                Some(SymbolResult::with_string(TABLES, self.names.tables.clone()))
            }
            Refers::Tables if memory || kind == Some(OpKind::Immediate32) => {
                Some(SymbolResult::with_string(TABLES, self.names.tables.clone()))
            }
            Refers::TableAt { constant, at } if memory => {
                let tables = &self.names.tables;
                let place = if self.names.constants {
                    format!("{tables}+{constant}")
                } else {
                    format!("{tables}+{}", at - TABLES)
                };
                Some(SymbolResult::with_string(*at, place))
            }
            Refers::Table { constant, at } if memory && self.names.constants => {
                Some(SymbolResult::with_string(*at, constant.clone()))
            }
            _ => None,
        }
    }
}

/// Displacements and distances of shifts are read in tens, masks in sixteens.
struct Numbers {
    /// Whether what is added may be negative; else it is a large number.
    signed: bool,
}

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
        let stack = matches!(inst.op0_register(), Register::RSP | Register::ESP);
        let added = matches!(inst.mnemonic(), Mnemonic::Add | Mnemonic::Sub) && self.signed;
        if added {
            numbers.signed_number = true;
        }
        if byte || stack || added {
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
    let numbers = Numbers { signed: names.constants };
    let resolver = Resolver { refers: inst.refers.clone(), names };
    let mut formatter = formatter(Box::new(resolver), Box::new(numbers));
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
    pub(super) fn caller(&self, word: u32) -> Option<u32> {
        match self {
            Self::Pushed { depth, .. }
            | Self::Lowered { depth, .. }
            | Self::Popped { depth, .. }
            | Self::Raised { depth }
            | Self::Again { depth, .. } => Some(depth + word),
            Self::Entered => None,
        }
    }
}
