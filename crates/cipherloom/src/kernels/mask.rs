//! Blocks under a mask, which keeps or wipes them.

use super::blocks::and_each;
use super::cpu;

/// From so many blocks on wider vectors are worth asking for.
const WIDE: usize = 32;

/// ANDs `mask` into every block, in the same time for every mask.
#[inline]
pub(crate) fn mask(blocks: &mut [[u8; 8]], mask: u64) {
    if blocks.len() < WIDE || !cpu::mask(blocks, mask) {
        and_each(blocks, mask);
    }
}
