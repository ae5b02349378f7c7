//! Instruction selection: which instructions an operation of the IR becomes, in which of several ways.
//!
//! What costs nothing on its own is not emitted where it is defined but where it is wanted, in the
//! form that is wanted there: a constant as an immediate, a look-up as the memory operand of an
//! XOR, a field as a byte register. Where there are several good ways, [`Choices`] says which.
//!
//! `bytes.rs` cuts fields out of words, `memory.rs` makes addresses, `xor.rs` adds up, `vectors.rs` has
//! what is done with vectors.

mod bytes;
mod memory;
mod vectors;
mod xor;

use std::collections::HashMap;

use super::inst::{Alu, Inst, Shift};
use super::operand::{Source, Width};
use super::{Mode, X86, features};
use crate::ir::{Endian, Kernel, Op, Type, Value};
use crate::isa::frame::Abi;
use crate::isa::lower::{Lower, Lowered, Lowering, selects};
use crate::isa::{Choices, Features, Reg, Way};

/// Where the top byte of 64 bits begins.
const TOP: u8 = 56;

/// Lowers a kernel.
///
/// # Panics
/// If the kernel computes with words or vectors that the mode or the features do not have.
pub(super) fn lower(isa: X86, kernel: &Kernel, abi: &Abi, choices: &Choices) -> Lowered<Inst> {
    let X86 { mode, features } = isa;
    let mut table_offsets = Vec::new();
    let mut offset = 0;
    for table in &kernel.tables {
        table_offsets.push(offset);
        offset += table.bytes() as i32;
    }
    let far = abi.far(&kernel.params);
    let mut selection = Selection {
        base: Lowering::new(kernel),
        mode,
        features,
        choices: *choices,
        table_offsets,
        arguments: HashMap::new(),
        segments: far.map(|(n, segment)| (kernel.params[n].value.0, segment)).collect(),
        shifted: HashMap::new(),
        outside: Vec::new(),
        cleared: [None; 2],
        tables: None,
        top: None,
        inverse: None,
    };
    if let (false, Some(value)) = (mode.is_64(), selection.uses.wide) {
        panic!(
            "{}: value {} has 64 bits, which 32-bit code has no words for",
            kernel.name, value.0
        );
    }
    let mut params = Vec::new();
    for (number, param) in (0..).zip(&kernel.params) {
        if !abi.arguments.is_empty() {
            params.push(selection.define(param.value));
        } else if selection.uses.deep.contains(&param.value) {
            let dst = selection.define(param.value);
            selection.push(Inst::Argument { number, dst });
        } else {
            selection.arguments.insert(param.value, number);
        }
    }
    if !kernel.tables.is_empty() && (mode == Mode::Bits64 || abi.position_independent) {
        let dst = selection.emit(|dst| Inst::Tables { dst });
        selection.tables = Some(dst);
        if choices.extract.top() == Way::ByRegister && features.include(features::BMI2) {
            let dst = selection.emit(|dst| Inst::Imm { dst, value: TOP.into() });
            selection.top = Some(dst);
        }
    }
    selection.statements(&kernel.body);
    selection.base.finish(params, Vec::new())
}

/// Instruction selection for a kernel.
struct Selection<'a> {
    base: Lowering<'a, Inst>,
    mode: Mode,
    features: Features,
    choices: Choices,
    /// Where each table begins behind the tables' label, in bytes.
    table_offsets: Vec<i32>,
    /// Parameters that are fetched from the stack where they are wanted.
    arguments: HashMap<Value, u8>,
    /// The segment registers of parameters, by their regions.
    segments: HashMap<u32, u8>,
    /// Copies of a word shifted right, by word and distance.
    shifted: HashMap<(Reg, u8), Reg>,
    /// Those of the bodies around this one.
    outside: Vec<HashMap<(Reg, u8), Reg>>,
    /// Registers of which only the lowest byte is not zero: for lowest and for second bytes.
    cleared: [Option<Reg>; 2],
    tables: Option<Reg>,
    /// Holds [`TOP`], where `shrx` takes it.
    top: Option<Reg>,
    /// Has all bits but those of a mask, where `andn` takes it.
    inverse: Option<(u32, Reg)>,
}

selects!(Selection, Inst, base);

