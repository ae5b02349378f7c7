//! Places in memory, and values at them and in registers: what is the same for every instruction set.

use super::state::{Flag, Machine, State};
use crate::Result;
use crate::domain::Domain;
use crate::memory::{STACK, TABLES, Value};
use std::rc::Rc;

/// A place in memory: a region, an offset, and perhaps an index that is no constant, with its scale.
pub(super) struct Place<C> {
    pub(super) at: (usize, i64),
    pub(super) index: Option<(Rc<[C]>, i64)>,
}

impl<C> Place<C> {
    /// How many bytes from it on an access of so many may touch: all elements of an array, if there is an index.
    fn reach(&self, bytes: usize) -> i64 {
        self.index.as_ref().map_or(bytes as i64, |(_, scale)| 256 * scale)
    }
}

/// Whether so many bytes at an index with a scale are an element of an array, or the lowest byte of one.
fn is_element(bytes: usize, scale: i64, element: i64) -> bool {
    scale == element && (bytes == 1 || bytes as i64 == element)
}

/// A sum, and what the zero flag says of it.
type Sum<C> = (Value<C>, Flag<C>);

impl<D: Domain> Machine<'_, D> {
    /// Cells of memory at a place.
    pub(super) fn load_at(
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
            let last = u64::MAX >> (64 - 8 * state.convention.offset);
            return self.domain.look_up(index, bytes, &|value| {
                let at = offset.wrapping_add((value as i64).wrapping_mul(*scale)) as u64 & last;
                let entry = image.table(at, bytes as u64)?;
                Ok(entry.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
            });
        }
        let (stack_pointer, partial) = (state.stack_pointer()?, state.memory.partial);
        let region = state.memory.check(place.at, place.reach(bytes), false, stack_pointer)?;
        let (reach, element) = (place.reach(bytes), region.element);
        match (region.array_at(offset, reach)?, &place.index) {
            (Some((array, inside)), None) => {
                let array = region.arrays[array].1;
                let each = (inside..).take(bytes).map(|n| {
                    if n % element != 0 {
                        return Ok(self.domain.constant(0));
                    }
                    let index = self.domain.constant((n / element) as u8);
                    self.domain.read(array, index)
                });
                each.collect()
            }
            (Some((array, 0)), Some((index, scale))) if is_element(bytes, *scale, element) => {
                let array = region.arrays[array].1;
                let index = self.byte_index(index)?;
                let mut cells = vec![self.domain.read(array, index)?];
                cells.extend(self.domain.zeros(8 * (bytes - 1)));
                Ok(cells)
            }
            (None, None) => {
                let cells = region.load(offset, bytes as i64, 8 / D::BITS)?.to_vec();
                // A kernel may have put there what is not known in full, such as a sum of bytes.
                let own = number == STACK
                    && region.written[offset as usize..][..bytes].iter().all(|&written| written);
                if !partial && !own && cells.contains(&D::UNKNOWN) {
                    return Err(format!("what {} has at {offset} is not known", region.name));
                }
                Ok(cells)
            }
            _ => Err(format!("an index into {}", region.name)),
        }
    }

    /// The same place with what stands beside an array's index added to it, if it stays one.
    pub(super) fn in_array(&mut self, state: &State<D>, place: Place<D::Cell>) -> Place<D::Cell> {
        let ((number, at), Some((cells, scale))) = (place.at, &place.index) else { return place };
        let Some(region) = state.memory.regions.get(number) else { return place };
        let starts = region.arrays.iter().map(|(start, _)| *start);
        let Some(start) = starts.min_by_key(|start| at.abs_diff(*start)) else { return place };
        let beside = at.wrapping_sub(start);
        if beside == 0 || *scale != region.element || beside % scale != 0 {
            return place;
        }
        match self.domain.moved(cells, beside / scale) {
            Some(moved) => Place { at: (number, start), index: Some((moved.into(), *scale)) },
            None => place,
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

    /// Refuses what is put above the lowest byte of an element.
    fn expect_zero(&self, cells: &[D::Cell]) -> Result<()> {
        match cells.is_empty() || self.domain.number(cells) == Some(0) {
            true => Ok(()),
            false => Err("an element of an array that is more than a byte".into()),
        }
    }

    /// Puts cells into memory at a place.
    pub(super) fn store_at(
        &mut self,
        state: &mut State<D>,
        place: &Place<D::Cell>,
        cells: &[D::Cell],
    ) -> Result<()> {
        // It must not stay on the stack: a return looks for that.
        if !state.memory.partial && place.at.0 != STACK && cells.contains(&D::UNKNOWN) {
            return Err("a store of what is not known".into());
        }
        let bytes = cells.len() * D::BITS / 8;
        let stack_pointer = state.stack_pointer()?;
        let region = state.memory.check(place.at, place.reach(bytes), true, stack_pointer)?;
        let array = region.array_at(place.at.1, place.reach(bytes))?;
        let element = region.element;
        let is_above = |n: i64| n % element != 0;
        if place.index.is_some() {
            self.leaks.addresses += 1;
        }
        match (array, &place.index) {
            (None, None) => region.store(place.at.1, cells, D::UNKNOWN, 8 / D::BITS),
            (Some((array, inside)), None) => {
                for (n, &cell) in (inside..).zip(cells) {
                    if is_above(n) {
                        self.expect_zero(&[cell])?;
                        continue;
                    }
                    let index = self.domain.constant((n / element) as u8);
                    let all = &mut region.arrays[array].1;
                    *all = self.domain.write(*all, index, cell)?;
                }
            }
            (Some((array, 0)), Some((index, scale))) if is_element(bytes, *scale, element) => {
                let index = self.byte_index(index)?;
                self.expect_zero(&cells[1..])?;
                let all = &mut region.arrays[array].1;
                *all = self.domain.write(*all, index, cells[0])?;
            }
            _ => return Err(format!("an index into {}", region.name)),
        }
        Ok(())
    }

    /// So many bytes of memory, which may be a pointer or a count.
    pub(super) fn load_value(
        &mut self,
        state: &mut State<D>,
        place: &Place<D::Cell>,
        bytes: usize,
    ) -> Result<Value<D::Cell>> {
        let stack_pointer = state.stack_pointer()?;
        let known = match state.memory.regions.get(place.at.0) {
            Some(region)
                if place.index.is_none() && region.bytes_at(place.at.1) == bytes as i64 =>
            {
                region.values.get(&place.at.1).cloned()
            }
            _ => None,
        };
        if let Some(value) = known {
            state.memory.check(place.at, bytes as i64, false, stack_pointer)?;
            return Ok(value);
        }
        let mut cells = self.load_at(state, place, bytes)?;
        cells.extend(self.domain.zeros(64 - 8 * bytes));
        Ok(Value::Cells(cells.into()))
    }

    /// Puts a value into memory; one that is no number only onto the stack.
    pub(super) fn store_value(
        &mut self,
        state: &mut State<D>,
        place: &Place<D::Cell>,
        value: Value<D::Cell>,
    ) -> Result<()> {
        let word = state.convention.word;
        match value {
            Value::Cells(cells) => {
                let cells = &cells[..8 * word / D::BITS];
                self.check_number(place, cells)?;
                self.store_at(state, place, cells)
            }
            Value::Unknown => Err("a store of what is not known".into()),
            // Where cells may be unknown, nobody would see that it is left there.
            Value::Indexed(..) if state.memory.partial => Err("a store of an index".into()),
            _ if place.at.0 != STACK || place.index.is_some() => {
                Err(format!("a store of {value:?} outside the stack"))
            }
            _ => {
                let stack_pointer = state.stack_pointer()?;
                let region = state.memory.check(place.at, word as i64, true, stack_pointer)?;
                region.store(
                    place.at.1,
                    &vec![D::UNKNOWN; 8 * word / D::BITS],
                    D::UNKNOWN,
                    8 / D::BITS,
                );
                region.values.insert(place.at.1, value);
                Ok(())
            }
        }
    }

    /// x + y or x - y, and what the zero flag says of it.
    pub(super) fn sum(
        &mut self,
        x: &Value<D::Cell>,
        y: &[D::Cell],
        is_sum: bool,
        is_comparison: bool,
    ) -> Result<Sum<D::Cell>> {
        let bits = y.len() * D::BITS;
        let constant = self.domain.number(y);
        let signed = |number: u64| {
            // A number of fewer bits has its sign in the highest of them.
            let above = 64 - bits;
            let number = (number << above) as i64 >> above;
            if is_sum { number } else { number.wrapping_neg() }
        };
        Ok(match (x, constant) {
            (Value::Pointer(region, offset), Some(y)) => {
                (Value::Pointer(*region, offset.wrapping_add(signed(y))), Flag::Unknown)
            }
            (Value::Count(behind), Some(y)) => {
                let behind = behind.wrapping_sub(signed(y));
                (Value::Count(behind), Flag::Count(behind))
            }
            (Value::NotZero, Some(0)) if is_comparison => (Value::NotZero, Flag::Zero(false)),
            (Value::Cells(cells), constant) => match (self.domain.number(cells), constant) {
                (Some(x), Some(y)) => {
                    let sum = (x as i64).wrapping_add(signed(y)) as u64;
                    let sum = self.domain.cells(sum, bits);
                    let flag = Flag::Zero(self.domain.number(&sum) == Some(0));
                    (Value::Cells(sum.into()), flag)
                }
                _ if is_sum => (Value::Cells(self.domain.add(cells, y)?.into()), Flag::Unknown),
                _ if is_comparison => {
                    let difference = self.domain.difference(cells, y)?;
                    let known = self.domain.known(difference);
                    let flag = known.map_or(Flag::Cell(difference), |known| Flag::Zero(known == 0));
                    (Value::Unknown, flag)
                }
                _ => return Err("a difference of cells".into()),
            },
            (value, _) => return Err(format!("arithmetic on {value:?}")),
        })
    }
}
