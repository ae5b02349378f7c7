//! From the IR to instructions.
//!
//! Words of 32 bits lie in registers with zeros above. What costs nothing on its own is made where it
//! is wanted: a field where it indexes, a place in memory where it is read. Constants and the addresses
//! of tables, which no instruction of a round has room for, wait in registers from the entry on.

use std::collections::HashMap;

use super::inst::{Alu, Inst};
use crate::ir::{Endian, Kernel, Line, Op, Param, Place, Repeat, TableId, Type, Value};
use crate::isa::def_use::Facts;
use crate::isa::frame::Abi;
use crate::isa::{Code, Home, Loop, Reg};

/// A kernel in instructions on virtual registers.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The registers that hold the parameters at the start, in order.
    pub params: Vec<Reg>,
    /// The instructions.
    pub code: Vec<Code<Inst>>,
    /// At a multiple of how many bytes each parameter that is a pointer must point, as the processor
    /// reads no word from elsewhere; 1 for words.
    pub aligns: Vec<u16>,
    /// How many times repetitions of a constant count go around, by the register that counts.
    pub times: HashMap<Reg, u64>,
}

/// Lowers a kernel.
///
/// # Panics
/// If it has vectors, or moves bits under masks.
#[must_use]
pub fn lower(kernel: &Kernel, abi: &Abi) -> Lowered {
    let mut lowering = Lowering {
        kernel,
        facts: Facts::of(kernel),
        registers: 0,
        values: HashMap::new(),
        constants: HashMap::new(),
        tables: Vec::new(),
        times: HashMap::new(),
        aligns: HashMap::new(),
        entry: Vec::new(),
        code: vec![Vec::new()],
    };
    let params: Vec<_> = kernel.params.iter().map(|param| lowering.define(param.value)).collect();
    for (param, &register) in kernel.params.iter().zip(&params) {
        // A caller of 32 bits leaves anything above a word.
        if param.ty != Type::Pointer {
            let dst = lowering.fresh();
            lowering.entry.push(Inst::Extract { dst, a: register, shift: 0, bits: 32 });
            lowering.values.insert(param.value, dst);
        }
    }
    let asks = abi.position_independent && !kernel.tables.is_empty();
    let here = asks.then(|| {
        let dst = lowering.fresh();
        lowering.entry.push(Inst::Here { dst });
        dst
    });
    let mut at = 0;
    for table in &kernel.tables {
        let (mut high, dst) = (lowering.fresh(), lowering.fresh());
        lowering.entry.push(Inst::TableHigh { dst: high, at });
        if let Some(here) = here {
            let sum = lowering.fresh();
            lowering.entry.push(Inst::Alu { op: Alu::Add, dst: sum, a: here, b: high });
            high = sum;
        }
        lowering.entry.push(Inst::TableLow { dst, a: high, at });
        lowering.tables.push(dst);
        at += table.bytes() as u32;
    }
    lowering.lines(&kernel.body);
    let body = lowering.code.remove(0);
    let code = lowering.entry.into_iter().map(Code::Inst).chain(body).collect();
    let align = |param: &Param| lowering.aligns.get(&param.value.0).copied().unwrap_or(1);
    let aligns = kernel.params.iter().map(align).collect();
    Lowered { params, code, aligns, times: lowering.times }
}

struct Lowering<'a> {
    kernel: &'a Kernel,
    facts: Facts,
    registers: u32,
    values: HashMap<Value, Reg>,
    /// Constants in registers.
    constants: HashMap<u64, Reg>,
    /// The address of each table.
    tables: Vec<Reg>,
    times: HashMap<Reg, u64>,
    /// The widest access to each region, in bytes.
    aligns: HashMap<u32, u16>,
    /// What is done once, first.
    entry: Vec<Inst>,
    /// The bodies under construction, outermost first.
    code: Vec<Vec<Code<Inst>>>,
}

/// Whether a number fits 14 bits with a sign.
fn is_short(number: i64) -> bool {
    (-0x2000..0x2000).contains(&number)
}

