//! Loads and stores. Here the two ways meet in which memory is written down.
//!
//! The rules have the lowest byte of a number first, and a stack that grows downwards. A stack that grows upwards, with
//! the highest byte first, is the same read backwards: a byte that is n bytes above the caller's pointer has the offset
//! of the return address less n + 1. Other regions have words of so many bytes, the lowest first (1 where they are
//! bytes): the bytes of a word are read backwards, the words as they are.

use crate::Result;
use crate::domain::Domain;
use crate::machine::fields::hppa::Address;
use crate::machine::places::Place;
use crate::machine::state::{Machine, State};
use crate::memory::{RETURN, STACK, TABLES, Value};

/// A place in memory, and what becomes of the register that led there, if anything does.
type Found<C> = (Place<C>, Option<Value<C>>);

impl<D: Domain> Machine<'_, D> {
    pub(super) fn load_hppa(
        &mut self,
        state: &mut State<D>,
        bytes: usize,
        t: usize,
        base: usize,
        address: Address,
    ) -> Result<()> {
        let (place, after) = self.find(state, bytes, base, address)?;
        let value = match place.at.0 {
            STACK => self.load_value(state, &place, bytes)?,
            TABLES => {
                let entry = self.load_at(state, &place, bytes)?;
                let cells = entry.rchunks(8 / D::BITS).flatten().copied();
                Value::Cells(cells.chain(self.domain.zeros(64 - 8 * bytes)).collect())
            }
            _ => {
                let mut cells = Vec::with_capacity(64 / D::BITS);
                // The lowest cells of a number are those of its last word.
                for (place, bytes) in self.words(state, place, bytes)?.into_iter().rev() {
                    cells.extend(self.load_at(state, &place, bytes)?);
                }
                cells.extend(self.domain.zeros(64 - 8 * bytes));
                Value::Cells(cells.into())
            }
        };
        if let Some(after) = after {
            self.put(state, base, after)?;
        }
        self.put(state, t, value)
    }

    pub(super) fn store_hppa(
        &mut self,
        state: &mut State<D>,
        bytes: usize,
        x: usize,
        base: usize,
        address: Address,
    ) -> Result<()> {
        let value = self.held(state, x);
        let (place, after) = self.find(state, bytes, base, address)?;
        // The stack's pointer moves with what is stored at it, above which nothing may lie.
        if let Some(after) = after {
            self.put(state, base, after)?;
        }
        if place.at.0 == STACK && bytes == 8 {
            return self.store_value(state, &place, value);
        }
        let Value::Cells(cells) = value else {
            return Err(format!("a store of {value:?} outside the stack, or of a part of it"));
        };
        let mut cells = &cells[..8 * bytes / D::BITS];
        for (place, bytes) in self.words(state, place, bytes)?.into_iter().rev() {
            let (word, above) = cells.split_at(8 * bytes / D::BITS);
            self.store_at(state, &place, word)?;
            cells = above;
        }
        Ok(())
    }

    /// The place of so many bytes, and what becomes of the base.
    fn find(
        &mut self,
        state: &State<D>,
        bytes: usize,
        base: usize,
        address: Address,
    ) -> Result<Found<D::Cell>> {
        let base = self.held(state, base);
        let (by, index, after) = match address {
            Address::Offset(by) => (by, None, None),
            Address::After(by) => (0, None, Some(self.moved(&base, by)?)),
            Address::Before(by) => (by, None, Some(self.moved(&base, by)?)),
            Address::Index(register, is_scaled) => {
                let cells = self.cells_in(state, register)?;
                let scale = if is_scaled { bytes as i64 } else { 1 };
                match self.domain.number(&cells) {
                    Some(number) => ((number as i64).wrapping_mul(scale), None, None),
                    None => (0, Some((cells.into(), scale)), None),
                }
            }
        };
        let (region, offset, own) = match base {
            Value::Pointer(region, offset) => (region, offset, None),
            Value::Indexed(region, offset, own) => (region, offset, Some(own)),
            Value::Cells(cells) => {
                let number = self.domain.number(&cells).ok_or("an address without a pointer")?;
                (TABLES, number as i64, None)
            }
            base => return Err(format!("an address that is {base:?}")),
        };
        if own.is_some() && index.is_some() {
            return Err("an address with two indices".into());
        }
        let index = index.or(own);
        // Regions begin where the widest access to them may be, as the caller's stack does.
        let is_aligned = |distance: i64| distance % bytes as i64 == 0;
        let at = if region == STACK {
            let above = RETURN - offset.wrapping_sub(by);
            if index.is_some() || !is_aligned(above) {
                return Err("an index into the stack, or an access across its words".into());
            }
            RETURN - above - bytes as i64
        } else {
            let last = u64::MAX >> (64 - 8 * state.convention.offset);
            let at = offset.wrapping_add(by);
            let at = if region == TABLES { (at as u64 & last) as i64 } else { at };
            if !is_aligned(at) || index.as_ref().is_some_and(|(_, scale)| !is_aligned(*scale)) {
                return Err("an access that is not aligned".into());
            }
            at
        };
        Ok((Place { at: (region, at), index }, after))
    }

    /// The words of some bytes outside the stack, or the part of one, with how many bytes each has: the first is the
    /// highest.
    fn words(
        &self,
        state: &State<D>,
        place: Place<D::Cell>,
        bytes: usize,
    ) -> Result<Vec<(Place<D::Cell>, usize)>> {
        let (number, offset) = place.at;
        if number == STACK {
            return Ok(vec![(place, bytes)]);
        }
        let region = state.memory.regions.get(number).ok_or("an access outside all regions")?;
        let word = match region.array_at(offset, bytes as i64)? {
            Some(_) => region.element,
            None => region.word.0,
        };
        let each = (bytes as i64).min(word);
        if place.index.is_some() && each != word {
            return Err("an index to a part of a word".into());
        }
        let offsets = (offset..offset + bytes as i64).step_by(each as usize);
        let index = &place.index;
        // In a word the lowest byte comes first.
        let words = offsets.map(|at| {
            let at = (number, at ^ (word - each));
            (Place { at, index: index.clone() }, each as usize)
        });
        Ok(words.collect())
    }
}
