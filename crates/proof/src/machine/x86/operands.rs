//! Operands: registers, places in memory, immediates.

use super::{RSP, SEGMENTS};
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

/// The number of the register that another is, or is a part of.
fn number(register: Register) -> usize {
    let number = register.full_register().number();
    if register.is_segment_register() { SEGMENTS + number } else { number }
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
        match &state.registers[number(register)] {
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

    /// Puts any value into a whole general register.
    pub(super) fn write_value(
        &mut self,
        state: &mut State<D>,
        register: Register,
        value: Value<D::Cell>,
    ) -> Result<()> {
        let number = number(register);
        if number == RSP && !matches!(value, Value::Pointer(STACK, _)) {
            return Err(format!("{} is lost", state.convention.stack_name));
        }
        state.registers[number] = value;
        Ok(())
    }

    /// The place that the memory operand names, by a segment register that has its segment.
    pub(super) fn place(&mut self, state: &State<D>, i: &Instruction) -> Result<Place<D::Cell>> {
        let place = self.place_within(state, i)?;
        let place = self.in_array(state, place);
        let (segment, region) = (i.memory_segment(), state.memory.regions.get(place.at.0));
        if state.convention.segments.is_empty() {
            return Ok(place);
        }
        match (&state.registers[number(segment)], region) {
            (Value::Cells(cells), Some(region)) if *cells == region.segment => Ok(place),
            _ => Err(format!("another segment than that of {segment:?}")),
        }
    }

    fn place_within(&mut self, state: &State<D>, i: &Instruction) -> Result<Place<D::Cell>> {
        let word = state.convention.word;
        let displacement = i.memory_displacement64() as i64;
        if i.memory_base() == Register::RIP {
            return Ok(Place { at: (TABLES, displacement), index: None });
        }
        let has_segments = !state.convention.segments.is_empty();
        if i.segment_prefix() != Register::None && !has_segments {
            return Err("a segment".into());
        }
        let (mut pointer, mut sum, mut index) = (None, displacement, None);
        let scale = i64::from(i.memory_index_scale());
        for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), scale)] {
            if register == Register::None {
                continue;
            }
            let is_short = has_segments && register.is_gpr16();
            if register.size() != word && !is_short {
                return Err(format!("an address of {} bits", 8 * register.size()));
            }
            if has_segments && !is_short && state.wide {
                return Err("the upper half of esp is not known".into());
            }
            match state.registers[register.number()].clone() {
                Value::Pointer(region, offset) if scale == 1 && pointer.is_none() => {
                    pointer = Some((region, offset));
                }
                Value::Cells(mut cells) => match self.domain.number(&cells) {
                    _ if is_short => {
                        let mut low = cells[..16 / D::BITS].to_vec();
                        low.extend(self.domain.zeros(48));
                        cells = low.into();
                        index = Some((cells, 1));
                    }
                    Some(number) => sum = sum.wrapping_add((number as i64).wrapping_mul(scale)),
                    None if index.is_none() => index = Some((cells, scale)),
                    None => return Err("an address with two indices".into()),
                },
                value => return Err(format!("an address with {value:?}")),
            }
        }
        match pointer {
            Some((region, offset)) if has_segments => {
                Ok(Place { at: (region, offset.wrapping_add(i64::from(sum as i16))), index })
            }
            Some((region, offset)) if word == 4 => {
                Ok(Place { at: (region, offset.wrapping_add(i64::from(sum as i32))), index })
            }
            Some((region, offset)) => Ok(Place { at: (region, offset.wrapping_add(sum)), index }),
            None if has_segments => Ok(Place { at: (TABLES, i64::from(sum as u16)), index }),
            // Without rip, tables have their addresses as they are.
            None if word == 4 => Ok(Place { at: (TABLES, i64::from(sum as u32)), index }),
            None => Err("an address without a pointer".into()),
        }
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
