//! Bitwise operations on blocks and bytes.

use super::cpu::{Plain, Vectors, Work};

/// What [`copy`] takes at a time, so that no C library has special ways for it.
pub const COPIED: usize = 2_048;

/// Copies as many bytes, some at a time: glibc 2.36 copies more than that by `rep movsb`, which on Zen 3 takes twenty times
/// as long where `to` lies 1 to 31 bytes behind `from` in its page. (Measured; `bench/record/2026-12-01-epyc-zen3.md`.)
///
/// # Panics
/// If `to` has another length.
#[inline]
pub fn copy(to: &mut [u8], from: &[u8]) {
    #[inline(never)]
    fn long(to: &mut [u8], from: &[u8]) {
        let pieces = to.chunks_mut(COPIED).zip(from.chunks(COPIED));
        pieces.for_each(|(to, from)| to.copy_from_slice(from));
    }
    if to.len() == from.len() && from.len() > COPIED {
        long(to, from);
    } else {
        to.copy_from_slice(from);
    }
}

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

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn copies_are_whole_however_long() {
        for len in [0, 1, COPIED - 1, COPIED, COPIED + 1, 2 * COPIED, 3 * COPIED + 5] {
            let from: Vec<u8> = (0..len).map(|n| (n * 31 + n / 256) as u8).collect();
            let mut to = std::vec![0; len];
            copy(&mut to, &from);
            assert_eq!(to, from);
        }
    }

    #[test]
    #[should_panic(expected = "copy_from_slice")]
    fn a_long_copy_to_less_room_is_refused() {
        copy(&mut [0; 2 * COPIED], &[1; 3 * COPIED]);
    }
}
