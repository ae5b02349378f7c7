//! Instructions as words of code.

use super::VECTOR_0;
use super::inst::{Bytes, Inst, Logic, Over, Three};
use super::operand::{At, Mem, Shift, Width, fill, is_scaled, mask};
use super::program::Step;
use super::reg::STACK;
use crate::isa::Reg;

/// Register 31 where it is zero.
const ZERO: u32 = STACK as u32;
/// The condition that what was compared is equal.
const EQUAL: u32 = 0;

/// A word of code; the distance of a branch and the place of the tables are left open.
///
/// # Panics
/// If a constant has no form, or a register is virtual: lowering makes none such.
pub(super) fn word(step: &Step) -> u32 {
    match *step {
        Step::Inst(ref inst) => instruction(inst),
        Step::Save { registers, at, moves } => pair(false, registers, at, moves),
        Step::Restore { registers, at, moves } => pair(true, registers, at, moves),
        Step::Wipe { bytes: 16, at } => {
            0xa900_0000 | (at / 8) << 15 | ZERO << 10 | base(Reg::Physical(STACK)) | ZERO
        }
        Step::Wipe { at, .. } => 0xf900_0000 | (at / 8) << 10 | base(Reg::Physical(STACK)) | ZERO,
        Step::Compare { width, a, b } => {
            wide(width) | 0x6b00_0000 | u32::from(b) << 16 | u32::from(a) << 5 | ZERO
        }
        Step::Select { dst, then, otherwise } => {
            let [dst, then, otherwise] = [dst, then, otherwise].map(u32::from);
            0x9a80_0000 | otherwise << 16 | EQUAL << 12 | then << 5 | dst
        }
        Step::IfEqual(_) => 0x5400_0000 | EQUAL,
        Step::IfZero(register, _) => 0xb400_0000 | u32::from(register),
        Step::Again(register, _) => 0xb500_0000 | u32::from(register),
        Step::Branch(_) => 0x1400_0000,
        Step::Landing => 0xd503_245f,
        Step::Nop => 0xd503_201f,
        Step::Return => 0xd65f_03c0,
    }
}

/// The number of a register, of words or of vectors.
fn number(reg: Reg) -> u32 {
    u32::from(reg.number() % VECTOR_0)
}

/// The field of the base of an address, or of a first source.
fn base(reg: Reg) -> u32 {
    number(reg) << 5
}

/// Two or three registers: the result, and the sources in order.
fn registers(dst: Reg, a: Reg, b: Reg) -> u32 {
    number(b) << 16 | number(a) << 5 | number(dst)
}

fn wide(width: Width) -> u32 {
    u32::from(width == Width::Double) << 31
}

/// What is done to a shifted second source.
fn shift(shift: Shift) -> u32 {
    let (kind, by) = match shift {
        Shift::Left(by) => (0, by),
        Shift::Right(by) => (1, by),
        Shift::Rotate(by) => (3, by),
    };
    kind << 22 | u32::from(by) << 10
}

fn logic(op: Logic) -> u32 {
    match op {
        Logic::And => 0x0a00_0000,
        Logic::AndNot => 0x0a20_0000,
        Logic::Or => 0x2a00_0000,
        Logic::OrNot => 0x2a20_0000,
        Logic::Xor => 0x4a00_0000,
    }
}

fn pair(load: bool, registers: [Option<u8>; 2], at: u32, moves: bool) -> u32 {
    let [first, second] = registers;
    let first = first.expect("at least one");
    let vector = first >= VECTOR_0;
    let named = |register: u8| u32::from(register % VECTOR_0);
    let signed = if moves && !load { at.wrapping_neg() } else { at };
    let Some(second) = second else {
        let size = if vector { 0xfc00_0000 } else { 0xf800_0000 };
        let (plain, before, after) = (0x0100_0000, 0xc00, 0x400);
        let form = match (moves, load) {
            (false, _) => plain | (at / 8) << 10,
            (true, false) => before | (signed & 0x1ff) << 12,
            (true, true) => after | (signed & 0x1ff) << 12,
        };
        return size | u32::from(load) << 22 | form | u32::from(STACK) << 5 | named(first);
    };
    let size = if vector { 0x6c00_0000 } else { 0xa800_0000 };
    let form = match (moves, load) {
        (false, _) => 2 << 23,
        (true, false) => 3 << 23,
        (true, true) => 1 << 23,
    };
    let at = ((signed as i32 / 8) as u32 & 0x7f) << 15;
    size | form
        | u32::from(load) << 22
        | at
        | named(second) << 10
        | u32::from(STACK) << 5
        | named(first)
}