impl<'a> Lower<'a, Inst> for Selection<'a> {
    fn defers(&self, value: Value, op: &Op) -> bool {
        let ordered =
            matches!(op, Op::Load { ordered: true, .. }) && self.rare_load(value).is_none();
        let pure = matches!(
            op,
            Op::Const(_)
                | Op::Field { .. }
                | Op::Lookup(..)
                | Op::Resize(_)
                | Op::Load { .. }
                | Op::Broadcast { .. }
        );
        let fused = self.is_byte_sum(value) || self.is_row(value);
        pure && !ordered || self.uses.is_inner_xor(value) || fused
    }

    fn make(&mut self, value: Value, ty: Type, op: &Op) -> Reg {
        match *op {
            Op::Store { value, ref address, bytes, ordered, .. }
                if matches!(ty, Type::Vector(_)) =>
            {
                return self.store_vector(ty, value, address, bytes, ordered);
            }
            Op::Store { .. } => {}
            _ if matches!(ty, Type::Vector(_)) => return self.vector(ty, op),
            _ => {}
        }
        let width = self.width(ty);
        match *op {
            Op::Const(number) => {
                let dst = self.fresh();
                self.push(Inst::Imm { dst, value: number });
                dst
            }
            Op::Xor(..) => self.xor(value, width),
            Op::And(a, b) => self.alu(Alu::And, width, a, b),
            Op::Or(a, b) => self.alu(Alu::Or, width, a, b),
            Op::Add(a, b) => self.alu(Alu::Add, width, a, b),
            Op::AndNot(a, b) => {
                let (a, b) = (self.reg(a), self.reg(b));
                let (not, dst) = (self.fresh(), self.fresh());
                self.push(Inst::Not { width, dst: not, a: b });
                self.push(Inst::Alu { op: Alu::And, width, dst, a: not, b: Source::Reg(a) });
                dst
            }
            Op::Not(a) => {
                let (a, dst) = (self.reg(a), self.fresh());
                self.push(Inst::Not { width, dst, a });
                dst
            }
            Op::Shl(a, by) => self.shift(Shift::Left, width, a, by),
            Op::Shr(a, by) => self.shift(Shift::Right, width, a, by),
            Op::Compress(a, mask) => self.bits(false, a, mask),
            Op::Expand(a, mask) => self.bits(true, a, mask),
            Op::Rotl(a, by) => self.rotate(width, a, by),
            Op::Field { of, shift, bits } => self.field(width, of, shift, bits),
            Op::SwapBytes(a) => {
                let a = self.reg(a);
                self.swap_bytes(width, a)
            }
            Op::Resize(a) => {
                let from = self.reg(a);
                if let vector @ Type::Vector(_) = self.ty(a) {
                    let (shape, dst) = (self.shape(vector), self.fresh());
                    self.push(Inst::FromVector { width, shape, dst, src: from });
                    return dst;
                }
                if ty == Type::W32 && self.ty(a) == Type::W64 {
                    let dst = self.fresh();
                    self.push(Inst::Copy { width: Width::Dword, dst, src: from });
                    return dst;
                }
                // The upper half is zero already.
                from
            }
            Op::SelectEq { a, b, then, otherwise, rare } => {
                if let Some((address, bytes, ordered)) = self.rare_load(then) {
                    let [a, b, otherwise] = [a, b, otherwise].map(|v| self.reg(v));
                    let mem = self.mem(&address, ordered);
                    let dst = self.fresh();
                    self.push(Inst::BranchLoad { width, dst, otherwise, a, b, bytes, mem });
                    return dst;
                }
                let [a, b, then, otherwise] = [a, b, then, otherwise].map(|v| self.reg(v));
                let dst = self.fresh();
                let branch = rare && self.choices.branch || !self.features.include(features::CMOV);
                self.push(Inst::SelectEq { width, dst, otherwise, a, b, then, branch });
                dst
            }
            Op::Lookup(table, index) => {
                let (mem, bytes) = self.entry(table, index);
                let dst = self.fresh();
                self.push(Inst::Load { bytes, dst, mem });
                dst
            }
            Op::Load { address, bytes, endian, ordered } => {
                let mem = self.mem(&address, ordered);
                let dst = self.fresh();
                self.push(Inst::Load { bytes, dst, mem });
                if endian == Endian::Big && bytes > 1 {
                    return self.swap_bytes(width, dst);
                }
                dst
            }
            Op::Store { value, address, bytes, endian, ordered } => {
                let mut src = self.reg(value);
                let mem = self.mem(&address, ordered);
                if endian == Endian::Big && bytes > 1 {
                    src = self.swap_bytes(width, src);
                }
                self.push(Inst::Store { bytes, mem, src });
                src
            }
            Op::Advance(pointer, by) => {
                let (a, dst) = (self.reg(pointer), self.fresh());
                let b = Source::Imm(by);
                let width = self.mode.width();
                self.push(Inst::Alu { op: Alu::Add, width, dst, a, b });
                dst
            }
            Op::Ternary(..)
            | Op::Broadcast { .. }
            | Op::InsertByte { .. }
            | Op::Bytes(..)
            | Op::PickTwo(..)
            | Op::PickFrom(..) => {
                panic!("{op:?} is for vectors")
            }
        }
    }

    fn copy(&self, to: Reg, from: Reg) -> Inst {
        Inst::Copy { width: self.mode.width(), dst: to, src: from }
    }

    fn fetch(&mut self, value: Value) -> Option<Reg> {
        let number = *self.arguments.get(&value)?;
        Some(self.emit(|dst| Inst::Argument { number, dst }))
    }

    fn enter(&mut self) {
        let shifted = std::mem::take(&mut self.shifted);
        self.outside.push(shifted);
        self.cleared = [None; 2];
    }

    fn leave(&mut self) {
        self.shifted = self.outside.pop().expect("a body was entered");
        self.cleared = [None; 2];
        // Behind a loop they are fetched again rather than kept.
        let Self { base, arguments, .. } = self;
        base.values.retain(|value, _| !arguments.contains_key(value));
    }
}

