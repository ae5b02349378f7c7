//! What keeps lanes apart, where only one is followed: what is true of it is then true of all. Where all lanes are
//! followed, nothing rests on this. Which instructions may be used is told for each instruction set.

use super::places::Place;
use super::state::{Machine, State};
use crate::Result;
use crate::domain::Domain;
use crate::memory::{ARGUMENTS, STACK};

impl<D: Domain> Machine<'_, D> {
    /// Where lanes must stay apart, refuses a store by general registers that a slice could be loaded from.
    pub(super) fn check_number(&mut self, place: &Place<D::Cell>, cells: &[D::Cell]) -> Result<()> {
        let number = self.domain.number(cells);
        if self.slice.is_some() && number != Some(0) {
            if place.at.0 != STACK || place.index.is_some() || number.is_none() {
                return Err("a store of a number where lanes must stay apart".into());
            }
            self.numbers.push(place.at.1);
        }
        Ok(())
    }

    /// Where lanes must stay apart, refuses an access by vectors to memory that lanes do not have to
    /// themselves. Whether it is of a whole slice, of one number for all lanes, and a load, it is told.
    pub(super) fn check_slice(
        &mut self,
        state: &State<D>,
        place: &Place<D::Cell>,
        slice: i64,
        (is_whole, is_number, is_loaded): (bool, bool, bool),
    ) -> Result<()> {
        let (region, offset) = place.at;
        let align = state.memory.regions.get(region).map_or(1, |region| region.align);
        let phase = offset.rem_euclid(slice);
        let has_number = |&at: &i64| offset - 8 < at && at < offset + slice;
        if is_loaded && region == STACK && self.numbers.iter().any(has_number) {
            return Err("a slice on the stack where a number was".into());
        }
        let is_allowed = match region {
            STACK => !is_number && is_whole && *self.phase.get_or_insert(phase) == phase,
            _ if is_number => region >= ARGUMENTS && align < slice,
            _ => region >= ARGUMENTS && align == slice && is_whole && phase == 0,
        };
        if !is_allowed || place.index.is_some() {
            return Err("memory that lanes do not have to themselves".into());
        }
        Ok(())
    }
}
