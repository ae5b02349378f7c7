//! Loads and stores.

use super::{HALVES, SP, VECTOR};
use crate::Result;
use crate::domain::Domain;
use crate::machine::fields::aarch64::{Address, Direction, Kind, Op};
use crate::machine::places::Place;
use crate::machine::state::{Machine, State};
use crate::memory::Value;
use std::rc::Rc;

impl<D: Domain> Machine<'_, D> {
    pub(super) fn transfer(&mut self, state: &mut State<D>, op: Op) -> Result<()> {
        let (direction, kind, base, address, registers) = match op {
            Op::Transfer { direction, kind, rt, rn, address } => {
                (direction, kind, rn, address, vec![rt])
            }
            Op::Pair { direction, kind, rt, second, rn, address } => {
                (direction, kind, rn, address, vec![rt, second])
            }
            _ => return Err("no transfer".into()),
        };
        // What is stored is read before the base changes: sp moves first, as nothing may lie below it.
        if let Address::Before(by) = address {
            self.move_base(state, base, by)?;
        }
        let place = self.place_of(state, base, address)?;
        for (n, &register) in (0..).zip(&registers) {
            let (region, offset) = place.at;
            let at = (region, offset.wrapping_add(n * kind.bytes() as i64));
            let place = Place { at, index: place.index.clone() };
            match direction {
                Direction::Load => self.load_aarch64(state, kind, register, &place)?,
                Direction::Store => self.store_aarch64(state, kind, register, &place)?,
            }
        }
        if let Address::After(by) = address {
            self.move_base(state, base, by)?;
        }
        Ok(())
    }

    fn move_base(&mut self, state: &mut State<D>, base: usize, by: i64) -> Result<()> {
        let Value::Pointer(region, offset) = state.registers[base] else {
            return Err("a base that is no pointer".into());
        };
        let value = Value::Pointer(region, offset.wrapping_add(by));
        if base == SP { self.set_stack(state, value) } else { self.set(state, base, value) }
    }

    fn place_of(
        &mut self,
        state: &State<D>,
        base: usize,
        address: Address,
    ) -> Result<Place<D::Cell>> {
        let (region, offset, own) = match &state.registers[base] {
            Value::Pointer(region, offset) => (*region, *offset, None),
            Value::Indexed(region, offset, index) => (*region, *offset, Some(index.clone())),
            _ => return Err("an address without a pointer".into()),
        };
        let (by, index) = match address {
            Address::Offset(by) | Address::Unscaled(by) => (by, None),
            Address::Before(_) | Address::After(_) => (0, None),
            Address::Index(register, shift) => {
                let cells = self.cells_of(state, register, true)?;
                match self.domain.number(&cells) {
                    Some(number) => ((number as i64).wrapping_shl(shift), None),
                    None => (0, Some((cells.into(), 1 << shift))),
                }
            }
        };
        if own.is_some() && index.is_some() {
            return Err("an address with two indices".into());
        }
        let place = Place { at: (region, offset.wrapping_add(by)), index: index.or(own) };
        Ok(self.in_array(state, place))
    }

    fn load_aarch64(
        &mut self,
        state: &mut State<D>,
        kind: Kind,
        register: usize,
        place: &Place<D::Cell>,
    ) -> Result<()> {
        match kind {
            Kind::Byte | Kind::Word => {
                let cells = self.load_at(state, place, kind.bytes())?;
                self.set_cells(state, register, cells)
            }
            Kind::Double => {
                let value = self.load_value(state, place, 8)?;
                self.set(state, register, value)
            }
            Kind::Half => {
                let value = self.load_value(state, place, 8)?;
                let mut vector = vec![D::UNKNOWN; 64 / D::BITS];
                if let Value::Cells(cells) = &value {
                    self.check_apart()?;
                    vector.copy_from_slice(cells);
                }
                vector.extend(self.domain.zeros(VECTOR - 64));
                state.vectors[register] = Rc::new(vector);
                Self::half_is_lost(state, register);
                if let Value::Saved(_) = value {
                    state.registers[HALVES + register] = value;
                }
                Ok(())
            }
            Kind::Vector => {
                if let Some(slice) = self.slice {
                    self.check_slice(state, place, slice, (slice == 16, false, true))?;
                }
                let vector = self.load_at(state, place, kind.bytes())?;
                state.vectors[register] = Rc::new(vector);
                Self::half_is_lost(state, register);
                Ok(())
            }
        }
    }

    fn store_aarch64(
        &mut self,
        state: &mut State<D>,
        kind: Kind,
        register: usize,
        place: &Place<D::Cell>,
    ) -> Result<()> {
        match kind {
            Kind::Byte | Kind::Word => {
                let cells = self.cells_of(state, register, true)?;
                let cells = &cells[..8 * kind.bytes() / D::BITS];
                self.check_number(place, cells)?;
                self.store_at(state, place, cells)
            }
            Kind::Double => {
                let value = self.value(state, register);
                self.store_value(state, place, value)
            }
            Kind::Half => {
                let value = match &state.registers[HALVES + register] {
                    saved @ Value::Saved(_) => saved.clone(),
                    _ => {
                        self.check_apart()?;
                        let half = &state.vectors[register][..64 / D::BITS];
                        Value::Cells(half.into())
                    }
                };
                self.store_value(state, place, value)
            }
            Kind::Vector => {
                if let Some(slice) = self.slice {
                    self.check_slice(state, place, slice, (slice == 16, false, false))?;
                }
                let vector = state.vectors[register].clone();
                self.store_at(state, place, &vector)
            }
        }
    }

    /// Refuses half a vector where lanes must stay apart.
    fn check_apart(&self) -> Result<()> {
        if self.slice.is_some() {
            return Err("an instruction on a part of the lanes".into());
        }
        Ok(())
    }
}