/// Width of a word in bits.
fn width(ty: Type) -> u8 {
    if ty == Type::W32 { 32 } else { 64 }
}

impl Lowering<'_> {
    fn fresh(&mut self) -> Reg {
        self.registers += 1;
        Reg::Virtual(self.registers - 1)
    }

    fn define(&mut self, value: Value) -> Reg {
        let reg = self.fresh();
        self.values.insert(value, reg);
        reg
    }

    fn push(&mut self, inst: Inst) {
        self.code.last_mut().expect("a body is open").push(Code::Inst(inst));
    }

    /// An instruction that writes a new register.
    fn emit(&mut self, inst: impl FnOnce(Reg) -> Inst) -> Reg {
        let dst = self.fresh();
        self.push(inst(dst));
        dst
    }

    fn lines(&mut self, lines: &[Line]) {
        for line in lines {
            match line {
                Line::Remark(text) => {
                    self.code.last_mut().expect("a body is open").push(Code::Remark(text.clone()));
                }
                Line::Define(value, _, op) => {
                    if !self.waits(*value, op) {
                        self.reg(*value);
                    }
                }
                Line::Repeat(repeat) => self.repeat(repeat),
            }
        }
    }

    /// Whether a value is made only where it is wanted.
    fn waits(&self, value: Value, op: &Op) -> bool {
        let waits = match op {
            Op::Load { ordered, .. } => !ordered,
            Op::Const(_)
            | Op::Field { .. }
            | Op::Lookup(..)
            | Op::Resize(_)
            | Op::Shl(..)
            | Op::Advance(..) => true,
            _ => self.facts.is_inner_xor(value),
        };
        waits && !self.facts.outer.contains(&value)
    }

    fn repeat(&mut self, repeat: &Repeat) {
        // A loop counts down in a register of its own.
        let src = self.reg(repeat.count);
        let count = self.emit(|dst| Inst::Copy { dst, src });
        if let Some(Op::Const(times)) = self.facts.op(repeat.count) {
            self.times.insert(count, *times);
        }
        let mut carried = Vec::new();
        for home in &repeat.carried {
            let first = self.reg(home.first);
            carried.push((first, self.define(home.inside)));
        }
        self.code.push(Vec::new());
        self.lines(&repeat.body);
        let next: Vec<_> = repeat.carried.iter().map(|home| self.reg(home.next)).collect();
        let body = self.code.pop().expect("the body is open");
        let homes = carried.into_iter().zip(next).zip(&repeat.carried);
        let carried = homes
            .map(|(((first, inside), next), home)| Home {
                first,
                inside,
                next,
                after: self.define(home.after),
            })
            .collect();
        let code = self.code.last_mut().expect("a body is open");
        code.push(Code::Loop(Loop { count, carried, body }));
    }

    /// The register of a value, made now if it was not made yet.
    fn reg(&mut self, value: Value) -> Reg {
        if let Some(reg) = self.values.get(&value) {
            return *reg;
        }
        let (ty, op) = self.facts.definitions[&value].clone();
        let reg = self.make(value, ty, &op);
        self.values.insert(value, reg);
        reg
    }

    fn make(&mut self, value: Value, ty: Type, op: &Op) -> Reg {
        match *op {
            Op::Const(number) => self.constant(number),
            Op::Xor(..) => self.xor(value),
            Op::And(a, b) => self.and(a, b),
            Op::Or(a, b) => self.alu(Alu::Or, a, b),
            Op::AndNot(a, b) => self.alu(Alu::AndNot, a, b),
            Op::Not(a) => {
                let a = self.reg(a);
                let not = self.emit(|dst| Inst::Not { dst, a });
                self.cut(not, ty)
            }
            Op::Add(a, b) => self.add(ty, a, b),
            Op::Shl(a, by) => {
                let (a, bits) = (self.reg(a), width(ty) - by);
                if by == 0 { a } else { self.emit(|dst| Inst::Place { dst, a, shift: by, bits }) }
            }
            Op::Shr(a, by) => self.extract(a, by, width(ty) - by, width(ty)),
            Op::Field { of, shift, bits } => self.extract(of, shift, bits, self.width_of(of)),
            Op::Rotl(a, by) => self.rotate(ty, a, by),
            Op::SwapBytes(a) => {
                let a = self.reg(a);
                self.swap(a, width(ty) / 8)
            }
            Op::Resize(a) => self.extract(a, 0, width(ty), self.width_of(a)),
            Op::SelectEq { a, b, then, otherwise, .. } => {
                let (a, b) = (self.reg(a), self.reg(b));
                let (then, otherwise) = (self.reg(then), self.reg(otherwise));
                self.emit(|dst| Inst::SelectEq { dst, otherwise, a, b, then })
            }
            Op::Lookup(table, index) => self.look_up(table, index),
            Op::Load { ref place, bytes, endian, ordered } => {
                let region = self.touch(place, bytes);
                let ordered = ordered.then_some(region);
                let loaded = self.load(place, bytes, ordered);
                if endian == Endian::Little { self.swap(loaded, bytes) } else { loaded }
            }
            Op::Store { value, ref place, bytes, endian, ordered } => {
                let region = self.touch(place, bytes);
                let ordered = ordered.then_some(region);
                let mut src = self.reg(value);
                if endian == Endian::Little {
                    src = self.swap(src, bytes);
                }
                let (base, disp) = self.place(place);
                self.push(Inst::Store { bytes, base, disp, src, ordered });
                src
            }
            Op::Advance(pointer, by) => self.advance(pointer, by),
            Op::Compress(..) | Op::Expand(..) => {
                panic!("{op:?}: bits are moved by masks elsewhere")
            }
            Op::Ternary(..) | Op::Broadcast { .. } | Op::Bytes(..) | Op::PickTwo(..) => {
                panic!("{op:?} is for vectors")
            }
        }
    }

    fn width_of(&self, value: Value) -> u8 {
        // Parameters are wide.
        self.facts.definitions.get(&value).map_or(64, |(ty, _)| width(*ty))
    }

    /// A constant in a register, from the entry on.
    fn constant(&mut self, number: u64) -> Reg {
        if let Some(reg) = self.constants.get(&number) {
            return *reg;
        }
        let (high, low) = ((number >> 32) as u32, number as u32);
        let reg = if i64::from(low as i32) as u64 == number {
            self.short_constant(low as i32)
        } else {
            let into = self.short_constant(low as i32);
            let a = if high == low { into } else { self.short_constant(high as i32) };
            let dst = self.fresh();
            self.entry.push(Inst::Insert { dst, into, a, shift: 32, bits: 32 });
            dst
        };
        self.constants.insert(number, reg);
        reg
    }

    /// The same for 32 bits with their sign above.
    fn short_constant(&mut self, imm: i32) -> Reg {
        let dst = self.fresh();
        if is_short(imm.into()) {
            self.entry.push(Inst::Imm { dst, imm });
            return dst;
        }
        self.entry.push(Inst::ImmHigh { dst, imm: imm & !0x7ff });
        if imm & 0x7ff == 0 {
            return dst;
        }
        let (a, dst) = (dst, self.fresh());
        self.entry.push(Inst::AddImm { dst, a, imm: imm & 0x7ff });
        dst
    }

    fn number(&self, value: Value) -> Option<u64> {
        match self.facts.op(value) {
            Some(Op::Const(number)) => Some(*number),
            _ => None,
        }
    }

    /// A register as a word of a type: with zeros above.
    fn cut(&mut self, a: Reg, ty: Type) -> Reg {
        match ty {
            Type::W32 => self.emit(|dst| Inst::Extract { dst, a, shift: 0, bits: 32 }),
            _ => a,
        }
    }

    fn alu(&mut self, op: Alu, a: Value, b: Value) -> Reg {
        let (a, b) = (self.reg(a), self.reg(b));
        self.emit(|dst| Inst::Alu { op, dst, a, b })
    }

    fn and(&mut self, a: Value, b: Value) -> Reg {
        // A mask of low bits is a field.
        for (a, mask) in [(a, b), (b, a)] {
            if let Some(bits) = self.number(mask).filter(|&mask| mask > 0 && mask & (mask + 1) == 0)
            {
                return self.extract(a, 0, bits.count_ones() as u8, 64);
            }
        }
        self.alu(Alu::And, a, b)
    }

    fn add(&mut self, ty: Type, a: Value, b: Value) -> Reg {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(imm) = self.number(b).map(|number| number as i64).filter(|&n| is_short(n)) {
                let (a, imm) = (self.reg(a), imm as i32);
                let sum = self.emit(|dst| Inst::AddImm { dst, a, imm });
                return self.cut(sum, ty);
            }
            let shift = self.facts.op(b).cloned();
            if let Some(Op::Shl(b, by @ 1..=3)) = shift.filter(|_| ty == Type::W64) {
                let (a, b) = (self.reg(a), self.reg(b));
                return self.emit(|dst| Inst::ShiftAdd { dst, a: b, by, b: a });
            }
        }
        let sum = self.alu(Alu::Add, a, b);
        self.cut(sum, ty)
    }

    /// `bits` bits of a word of `width` bits, from bit `shift` on.
    fn extract(&mut self, of: Value, shift: u8, bits: u8, width: u8) -> Reg {
        let a = self.reg(of);
        let bits = bits.min(width - shift);
        if shift == 0 && bits == width {
            return a;
        }
        self.emit(|dst| Inst::Extract { dst, a, shift, bits })
    }

    fn rotate(&mut self, ty: Type, a: Value, by: u8) -> Reg {
        let a = self.reg(a);
        if by == 0 {
            return a;
        }
        if ty == Type::W64 {
            return self.emit(|dst| Inst::Pair { dst, high: a, low: a, by: 64 - by });
        }
        let twice = self.emit(|dst| Inst::Insert { dst, into: a, a, shift: 32, bits: 32 });
        self.emit(|dst| Inst::Extract { dst, a: twice, shift: 32 - by, bits: 32 })
    }

    /// The low `bytes` bytes of a register in reverse order, zeros above.
    fn swap(&mut self, a: Reg, bytes: u8) -> Reg {
        if bytes == 1 {
            return a;
        }
        let high = self.emit(|dst| Inst::ShiftHalfwords { left: true, dst, a, by: 8 });
        let low = self.emit(|dst| Inst::ShiftHalfwords { left: false, dst, a, by: 8 });
        let both = self.emit(|dst| Inst::Alu { op: Alu::Or, dst, a: high, b: low });
        match bytes {
            2 => both,
            4 => self.emit(|dst| Inst::Halfwords { dst, a: both, order: 132 }),
            _ => self.emit(|dst| Inst::Halfwords { dst, a: both, order: 3210 }),
        }
    }

    fn look_up(&mut self, table: TableId, index: Value) -> Reg {
        let (base, bytes) = (self.tables[table.0], self.kernel.tables[table.0].entry_bytes);
        if let Some(n) = self.number(index).filter(|n| is_short((n * u64::from(bytes)) as i64)) {
            let disp = n as i32 * i32::from(bytes);
            return self.emit(|dst| Inst::Load { bytes, dst, base, disp, ordered: None });
        }
        let index = self.reg(index);
        let scaled = bytes > 1;
        self.emit(|dst| Inst::LoadIndexed { bytes, dst, base, index, scaled, ordered: None })
    }

    /// A pointer's register and the bytes from there, those of steps included that nobody made yet.
    fn base(&mut self, pointer: Value, offset: i32) -> (Reg, i32) {
        match self.facts.op(pointer) {
            Some(&Op::Advance(from, by)) if !self.values.contains_key(&pointer) => {
                self.base(from, offset + by)
            }
            _ => (self.reg(pointer), offset),
        }
    }

    /// A register and a number of bytes, few enough for an instruction.
    fn place(&mut self, place: &Place) -> (Reg, i32) {
        let (mut base, mut disp) = self.base(place.base, place.offset);
        if let Some((index, scale)) = place.index {
            let index = self.reg(index);
            base = match scale {
                1 => self.emit(|dst| Inst::Alu { op: Alu::Add, dst, a: index, b: base }),
                _ => {
                    let by = scale.trailing_zeros() as u8;
                    self.emit(|dst| Inst::ShiftAdd { dst, a: index, by, b: base })
                }
            };
        }
        if !is_short(disp.into()) {
            let far = self.constant(i64::from(disp) as u64);
            base = self.emit(|dst| Inst::Alu { op: Alu::Add, dst, a: far, b: base });
            disp = 0;
        }
        (base, disp)
    }

    fn load(&mut self, place: &Place, bytes: u8, ordered: Option<u32>) -> Reg {
        let (base, disp) = self.base(place.base, place.offset);
        match place.index {
            Some((index, scale)) if disp == 0 && (scale == 1 || scale == bytes) => {
                let (index, scaled) = (self.reg(index), scale > 1);
                self.emit(|dst| Inst::LoadIndexed { bytes, dst, base, index, scaled, ordered })
            }
            _ => {
                let (base, disp) = self.place(place);
                self.emit(|dst| Inst::Load { bytes, dst, base, disp, ordered })
            }
        }
    }

    /// A pointer further on. A store there just before takes it along.
    fn advance(&mut self, pointer: Value, by: i32) -> Reg {
        let (a, imm) = self.base(pointer, by);
        let code = self.code.last_mut().expect("a body is open");
        if let Some(Code::Inst(Inst::Store { bytes, base, disp: 0, src, ordered: None })) =
            code.last()
            && *base == a
            && is_short(imm.into())
        {
            let (bytes, base, src) = (*bytes, *base, *src);
            code.pop();
            return self.emit(|next| Inst::StoreAdvance { bytes, next, base, by: imm, src });
        }
        if !is_short(imm.into()) {
            let b = self.constant(i64::from(imm) as u64);
            return self.emit(|dst| Inst::Alu { op: Alu::Add, dst, a, b });
        }
        self.emit(|dst| Inst::AddImm { dst, a, imm })
    }

    /// The region of an access, whose width is noted.
    fn touch(&mut self, place: &Place, bytes: u8) -> u32 {
        let region = self.region(place.base);
        let widest = self.aligns.entry(region).or_insert(1);
        *widest = (*widest).max(bytes.into());
        region
    }

    /// The region of a pointer: the number of the parameter that it comes from.
    fn region(&self, pointer: Value) -> u32 {
        match self.facts.op(pointer) {
            Some(Op::Advance(from, _)) => self.region(*from),
            _ => self.facts.first(pointer).map_or(pointer.0, |first| self.region(first)),
        }
    }

    /// An exclusive or of all leaves of a tree: what is known early, and the first half of the
    /// look-ups, in one sum, the other half in another.
    fn xor(&mut self, root: Value) -> Reg {
        let mut leaves = Vec::new();
        self.leaves(root, &mut leaves);
        let is_late = |leaf: &Value| matches!(self.facts.op(*leaf), Some(Op::Lookup(..)));
        let (late, mut first): (Vec<_>, Vec<_>) = leaves.into_iter().partition(is_late);
        let (some, rest) = late.split_at(late.len().div_ceil(2));
        first.extend(some);
        let first = self.chain(&first).expect("an exclusive or has operands");
        match self.chain(rest) {
            Some(b) => self.emit(|dst| Inst::Alu { op: Alu::Xor, dst, a: first, b }),
            None => first,
        }
    }

    fn chain(&mut self, leaves: &[Value]) -> Option<Reg> {
        leaves.iter().fold(None, |sum, &leaf| {
            let b = self.reg(leaf);
            Some(match sum {
                Some(a) => self.emit(|dst| Inst::Alu { op: Alu::Xor, dst, a, b }),
                None => b,
            })
        })
    }

    fn leaves(&self, value: Value, leaves: &mut Vec<Value>) {
        let Some(&Op::Xor(a, b)) = self.facts.op(value) else { return leaves.push(value) };
        for part in [a, b] {
            if self.facts.is_inner_xor(part) {
                self.leaves(part, leaves);
            } else {
                leaves.push(part);
            }
        }
    }
}
