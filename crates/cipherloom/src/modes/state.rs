//! What a mode remembers from one piece of a message to the next.

use zeroize::Zeroize;

use super::{Kind, Mode, cbc, cfb, ctr, ecb, ofb};
use crate::error::Error;
use crate::kernels::{Direction, scrubbed, wipe};
use crate::keys::BlockKey;

/// How many blocks the modes hand to a bulk kernel at a time: enough for any register width, and
/// 4 KiB of stack.
const BATCH: usize = 512;

/// As many where there are no more: a short message must not pay for clearing 4 KiB. All are multiples
/// of 8.
const SOME: usize = 64;
const FEW: usize = 16;

/// Calls a function of a mode with room for a batch of `blocks` blocks, and wipes the room.
pub(crate) fn with_room(blocks: usize, work: impl FnOnce(&mut [[u8; 8]])) {
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

/// Puts `first` and all but the last of `blocks` into the room: for each block what stood before
/// it.
pub(crate) fn shifted<'r>(
    room: &'r mut [[u8; 8]],
    first: u64,
    blocks: &[[u8; 8]],
) -> &'r mut [[u8; 8]] {
    let room = &mut room[..blocks.len()];
    room[0] = first.to_be_bytes();
    room[1..].copy_from_slice(&blocks[..blocks.len() - 1]);
    room
}

/// XORs as many masks into blocks.
pub(crate) fn xor_blocks(blocks: &mut [[u8; 8]], masks: &[[u8; 8]]) {
    for (block, mask) in blocks.iter_mut().zip(masks) {
        *block = (u64::from_ne_bytes(*block) ^ u64::from_ne_bytes(*mask)).to_ne_bytes();
    }
}

/// The chain of a message in progress.
#[derive(Clone)]
pub(super) struct State {
    /// CBC: the last ciphertext block. CFB: the shift register. OFB: the last output. CTR: the
    /// next counter. As big-endian number.
    pub(super) chain: u64,
    /// Keystream of the segment in progress (CFB-64, OFB, CTR).
    pub(super) keystream: [u8; 8],
    /// Bytes of `keystream` already used; 8: none are left.
    pub(super) used: usize,
}

impl State {
    pub(super) fn new(mode: &Mode) -> Self {
        Self { chain: u64::from_be_bytes(mode.iv), keystream: [0; 8], used: 8 }
    }

    /// Transforms the next piece in place: whole blocks for the block modes, any number of bytes
    /// for the stream modes.
    ///
    /// The last block of a stolen message is not for this function.
    pub(super) fn crypt(
        &mut self,
        kind: Kind,
        key: &BlockKey,
        direction: Direction,
        data: &mut [u8],
    ) -> Result<(), Error> {
        use Direction::{Decrypt, Encrypt};
        match (kind, direction) {
            (Kind::Ecb, _) => ecb::crypt(key, direction, data),
            (Kind::Cbc | Kind::Cs1 | Kind::Cs2 | Kind::Cs3, Encrypt) => {
                cbc::encrypt(self, key, data)
            }
            (Kind::Cbc | Kind::Cs1 | Kind::Cs2 | Kind::Cs3, Decrypt) => {
                cbc::decrypt(self, key, data)
            }
            // A 32-bit processor cannot count the bits of its largest buffers.
            (Kind::Cfb1, Encrypt) => data
                .chunks_mut(usize::MAX / 8)
                .try_for_each(|data| cfb::encrypt_bits(self, key, data, data.len() * 8)),
            (Kind::Cfb1, Decrypt) => data
                .chunks_mut(usize::MAX / 8)
                .try_for_each(|data| cfb::decrypt_bits(self, key, data, data.len() * 8)),
            (Kind::Cfb8, Encrypt) => cfb::encrypt_bytes(self, key, data),
            (Kind::Cfb8, Decrypt) => cfb::decrypt_bytes(self, key, data),
            (Kind::Cfb64, Encrypt) => cfb::encrypt_blocks(self, key, data),
            (Kind::Cfb64, Decrypt) => cfb::decrypt_blocks(self, key, data),
            (Kind::Ofb, _) => ofb::crypt(self, key, data),
            (Kind::Ctr, _) => ctr::crypt(self, key, data),
        }
    }

    /// Uses up keystream left over from the piece before; returns what is still to do.
    pub(super) fn use_leftover<'d>(&mut self, data: &'d mut [u8]) -> &'d mut [u8] {
        let count = data.len().min(8 - self.used);
        let (now, rest) = data.split_at_mut(count);
        xor(now, &self.keystream[self.used..]);
        self.used += count;
        rest
    }

    /// XORs the start of a fresh keystream block into a last, short segment.
    pub(super) fn start_keystream(&mut self, keystream: u64, data: &mut [u8]) {
        self.keystream = keystream.to_be_bytes();
        self.used = 0;
        self.use_leftover(data);
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.chain.zeroize();
        wipe(&mut self.keystream);
    }
}

/// XORs `mask` into `data`, as far as both reach.
pub(crate) fn xor(data: &mut [u8], mask: &[u8]) {
    for (byte, mask) in data.iter_mut().zip(mask) {
        *byte ^= mask;
    }
}
