//! Scratch buffers for a batch of blocks, wiped after use.

use super::scrub::scrubbed;

/// How many blocks the modes hand to a bulk kernel at a time: enough for any register width, and
/// 4 KiB of stack.
const BATCH: usize = 512;

/// As many where there are no more: a short message must not pay for clearing 4 KiB. All are multiples
/// of the groups that so many blocks are done in, up to 32.
const SOME: usize = 64;
const FEW: usize = 16;

/// Calls `work` with a buffer for a batch of `blocks` blocks, and wipes the buffer.
#[inline]
pub(crate) fn with_scratch(blocks: usize, work: impl FnOnce(&mut [[u8; 8]])) {
    fn with<const N: usize>(work: impl FnOnce(&mut [[u8; 8]])) {
        scrubbed(8 * N, || work(&mut [[0; 8]; N]));
    }
    if blocks <= FEW {
        with::<FEW>(work);
    } else if blocks <= SOME {
        with::<SOME>(work);
    } else {
        with::<BATCH>(work);
    }
}

/// Puts `first` and all but the last of `blocks` into a scratch buffer: for each block what stood
/// before it.
#[inline]
pub(crate) fn shifted<'s>(
    scratch: &'s mut [[u8; 8]],
    first: u64,
    blocks: &[[u8; 8]],
) -> &'s mut [[u8; 8]] {
    let scratch = &mut scratch[..blocks.len()];
    scratch[0] = first.to_be_bytes();
    scratch[1..].copy_from_slice(&blocks[..blocks.len() - 1]);
    scratch
}