/// A load or store; `vector` says of which registers.
fn access(load: bool, vector: bool, bytes: u8, mem: &Mem, reg: Reg) -> u32 {
    // Of 16 bytes, size 0 with a bit of its own.
    let (size, long) = if bytes == 16 { (0, 1) } else { (bytes.trailing_zeros(), 0) };
    let kind = size << 30
        | 0x3800_0000
        | u32::from(vector) << 26
        | long << 23
        | u32::from(load) << 22
        | base(mem.base)
        | number(reg);
    kind | match mem.at {
        At::Disp(disp) if is_scaled(disp, bytes) => {
            0x0100_0000 | ((disp / i32::from(bytes)) as u32) << 10
        }
        At::Disp(disp) => (disp as u32 & 0x1ff) << 12,
        At::Index(index, scaled) => {
            0x0020_6800 | number(index) << 16 | u32::from(scaled && bytes > 1) << 12
        }
    }
}

/// A field of `bits` bits by `ubfm`'s rotation and last bit.
fn field(width: Width, dst: Reg, a: Reg, rotation: u8, last: u8) -> u32 {
    let kind = if width == Width::Double { 0xd340_0000 } else { 0x5300_0000 };
    kind | u32::from(rotation) << 16 | u32::from(last) << 10 | base(a) | number(dst)
}

fn sum_imm(width: Width, dst: Reg, a: Reg, imm: i32) -> u32 {
    let size = imm.unsigned_abs();
    let (high, field) = if size < 1 << 12 { (0, size) } else { (1, size >> 12) };
    wide(width)
        | 0x1100_0000
        | u32::from(imm < 0) << 30
        | high << 22
        | field << 10
        | base(a)
        | number(dst)
}

