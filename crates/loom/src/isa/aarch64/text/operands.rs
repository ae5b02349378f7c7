//! Instructions as words: mnemonic and operands, the same for all dialects.

use crate::isa::Reg;
use crate::isa::aarch64::inst::{Bytes, Inst, Logic, Over, Three};
use crate::isa::aarch64::operand::{At, Mem, Shift, Width, is_scaled};
use crate::isa::aarch64::program::Step;
use crate::isa::aarch64::{VECTOR_0, register};

/// What a dialect calls what instructions refer to.
pub(super) struct Names {
    /// The label of a branch.
    pub(super) branch: String,
    /// The page of the tables, and their place in it.
    pub(super) tables: [String; 2],
}

/// A register of 64 bits.
fn x(reg: Reg) -> String {
    match reg {
        Reg::Physical(number) => register(number).to_owned(),
        Reg::Virtual(number) => format!("value{number}"),
    }
}

/// A register of words, as wide as it is used.
fn named(width: Width, reg: Reg) -> String {
    match (width, reg) {
        (Width::Word, Reg::Physical(number)) => format!("w{number}"),
        _ => x(reg),
    }
}

/// A register of vectors, as wide as it is used, in bytes.
fn scalar(bytes: u8, reg: Reg) -> String {
    let letter = match bytes {
        4 => 's',
        8 => 'd',
        _ => 'q',
    };
    match reg {
        Reg::Physical(number) => format!("{letter}{}", number - VECTOR_0),
        Reg::Virtual(_) => x(reg),
    }
}

/// Registers of vectors in parts.
fn parts<const N: usize>(kind: &str, registers: [Reg; N]) -> String {
    registers.map(|reg| format!("{}.{kind}", x(reg))).join(", ")
}

fn shifted(shift: Shift) -> String {
    match shift {
        Shift::NONE => String::new(),
        Shift::Left(by) => format!(", lsl #{by}"),
        Shift::Right(by) => format!(", lsr #{by}"),
        Shift::Rotate(by) => format!(", ror #{by}"),
    }
}

const fn logic(op: Logic) -> &'static str {
    match op {
        Logic::And => "and",
        Logic::AndNot => "bic",
        Logic::Or => "orr",
        Logic::OrNot => "orn",
        Logic::Xor => "eor",
    }
}

/// A place in memory, for an access of so many bytes.
fn place(mem: &Mem, bytes: u8) -> String {
    let base = x(mem.base);
    match mem.at {
        At::Disp(0) => format!("[{base}]"),
        At::Disp(disp) => format!("[{base}, #{disp}]"),
        At::Index(index, true) if bytes > 1 => {
            format!("[{base}, {}, lsl #{}]", x(index), bytes.trailing_zeros())
        }
        At::Index(index, _) => format!("[{base}, {}]", x(index)),
    }
}

/// The mnemonic of a load or store: assemblers take one for two ways to have a displacement, but not in
/// the same order of preference.
fn access(load: bool, mem: &Mem, bytes: u8, vector: bool) -> String {
    let is_unscaled = matches!(mem.at, At::Disp(disp) if !is_scaled(disp, bytes));
    let part = match bytes {
        1 if !vector => "b",
        2 if !vector => "h",
        _ => "",
    };
    let (kind, form) = (if load { "ld" } else { "st" }, if is_unscaled { "ur" } else { "r" });
    format!("{kind}{form}{part}")
}

/// One or two registers to the stack, or back.
fn saved(load: bool, registers: [Option<u8>; 2], at: u32, moves: bool) -> (String, String) {
    let kind = if load { "ld" } else { "st" };
    let name = |number: u8| match number >= VECTOR_0 {
        true => scalar(8, Reg::Physical(number)),
        false => register(number).to_owned(),
    };
    let names: Vec<_> = registers.into_iter().flatten().map(name).collect();
    let form = if names.len() == 2 { "p" } else { "r" };
    let place = match (moves, load) {
        (false, _) if at == 0 => "[sp]".to_owned(),
        (false, _) => format!("[sp, #{at}]"),
        (true, false) => format!("[sp, #-{at}]!"),
        (true, true) => format!("[sp], #{at}"),
    };
    (format!("{kind}{form}"), format!("{}, {place}", names.join(", ")))
}

