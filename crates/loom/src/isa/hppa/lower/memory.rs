//! Places in memory: what pointers lead to, and entries of tables.

use super::{Selection, is_short};
use crate::ir::{Address, Op, TableId, Value};
use crate::isa::hppa::inst::{Alu, Inst};
use crate::isa::lower::Lower;
use crate::isa::{Node, Reg};

impl Selection<'_> {
    pub(super) fn look_up(&mut self, table: TableId, index: Value) -> Reg {
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
        match self.uses.op(pointer) {
            Some(&Op::Advance(from, by)) if !self.values.contains_key(&pointer) => {
                self.base(from, offset + by)
            }
            _ => (self.reg(pointer), offset),
        }
    }

    /// A register and a number of bytes, few enough for an instruction.
    pub(super) fn place(&mut self, address: &Address) -> (Reg, i32) {
        let (mut base, mut disp) = self.base(address.base, address.offset);
        if let Some((index, scale)) = address.index {
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

    pub(super) fn load(&mut self, address: &Address, bytes: u8, ordered: Option<u32>) -> Reg {
        let (base, disp) = self.base(address.base, address.offset);
        match address.index {
            Some((index, scale)) if disp == 0 && (scale == 1 || scale == bytes) => {
                let (index, scaled) = (self.reg(index), scale > 1);
                self.emit(|dst| Inst::LoadIndexed { bytes, dst, base, index, scaled, ordered })
            }
            _ => {
                let (base, disp) = self.place(address);
                self.emit(|dst| Inst::Load { bytes, dst, base, disp, ordered })
            }
        }
    }

    /// A pointer further on. A store there just before takes it along.
    pub(super) fn advance(&mut self, pointer: Value, by: i32) -> Reg {
        let (a, imm) = self.base(pointer, by);
        let code = self.body();
        if let Some(Node::Inst(Inst::Store { bytes, base, disp: 0, src, ordered: None })) =
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
    pub(super) fn touch(&mut self, address: &Address, bytes: u8) -> u32 {
        let region = self.region(address.base);
        let widest = self.aligns.entry(region).or_insert(1);
        *widest = (*widest).max(bytes.into());
        region
    }
}