fn instruction(inst: &Inst) -> u32 {
    match *inst {
        Inst::Logic { op, width, dst, a, b, shift: by } => {
            wide(width) | logic(op) | shift(by) | registers(dst, a, b)
        }
        Inst::LogicImm { op, width, dst, a, imm } => {
            let kind = match op {
                Logic::And => 0x1200_0000,
                Logic::Or => 0x3200_0000,
                Logic::Xor => 0x5200_0000,
                Logic::AndNot | Logic::OrNot => panic!("{op:?} has no constants"),
            };
            let mask = mask(imm, width).unwrap_or_else(|| panic!("{imm:#x} has no form"));
            wide(width) | kind | mask << 10 | base(a) | number(dst)
        }
        Inst::Sum { width, dst, a, b, shift: by } => {
            wide(width) | 0x0b00_0000 | shift(by) | registers(dst, a, b)
        }
        Inst::SumImm { width, dst, a, imm } => sum_imm(width, dst, a, imm),
        Inst::Move { not, width, dst, imm, at } => {
            let kind = if not { 0x1280_0000 } else { 0x5280_0000 };
            wide(width) | kind | u32::from(at / 16) << 21 | u32::from(imm) << 5 | number(dst)
        }
        Inst::Keep { width, dst, imm, at, .. } => {
            wide(width) | 0x7280_0000 | u32::from(at / 16) << 21 | u32::from(imm) << 5 | number(dst)
        }
        Inst::Mask { width, dst, imm } => {
            let mask = mask(imm, width).unwrap_or_else(|| panic!("{imm:#x} has no form"));
            wide(width) | 0x3200_0000 | mask << 10 | ZERO << 5 | number(dst)
        }
        Inst::Field { width, dst, a, shift, bits } => field(width, dst, a, shift, shift + bits - 1),
        Inst::Place { width, dst, a, shift, bits } => {
            let rotation = (width.bits() - shift) % width.bits();
            field(width, dst, a, rotation, bits - 1)
        }
        Inst::Rotate { width, dst, a, by } => {
            let kind = if width == Width::Double { 0x93c0_0000 } else { 0x1380_0000 };
            kind | u32::from(by) << 10 | registers(dst, a, a)
        }
        Inst::Reverse { width, dst, a } => {
            let kind = if width == Width::Double { 0xdac0_0c00 } else { 0x5ac0_0800 };
            kind | base(a) | number(dst)
        }
        Inst::Not { width, dst, a } => {
            wide(width) | logic(Logic::OrNot) | number(a) << 16 | ZERO << 5 | number(dst)
        }
        Inst::Copy { dst, src, .. } if dst.number() >= VECTOR_0 => {
            0x4ea0_1c00 | registers(dst, src, src)
        }
        Inst::Copy { width, dst, src } => {
            wide(width) | logic(Logic::Or) | number(src) << 16 | ZERO << 5 | number(dst)
        }
        Inst::TablePage { dst } => 0x9000_0000 | number(dst),
        Inst::TableOffset { dst, a } => sum_imm(Width::Double, dst, a, 0),
        Inst::Load { bytes, dst, ref mem } => access(true, false, bytes, mem, dst),
        Inst::Store { bytes, ref mem, src } => access(false, false, bytes, mem, src),
        Inst::LoadVector { bytes, dst, ref mem } => access(true, true, bytes, mem, dst),
        Inst::StoreVector { bytes, ref mem, src } => access(false, true, bytes, mem, src),
        Inst::Bitwise { op, dst, a, b } => {
            let kind = match op {
                Logic::And => 0x4e20_1c00,
                Logic::AndNot => 0x4e60_1c00,
                Logic::Or => 0x4ea0_1c00,
                Logic::OrNot => 0x4ee0_1c00,
                Logic::Xor => 0x6e20_1c00,
            };
            kind | registers(dst, a, b)
        }
        Inst::NotVector { dst, a } => 0x6e20_5800 | base(a) | number(dst),
        Inst::Three { op, dst, a, b, c } => {
            let kind = match op {
                Three::Xor => 0xce00_0000,
                Three::XorAndNot => 0xce20_0000,
            };
            kind | registers(dst, a, b) | number(c) << 10
        }
        Inst::RotateXor { dst, a, b, by } => {
            0xce80_0000 | registers(dst, a, b) | u32::from(by) << 10
        }
        Inst::Select { over, dst, mask, then, otherwise } => match over {
            Over::Mask => 0x6e60_1c00 | registers(dst, then, otherwise),
            Over::Then => 0x6ee0_1c00 | registers(dst, otherwise, mask),
            Over::Otherwise => 0x6ea0_1c00 | registers(dst, then, mask),
        },
        Inst::ShiftParts { left: true, dst, a, by } => {
            0x4f00_5400 | (64 + u32::from(by)) << 16 | base(a) | number(dst)
        }
        Inst::ShiftParts { left: false, dst, a, by } => {
            0x6f00_0400 | (128 - u32::from(by)) << 16 | base(a) | number(dst)
        }
        Inst::Transpose { second, bytes, dst, a, b } => {
            let kind = if second { 0x4e00_6800 } else { 0x4e00_2800 };
            kind | bytes.trailing_zeros() << 22 | registers(dst, a, b)
        }
        Inst::ShiftInto { left: true, dst, b, by, .. } => {
            0x6f00_5400 | (8 + u32::from(by)) << 16 | base(b) | number(dst)
        }
        Inst::ShiftInto { left: false, dst, b, by, .. } => {
            0x6f00_4400 | (16 - u32::from(by)) << 16 | base(b) | number(dst)
        }
        Inst::Bytes { op, dst, a, b } => {
            let kind = match op {
                Bytes::Interleave => 0x4e00_3800,
                Bytes::InterleaveWords => 0x4e80_3800,
                Bytes::LowHalves => 0x4ec0_3800,
                Bytes::Evens => 0x4e80_1800,
                Bytes::Middle => 0x6e00_4000,
                Bytes::Sum => 0x4e20_8400,
                Bytes::Equal => 0x6e20_8c00,
                Bytes::Move => 0x6e20_4400,
                Bytes::Pairs => 0x4e20_bc00,
            };
            kind | registers(dst, a, b)
        }
        Inst::LookUp { dst, index, ref tables, .. } => {
            0x4e00_0000 | (tables.len() as u32 - 1) << 13 | registers(dst, tables[0], index)
        }
        Inst::Repeat { bytes, dst, base: from } => {
            0x4d40_c000 | bytes.trailing_zeros() << 10 | base(from) | number(dst)
        }
        Inst::Splat { bytes, dst, src } => {
            0x4e00_0c00 | u32::from(bytes) << 16 | base(src) | number(dst)
        }
        Inst::Fill { dst, imm } => {
            let (byte, whole) = fill(imm).unwrap_or_else(|| panic!("{imm:#x} has no form"));
            let kind = if whole { 0x6f00_e400 } else { 0x4f00_e400 };
            let byte = u32::from(byte);
            kind | byte >> 5 << 16 | (byte & 0x1f) << 5 | number(dst)
        }
        Inst::ToVector { width: Width::Double, dst, src } => 0x9e67_0000 | base(src) | number(dst),
        Inst::ToVector { dst, src, .. } => 0x1e27_0000 | base(src) | number(dst),
        Inst::FromVector { width: Width::Double, dst, src } => {
            0x9e66_0000 | base(src) | number(dst)
        }
        Inst::FromVector { dst, src, .. } => 0x1e26_0000 | base(src) | number(dst),
        Inst::SelectEq { .. }
        | Inst::BranchEq { .. }
        | Inst::BranchLoad { .. }
        | Inst::Spill { .. }
        | Inst::Reload { .. } => {
            unreachable!("a program has none of these")
        }
    }
}
