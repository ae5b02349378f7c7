//! PA-RISC 2.0 kernels as units to print, and GNU as for ELF, which prints them.

use crate::isa::hppa::PA_RISC;
use std::collections::HashMap;

use super::unit::{Frame, Inst, Label, Line, Refers, Tables, Unit};
use super::writer::{Item, Section};
use super::{Container, Dialect, Format, Layout};
use crate::ir::Param;
use crate::isa::frame::Abi;
use crate::isa::hppa::{self, Alu, Hppa, Step, reg};
use crate::isa::program::{self, LabelKind, Program};
use crate::isa::{Isa, Reg, Target};
use crate::pipeline::Compiled;

/// A unit of PA-RISC; an assembler makes its machine code.
pub type HppaUnit = Unit<Step, ()>;

impl HppaUnit {
    /// A kernel to be printed. `made` says in a few lines how it was made.
    #[must_use]
    pub fn new(made: &Compiled<Hppa>, how: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let tables = Tables::of(&made.kernel);
        Self {
            record: made.record.clone(),
            made: how.into_iter().map(Into::into).collect(),
            target: &PA_RISC,
            landing: false,
            lines: lines(made, tables.as_ref()),
            tables,
            code: (),
        }
    }
}

fn label(program: &Program<Hppa>, number: usize) -> Label {
    Label { name: program.label_name(number), number }
}

fn lines(made: &Compiled<Hppa>, tables: Option<&Tables>) -> Vec<Line<Step>> {
    let program = &made.program;
    // What an unwinder is told stands before the first instruction.
    let frame = Frame::Lowered { by: program.stack, depth: program.stack };
    let mut lines = vec![Line::Frame(frame), Line::Frame(Frame::Entered)];
    let mut known = Known::new(made.record.abi, &made.record.params, tables);
    let here = || Label { name: "here".to_owned(), number: program.labels.len() + 1 };
    for line in &program.lines {
        let line = match line {
            program::Line::Comment(text) => Line::Comment(text.clone()),
            program::Line::Align(bytes) => Line::Align(*bytes),
            program::Line::Label(number) => Line::Label(label(program, *number)),
            program::Line::Inst(step) => {
                let comment = known.comment(step);
                let refers = match step {
                    Step::Again(_, to) => Refers::Branch(label(program, *to), true),
                    Step::IfZero(_, to) | Step::UnlessZero(_, to) => {
                        Refers::Branch(label(program, *to), false)
                    }
                    Step::Branch(to) => Refers::Branch(
                        label(program, *to),
                        program.labels[to - 1] == LabelKind::Again,
                    ),
                    Step::Inst(
                        hppa::Inst::TableHigh { at, .. } | hppa::Inst::TableLow { at, .. },
                    ) => match (known.table(*at), made.record.abi.position_independent) {
                        (Refers::Table { constant, .. }, true) => {
                            Refers::TableFrom { constant, here: here() }
                        }
                        (absolute, _) => absolute,
                    },
                    Step::Inst(hppa::Inst::Here { .. }) => {
                        lines.push(Line::Label(here()));
                        Refers::Nothing
                    }
                    _ => Refers::Nothing,
                };
                Line::Inst(Inst { inst: step.clone(), refers, comment })
            }
        };
        lines.push(line);
    }
    lines
}

/// What registers and places on the stack point to, for comments.
struct Known<'a> {
    tables: Option<&'a Tables>,
    registers: HashMap<Reg, String>,
    /// By their distance from the stack pointer.
    stack: HashMap<i32, String>,
}

impl<'a> Known<'a> {
    fn new(abi: &Abi, params: &[Param], tables: Option<&'a Tables>) -> Self {
        let pointer = |(param, register): (&Param, &u8)| {
            param.memory.map(|_| (Reg::Physical(*register), param.name.clone()))
        };
        let registers = params.iter().zip(abi.arguments).filter_map(pointer).collect();
        Self { tables, registers, stack: HashMap::new() }
    }

    /// The table that begins so many bytes behind the label of all.
    fn table(&self, at: u32) -> Refers {
        let mut places = self.tables.into_iter().flat_map(Tables::places);
        match places.find(|(start, _)| *start == at as usize) {
            Some((_, table)) => {
                Refers::Table { constant: Tables::constant(table), at: u64::from(at) }
            }
            None => Refers::Tables,
        }
    }

