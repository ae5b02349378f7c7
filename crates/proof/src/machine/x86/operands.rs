//! Operands: registers, places in memory, immediates.

use crate::Result;
use crate::domain::Domain;
use crate::machine::state::{Machine, RSP, State};
use crate::memory::{STACK, TABLES, Value};
use iced_x86::{Instruction, OpKind, Register};
use std::rc::Rc;

/// A place in memory: a region, an offset, and perhaps an index that is no constant, with its scale.
pub(super) struct Place<C> {
    pub(super) at: (usize, i64),
    pub(super) index: Option<(Rc<[C]>, i64)>,
}

/// Where in a general register another begins that is a part of it, in bits.
fn start(register: Register) -> usize {
    use Register::{AH, BH, CH, DH};
    if matches!(register, AH | BH | CH | DH) { 8 } else { 0 }
}

/// The width of an operand in bits.
pub(super) fn width(i: &Instruction, operand: u32) -> usize {
    8 * match i.op_kind(operand) {
        OpKind::Register => i.op_register(operand).size(),
        _ => i.memory_size().size(),
    }
}

impl<D: Domain> Machine<'_, D> {
    /// The number in a general register.
    pub(super) fn read_register(
        &self,
        state: &State<D>,
        register: Register,
    ) -> Result<Vec<D::Cell>> {
        let from = start(register) / D::BITS;
        match &state.registers[register.full_register().number()] {
            Value::Cells(cells) => Ok(cells[from..from + 8 * register.size() / D::BITS].to_vec()),
            value => Err(format!("{register:?} is {value:?}, no number")),
        }
    }

    /// Puts a number into a general register. One of 32 bits clears the upper half; a shorter one leaves
    /// the rest as it is.
    pub(super) fn write_register(
        &mut self,
        state: &mut State<D>,
        register: Register,
        cells: &[D::Cell],
    ) -> Result<()> {
        let mut all = if register.size() < 4 {
            self.read_register(state, register.full_register())?
        } else {
            self.domain.zeros(64)
        };
        let from = start(register) / D::BITS;
        all[from..from + cells.len()].copy_from_slice(cells);
        self.write_value(state, register, Value::Cells(all.into()))
    }

    /// Puts any value into a general register of 64 bits.
    pub(super) fn write_value(
        &mut self,
        state: &mut State<D>,
        register: Register,
        value: Value<D::Cell>,
    ) -> Result<()> {
        let number = register.full_register().number();
        if number == RSP && !matches!(value, Value::Pointer(STACK, _)) {
            return Err("rsp is lost".into());
        }
        state.registers[number] = value;
        Ok(())
    }

    /// The place that the memory operand names.
    pub(super) fn place(&mut self, state: &State<D>, i: &Instruction) -> Result<Place<D::Cell>> {
        let displacement = i.memory_displacement64() as i64;
        if i.memory_base() == Register::RIP {
            return Ok(Place { at: (TABLES, displacement), index: None });
        }
        if i.segment_prefix() != Register::None {
            return Err("a segment".into());
        }
        let (mut pointer, mut sum, mut index) = (None, displacement, None);
        let scale = i64::from(i.memory_index_scale());
        for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), scale)] {
            if register == Register::None {
                continue;
            }
            if register.size() != 8 {
                return Err("an address of 32 bits".into());
            }
            match state.registers[register.number()].clone() {
                Value::Pointer(region, offset) if scale == 1 && pointer.is_none() => {
                    pointer = Some((region, offset));
                }
                Value::Cells(cells) => match self.domain.number(&cells) {
                    Some(number) => sum = sum.wrapping_add((number as i64).wrapping_mul(scale)),
                    None if index.is_none() => index = Some((cells, scale)),
                    None => return Err("an address with two indices".into()),
                },
                value => return Err(format!("an address with {value:?}")),
            }
        }
        let (region, offset) = pointer.ok_or("an address without a pointer")?;
        Ok(Place { at: (region, offset.wrapping_add(sum)), index })
    }

    /// Cells of memory.
    pub(super) fn load(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        bytes: usize,
    ) -> Result<Vec<D::Cell>> {
        let place = self.place(state, i)?;
        self.check_alignment(state, &place, i, bytes as i64)?;
        self.load_at(state, &place, bytes)
    }

    fn load_at(
        &mut self,
        state: &mut State<D>,
        place: &Place<D::Cell>,
        bytes: usize,
    ) -> Result<Vec<D::Cell>> {
        let (number, offset) = place.at;
        if place.index.is_some() {
            self.leaks.addresses += 1;
        }
        if number == TABLES {
            let Some((index, scale)) = &place.index else {
                let table = self.image.table(offset as u64, bytes as u64)?;
                return Ok(self.domain.bytes(table));
            };
            if bytes > 8 {
                return Err("a look-up of more than 8 bytes".into());
            }
            let image = self.image;
            return self.domain.look_up(index, bytes, &|value| {
                let at = offset.wrapping_add((value as i64).wrapping_mul(*scale)) as u64;
                let entry = image.table(at, bytes as u64)?;
                Ok(entry.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
            });
        }
        let (stack_pointer, partial) = (state.stack_pointer()?, state.memory.partial);
        let reach = if place.index.is_some() { 256 } else { bytes as i64 };
        let region = state.memory.check(place.at, reach, false, stack_pointer)?;
        match (region.array_at(offset, reach)?, &place.index) {
            (Some((array, inside)), None) => {
                let array = region.arrays[array].1;
                let each = (inside..).take(bytes).map(|n| {
                    let index = self.domain.constant(n as u8);
                    self.domain.read(array, index)
                });
                each.collect()
            }
            (Some((array, 0)), Some((index, 1))) if bytes == 1 => {
                let array = region.arrays[array].1;
                let index = self.byte_index(index)?;
                Ok(vec![self.domain.read(array, index)?])
            }
            (None, None) => {
                let cells = region.load(offset, bytes as i64, 8 / D::BITS)?.to_vec();
                if !partial && cells.contains(&D::UNKNOWN) {
                    return Err(format!("what {} has at {offset} is not known", region.name));
                }
                Ok(cells)
            }
            _ => Err(format!("an index into {}", region.name)),
        }
    }

    /// An index that is one byte, as a number of 64 bits.
    fn byte_index(&self, cells: &[D::Cell]) -> Result<D::Cell> {
        match cells {
            [index, above @ ..] if D::BITS == 8 && self.domain.number(above) == Some(0) => {
                Ok(*index)
            }
            _ => Err("an index that is not one byte".into()),
        }
    }

    /// Puts cells into memory.
    pub(super) fn store(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        cells: &[D::Cell],
    ) -> Result<()> {
        let place = self.place(state, i)?;
        self.check_alignment(state, &place, i, (cells.len() * D::BITS / 8) as i64)?;
        self.store_at(state, &place, cells)
    }

    fn store_at(
        &mut self,
        state: &mut State<D>,
        place: &Place<D::Cell>,
        cells: &[D::Cell],
    ) -> Result<()> {
        if !state.memory.partial && cells.contains(&D::UNKNOWN) {
            return Err("a store of what is not known".into());
        }
        let bytes = (cells.len() * D::BITS / 8) as i64;
        let reach = if place.index.is_some() { 256 } else { bytes };
        let stack_pointer = state.stack_pointer()?;
        let region = state.memory.check(place.at, reach, true, stack_pointer)?;
        let array = region.array_at(place.at.1, reach)?;
        if place.index.is_some() {
            self.leaks.addresses += 1;
        }
        match (array, &place.index) {
            (None, None) => region.store(place.at.1, cells, D::UNKNOWN, 8 / D::BITS),
            (Some((array, inside)), None) => {
                for (n, &cell) in (inside..).zip(cells) {
                    let index = self.domain.constant(n as u8);
                    let all = &mut region.arrays[array].1;
                    *all = self.domain.write(*all, index, cell)?;
                }
            }
            (Some((array, 0)), Some((index, 1))) if bytes == 1 => {
                let index = self.byte_index(index)?;
                let all = &mut region.arrays[array].1;
                *all = self.domain.write(*all, index, cells[0])?;
            }
            _ => return Err(format!("an index into {}", region.name)),
        }
        Ok(())
    }

    /// 64 bits of memory, which may be a pointer or a count.
    pub(super) fn load_value(
        &mut self,
        state: &mut State<D>,
        place: &Place<D::Cell>,
    ) -> Result<Value<D::Cell>> {
        let stack_pointer = state.stack_pointer()?;
        let known = match state.memory.regions.get(place.at.0) {
            Some(region) if place.index.is_none() => region.values.get(&place.at.1).cloned(),
            _ => None,
        };
        if let Some(value) = known {
            state.memory.check(place.at, 8, false, stack_pointer)?;
            return Ok(value);
        }
        Ok(Value::Cells(self.load_at(state, place, 8)?.into()))
    }

    /// Puts a value of 64 bits into memory; one that is no number only onto the stack.
    pub(super) fn store_value(
        &mut self,
        state: &mut State<D>,
        place: &Place<D::Cell>,
        value: Value<D::Cell>,
    ) -> Result<()> {
        match value {
            Value::Cells(cells) => {
                self.check_number(place, &cells)?;
                self.store_at(state, place, &cells)
            }
            Value::Unknown => Err("a store of what is not known".into()),
            _ if place.at.0 != STACK || place.index.is_some() => {
                Err(format!("a store of {value:?} outside the stack"))
            }
            _ => {
                let stack_pointer = state.stack_pointer()?;
                let region = state.memory.check(place.at, 8, true, stack_pointer)?;
                region.store(place.at.1, &vec![D::UNKNOWN; 64 / D::BITS], D::UNKNOWN, 8 / D::BITS);
                region.values.insert(place.at.1, value);
                Ok(())
            }
        }
    }

    /// A number as a source operand of so many bits.
    pub(super) fn source(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        operand: u32,
        bits: usize,
    ) -> Result<Vec<D::Cell>> {
        match i.op_kind(operand) {
            OpKind::Register => self.read_register(state, i.op_register(operand)),
            OpKind::Memory => self.load(state, i, bits / 8),
            _ => Ok(self.domain.cells(i.immediate(operand), bits)),
        }
    }

    /// Puts a number into the first operand.
    pub(super) fn destination(
        &mut self,
        state: &mut State<D>,
        i: &Instruction,
        cells: &[D::Cell],
    ) -> Result<()> {
        match i.op_kind(0) {
            OpKind::Register => self.write_register(state, i.op_register(0), cells),
            _ => {
                let place = self.place(state, i)?;
                self.check_number(&place, cells)?;
                self.store(state, i, cells)
            }
        }
    }
}
