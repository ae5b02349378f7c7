//! From the IR to instructions: which ones, in which of several ways.
//!
//! What costs nothing on its own is not emitted where it is defined but where it is wanted, in the
//! form that is wanted there: a constant as an immediate, a look-up as the memory operand of an
//! XOR, a field as a byte register. Where there are several good ways, [`Choices`] says which.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

use super::inst::{Alu, Base, Inst, Mem, Shift, Source, Width};
use super::{Mode, X86, features};
use crate::ir::{Endian, Kernel, Op, Place, TableId, Type, Value};
use crate::isa::frame::Abi;
use crate::isa::lower::{Lower, Lowered, Lowering};
use crate::isa::{Choices, Extract, Features, Reg, Sums};

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
        if choices.extract == Extract::TopByRegister && features.include(features::BMI2) {
            let dst = selection.emit(|dst| Inst::Imm { dst, value: TOP.into() });
            selection.top = Some(dst);
        }
    }
    selection.lines(&kernel.body);
    selection.base.finish(params, Vec::new())
}

/// Instruction selection for a kernel.
pub(super) struct Selection<'a> {
    base: Lowering<'a, Inst>,
    pub(super) mode: Mode,
    pub(super) features: Features,
    pub(super) choices: Choices,
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
}

impl<'a> Deref for Selection<'a> {
    type Target = Lowering<'a, Inst>;

    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl DerefMut for Selection<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.base
    }
}