    /// What an access is to; keeps track of what is moved.
    fn comment(&mut self, step: &Step) -> String {
        let Step::Inst(inst) = step else { return String::new() };
        if let hppa::Inst::Here { .. } = inst {
            return "to learn where this is".to_owned();
        }
        let name = |base: &Reg| self.registers.get(base).cloned().unwrap_or_default();
        let comment = match inst {
            hppa::Inst::Load { base, .. }
            | hppa::Inst::LoadIndexed { base, .. }
            | hppa::Inst::Store { base, .. }
            | hppa::Inst::StoreAdvance { base, .. } => name(base),
            _ => String::new(),
        };
        let stack = Reg::Physical(reg::STACK);
        let moved = match inst {
            hppa::Inst::Copy { src, .. } => Some(name(src)),
            hppa::Inst::AddImm { a, .. } => Some(name(a)),
            hppa::Inst::StoreAdvance { base, .. } => Some(name(base)),
            hppa::Inst::TableLow { at, .. } => match self.table(*at) {
                Refers::Table { constant, .. } => Some(constant),
                _ => None,
            },
            hppa::Inst::Load { base, disp, .. } if *base == stack => self.stack.get(disp).cloned(),
            _ => None,
        };
        if let hppa::Inst::Store { base, disp, src, .. } = inst
            && *base == stack
        {
            self.stack.insert(*disp, name(src));
        }
        for operand in Hppa.operands(inst) {
            if operand.role == crate::isa::Role::Define {
                self.registers.insert(operand.reg, moved.clone().unwrap_or_default());
            }
        }
        comment
    }
}

/// GNU as.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gnu;

/// The way to emit kernels for PA-RISC.
pub static GNU_HPPA: Format<Step> =
    Format { name: "gnu-hppa", doc: "GNU as for PA-RISC 2.0; Linux", dialect: &Gnu, lacks: None };

/// Entries on a line.
const ENTRIES: usize = 4;

fn local(function: &str, label: &Label) -> String {
    format!(".L{function}_{}", label.name)
}

fn name(reg: Reg) -> String {
    match reg {
        Reg::Physical(number) => format!("%{}", (PA_RISC.register)(number)),
        Reg::Virtual(number) => format!("v{number}"),
    }
}

/// Where a field ends, counted from the highest bit, as assembly counts.
const fn end(shift: u8) -> u8 {
    63 - shift
}

/// The letter of an access to so many bytes.
const fn size(bytes: u8) -> char {
    match bytes {
        1 => 'b',
        2 => 'h',
        4 => 'w',
        _ => 'd',
    }
}

/// Mnemonic and operands.
fn instruction(inst: &hppa::Inst, at: &str) -> (String, String) {
    use hppa::Inst;
    let (mnemonic, operands) = match *inst {
        Inst::Alu { op, dst, a, b } => {
            let mnemonic = match op {
                Alu::And => "and",
                Alu::AndNot => "andcm",
                Alu::Or => "or",
                Alu::Xor => "xor",
                Alu::Add => "add,l",
            };
            (mnemonic, format!("{},{},{}", name(a), name(b), name(dst)))
        }
        Inst::ShiftAdd { dst, a, by, b } => {
            ("shladd,l", format!("{},{by},{},{}", name(a), name(b), name(dst)))
        }
        Inst::AddImm { dst, a, imm } => ("ldo", format!("{imm}({}),{}", name(a), name(dst))),
        Inst::Imm { dst, imm } => ("ldi", format!("{imm},{}", name(dst))),
        Inst::ImmHigh { dst, imm } => ("ldil", format!("L%{imm:#x},{}", name(dst))),
        Inst::Extract { dst, a, shift, bits } => {
            ("extrd,u", format!("{},{},{bits},{}", name(a), end(shift), name(dst)))
        }
        Inst::Place { dst, a, shift, bits } => {
            ("depd,z", format!("{},{},{bits},{}", name(a), end(shift), name(dst)))
        }
        Inst::Insert { dst, a, shift, bits, .. } => {
            ("depd", format!("{},{},{bits},{}", name(a), end(shift), name(dst)))
        }
        Inst::Pair { dst, high, low, by } => {
            ("shrpd", format!("{},{},{by},{}", name(high), name(low), name(dst)))
        }
        Inst::Not { dst, a } => ("uaddcm", format!("%r0,{},{}", name(a), name(dst))),
        Inst::Halfwords { dst, a, order } => {
            return (format!("permh,{order:04}"), format!("{},{}", name(a), name(dst)));
        }
        Inst::ShiftHalfwords { left, dst, a, by } => {
            let mnemonic = if left { "hshl" } else { "hshr,u" };
            (mnemonic, format!("{},{by},{}", name(a), name(dst)))
        }
        Inst::Copy { dst, src } => ("copy", format!("{},{}", name(src), name(dst))),
        Inst::Here { dst } => ("mfia", name(dst)),
        Inst::TableHigh { dst, .. } => ("ldil", format!("L%{at},{}", name(dst))),
        Inst::TableLow { dst, a, .. } => ("ldo", format!("R%{at}({}),{}", name(a), name(dst))),
        Inst::Load { bytes, dst, base, disp, .. } => {
            let operands = format!("{disp}({}),{}", name(base), name(dst));
            return (format!("ld{}", size(bytes)), operands);
        }
        Inst::LoadIndexed { bytes, dst, base, index, scaled, .. } => {
            let scaled = if scaled { ",s" } else { "" };
            let operands = format!("{}({}),{}", name(index), name(base), name(dst));
            return (format!("ld{}{scaled}", size(bytes)), operands);
        }
        Inst::Store { bytes, base, disp, src, .. } => {
            let operands = format!("{},{disp}({})", name(src), name(base));
            return (format!("st{}", size(bytes)), operands);
        }
        Inst::StoreAdvance { bytes, base, by, src, .. } => {
            let operands = format!("{},{by}({})", name(src), name(base));
            return (format!("st{},ma", size(bytes)), operands);
        }
        Inst::SelectEq { a, b, .. } => ("cmpclr,*<>", format!("{},{},%r0", name(a), name(b))),
        Inst::Spill { .. } | Inst::Reload { .. } => unreachable!("a program has no slots"),
    };
    (mnemonic.to_owned(), operands)
}

