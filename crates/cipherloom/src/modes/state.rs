//! What a mode remembers from one piece of a message to the next.

use zeroize::Zeroize;

use super::Mode;
use crate::kernels::{wipe, xor};

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
