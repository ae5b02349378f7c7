//! Sums, and exclusive ors of many values, look-ups among them.

use super::Selection;
use crate::ir::{Op, Value};
use crate::isa::aarch64::inst::{Inst, Logic};
use crate::isa::aarch64::operand::{Shift, Width, is_addend, mask};
use crate::isa::lower::Lower;
use crate::isa::{Reg, Sums};

impl Selection<'_> {
    pub(super) fn add(&mut self, width: Width, a: Value, b: Value) -> Reg {
        for (a, b) in [(a, b), (b, a)] {
            if let Some(number) = self.number(b) {
                let number = match width {
                    Width::Word => i64::from(number as u32 as i32),
                    Width::Double => number as i64,
                };
                if is_addend(number) {
                    let a = self.reg(a);
                    return self.add_constant(width, a, number);
                }
            }
        }
        let (first, second) = self.shift_last(a, b);
        let a = self.reg(first);
        let (b, shift) = match self.uses.op(second) {
            // A sum rotates nothing.
            Some(Op::Rotl(..)) => (self.reg(second), Shift::NONE),
            _ => self.shifted(second, width),
        };
        self.emit(|dst| Inst::Sum { width, dst, a, b, shift })
    }

    /// A part of a sum without the mask around it, if no more bits of the sum are wanted than that leaves:
    /// of sums modulo 256 each can wait for the sum before it alone.
    pub(super) fn uncut(&self, part: Value, sum: Value) -> Value {
        let low = |value| match self.op(value) {
            Some(&Op::Field { of, shift: 0, bits }) => Some((of, bits)),
            _ => None,
        };
        let user = self.uses.user.get(&sum).filter(|_| self.uses.is_used_once(sum));
        let wanted = user.and_then(|user| low(*user)).map(|(_, bits)| bits);
        match (low(part), wanted) {
            (Some((of, bits)), Some(wanted)) if bits >= wanted && self.values.contains_key(&of) => {
                of
            }
            _ => part,
        }
    }

    pub(super) fn add_constant(&mut self, width: Width, a: Reg, number: i64) -> Reg {
        if number == 0 {
            return a;
        }
        if is_addend(number) {
            return self.emit(|dst| Inst::SumImm { width, dst, a, imm: number as i32 });
        }
        let b = self.constant(width, number as u64);
        self.emit(|dst| Inst::Sum { width, dst, a, b, shift: Shift::NONE })
    }

    /// An exclusive or of all leaves of a tree: what is known early goes into the first sum,
    /// look-ups where the pattern says.
    pub(super) fn xor(&mut self, root: Value, width: Width) -> Reg {
        let mut leaves = self.leaves(root);
        // One that is shifted, or is a constant, is a second source.
        leaves.sort_by_key(|&leaf| (self.lateness(leaf), !self.is_whole(leaf, width)));
        let early = leaves.iter().filter(|&&leaf| self.lateness(leaf) < 2).count();
        let late = leaves.split_off(early);
        let mut totals = [None; Sums::MOST];
        let steps = leaves.into_iter().map(|leaf| (leaf, 0)).collect::<Vec<_>>().into_iter();
        for (leaf, into) in steps.chain(self.choices.sums.order(&late)) {
            totals[into] = Some(match totals[into] {
                Some(total) => self.xor_leaf(width, total, leaf),
                None => self.reg(leaf),
            });
        }
        let totals: Vec<Reg> = totals.into_iter().flatten().collect();
        let (first, rest) = totals.split_first().expect("an exclusive or has operands");
        rest.iter().fold(*first, |sum, total| self.xor_two(width, sum, *total, Shift::NONE))
    }

    /// 0: there already; 1: a load that waits for nothing; 2: a look-up.
    fn lateness(&self, leaf: Value) -> u8 {
        match self.uses.op(leaf) {
            Some(Op::Lookup(..)) => 2,
            Some(Op::Load { .. }) => 1,
            _ => 0,
        }
    }

    /// Whether it needs a register of its own.
    fn is_whole(&self, leaf: Value, width: Width) -> bool {
        match self.uses.op(leaf) {
            Some(Op::Const(number)) => mask(width.cut(*number), width).is_none(),
            Some(Op::Shl(..) | Op::Shr(..) | Op::Rotl(..)) => false,
            _ => true,
        }
    }

    fn xor_leaf(&mut self, width: Width, a: Reg, leaf: Value) -> Reg {
        let imm = self.number(leaf).map(|number| width.cut(number));
        if let Some(imm) = imm.filter(|&imm| mask(imm, width).is_some()) {
            return self.emit(|dst| Inst::LogicImm { op: Logic::Xor, width, dst, a, imm });
        }
        let (b, shift) = self.shifted(leaf, width);
        self.xor_two(width, a, b, shift)
    }

    fn xor_two(&mut self, width: Width, a: Reg, b: Reg, shift: Shift) -> Reg {
        self.emit(|dst| Inst::Logic { op: Logic::Xor, width, dst, a, b, shift })
    }
}
