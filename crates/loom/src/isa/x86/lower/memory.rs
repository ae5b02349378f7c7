//! Addresses: what pointers lead to, and entries of tables.

use super::Selection;
use crate::ir::{Address, Op, TableId, Value};
use crate::isa::lower::Lower;
use crate::isa::x86::inst::{Alu, Inst, Shift};
use crate::isa::x86::operand::{Base, Mem, Source, Width};
use crate::isa::x86::{Mode, features};
use crate::isa::{Reg, Way};

impl Selection<'_> {
    /// Where the tables are.
    fn tables(&self) -> Base {
        match (self.tables, self.mode) {
            (Some(register), _) => Base::Reg(register),
            (None, Mode::Real | Mode::Bits32) => Base::Tables,
            (None, Mode::Bits64) => panic!("a kernel with look-ups has tables"),
        }
    }

    pub(super) fn constant(&self, table: TableId, n: u64) -> Mem {
        let base = self.tables();
        let bytes = self.kernel.tables[table.0].entry_bytes;
        let disp = self.table_offsets[table.0] + n as i32 * i32::from(bytes);
        Mem { base, index: None, disp, ordered: None, segment: None }
    }

    pub(super) fn mem(&mut self, address: &Address, ordered: bool) -> Mem {
        let region = self.region(address.base);
        let base = Base::Reg(self.reg(address.base));
        let index = address.index.map(|(index, scale)| (self.reg(index), scale));
        let segment = self.segments.get(&region).copied();
        let ordered = ordered.then_some(region);
        Mem { base, index, disp: address.offset, ordered, segment }
    }

    /// An entry of a table, and its bytes.
    pub(super) fn entry(&mut self, table: TableId, index: Value) -> (Mem, u8) {
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
            if self.choices.extract.way(shift - 2, 32) == Way::Offset && !self.mode.is_64() {
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
        if let (8, Some(&Op::Field { of, shift, bits })) = (bytes, self.uses.op(index))
            && shift >= 16
            && self.choices.extract.way(shift, 64) == Way::Offset
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
}
