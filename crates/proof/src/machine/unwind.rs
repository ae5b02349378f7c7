//! Unwind information: where the caller's frame and its registers are at each instruction, as the file
//! says, and as a kernel's run has it.

use super::state::State;
use crate::Result;
use crate::domain::Domain;
use crate::image::Image;
use crate::isa::Convention;
use crate::memory::{RETURN, STACK, Value};
use gimli::UnwindSection;
use gimli::{BaseAddresses, CfaRule, EhFrame, LittleEndian, Register, RegisterRule, UnwindContext};
use std::collections::BTreeMap;

/// Where the caller's things are before an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// How far the pointer to the stack is below the return address.
    depth: i64,
    /// For each register that a kernel must keep: whether it has the caller's value, and where on the stack
    /// that value lies, from the return address.
    saved: Vec<(bool, Vec<i64>)>,
}

/// The frame at each address.
pub type Frames = BTreeMap<u64, Frame>;

impl Frame {
    /// What is true of both of two ways to an instruction; none if the pointer to the stack differs.
    #[must_use]
    pub fn common(&self, other: &Self) -> Option<Self> {
        let pairs = self.saved.iter().zip(&other.saved);
        let saved = pairs.map(|((x, of_x), (y, of_y))| {
            (*x && *y, of_x.iter().filter(|copy| of_y.contains(copy)).copied().collect())
        });
        (self.depth == other.depth).then_some(Self { depth: self.depth, saved: saved.collect() })
    }

    /// That of a state.
    ///
    /// # Errors
    /// If the pointer to the stack is lost.
    pub fn of<D: Domain>(state: &State<D>) -> Result<Self> {
        let stack = &state.memory.regions[STACK].values;
        let saved = state.convention.saved.iter().map(|&register| {
            let value = Value::Saved(register);
            let copies = stack.iter().filter(|(_, copy)| **copy == value);
            (state.registers[register] == value, copies.map(|(at, _)| at - RETURN).collect())
        });
        Ok(Self { depth: RETURN - state.stack_pointer()?, saved: saved.collect() })
    }
}

/// Whether the file says of each address what the run has there, as far as it is ELF.
///
/// # Errors
/// If it does not, or has no unwind information.
pub(super) fn check(image: &Image, frames: &Frames, convention: &Convention) -> Result<()> {
    let Some((start, bytes)) = image.unwind()? else { return Ok(()) };
    let mut section = EhFrame::new(bytes, LittleEndian);
    section.set_address_size(convention.word as u8);
    let bases = BaseAddresses::default().set_eh_frame(*start);
    let number = |register| Register((convention.number)(register));
    let error = |error: gimli::Error| format!("unwind information: {error}");
    let mut context = UnwindContext::new();
    let mut from = 0;
    while let Some((&first, _)) = frames.range(from..).next() {
        let fde =
            section.fde_for_address(&bases, first, EhFrame::cie_from_offset).map_err(error)?;
        let mut rows = fde.rows(&section, &bases, &mut context).map_err(error)?;
        while let Some(row) = rows.next_row().map_err(error)? {
            for (address, frame) in frames.range(row.start_address()..row.end_address()) {
                // The frame begins behind the return address.
                let register = number(convention.stack_pointer);
                let offset = frame.depth + convention.return_bytes;
                let cfa = CfaRule::RegisterAndOffset { register, offset };
                let mut saved = convention.saved.iter().zip(&frame.saved);
                let is_right = saved.all(|(register, (is_kept, copies))| {
                    match row.register(number(*register)) {
                        None | Some(RegisterRule::SameValue | RegisterRule::Undefined) => *is_kept,
                        Some(RegisterRule::Offset(offset)) => {
                            copies.contains(&(offset + convention.return_bytes))
                        }
                        Some(_) => false,
                    }
                });
                if *row.cfa() != cfa || !is_right {
                    return Err(format!("unwind information is wrong at {address:#x}: {row:?}"));
                }
            }
        }
        from = fde.end_address();
    }
    Ok(())
}
