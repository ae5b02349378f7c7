//! Bitwise operations on blocks and bytes.

/// XORs as many masks into blocks.
#[inline]
pub(crate) fn xor_blocks(blocks: &mut [[u8; 8]], masks: &[[u8; 8]]) {
    for (block, mask) in blocks.iter_mut().zip(masks) {
        *block = (u64::from_ne_bytes(*block) ^ u64::from_ne_bytes(*mask)).to_ne_bytes();
    }
}

/// XORs `mask` into `data`, as far as both reach.
///
/// Not inlined: bytes that its loop leaves in registers would be stored with a caller's.
#[inline(never)]
pub(crate) fn xor(data: &mut [u8], mask: &[u8]) {
    for (byte, mask) in data.iter_mut().zip(mask) {
        *byte ^= mask;
    }
}

/// ANDs `mask` into every block, by vectors that every processor of the target has, or its caller's.
#[inline(always)]
pub(super) fn and_each(blocks: &mut [[u8; 8]], mask: u64) {
    for block in blocks {
        *block = (u64::from_ne_bytes(*block) & mask).to_ne_bytes();
    }
}