impl Selection<'_> {
    /// The width of a type. (In 32-bit code counts are what has a type of 64 bits.)
    fn width(&self, ty: Type) -> Width {
        match ty {
            Type::W32 => Width::Dword,
            _ => self.mode.width(),
        }
    }

    fn ty(&self, value: Value) -> Type {
        self.uses.ty(value)
    }

    /// A constant that fits an instruction, or a register.
    fn source(&mut self, value: Value, width: Width) -> Source {
        if let Some(Op::Const(number)) = self.uses.op(value) {
            let signed = match width {
                Width::Qword => *number as i64,
                _ => i64::from(*number as u32 as i32),
            };
            if let Ok(imm) = i32::try_from(signed) {
                return Source::Imm(imm);
            }
        }
        // A constant of a table needs no register either.
        if let (Some(Op::Lookup(table, index)), Width::Qword) = (self.uses.op(value), width)
            && let (Some(Op::Const(n)), true) = (self.uses.op(*index), self.choices.memory_operands)
        {
            return Source::Mem(self.constant(*table, *n));
        }
        Source::Reg(self.reg(value))
    }

    /// A word with its bytes in reverse order.
    fn swap_bytes(&mut self, width: Width, a: Reg) -> Reg {
        let dst = self.fresh();
        if self.features.include(features::BSWAP) {
            self.push(Inst::Bswap { width, dst, a });
            return dst;
        }
        // Both bytes of the lower half, the halves, and both bytes of what is the lower half now.
        let (low, halves) = (self.fresh(), self.fresh());
        let op = Shift::Rotate;
        self.push(Inst::Shift { op, width: Width::Word, dst: low, a, by: 8 });
        self.push(Inst::Shift { op, width: Width::Dword, dst: halves, a: low, by: 16 });
        self.push(Inst::Shift { op, width: Width::Word, dst, a: halves, by: 8 });
        dst
    }

    fn alu(&mut self, op: Alu, width: Width, a: Value, b: Value) -> Reg {
        let (a, b) = (self.reg(a), self.source(b, width));
        let dst = self.fresh();
        self.push(Inst::Alu { op, width, dst, a, b });
        dst
    }

    /// # Panics
    /// Without BMI2: a strategy with such operations is for processors that have it.
    fn bits(&mut self, apart: bool, a: Value, mask: Value) -> Reg {
        assert!(self.features.include(features::BMI2), "bits are moved by masks with BMI2 only");
        let a = self.reg(a);
        let mask = match self.source(mask, Width::Qword) {
            Source::Imm(_) => Source::Reg(self.reg(mask)),
            other => other,
        };
        let dst = self.fresh();
        self.push(Inst::Bits { apart, dst, a, mask });
        dst
    }

    fn shift(&mut self, op: Shift, width: Width, a: Value, by: u8) -> Reg {
        let a = self.reg(a);
        if by == 0 {
            return a;
        }
        let dst = self.fresh();
        self.push(Inst::Shift { op, width, dst, a, by });
        dst
    }

    fn rotate(&mut self, width: Width, a: Value, by: u8) -> Reg {
        let bits = if width == Width::Dword { 32 } else { 64 };
        if self.features.include(features::BMI2) && by != 0 {
            let (a, dst) = (self.reg(a), self.fresh());
            self.push(Inst::Rorx { width, dst, a, by: bits - by });
            return dst;
        }
        self.shift(Shift::Rotate, width, a, by)
    }
}