/// Mnemonic and operands.
pub(super) fn step(step: &Step, names: &Names) -> (String, String) {
    let text = |mnemonic: &str, operands: String| (mnemonic.to_owned(), operands);
    let n = |number: u8| register(number);
    match *step {
        Step::Inst(ref inst) => instruction(inst, names),
        Step::Save { registers, at, moves } => saved(false, registers, at, moves),
        Step::Restore { registers, at, moves } => saved(true, registers, at, moves),
        Step::Wipe { bytes, at } => {
            let place = if at == 0 { "[sp]".to_owned() } else { format!("[sp, #{at}]") };
            match bytes {
                16 => text("stp", format!("xzr, xzr, {place}")),
                _ => text("str", format!("xzr, {place}")),
            }
        }
        Step::Compare { width, a, b } => {
            let [a, b] = [a, b].map(|number| named(width, Reg::Physical(number)));
            text("cmp", format!("{a}, {b}"))
        }
        Step::Select { dst, then, otherwise } => {
            text("csel", format!("{}, {}, {}, eq", n(dst), n(then), n(otherwise)))
        }
        Step::IfEqual(_) => text("b.eq", names.branch.clone()),
        Step::IfZero(register, _) => text("cbz", format!("{}, {}", n(register), names.branch)),
        Step::Again(register, _) => text("cbnz", format!("{}, {}", n(register), names.branch)),
        Step::Branch(_) => text("b", names.branch.clone()),
        // By its number, which assemblers without branch target identification know, too.
        Step::Landing => text("hint", "#34".to_owned()),
        Step::Nop => text("nop", String::new()),
        Step::Return => text("ret", String::new()),
    }
}

