//! Instructions that keep lanes apart; see `machine/lanes.rs`.

use super::operands::width;
use crate::Result;
use crate::domain::Domain;
use crate::machine::state::{Machine, State};
use crate::memory::STACK;
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
        if self.is_callers(state, i)? {
            return Ok(());
        }
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
        let is_whole = i64::try_from(i.memory_size().size()) == Ok(slice);
        let is_loaded = i.op0_kind() != OpKind::Memory;
        self.check_slice(state, &place, slice, (is_whole, is_number, is_loaded))
    }
    /// Whether it moves half of what the caller had in a vector to the stack or back. No slice is loaded from there.
    fn is_callers(&mut self, state: &State<D>, i: &Instruction) -> Result<bool> {
        let is_move = matches!(i.mnemonic(), Mnemonic::Movdqu | Mnemonic::Vmovdqu);
        if !is_move || width(i, 0) != 128 || !i.op_kinds().any(|kind| kind == OpKind::Memory) {
            return Ok(false);
        }
        let place = self.place(state, i)?;
        if place.at.0 != STACK || place.index.is_some() {
            return Ok(false);
        }
        if i.op0_kind() == OpKind::Memory {
            let vector = &state.vectors[i.op1_register().number()][..128 / D::BITS];
            let is_callers = state.are_callers(vector);
            if is_callers {
                self.numbers.extend([place.at.1, place.at.1 + 8]);
            }
            return Ok(is_callers);
        }
        let stack = &state.memory.regions[STACK];
        // What lies outside is refused where it is loaded.
        let is_within = (0..=stack.size - 16).contains(&place.at.1);
        Ok(is_within && state.are_callers(stack.load(place.at.1, 16, 8 / D::BITS)?))
    }
}