impl Gnu {
    fn inst(self, function: &str, inst: &Inst<Step>, tables: &str, layout: &mut Layout) {
        let to = match &inst.refers {
            Refers::Branch(label, _) => local(function, label),
            Refers::Table { constant, .. } => format!("{tables}+{constant}"),
            Refers::TableFrom { constant, here } => {
                format!("{tables}+{constant}-{}", local(function, here))
            }
            _ => tables.to_owned(),
        };
        let (mnemonic, operands) = match &inst.inst {
            Step::Inst(inst) => instruction(inst, &to),
            Step::Leave(first, by) => {
                ("ldd,mb".to_owned(), format!("-{by}(%r30),%{}", (PA_RISC.register)(*first)))
            }
            Step::IfZero(count, _) => {
                ("cmpib,=,n".to_owned(), format!("0,%{},{to}", (PA_RISC.register)(*count)))
            }
            Step::UnlessZero(count, _) => {
                ("cmpib,<>,n".to_owned(), format!("0,%{},{to}", (PA_RISC.register)(*count)))
            }
            Step::Again(count, _) => {
                ("addib,<>".to_owned(), format!("-1,%{},{to}", (PA_RISC.register)(*count)))
            }
            Step::Branch(_) => ("b,n".to_owned(), to),
            Step::Return => ("bve".to_owned(), "(%r2)".to_owned()),
            Step::Nop => ("nop".to_owned(), String::new()),
        };
        layout.commented(&mnemonic, &operands, &inst.comment);
        if let Step::Inst(hppa::Inst::SelectEq { dst, then, .. }) = &inst.inst {
            layout.line("copy", &format!("{},{}", name(*then), name(*dst)));
        }
    }
}

impl Dialect<Step> for Gnu {
    fn comment(&self) -> [&'static str; 2] {
        [";", ""]
    }

    fn target(&self) -> &'static Target {
        &PA_RISC
    }

    fn container(&self) -> Container {
        Container::Elf
    }

    fn item(&self, item: &Item<'_, Step>, layout: &mut Layout) {
        match *item {
            Item::Start(_) => layout.line(".level", "2.0"),
            Item::Section(Section::Text) => layout.line(".text", ""),
            Item::Section(Section::Constants) => layout.line(".section", ".rodata"),
            Item::EndSection(_) => {}
            Item::Global(name) => layout.line(".export", &format!("{name},entry")),
            Item::Align(bytes) => layout.line(".align", &bytes.to_string()),
            Item::Entries(name, bytes, entries) => {
                if let Some(name) = name {
                    layout.line(".type", &format!("{name}, @object"));
                    layout.left(&format!("{name}:"));
                }
                let directive = match bytes {
                    1 => ".byte",
                    2 => ".half",
                    4 => ".word",
                    _ => ".dword",
                };
                let digits = 2 * usize::from(bytes);
                for line in entries.chunks(ENTRIES) {
                    let line: Vec<_> =
                        line.iter().map(|entry| format!("0x{entry:0digits$x}")).collect();
                    layout.line(directive, &line.join(", "));
                }
            }
            // An instruction names it in full.
            Item::Distance(..) => {}
            // No kernel here begins with a landing pad.
            Item::Cet => {}
            Item::Constant(name, value) => layout.line(".set", &format!("{name}, {value}")),
            Item::Function(name) => {
                layout.line(".type", &format!("{name}, @function"));
                layout.left(&format!("{name}:"));
                layout.line(".proc", "");
            }
            Item::Label(function, label) => layout.left(&format!("{}:", local(function, label))),
            Item::Inst(function, inst, tables) => self.inst(function, inst, tables, layout),
            // Saved registers have 64 bits, which the unwinder's records have no word for.
            Item::Frame(Frame::Lowered { by, .. }) => {
                layout.line(".callinfo", &format!("frame={by},no_calls"));
            }
            Item::Frame(Frame::Entered) => layout.line(".entry", ""),
            Item::Frame(_) => {}
            Item::EndFunction(name, _) => {
                layout.line(".exit", "");
                layout.line(".procend", "");
                layout.line(".size", &format!("{name}, .-{name}"));
            }
            Item::EndTables(name) => layout.line(".size", &format!("{name}, .-{name}")),
            Item::Finish(_) => {
                layout.blank();
                layout.line(".section", ".note.GNU-stack,\"\",@progbits");
            }
        }
    }
}
