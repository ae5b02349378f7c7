//! Instruction selection for vectors.

use super::Selection;
use crate::ir::{Address, Bytes as Wanted, Op, SELECT, Type, Value};
use crate::isa::aarch64::costs::SchedulingClass as S;
use crate::isa::aarch64::features::{ONCE, SHA3};
use crate::isa::aarch64::inst::{Bytes, Inst, Logic, Over, Three};
use crate::isa::aarch64::kind::kind;
use crate::isa::aarch64::operand::{At, Mem, Width, fill};
use crate::isa::aarch64::{TABLES_OF_FOUR, TABLES_OF_TWO};
use crate::isa::lower::Lower;
use crate::isa::{Node, Reg};

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
            Op::Or(a, b) => match self.op(b) {
                Some(&Op::Not(b_not)) if self.is_fused(b) => self.bitwise(Logic::OrNot, a, b_not),
                _ => self.bitwise(Logic::Or, a, b),
            },
            Op::AndNot(a, b) => self.bitwise(Logic::AndNot, a, b),
            Op::Not(a) => {
                let a = self.reg(a);
                self.emit(|dst| Inst::NotVector { dst, a })
            }
            Op::Shl(a, by) | Op::Shr(a, by) => {
                let (left, a) = (matches!(op, Op::Shl(..)), self.reg(a));
                if by == 0 { a } else { self.emit(|dst| Inst::ShiftParts { left, dst, a, by }) }
            }
            Op::Rotl(a, by) => match self.op(a) {
                Some(&Op::Xor(a, b)) if self.isa.features.include(SHA3) => {
                    let (a, b) = (self.reg(a), self.reg(b));
                    self.emit(|dst| Inst::RotateXor { dst, a, b, by: 64 - by })
                }
                _ => panic!("only an exclusive or is rotated, with FEAT_SHA3"),
            },
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
            Op::PickFrom(ref inputs) => self.look_up_inside(inputs),
            Op::Ternary(SELECT, inputs) => self.select(inputs),
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
            Wanted::Move => (Bytes::Move, a, b),
            Wanted::Pairs => (Bytes::Pairs, a, b),
            Wanted::InterleavePairs
            | Wanted::InterleaveParts
            | Wanted::UpperPairs
            | Wanted::UpperWords
            | Wanted::UpperParts
            | Wanted::Pick
            | Wanted::Shuffle
            | Wanted::Matrix
            | Wanted::Distance
            | Wanted::Sign => {
                panic!("no instruction for `{}`", op.name())
            }
        };
        self.emit(|dst| Inst::Bytes { op, dst, a, b })
    }

    /// A look-up in one to four vectors. Those that are looked up together have registers of their own; where
    /// there are more such than registers, they take turns.
    fn look_up_inside(&mut self, inputs: &[Value]) -> Reg {
        let tables: Vec<Reg> = inputs[1..].iter().map(|&value| self.reg(value)).collect();
        let index = self.reg(inputs[0]);
        let places: &[u8] = if tables.len() <= 2 { &TABLES_OF_TWO } else { &TABLES_OF_FOUR };
        let of_kind = |one: &&Vec<Reg>| (one.len() <= 2) == (tables.len() <= 2);
        let known = self.looked_up.iter().filter(of_kind).position(|one| *one == tables);
        let number = known.unwrap_or_else(|| self.looked_up.iter().filter(of_kind).count());
        if known.is_none() {
            self.looked_up.push(tables.clone());
        }
        let first = places[number % places.len()];
        self.emit(|dst| Inst::LookUp { dst, index, tables: tables.clone(), first })
    }

    /// An exclusive or. Where there is an instruction for three inputs, all that only it wants is part of
    /// it: two more at a time, or what is in one and not in another.
    fn xor_vectors(&mut self, a: Value, b: Value) -> Reg {
        if !self.isa.features.include(SHA3) {
            return self.bitwise(Logic::Xor, a, b);
        }
        let (mut whole, mut masked) = (Vec::new(), Vec::new());
        [a, b].into_iter().for_each(|part| self.parts(part, &mut whole, &mut masked));
        if whole.is_empty() {
            whole.extend(masked.pop().map(|(value, _, _)| value));
        }
        let mut sum = self.reg(whole[0]);
        let mut rest = &whole[1..];
        while let [b, more @ ..] = rest {
            let (a, b) = (sum, self.reg(*b));
            (sum, rest) = match more {
                [c, more @ ..] if self.is_one() => {
                    let c = self.reg(*c);
                    (self.emit(|dst| Inst::Three { op: Three::Xor, dst, a, b, c }), more)
                }
                _ => (self.emit(|dst| Inst::Bitwise { op: Logic::Xor, dst, a, b }), more),
            };
        }
        for (_, b, c) in masked {
            let (a, b, c) = (sum, self.reg(b), self.reg(c));
            sum = if self.is_one() {
                self.emit(|dst| Inst::Three { op: Three::XorAndNot, dst, a, b, c })
            } else {
                let b = self.emit(|dst| Inst::Bitwise { op: Logic::AndNot, dst, a: b, b: c });
                self.emit(|dst| Inst::Bitwise { op: Logic::Xor, dst, a, b })
            };
        }
        sum
    }

    /// Whether an operation of three inputs is one instruction here, or two. Where others begin four times as
    /// often, no more than a fourth is.
    fn is_one(&mut self) -> bool {
        if !self.isa.features.include(ONCE) {
            return true;
        }
        let (mut threes, mut all) = (0, 0);
        for node in self.body() {
            let Node::Inst(inst) = node else { continue };
            let kind = kind(inst);
            threes += usize::from(kind == S::VectorThree);
            all += usize::from(matches!(
                kind,
                S::VectorLogic | S::VectorThree | S::VectorSelect | S::VectorShift | S::VectorStore
            ));
        }
        4 * threes <= all
    }

    /// The parts of an exclusive or: vectors, and those that are what is in one and not in another.
    fn parts(&self, value: Value, whole: &mut Vec<Value>, masked: &mut Vec<(Value, Value, Value)>) {
        let fused = self.is_fused(value) && !self.values.contains_key(&value);
        match self.uses.op(value).filter(|_| fused) {
            Some(&Op::Xor(a, b)) => [a, b].into_iter().for_each(|v| self.parts(v, whole, masked)),
            Some(&Op::AndNot(b, c)) => masked.push((value, b, c)),
            _ => whole.push(value),
        }
    }

    /// A choice between two; of one's lower halves and the other's, or of upper halves, if the mask says
    /// just that.
    fn select(&mut self, [mask, then, otherwise]: [Value; 3]) -> Reg {
        let halves = |value| if self.is_fused(value) { self.op(value).cloned() } else { None };
        match [halves(then), halves(otherwise)] {
            [_, Some(Op::Shl(second, by))] => self.transposed(by, then, second, false),
            [Some(Op::Shr(first, by)), _] => self.transposed(by, first, otherwise, true),
            _ => {
                let [mask, then, otherwise] = [mask, then, otherwise].map(|value| self.reg(value));
                let over = Over::Otherwise;
                self.emit(|dst| Inst::Select { over, dst, mask, then, otherwise })
            }
        }
    }

    /// The lower halves of `by` bits of two vectors, or the upper ones: of parts of bytes a shift that leaves
    /// the others alone.
    fn transposed(&mut self, by: u8, a: Value, b: Value, second: bool) -> Reg {
        let (a, b) = (self.reg(a), self.reg(b));
        match (by, second) {
            (8.., _) => self.emit(|dst| Inst::Transpose { second, bytes: by / 8, dst, a, b }),
            (_, false) => self.emit(|dst| Inst::ShiftInto { left: true, dst, a, b, by }),
            (_, true) => self.emit(|dst| Inst::ShiftInto { left: false, dst, a: b, b: a, by }),
        }
    }

    /// Whether a vector is made as part of what alone wants it: an exclusive or, where there is such an
    /// instruction; or-not; a transpose.
    pub(super) fn is_fused(&self, value: Value) -> bool {
        if !self.uses.is_used_once(value) || self.uses.outer.contains(&value) {
            return false;
        }
        let Some((Type::Vector(_), op)) = self.uses.definitions.get(&value) else { return false };
        let Some(user) = self.uses.user.get(&value).and_then(|user| self.op(*user)) else {
            return false;
        };
        match (op, user) {
            (Op::Xor(..) | Op::AndNot(..), Op::Xor(..)) => self.isa.features.include(SHA3),
            (Op::Xor(..), Op::Rotl(..)) => self.isa.features.include(SHA3),
            (Op::Not(_), Op::Or(_, inverted)) => *inverted == value,
            (&Op::Shl(_, by), &Op::Ternary(SELECT, [mask, _, place]))
            | (&Op::Shr(_, by), &Op::Ternary(SELECT, [mask, place, _])) => {
                // The lower halves of parts of twice as many bits.
                let lower = (by >= 4 && by.is_power_of_two()).then(|| u64::MAX / ((1 << by) + 1));
                place == value && self.number(mask) == lower
            }
            _ => false,
        }
    }

    /// Whether a vector only says in choices which halves are meant, and each of these is an instruction that
    /// means them.
    pub(super) fn is_mask_of_transposes(&self, value: Value) -> bool {
        let users = self.uses.definitions.values().map(|(_, op)| op);
        let mut users = users.filter(|op| op.inputs().contains(&value)).peekable();
        let is_transpose = |op: &Op| match op {
            Op::Ternary(SELECT, [mask, first, second]) => {
                *mask == value && [*first, *second].into_iter().any(|part| self.is_fused(part))
            }
            _ => false,
        };
        users.peek().is_some() && users.all(is_transpose)
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
