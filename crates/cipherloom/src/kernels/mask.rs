//! Blocks under a mask, which keeps or wipes them.

use super::blocks::And;
use super::cpu::{self, Plain, Work};

/// From so many blocks on wider vectors are worth asking for.
const WIDE: usize = 32;

/// ANDs `mask` into every block, in the same time for every mask.
#[inline]
pub(crate) fn mask(blocks: &mut [[u8; 8]], mask: u64) {
    if blocks.len() < WIDE {
        And { blocks, mask }.run(Plain);
    } else {
        cpu::widely(And { blocks, mask });
    }
}
