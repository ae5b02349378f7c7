//! Addresses: what pointers lead to, and entries of tables.

use super::Selection;
use crate::ir::{Address, Op, TableId, Value};
use crate::isa::lower::Lower;
use crate::isa::x86::inst::{Alu, Inst, Shift};
use crate::isa::x86::operand::{Base, Mem, Source, Width};
use crate::isa::x86::{Mode, features};
use crate::isa::{Reg, Way};

/// By how much a row's number is shifted to be an offset in bytes, and in entries of 8 bytes.
const ROW: u8 = 8;
const ROW_OF_ENTRIES: u8 = ROW - 3;

/// An index that leads to an entry of a row: the row's number is a field of a word.
struct Row {
    of: Value,
    shift: u8,
    bits: u8,
    column: i32,
}

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

    /// As [`DefUse::rare_load`](crate::isa::def_use::DefUse::rare_load), if branches are made of such choices.
    pub(super) fn rare_load(&self, value: Value) -> Option<(Address, u8, bool)> {
        self.uses.rare_load(value).filter(|_| self.choices.branch)
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
        if let (8, Some(row)) = (bytes, self.row(index)) {
            let word = self.reg(row.of);
            let moved = self.shifted(Width::Qword, word, row.shift - ROW);
            let apart = self.choices.extract.way(row.shift, 64).is_apart();
            let index = self.cut(moved, ((1 << row.bits) - 1) << ROW, apart);
            let (disp, index) = (disp + i32::from(bytes) * row.column, Some((index, 1)));
            return (Mem { base, index, disp, ordered: None, segment: None }, bytes);
        }
        let index = self.reg(index);
        (Mem { base, index: Some((index, bytes)), disp, ordered: None, segment: None }, bytes)
    }

    /// What an index of a look-up is made of that leads to rows of 256 bytes, if it does: then the field is
    /// an offset in bytes where it stands as the second byte of a word.
    fn row(&self, index: Value) -> Option<Row> {
        let (row, column) = match self.uses.op(index)? {
            &Op::Add(row, column) => (row, i32::try_from(self.number(column)?).ok()?),
            _ => (index, 0),
        };
        let (Op::Shl(field, ROW_OF_ENTRIES), true) =
            (self.uses.op(row)?, self.uses.is_used_once(row))
        else {
            return None;
        };
        match *self.uses.op(*field)? {
            Op::Field { of, shift, bits } if shift >= ROW && self.uses.is_used_once(*field) => {
                Some(Row { of, shift, bits, column })
            }
            _ => None,
        }
    }

    /// Whether a value is the index of a row for a look-up, or a part of it, that nothing else wants.
    pub(super) fn is_row(&self, value: Value) -> bool {
        let user = self.uses.user.get(&value).filter(|_| self.row(value).is_some());
        user.is_some_and(|&user| match self.uses.op(user) {
            Some(Op::Lookup(table, _)) => self.kernel.tables[table.0].entry_bytes == 8,
            Some(Op::Add(..)) => self.is_row(user),
            _ => false,
        })
    }

    /// The bits of a word that a mask has: in a copy, or, `apart`, in one instruction by the inverse mask.
    fn cut(&mut self, word: Reg, mask: u32, apart: bool) -> Reg {
        let dst = self.fresh();
        if apart && self.features.include(features::BMI2) {
            let a = match self.inverse {
                Some((other, reg)) if other == mask => reg,
                _ => self.emit_first(|dst| Inst::Imm { dst, value: u64::from(!mask) }),
            };
            self.inverse = Some((mask, a));
            self.push(Inst::AndNot { dst, a, b: word });
        } else {
            let (op, width, b) = (Alu::And, Width::Dword, Source::Imm(mask as i32));
            self.push(Inst::Alu { op, width, dst, a: word, b });
        }
        dst
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
