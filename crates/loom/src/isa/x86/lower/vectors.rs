//! Instruction selection for vectors.

use super::Selection;
use crate::ir::{Address, Bytes, Op, TableId, Type, Value};
use crate::isa::Reg;
use crate::isa::lower::Lower;
use crate::isa::x86::encode::exists;
use crate::isa::x86::inst::Inst;
use crate::isa::x86::operand::{Base, Mem, VectorSource};
use crate::isa::x86::vector::{self, Bitwise, Set, Shape};
use crate::isa::x86::{Mode, features};

/// Whether so many bytes are all of a vector.
fn is_whole(bytes: u8, shape: Shape) -> bool {
    u16::from(bytes) * 8 == shape.bits
}

impl Selection<'_> {
    /// The shape of vectors of a type.
    ///
    /// # Panics
    /// If the features do not have vectors of this width: variants ask for none such.
    pub(super) fn shape(&self, ty: Type) -> Shape {
        let Some(bits) = ty.bits() else { panic!("a pointer is no vector") };
        let set = match bits {
            _ if self.features.include(features::AVX512) => Set::Avx512,
            256 if self.features.include(features::AVX2) => Set::Avx2,
            128 => Set::Sse2,
            _ => panic!("no vectors of {bits} bits with {:?}", self.features.names()),
        };
        Shape { set, bits }
    }

    /// The register of a vector that is made now.
    pub(super) fn vector(&mut self, ty: Type, op: &Op) -> Reg {
        let shape = self.shape(ty);
        match *op {
            Op::Const(u64::MAX) => {
                let dst = self.fresh();
                self.push(Inst::Ones { shape, dst });
                dst
            }
            Op::Const(value) => match (self.mode, value as u32, (value >> 32) as u32) {
                (Mode::Bits64, ..) | (_, _, 0) => self.splat(8, shape, value),
                (_, low, high) if low == high => self.splat(4, shape, low.into()),
                (_, low, high) => {
                    let low = self.splat(8, shape, low.into());
                    let high = self.splat(8, shape, high.into());
                    let (a, dst) = (self.fresh(), self.fresh());
                    self.push(Inst::ShiftParts { left: true, shape, dst: a, a: high, by: 32 });
                    let b = VectorSource::Reg(low);
                    self.push(Inst::Bitwise { op: Bitwise::Or, shape, dst, a, b });
                    dst
                }
            },
            Op::Xor(a, b) => self.bitwise(Bitwise::Xor, shape, a, b),
            Op::And(a, b) => self.bitwise(Bitwise::And, shape, a, b),
            Op::Or(a, b) => self.bitwise(Bitwise::Or, shape, a, b),
            // The instruction inverts its first source, which is never in memory.
            Op::AndNot(a, b) => {
                let a = self.vector_source(shape, a);
                let (b, dst) = (self.reg(b), self.fresh());
                self.push(Inst::Bitwise { op: Bitwise::AndNot, shape, dst, a: b, b: a });
                dst
            }
            Op::Not(a) if shape.set == Set::Avx512 => {
                const NOT_THE_LAST: u8 = 0x55;
                let (a, dst) = (self.reg(a), self.fresh());
                let c = VectorSource::Reg(a);
                self.push(Inst::Ternary { table: NOT_THE_LAST, shape, dst, a, b: a, c });
                dst
            }
            Op::Not(a) => {
                let (a, ones, dst) = (self.reg(a), self.fresh(), self.fresh());
                self.push(Inst::Ones { shape, dst: ones });
                let b = VectorSource::Reg(ones);
                self.push(Inst::Bitwise { op: Bitwise::Xor, shape, dst, a, b });
                dst
            }
            Op::Ternary(table, inputs) => self.ternary(table, shape, inputs),
            Op::Shl(a, by) => self.shift_parts(true, shape, a, by),
            Op::Shr(a, by) => self.shift_parts(false, shape, a, by),
            Op::Load { address, bytes, ordered, .. } => {
                let (mem, dst) = (self.mem(&address, ordered), self.fresh());
                self.push(match bytes {
                    4 | 8 => Inst::LoadLow { bytes, shape, dst, mem },
                    _ if is_whole(bytes, shape) => Inst::LoadVector { shape, dst, mem },
                    _ => panic!("of {} bits {bytes} bytes are not loaded alone", shape.bits),
                });
                dst
            }
            Op::Resize(word) => {
                let width = self.width(self.ty(word));
                let (src, dst) = (self.reg(word), self.fresh());
                self.push(Inst::ToVector { width, shape, dst, src });
                dst
            }
            Op::Broadcast { address, bytes } => {
                assert!(shape.set != Set::Sse2, "SSE2 repeats no words of memory");
                let (mem, dst) = (self.mem(&address, false), self.fresh());
                self.push(Inst::Repeat { bytes, shape, dst, mem });
                dst
            }
            Op::InsertByte { into, at, address } => {
                let legacy = shape.set == Set::Sse2;
                assert!(!legacy, "bytes are inserted by instructions of AVX");
                let (a, mem) = (self.reg(into), self.mem(&address, true));
                let dst = self.fresh();
                self.push(Inst::InsertByte { shape, dst, a, mem, at });
                dst
            }
            Op::Lookup(table, index) => {
                let (mem, dst) = (self.entries(table, index), self.fresh());
                self.push(Inst::LoadVector { shape, dst, mem });
                dst
            }
            Op::Bytes(op, [a, b]) => {
                self.can(op, shape);
                // What comes from memory goes last.
                let first = op.is_symmetric() && self.in_memory(shape, a).is_some();
                let (a, b) = if first { (b, a) } else { (a, b) };
                let (a, b) = (self.reg(a), self.vector_in_full(shape, b));
                let dst = self.fresh();
                self.push(Inst::Bytes { op, shape, dst, a, b });
                dst
            }
            Op::SelectEq { a, b, then, otherwise, .. } => {
                assert!(shape.set == Set::Avx512, "bytes are selected by masks of AVX-512");
                let [a, b, then, otherwise] = [a, b, then, otherwise].map(|value| self.reg(value));
                let dst = self.fresh();
                self.push(Inst::SelectBytes { shape, dst, a, b, then, otherwise });
                dst
            }
            Op::PickTwo([index, low, high]) => {
                self.can(Bytes::Pick, shape);
                let (index, low) = (self.reg(index), self.reg(low));
                let high = self.vector_in_full(shape, high);
                let dst = self.fresh();
                self.push(Inst::PickTwo { shape, dst, index, low, high });
                dst
            }
            _ => panic!("{op:?} is no operation on vectors"),
        }
    }

    /// A word in each so many bytes of a vector.
    fn splat(&mut self, bytes: u8, shape: Shape, value: u64) -> Reg {
        let (src, dst) = (self.fresh(), self.fresh());
        self.push(Inst::Imm { dst: src, value });
        self.push(Inst::Splat { bytes, shape, dst, src });
        dst
    }

    /// A vector to memory; the register that it came from.
    pub(super) fn store_vector(
        &mut self,
        ty: Type,
        value: Value,
        address: &Address,
        bytes: u8,
        ordered: bool,
    ) -> Reg {
        let shape = self.shape(ty);
        let src = self.reg(value);
        let mem = self.mem(address, ordered);
        self.push(match bytes {
            8 => Inst::StoreLow { shape, mem, src },
            _ if is_whole(bytes, shape) => Inst::StoreVector { shape, mem, src },
            _ => panic!("of a vector of {} bits {bytes} bytes are not stored alone", shape.bits),
        });
        src
    }

    /// # Panics
    /// If the features have no instruction for an operation on bytes: a strategy with such
    /// operations is for processors that have it.
    fn can(&self, op: Bytes, shape: Shape) {
        let has = exists(op, shape)
            && match op {
                Bytes::Pick => self.features.include(features::VBMI),
                Bytes::Matrix => {
                    self.features.include(features::VBMI) || self.features.include(features::GFNI)
                }
                Bytes::Shuffle => shape.set != Set::Sse2 || self.features.include(features::GFNI),
                _ => true,
            };
        let (bits, names) = (shape.bits, self.features.names());
        assert!(has, "no `{}` on vectors of {bits} bits with {names:?}", op.name());
    }

    /// Entries of a table that make a vector.
    ///
    /// # Panics
    /// If their place is not known now.
    fn entries(&self, table: TableId, index: Value) -> Mem {
        match self.uses.op(index) {
            Some(&Op::Const(first)) => self.constant(table, first),
            other => panic!("a vector of entries begins at a constant, not at {other:?}"),
        }
    }

    fn bitwise(&mut self, op: Bitwise, shape: Shape, a: Value, b: Value) -> Reg {
        // What comes from memory goes last.
        let (a, b) = if self.in_memory(shape, a).is_some() { (b, a) } else { (a, b) };
        let a = self.reg(a);
        let b = self.vector_source(shape, b);
        let dst = self.fresh();
        self.push(Inst::Bitwise { op, shape, dst, a, b });
        dst
    }

    fn ternary(&mut self, table: u8, shape: Shape, inputs: [Value; 3]) -> Reg {
        assert!(shape.set == Set::Avx512, "tables of three inputs are AVX-512's");
        // What comes from memory goes last, a repeated word before a vector: that is a load less.
        let fit = |input: Value| match self.in_memory(shape, input) {
            None => 0,
            Some(VectorSource::Repeat(..)) => 2,
            Some(_) => 1,
        };
        let last = (0..3).rev().max_by_key(|&n| fit(inputs[n])).expect("three inputs");
        let from = match last {
            0 => [2, 1, 0],
            1 => [0, 2, 1],
            _ => [0, 1, 2],
        };
        let table = vector::exchanged(table, from);
        let [a, b, c] = from.map(|n| inputs[n]);
        let (a, b) = (self.reg(a), self.reg(b));
        let c = self.vector_source(shape, c);
        let dst = self.fresh();
        self.push(Inst::Ternary { table, shape, dst, a, b, c });
        dst
    }

    fn shift_parts(&mut self, left: bool, shape: Shape, a: Value, by: u8) -> Reg {
        let (a, dst) = (self.reg(a), self.fresh());
        self.push(Inst::ShiftParts { left, shape, dst, a, by });
        dst
    }

    /// The operand for a value that is read here: in memory, if it is read only here.
    fn vector_source(&mut self, shape: Shape, value: Value) -> VectorSource {
        match self.in_memory(shape, value) {
            Some(VectorSource::Repeat(_, bytes)) => VectorSource::Repeat(self.mem_of(value), bytes),
            Some(_) => VectorSource::Mem(self.mem_of(value)),
            None => VectorSource::Reg(self.reg(value)),
        }
    }

    /// The same for instructions that repeat no words of memory.
    fn vector_in_full(&mut self, shape: Shape, value: Value) -> VectorSource {
        match self.in_memory(shape, value) {
            Some(VectorSource::Mem(_)) => VectorSource::Mem(self.mem_of(value)),
            _ => VectorSource::Reg(self.reg(value)),
        }
    }

    /// The place that a value is loaded from.
    fn mem_of(&mut self, value: Value) -> Mem {
        match self.uses.op(value) {
            Some(&(Op::Load { address, .. } | Op::Broadcast { address, .. })) => {
                self.mem(&address, false)
            }
            Some(&Op::Lookup(table, index)) => self.entries(table, index),
            other => panic!("{other:?} is no load"),
        }
    }

    /// How an operand in memory can stand for a value, if it can. The place in it is not made yet.
    fn in_memory(&self, shape: Shape, value: Value) -> Option<VectorSource> {
        let alone = self.uses.is_used_once(value)
            && !self.values.contains_key(&value)
            && !self.uses.outer.contains(&value)
            && self.choices.memory_operands;
        let nowhere =
            Mem { base: Base::Tables, index: None, disp: 0, ordered: None, segment: None };
        match self.uses.op(value).filter(|_| alone)? {
            Op::Load { address, bytes, ordered: false, .. }
                if is_whole(*bytes, shape)
                    && (shape.set != Set::Sse2 || self.is_aligned(address, 16)) =>
            {
                Some(VectorSource::Mem(nowhere))
            }
            // Tables begin at a cache line, but where in it their vectors do is not looked up.
            Op::Lookup(..) if shape.set != Set::Sse2 => Some(VectorSource::Mem(nowhere)),
            Op::Broadcast { bytes, .. } if shape.set == Set::Avx512 => {
                Some(VectorSource::Repeat(nowhere, *bytes))
            }
            _ => None,
        }
    }

    /// Whether a place is known to lie at a multiple of so many bytes.
    fn is_aligned(&self, address: &Address, to: i32) -> bool {
        let region = self.region(address.base);
        let param = self.kernel.params.iter().find(|param| param.value.0 == region);
        address.index.is_none()
            && address.offset % to == 0
            && param.is_some_and(|param| i32::from(param.align) % to == 0)
    }
}
