//! Instruction selection for vectors.

use super::Selection;
use crate::ir::{Address, Bytes as Wanted, Op, Type, Value};
use crate::isa::Reg;
use crate::isa::aarch64::features::SHA3;
use crate::isa::aarch64::inst::{Bytes, Inst, Logic, Three};
use crate::isa::aarch64::operand::{At, Mem, Width, fill};
use crate::isa::lower::Lower;

/// Bytes of a vector.
const WHOLE: u8 = 16;

impl Selection<'_> {
    /// The register of a vector that is made now.
    pub(super) fn vector(&mut self, ty: Type, op: &Op) -> Reg {
        assert_eq!(ty, Type::Vector(128), "vectors have 128 bits");
        match *op {
            Op::Const(imm) => match fill(imm) {
                Some(_) => self.emit(|dst| Inst::Fill { dst, imm }),
                None => {
                    let src = self.constant(Width::Double, imm);
                    self.emit(|dst| Inst::Splat { bytes: 8, dst, src })
                }
            },
            Op::Xor(a, b) => self.xor_vectors(a, b),
            Op::And(a, b) => self.bitwise(Logic::And, a, b),
            Op::Or(a, b) => self.bitwise(Logic::Or, a, b),
            Op::AndNot(a, b) => self.bitwise(Logic::AndNot, a, b),
            Op::Not(a) => {
                let a = self.reg(a);
                self.emit(|dst| Inst::NotVector { dst, a })
            }
            Op::Shl(a, by) | Op::Shr(a, by) => {
                let (left, a) = (matches!(op, Op::Shl(..)), self.reg(a));
                if by == 0 { a } else { self.emit(|dst| Inst::ShiftParts { left, dst, a, by }) }
            }
            Op::Load { ref address, bytes, ordered, .. } => {
                let mem = self.mem(address, bytes, ordered);
                self.emit(|dst| Inst::LoadVector { bytes, dst, mem })
            }
            Op::Lookup(table, index) => {
                let Some(first) = self.number(index) else {
                    panic!("a vector of entries begins at a constant")
                };
                let mem = self.entry(table, first, WHOLE);
                self.emit(|dst| Inst::LoadVector { bytes: WHOLE, dst, mem })
            }
            Op::Broadcast { ref address, bytes } => {
                let Mem { base, at, .. } = self.mem(address, bytes, false);
                let base = match at {
                    At::Disp(disp) => self.add_constant(Width::Double, base, disp.into()),
                    At::Index(..) => panic!("words at an index are not repeated"),
                };
                self.emit(|dst| Inst::Repeat { bytes, dst, base })
            }
            Op::Resize(word) => {
                let (width, src) = (self.width_of(word), self.reg(word));
                self.emit(|dst| Inst::ToVector { width, dst, src })
            }
            Op::Bytes(op, [a, b]) => {
                let (a, b) = (self.reg(a), self.reg(b));
                self.bytes(op, a, b)
            }
            _ => panic!("{op:?} is no operation on vectors of 128 bits here"),
        }
    }

    /// # Panics
    /// If there is no instruction for it: a strategy with such operations is for other processors.
    fn bytes(&mut self, op: Wanted, a: Reg, b: Reg) -> Reg {
        let (op, a, b) = match op {
            Wanted::Interleave => (Bytes::Interleave, a, b),
            Wanted::InterleaveWords => (Bytes::InterleaveWords, a, b),
            Wanted::LowHalves => (Bytes::LowHalves, a, b),
            Wanted::Evens => (Bytes::Evens, a, b),
            Wanted::Halves => (Bytes::Middle, a, b),
            Wanted::Next | Wanted::NextWithin => (Bytes::Middle, b, a),
            Wanted::Sum => (Bytes::Sum, a, b),
            Wanted::Equal => (Bytes::Equal, a, b),
            Wanted::Pick | Wanted::Shuffle | Wanted::Matrix | Wanted::Distance | Wanted::Sign => {
                panic!("no instruction for `{}`", op.name())
            }
        };
        self.emit(|dst| Inst::Bytes { op, dst, a, b })
    }

    /// An exclusive or; of three, or of one and what is in another and not in a third, by one instruction
    /// where there is such.
    fn xor_vectors(&mut self, a: Value, b: Value) -> Reg {
        for (first, second) in [(a, b), (b, a)] {
            let made = self.values.contains_key(&second);
            let (op, second, third) = match self.uses.op(second) {
                Some(&Op::Xor(b, c)) if !made && self.is_fused(second) => (Three::Xor, b, c),
                Some(&Op::AndNot(b, c)) if !made && self.is_fused(second) => {
                    (Three::XorAndNot, b, c)
                }
                _ => continue,
            };
            let [a, b, c] = [first, second, third].map(|value| self.reg(value));
            return self.emit(|dst| Inst::Three { op, dst, a, b, c });
        }
        self.bitwise(Logic::Xor, a, b)
    }

    /// Whether a vector is made as part of the exclusive or that alone wants it.
    pub(super) fn is_fused(&self, value: Value) -> bool {
        self.isa.features.include(SHA3)
            && self.uses.is_used_once(value)
            && !self.uses.outer.contains(&value)
            && matches!(
                self.uses.definitions.get(&value),
                Some((Type::Vector(_), Op::Xor(..) | Op::AndNot(..)))
            )
            && self.uses.user.get(&value).is_some_and(|user| {
                matches!(self.uses.definitions.get(user), Some((Type::Vector(_), Op::Xor(..))))
            })
    }

    fn bitwise(&mut self, op: Logic, a: Value, b: Value) -> Reg {
        let (a, b) = (self.reg(a), self.reg(b));
        self.emit(|dst| Inst::Bitwise { op, dst, a, b })
    }

    /// A vector to memory; the register that it came from.
    pub(super) fn store_vector(
        &mut self,
        value: Value,
        address: &Address,
        bytes: u8,
        ordered: bool,
    ) -> Reg {
        let src = self.reg(value);
        let mem = self.mem(address, bytes, ordered);
        self.push(Inst::StoreVector { bytes, mem, src });
        src
    }
}
