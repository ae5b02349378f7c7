//! Addresses: what pointers lead to, and entries of tables.

use std::collections::HashSet;

use super::Selection;
use crate::ir::{Address, Op, TableId, Value};
use crate::isa::Reg;
use crate::isa::aarch64::inst::Inst;
use crate::isa::aarch64::operand::{At, Mem, Shift, Width, reaches};
use crate::isa::lower::Lower;

impl Selection<'_> {
    /// Puts the address of the tables into a register, and that of each one that is looked up at an index.
    pub(super) fn find_tables(&mut self) {
        let kernel = self.kernel;
        let (mut looks_up, mut indexed) = (false, HashSet::new());
        kernel.for_each_op(|_, _, op| {
            if let Op::Lookup(table, index) = op {
                looks_up = true;
                if self.number(*index).is_none() {
                    indexed.insert(*table);
                }
            }
        });
        if !looks_up {
            return;
        }
        let a = self.emit(|dst| Inst::TablePage { dst });
        let first = self.emit(|dst| Inst::TableOffset { dst, a });
        let mut at = 0;
        for (n, table) in kernel.tables.iter().enumerate() {
            let address =
                indexed.contains(&TableId(n)).then(|| self.add_constant(Width::Double, first, at));
            self.tables.push((at, address));
            at += table.bytes() as i64;
        }
        self.first_table = Some(first);
    }

    pub(super) fn look_up(&mut self, table: TableId, index: Value) -> Reg {
        let bytes = self.kernel.tables[table.0].entry_bytes;
        let mem = match self.number(index) {
            Some(n) => self.entry(table, n, bytes),
            None => {
                let base = self.tables[table.0].1.expect("it is looked up at an index");
                Mem { base, at: At::Index(self.reg(index), true), ordered: None }
            }
        };
        self.emit(|dst| Inst::Load { bytes, dst, mem })
    }

    /// Entry `n` of a table, for an access to so many bytes.
    pub(super) fn entry(&mut self, table: TableId, n: u64, bytes: u8) -> Mem {
        let entry = i64::from(self.kernel.tables[table.0].entry_bytes);
        let disp = self.tables[table.0].0 + n as i64 * entry;
        let base = self.first_table.expect("a kernel with look-ups has tables");
        self.at(base, disp as i32, bytes, None)
    }

    /// A place that an access of so many bytes can name.
    pub(super) fn mem(&mut self, address: &Address, bytes: u8, ordered: bool) -> Mem {
        let ordered = ordered.then(|| self.region(address.base));
        let (mut base, disp) = (self.reg(address.base), address.offset);
        if let Some((index, scale)) = address.index {
            let index = self.reg(index);
            let is_known = self.places.contains_key(&(base, index, scale));
            if disp == 0 && !is_known && (scale == 1 || scale == bytes) {
                return Mem { base, at: At::Index(index, scale > 1), ordered };
            }
            let (width, shift) = (Width::Double, Shift::Left(scale.trailing_zeros() as u8));
            let place = (base, index, scale);
            base = match self.places.get(&place) {
                Some(&known) => known,
                None => self.emit(|dst| Inst::Sum { width, dst, a: base, b: index, shift }),
            };
            self.places.insert(place, base);
        }
        self.at(base, disp, bytes, ordered)
    }

    /// As [`DefUse::rare_load`](crate::isa::def_use::DefUse::rare_load), if branches are made of such choices.
    pub(super) fn rare_load(&self, value: Value) -> Option<(Address, u8, bool)> {
        self.uses.rare_load(value).filter(|_| self.choices.branch)
    }

    /// So many bytes from a register.
    fn at(&mut self, base: Reg, disp: i32, bytes: u8, ordered: Option<u32>) -> Mem {
        if reaches(disp, bytes) {
            return Mem { base, at: At::Disp(disp), ordered };
        }
        let base = self.add_constant(Width::Double, base, disp.into());
        Mem { base, at: At::Disp(0), ordered }
    }
}
