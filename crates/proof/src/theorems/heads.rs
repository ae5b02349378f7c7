//! The loops of RC4's key set-up: where they begin, and how far a run is there. What is found here need not be
//! trusted: who asks checks it.

use super::kernel::Kernel;
use super::rc4::elements;
use crate::Result;
use crate::bytes::{Bytes, Stream, Term};
use crate::machine::{Instruction, State};
use crate::memory::{ARGUMENTS, STACK};
use rustc_hash::FxHashSet;

/// Where jumps back lead.
pub(super) fn loop_heads(kernel: &Kernel<'_>) -> Result<Vec<u64>> {
    let code = kernel.code();
    let all = kernel.image.isa.decode_all(kernel.image.code(&code), code.start)?;
    Ok(all.iter().filter_map(Instruction::loop_head).collect())
}

/// After how many of the specification's next steps, `ahead`, it has the S that memory or vectors, wherever they lie, have.
pub(super) fn steps(
    bytes: &mut Bytes,
    state: &State<Bytes>,
    ahead: &[Vec<Stream>],
) -> Option<usize> {
    let arrays = &state.memory.regions[ARGUMENTS].arrays;
    // Where there are few vectors, some lie on the stack.
    let stack = &state.memory.regions[STACK].cells;
    let places = state.vectors.iter().chain([stack]);
    let cells: FxHashSet<&Term> = places.flat_map(|cells| &**cells).collect();
    let zero = bytes.constant(0);
    // The latest first: vectors may have numbers in them that S has at the beginning.
    (0..ahead.len()).rev().find(|&steps| {
        let now = &ahead[steps];
        if arrays.is_empty() {
            return elements(bytes, now[0].s, zero).iter().all(|element| cells.contains(element));
        }
        let mut pairs = arrays.iter().zip(now);
        pairs.all(|((_, array), stream)| bytes.same_arrays(*array, stream.s))
    })
}