impl<'a> Lower<'a, Inst> for Selection<'a> {
    fn defers(&self, value: Value, op: &Op) -> bool {
        let ordered = matches!(op, Op::Load { ordered: true, .. });
        let pure = matches!(
            op,
            Op::Const(_)
                | Op::Field { .. }
                | Op::Lookup(..)
                | Op::Resize(_)
                | Op::Load { .. }
                | Op::Broadcast { .. }
        );
        let fused_sum = self.is_byte_sum(value);
        pure && !ordered || self.uses.is_inner_xor(value) || fused_sum
    }

    fn make(&mut self, value: Value, ty: Type, op: &Op) -> Reg {
        match *op {
            Op::Store { value, ref place, bytes, ordered, .. } if matches!(ty, Type::Vector(_)) => {
                return self.store_vector(ty, value, place, bytes, ordered);
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
            Op::Load { place, bytes, endian, ordered } => {
                let mem = self.mem(&place, ordered);
                let dst = self.fresh();
                self.push(Inst::Load { bytes, dst, mem });
                if endian == Endian::Big && bytes > 1 {
                    return self.swap_bytes(width, dst);
                }
                dst
            }
            Op::Store { value, place, bytes, endian, ordered } => {
                let mut src = self.reg(value);
                let mem = self.mem(&place, ordered);
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
            Op::Ternary(..) | Op::Broadcast { .. } | Op::Bytes(..) | Op::PickTwo(..) => {
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
    pub(super) fn width(&self, ty: Type) -> Width {
        match ty {
            Type::W32 => Width::Dword,
            _ => self.mode.width(),
        }
    }

    pub(super) fn ty(&self, value: Value) -> Type {
        self.uses.ty(value)
    }

    /// Whether `value` is an addition of bytes of which only the lowest byte is wanted.
    fn is_byte_sum(&self, value: Value) -> bool {
        let Some(Op::Add(a, b)) = self.uses.op(value) else { return false };
        let user = self.uses.user.get(&value).and_then(|user| self.uses.op(*user));
        self.choices.byte_sums
            && self.uses.is_used_once(value)
            && matches!(user, Some(Op::Field { shift: 0, bits: 8, .. }))
            && self.uses.is_byte(*a)
            && (self.uses.is_byte(*b) || matches!(self.uses.op(*b), Some(Op::Const(_))))
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

    /// Where the tables are.
    fn tables(&self) -> Base {
        match (self.tables, self.mode) {
            (Some(register), _) => Base::Reg(register),
            (None, Mode::Real | Mode::Bits32) => Base::Tables,
            (None, Mode::Bits64) => panic!("a kernel with look-ups has tables"),
        }
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

    pub(super) fn constant(&self, table: TableId, n: u64) -> Mem {
        let base = self.tables();
        let bytes = self.kernel.tables[table.0].entry_bytes;
        let disp = self.table_offsets[table.0] + n as i32 * i32::from(bytes);
        Mem { base, index: None, disp, ordered: None, segment: None }
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

    /// `reg` shifted right, once for all who want it.
    fn shifted(&mut self, width: Width, reg: Reg, by: u8) -> Reg {
        if by == 0 {
            return reg;
        }
        if let Some(dst) = self.shifted.get(&(reg, by)) {
            return *dst;
        }
        let dst = self.fresh();
        // `rorx` needs no copy. It leaves other bits above, but what is taken is cut out anyway.
        if self.features.include(features::BMI2) {
            self.push(Inst::Rorx { width, dst, a: reg, by });
        } else {
            self.push(Inst::Shift { op: Shift::Right, width, dst, a: reg, by });
        }
        self.shifted.insert((reg, by), dst);
        dst
    }

    fn field(&mut self, width: Width, of: Value, shift: u8, bits: u8) -> Reg {
        if let (0, 8, Some(Op::Add(a, b)), true) =
            (shift, bits, self.uses.op(of).cloned(), self.is_byte_sum(of))
        {
            let (a, b) = (self.reg(a), self.source(b, Width::Dword));
            let dst = self.fresh();
            self.push(Inst::Alu { op: Alu::Add, width: Width::Byte, dst, a, b });
            return dst;
        }
        let size = if width == Width::Dword { 32 } else { 64 };
        if let (true, Width::Dword, 16 | 24, 8, Some(&Op::Rotl(a, by))) =
            (self.features.include(features::BMI2), width, shift, bits, self.uses.op(of))
        {
            // The upper half of a rotated word by one rotation of the word itself, not by two.
            let word = self.reg(a);
            let src = self.shifted(width, word, (16 + size - by) % size);
            return self.byte(width, src, shift - 16, size);
        }
        let word = self.reg(of);
        match (shift % 8, bits) {
            (0, 8) => self.byte(width, word, shift, size),
            (0, 16) if shift + 16 == size => self.shift_of(width, word, shift),
            (0, 16) => {
                let src = self.shifted(width, word, shift);
                let dst = self.fresh();
                self.push(Inst::LowWord { dst, src });
                dst
            }
            _ => {
                let src = self.shift_of(width, word, shift);
                if shift + bits == size {
                    return src;
                }
                let mask = (1u64 << bits) - 1;
                let dst = self.fresh();
                if let Ok(imm) = i32::try_from(mask) {
                    let b = Source::Imm(imm);
                    self.push(Inst::Alu { op: Alu::And, width, dst, a: src, b });
                } else {
                    let b = self.fresh();
                    self.push(Inst::Imm { dst: b, value: mask });
                    let b = Source::Reg(b);
                    self.push(Inst::Alu { op: Alu::And, width, dst, a: src, b });
                }
                dst
            }
        }
    }

    /// `reg` shifted right with zeros from above.
    fn shift_of(&mut self, width: Width, reg: Reg, by: u8) -> Reg {
        if by == 0 {
            return reg;
        }
        let dst = self.fresh();
        let shift = match self.top.filter(|_| by == TOP && width == Width::Qword) {
            Some(top) => Inst::Shrx { dst, a: reg, by: top },
            None => Inst::Shift { op: Shift::Right, width, dst, a: reg, by },
        };
        self.push(shift);
        dst
    }

    fn byte(&mut self, width: Width, word: Reg, shift: u8, size: u8) -> Reg {
        let top = shift + 8 == size;
        let high = match self.choices.extract {
            Extract::HighBytes | Extract::Offsets | Extract::MoveBytes => shift % 16 == 8,
            Extract::TopShift | Extract::TopByRegister => shift % 16 == 8 && !top,
            Extract::LowBytes => false,
        };
        if !high && top {
            return self.shift_of(width, word, shift);
        }
        let src = self.shifted(width, word, if high { shift - 8 } else { shift });
        if self.choices.extract == Extract::MoveBytes && !self.mode.is_64() {
            return self.move_byte(src, high);
        }
        let dst = self.fresh();
        self.push(if high { Inst::HighByte { dst, src } } else { Inst::LowByte { dst, src } });
        dst
    }

    /// A byte into a register that was cleared; the byte before it there is no longer wanted.
    fn move_byte(&mut self, src: Reg, high: bool) -> Reg {
        let a = self.cleared[usize::from(high)].unwrap_or_else(|| {
            let dst = self.fresh();
            self.push(Inst::Zero { dst });
            dst
        });
        let dst = self.fresh();
        self.push(Inst::MoveByte { dst, a, src, high });
        self.cleared[usize::from(high)] = Some(dst);
        dst
    }

    pub(super) fn mem(&mut self, place: &Place, ordered: bool) -> Mem {
        let region = self.region(place.base);
        let base = Base::Reg(self.reg(place.base));
        let index = place.index.map(|(index, scale)| (self.reg(index), scale));
        let segment = self.segments.get(&region).copied();
        let ordered = ordered.then_some(region);
        Mem { base, index, disp: place.offset, ordered, segment }
    }

    /// An entry of a table, and its bytes.
    fn entry(&mut self, table: TableId, index: Value) -> (Mem, u8) {
        let base = self.tables();
        let disp = self.table_offsets[table.0];
        let bytes = self.kernel.tables[table.0].entry_bytes;
        if let Some(&Op::Const(n)) = self.uses.op(index) {
            return (self.constant(table, n), bytes);
        }
        // Six bits above two that are masked away are an index times four already.
        if let (4, Some(&Op::Field { of, shift, bits: 6 })) = (bytes, self.uses.op(index))
            && shift % 8 == 2
            && self.uses.is_used_once(index)
        {
            if self.choices.extract == Extract::Offsets && !self.mode.is_64() {
                let word = self.reg(of);
                let (a, index) = (self.shifted(Width::Dword, word, shift - 2), self.fresh());
                let (op, b) = (Alu::And, Source::Imm(0xfc));
                self.push(Inst::Alu { op, width: Width::Dword, dst: index, a, b });
                return (
                    Mem { base, index: Some((index, 1)), disp, ordered: None, segment: None },
                    bytes,
                );
            }
            let masked = self.masked(of);
            let byte = self.byte(Width::Dword, masked, shift - 2, 32);
            return (
                Mem { base, index: Some((byte, 1)), disp, ordered: None, segment: None },
                bytes,
            );
        }
        if let (8, Some(&Op::Field { of, shift, bits }), Extract::Offsets) =
            (bytes, self.uses.op(index), self.choices.extract)
            && shift >= 16
            && self.uses.is_used_once(index)
        {
            let word = self.reg(of);
            let moved = self.fresh();
            let (width, by) = (Width::Qword, shift - 3);
            let shift = match self.features.include(features::BMI2) {
                true => Inst::Rorx { width, dst: moved, a: word, by },
                false => Inst::Shift { op: Shift::Right, width, dst: moved, a: word, by },
            };
            self.push(shift);
            let index = self.fresh();
            let entries = self.kernel.tables[table.0].entries.len() as i32;
            let mask = (entries - 1).min((1 << bits) - 1) * i32::from(bytes);
            let (op, b) = (Alu::And, Source::Imm(mask));
            self.push(Inst::Alu { op, width: Width::Dword, dst: index, a: moved, b });
            return (
                Mem { base, index: Some((index, 1)), disp, ordered: None, segment: None },
                bytes,
            );
        }
        let index = self.reg(index);
        (Mem { base, index: Some((index, bytes)), disp, ordered: None, segment: None }, bytes)
    }

    /// A word with the lowest two bits of each byte cleared, once for all who want it.
    fn masked(&mut self, of: Value) -> Reg {
        const MASK: u8 = 0xfc;
        let word = self.reg(of);
        if let Some(dst) = self.shifted.get(&(word, MASK)) {
            return *dst;
        }
        let dst = self.fresh();
        let b = Source::Imm(i32::from_ne_bytes([MASK; 4]));
        self.push(Inst::Alu { op: Alu::And, width: Width::Dword, dst, a: word, b });
        self.shifted.insert((word, MASK), dst);
        dst
    }

    /// An exclusive or of all leaves of a tree: what is known early goes into the first sum,
    /// look-ups where the pattern says.
    fn xor(&mut self, root: Value, width: Width) -> Reg {
        let mut leaves = self.leaves(root);
        leaves.sort_by_key(|&leaf| self.lateness(leaf));
        let early = leaves.iter().filter(|&&leaf| self.lateness(leaf) < 2).count();
        let late = leaves.split_off(early);
        // What is wanted no more is written over. (Where there are many registers, allocation sees to
        // that.)
        let ends = |leaf: &Value| self.uses.is_used_once(*leaf);
        if let (false, Some(at)) = (self.mode.is_64(), leaves.iter().position(ends)) {
            leaves.swap(0, at);
        }
        let mut totals = [None; Sums::MOST];
        let steps = leaves.into_iter().map(|leaf| (leaf, 0)).collect::<Vec<_>>().into_iter();
        for (leaf, into) in steps.chain(self.choices.sums.order(&late)) {
            let source = self.leaf(leaf, width);
            totals[into] = Some(match totals[into] {
                Some(total) => self.xor_two(width, total, source),
                None => self.in_register(source, width),
            });
        }
        let totals: Vec<Reg> = totals.into_iter().flatten().collect();
        let (first, rest) = totals.split_first().expect("an exclusive or has operands");
        rest.iter().fold(*first, |sum, total| self.xor_two(width, sum, Source::Reg(*total)))
    }

    /// 0: there already; 1: a load that waits for nothing; 2: a look-up.
    fn lateness(&self, leaf: Value) -> u8 {
        match self.uses.op(leaf) {
            Some(Op::Lookup(..)) => 2,
            Some(Op::Load { .. }) => 1,
            _ => 0,
        }
    }

    fn leaf(&mut self, leaf: Value, width: Width) -> Source {
        match self.operand(leaf, width) {
            Some(Op::Lookup(table, index)) => Source::Mem(self.entry(table, index).0),
            Some(Op::Load { place, .. }) => Source::Mem(self.mem(&place, false)),
            Some(_) | None => self.source(leaf, width),
        }
    }

    fn xor_two(&mut self, width: Width, a: Reg, b: Source) -> Reg {
        let dst = self.fresh();
        self.push(Inst::Alu { op: Alu::Xor, width, dst, a, b });
        dst
    }

    fn in_register(&mut self, source: Source, width: Width) -> Reg {
        match source {
            Source::Reg(reg) => reg,
            Source::Mem(mem) => {
                let dst = self.fresh();
                let bytes = if width == Width::Dword { 4 } else { 8 };
                self.push(Inst::Load { bytes, dst, mem });
                dst
            }
            Source::Imm(imm) => {
                let value = match width {
                    Width::Qword => i64::from(imm) as u64,
                    _ => u64::from(imm as u32),
                };
                let dst = self.fresh();
                self.push(Inst::Imm { dst, value });
                dst
            }
        }
    }

    /// The operation of a leaf that may be a memory operand.
    fn operand(&self, leaf: Value, width: Width) -> Option<Op> {
        let bytes_wanted = if width == Width::Dword { 4 } else { 8 };
        let alone = self.uses.is_used_once(leaf)
            && !self.values.contains_key(&leaf)
            && self.choices.memory_operands;
        match self.uses.op(leaf) {
            Some(op @ Op::Lookup(table, _)) if alone => {
                let bytes = self.kernel.tables[table.0].entry_bytes;
                (bytes == bytes_wanted).then(|| op.clone())
            }
            Some(op @ Op::Load { bytes, endian, ordered: false, .. })
                if alone && *endian != Endian::Big && *bytes == bytes_wanted =>
            {
                Some(op.clone())
            }
            _ => None,
        }
    }
}
