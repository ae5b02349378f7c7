//! Operands: registers, places in memory, immediates.

use super::RSP;
use crate::Result;
use crate::domain::Domain;
use crate::machine::places::Place;
use crate::machine::state::{Machine, State};
use crate::memory::{STACK, TABLES, Value};
use iced_x86::{Instruction, OpKind, Register};

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
