//! Which accesses must be aligned: where others would not run at all.

use crate::Result;
use crate::domain::Domain;
use crate::machine::places::Place;
use crate::machine::state::{Machine, State};
use crate::memory::TABLES;
use iced_x86::{EncodingKind, Instruction, Mnemonic};

/// Of what its address must be a multiple, for an instruction with so many bytes in memory.
fn alignment(i: &Instruction, bytes: i64) -> i64 {
    use Mnemonic::{Movdqu, Vmovdqa, Vmovdqa32, Vmovdqa64};
    let is_legacy = i.encoding() == EncodingKind::Legacy && bytes == 16;
    let is_aligned = matches!(i.mnemonic(), Vmovdqa | Vmovdqa32 | Vmovdqa64);
    if is_aligned || is_legacy && i.mnemonic() != Movdqu { bytes } else { 1 }
}

impl<D: Domain> Machine<'_, D> {
    /// Refuses a place that is not aligned as the instruction wants it.
    pub(super) fn check_alignment(
        &self,
        state: &State<D>,
        place: &Place<D::Cell>,
        i: &Instruction,
        bytes: i64,
    ) -> Result<()> {
        let (wanted, (region, offset)) = (alignment(i, bytes), place.at);
        // Offsets in the tables are addresses; an image is loaded at a multiple of a page.
        let of_region = if region == TABLES {
            4096
        } else {
            state.memory.regions.get(region).map_or(1, |region| region.align)
        };
        if of_region % wanted != 0 || offset % wanted != 0 {
            return Err(format!("an access at {offset} that is not aligned to {wanted} bytes"));
        }
        Ok(())
    }
}
