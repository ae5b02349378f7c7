//! Bitwise operations on blocks and bytes.

use super::cpu::{Plain, Vectors, Work};

/// XORs as many masks into blocks.
pub(crate) struct Xor<'a> {
    pub(crate) blocks: &'a mut [[u8; 8]],
    pub(crate) masks: &'a [[u8; 8]],
}

impl Work for Xor<'_> {
    #[inline(always)]
    fn run(self, _: impl Vectors) {
        for (block, mask) in self.blocks.iter_mut().zip(self.masks) {
            *block = (u64::from_ne_bytes(*block) ^ u64::from_ne_bytes(*mask)).to_ne_bytes();
        }
    }
}

/// XORs as many masks into blocks.
#[inline]
pub(crate) fn xor_blocks(blocks: &mut [[u8; 8]], masks: &[[u8; 8]]) {
    Xor { blocks, masks }.run(Plain);
}

/// What CBC decryption does behind the cipher: replaces each ciphertext by its `decrypted` block, XORed with the
/// ciphertext before it. `before` is the one before the first, and becomes the last one.
#[inline]
pub(crate) fn unchain(before: &mut u64, blocks: &mut [[u8; 8]], decrypted: &[[u8; 8]]) {
    // Not through the reference: each block would store it.
    let mut last = u64::from_ne_bytes(before.to_be_bytes());
    for (block, decrypted) in blocks.iter_mut().zip(decrypted) {
        let ciphertext = u64::from_ne_bytes(*block);
        *block = (u64::from_ne_bytes(*decrypted) ^ last).to_ne_bytes();
        last = ciphertext;
    }
    *before = u64::from_be_bytes(last.to_ne_bytes());
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

/// ANDs `mask` into every block.
pub(super) struct And<'a> {
    pub(super) blocks: &'a mut [[u8; 8]],
    pub(super) mask: u64,
}

impl Work for And<'_> {
    #[inline(always)]
    fn run(self, _: impl Vectors) {
        for block in self.blocks {
            *block = (u64::from_ne_bytes(*block) & self.mask).to_ne_bytes();
        }
    }
}
