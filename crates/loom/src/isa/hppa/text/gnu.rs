//! GNU as for ELF.

use crate::isa::Reg;
use crate::isa::hppa::{self, Alu, Step, register};
use crate::isa::text::{
    Container, Dialect, Format, Frame, Inst, Item, Label, Layout, Refers, Section, Writer,
};

/// GNU as.
#[derive(Clone, Copy, Debug)]
struct Gnu;

/// The ways to write kernels down.
pub(in super::super) static FORMATS: [Format; 1] = [Format {
    name: "gnu-hppa",
    doc: "GNU as for PA-RISC 2.0; Linux, 64-bit HP-UX",
    container: Container::Elf,
    writer: Writer::Text(&Gnu),
    lacks: None,
    without_distances: None,
    without_landing: None,
}];

fn local(function: &str, label: &Label) -> String {
    format!(".L{function}_{}", label.name)
}

fn name(reg: Reg) -> String {
    match reg {
        Reg::Physical(number) => format!("%{}", register(number)),
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
    fn inst(self, function: &str, inst: &Inst, tables: &str, layout: &mut Layout) {
        let step: &Step = inst.of();
        let to = match &inst.refers {
            Refers::Branch(label, _) => local(function, label),
            Refers::Table { constant, .. } => format!("{tables}+{constant}"),
            Refers::TableFrom { constant, here } => {
                format!("{tables}+{constant}-{}", local(function, here))
            }
            _ => tables.to_owned(),
        };
        let (mnemonic, operands) = match step {
            Step::Inst(inst) => instruction(inst, &to),
            Step::Leave(first, by) => {
                ("ldd,mb".to_owned(), format!("-{by}(%r30),%{}", register(*first)))
            }
            Step::IfZero(count, _) => {
                ("cmpib,*=,n".to_owned(), format!("0,%{},{to}", register(*count)))
            }
            Step::UnlessZero(count, _) => {
                ("cmpib,*<>,n".to_owned(), format!("0,%{},{to}", register(*count)))
            }
            Step::Again(count, _) => {
                ("addib,<>".to_owned(), format!("-1,%{},{to}", register(*count)))
            }
            Step::AgainUnlessZero(count, _) => {
                ("cmpib,*<>".to_owned(), format!("0,%{},{to}", register(*count)))
            }
            Step::Branch(_) => ("b,n".to_owned(), to),
            Step::Return => ("bve".to_owned(), "(%r2)".to_owned()),
            Step::Nop => ("nop".to_owned(), String::new()),
        };
        layout.commented(&mnemonic, &operands, &inst.comment);
        if let Step::Inst(hppa::Inst::SelectEq { dst, then, .. }) = step {
            layout.line("copy", &format!("{},{}", name(*then), name(*dst)));
        }
    }
}

impl Dialect for Gnu {
    fn comment(&self) -> [&'static str; 2] {
        [";", ""]
    }

    fn item(&self, item: &Item<'_>, layout: &mut Layout) {
        match *item {
            Item::Start(_, pointer) => {
                layout.line(".level", if pointer == 8 { "2.0w" } else { "2.0" });
            }
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
                layout.entries(directive, [".skip", ", 0"], bytes, entries);
            }
            // An instruction names it in full.
            Item::Distance(..) => {}
            // No kernel here begins with a landing pad.
            Item::Landing => {}
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
