//! Exclusive ors of many values, look-ups among them.

use super::Selection;
use crate::ir::{Endian, Op, Value};
use crate::isa::x86::inst::{Alu, Inst};
use crate::isa::x86::operand::{Source, Width};
use crate::isa::{Reg, Sums};

impl Selection<'_> {
    /// An exclusive or of all leaves of a tree: what is known early goes into the first sum,
    /// look-ups where the pattern says.
    pub(super) fn xor(&mut self, root: Value, width: Width) -> Reg {
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
            Some(Op::Load { address, .. }) => Source::Mem(self.mem(&address, false)),
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
