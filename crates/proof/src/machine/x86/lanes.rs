//! What keeps lanes apart, where only one is followed: what is true of it is then true of all. Where all lanes are
//! followed, nothing rests on this.

use super::operands::{Place, width};
use crate::Result;
use crate::domain::Domain;
use crate::machine::state::{Machine, State};
use crate::memory::{ARGUMENTS, STACK};
use iced_x86::{Instruction, Mnemonic, OpKind};

impl<D: Domain> Machine<'_, D> {
    /// Refuses what may not be the same in all lanes. Allowed are bitwise operations, moves of whole slices
    /// between vectors and regions of slices (which are those aligned to a slice) or the stack, and one
    /// number for all lanes from other regions. Lanes could meet through general registers, but nothing
    /// goes from these into vectors: what they store is never loaded as a slice ([`check_number`](Self::check_number)).
    pub(super) fn check_lanes(
        &mut self,
        state: &State<D>,
        i: &Instruction,
        slice: i64,
    ) -> Result<()> {
        use Mnemonic::*;
        let is_number = match i.mnemonic() {
            Vzeroupper => return Ok(()),
            Vpbroadcastd if i.op1_kind() == OpKind::Memory => true,
            Movdqu | Movdqa | Vmovdqu | Vmovdqu64 | Vmovdqa | Vmovdqa64 | Pxor | Vpxor | Vpxord
            | Vpxorq | Pand | Vpand | Vpandd | Vpandq | Por | Vpor | Vpord | Vporq | Pandn
            | Vpandn | Vpandnd | Vpandnq | Vpternlogd | Vpternlogq | Pcmpeqd | Vpcmpeqd => {
                i.is_broadcast()
            }
            _ => return Err("lanes do not stay apart".into()),
        };
        if width(i, 0) as i64 != 8 * slice {
            return Err("an instruction on a part of the lanes".into());
        }
        if !i.op_kinds().any(|kind| kind == OpKind::Memory) {
            return Ok(());
        }
        let place = self.place(state, i)?;
        let (region, offset) = place.at;
        let align = state.memory.regions.get(region).map_or(1, |region| region.align);
        let is_whole = i64::try_from(i.memory_size().size()) == Ok(slice);
        let phase = offset.rem_euclid(slice);
        let is_loaded = i.op0_kind() != OpKind::Memory;
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
}