fn instruction(inst: &Inst, names: &Names) -> (String, String) {
    let (mnemonic, operands) = match *inst {
        Inst::Logic { op, width, dst, a, b, shift } => {
            let [dst, a, b] = [dst, a, b].map(|reg| named(width, reg));
            (logic(op), format!("{dst}, {a}, {b}{}", shifted(shift)))
        }
        Inst::LogicImm { op, width, dst, a, imm } => {
            (logic(op), format!("{}, {}, #{imm:#x}", named(width, dst), named(width, a)))
        }
        Inst::Sum { width, dst, a, b, shift } => {
            let [dst, a, b] = [dst, a, b].map(|reg| named(width, reg));
            ("add", format!("{dst}, {a}, {b}{}", shifted(shift)))
        }
        Inst::SumImm { width, dst, a, imm } => {
            let operands = format!("{}, {}, #{}", named(width, dst), named(width, a), imm.abs());
            (if imm < 0 { "sub" } else { "add" }, operands)
        }
        Inst::Move { not, width, dst, imm, at } => {
            let mnemonic = if not { "movn" } else { "movz" };
            (mnemonic, format!("{}, #{imm:#x}{}", named(width, dst), above(at)))
        }
        Inst::Keep { width, dst, imm, at, .. } => {
            ("movk", format!("{}, #{imm:#x}{}", named(width, dst), above(at)))
        }
        Inst::Mask { width, dst, imm } => {
            let zero = if width == Width::Word { "wzr" } else { "xzr" };
            ("orr", format!("{}, {zero}, #{imm:#x}", named(width, dst)))
        }
        Inst::Field { width, dst, a, shift, bits } if shift + bits == width.bits() => {
            ("lsr", format!("{}, {}, #{shift}", named(width, dst), named(width, a)))
        }
        Inst::Field { width, dst, a, shift, bits } => {
            ("ubfx", format!("{}, {}, #{shift}, #{bits}", named(width, dst), named(width, a)))
        }
        Inst::Place { width, dst, a, shift, bits } if shift + bits == width.bits() => {
            ("lsl", format!("{}, {}, #{shift}", named(width, dst), named(width, a)))
        }
        Inst::Place { width, dst, a, shift, bits } => {
            ("ubfiz", format!("{}, {}, #{shift}, #{bits}", named(width, dst), named(width, a)))
        }
        Inst::Rotate { width, dst, a, by } => {
            ("ror", format!("{}, {}, #{by}", named(width, dst), named(width, a)))
        }
        Inst::Reverse { width, dst, a } => {
            ("rev", format!("{}, {}", named(width, dst), named(width, a)))
        }
        Inst::Not { width, dst, a } => {
            ("mvn", format!("{}, {}", named(width, dst), named(width, a)))
        }
        Inst::Copy { dst: dst @ Reg::Physical(VECTOR_0..), src, .. } => {
            ("mov", parts("16b", [dst, src]))
        }
        Inst::Copy { width, dst, src } => {
            ("mov", format!("{}, {}", named(width, dst), named(width, src)))
        }
        Inst::TablePage { dst } => ("adrp", format!("{}, {}", x(dst), names.tables[0])),
        Inst::TableOffset { dst, a } => {
            ("add", format!("{}, {}, {}", x(dst), x(a), names.tables[1]))
        }
        Inst::Load { bytes, dst, ref mem } => {
            let width = if bytes == 8 { Width::Double } else { Width::Word };
            let operands = format!("{}, {}", named(width, dst), place(mem, bytes));
            return (access(true, mem, bytes, false), operands);
        }
        Inst::Store { bytes, ref mem, src } => {
            let width = if bytes == 8 { Width::Double } else { Width::Word };
            let operands = format!("{}, {}", named(width, src), place(mem, bytes));
            return (access(false, mem, bytes, false), operands);
        }
        Inst::LoadVector { bytes, dst, ref mem } => {
            let operands = format!("{}, {}", scalar(bytes, dst), place(mem, bytes));
            return (access(true, mem, bytes, true), operands);
        }
        Inst::StoreVector { bytes, ref mem, src } => {
            let operands = format!("{}, {}", scalar(bytes, src), place(mem, bytes));
            return (access(false, mem, bytes, true), operands);
        }
        Inst::Bitwise { op, dst, a, b } => (logic(op), parts("16b", [dst, a, b])),
        Inst::NotVector { dst, a } => ("not", parts("16b", [dst, a])),
        Inst::Three { op, dst, a, b, c } => {
            let mnemonic = match op {
                Three::Xor => "eor3",
                Three::XorAndNot => "bcax",
            };
            (mnemonic, parts("16b", [dst, a, b, c]))
        }
        Inst::RotateXor { dst, a, b, by } => {
            ("xar", format!("{}, #{by}", parts("2d", [dst, a, b])))
        }
        Inst::Select { over, dst, mask, then, otherwise } => match over {
            Over::Mask => ("bsl", parts("16b", [dst, then, otherwise])),
            Over::Then => ("bif", parts("16b", [dst, otherwise, mask])),
            Over::Otherwise => ("bit", parts("16b", [dst, then, mask])),
        },
        Inst::ShiftParts { left, dst, a, by } => {
            let mnemonic = if left { "shl" } else { "ushr" };
            (mnemonic, format!("{}, #{by}", parts("2d", [dst, a])))
        }
        Inst::Transpose { second, bytes, dst, a, b } => {
            let parts_of = [(1, "16b"), (2, "8h"), (4, "4s")];
            let part = parts_of.iter().find(|(size, _)| *size == bytes).map_or("2d", |part| part.1);
            (if second { "trn2" } else { "trn1" }, parts(part, [dst, a, b]))
        }
        Inst::ShiftInto { left, dst, b, by, .. } => {
            let mnemonic = if left { "sli" } else { "sri" };
            (mnemonic, format!("{}, #{by}", parts("16b", [dst, b])))
        }
        Inst::Bytes { op, dst, a, b } => match op {
            Bytes::Interleave => ("zip1", parts("16b", [dst, a, b])),
            Bytes::InterleaveWords => ("zip1", parts("4s", [dst, a, b])),
            Bytes::LowHalves => ("zip1", parts("2d", [dst, a, b])),
            Bytes::Evens => ("uzp1", parts("4s", [dst, a, b])),
            Bytes::Middle => ("ext", format!("{}, #8", parts("16b", [dst, a, b]))),
            Bytes::Sum => ("add", parts("16b", [dst, a, b])),
            Bytes::Equal => ("cmeq", parts("16b", [dst, a, b])),
            Bytes::Move => ("ushl", parts("16b", [dst, a, b])),
            Bytes::Pairs => ("addp", parts("16b", [dst, a, b])),
        },
        Inst::LookUp { dst, index, ref tables, .. } => {
            let tables: Vec<_> = tables.iter().map(|table| parts("16b", [*table])).collect();
            let [dst, index] = [dst, index].map(|reg| parts("16b", [reg]));
            ("tbl", format!("{dst}, {{{}}}, {index}", tables.join(", ")))
        }
        Inst::Repeat { bytes, dst, base } => {
            let kind = if bytes == 4 { "4s" } else { "2d" };
            ("ld1r", format!("{{{}}}, [{}]", parts(kind, [dst]), x(base)))
        }
        Inst::Splat { bytes: 4, dst, src } => {
            ("dup", format!("{}, {}", parts("4s", [dst]), named(Width::Word, src)))
        }
        Inst::Splat { dst, src, .. } => ("dup", format!("{}, {}", parts("2d", [dst]), x(src))),
        Inst::Fill { dst, imm } => {
            let bytes = imm.to_le_bytes();
            match bytes.iter().all(|byte| *byte == bytes[0]) {
                true => ("movi", format!("{}, #{:#x}", parts("16b", [dst]), bytes[0])),
                false => ("movi", format!("{}, #{imm:#018x}", parts("2d", [dst]))),
            }
        }
        Inst::ToVector { width, dst, src } => {
            ("fmov", format!("{}, {}", scalar(width.bits() / 8, dst), named(width, src)))
        }
        Inst::FromVector { width, dst, src } => {
            ("fmov", format!("{}, {}", named(width, dst), scalar(width.bits() / 8, src)))
        }
        Inst::SelectEq { .. }
        | Inst::BranchEq { .. }
        | Inst::BranchLoad { .. }
        | Inst::Spill { .. }
        | Inst::Reload { .. } => {
            unreachable!("a program has none of these")
        }
    };
    (mnemonic.to_owned(), operands)
}

/// Where 16 bits of a constant stand.
fn above(at: u8) -> String {
    if at == 0 { String::new() } else { format!(", lsl #{at}") }
}
