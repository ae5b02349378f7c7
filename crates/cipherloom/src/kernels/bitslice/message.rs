//! Blocks under one key: what a mode does around the cipher, without a copy of what fills all lanes.

use super::counters::Counters;
use super::kernel::{Broadcast, Kernel, State, Vector};
use crate::kernels::{Direction, Key, scrubbed};

/// Work on a message, in place; what it does for a message's beginning, it goes on with for the rest.
pub(crate) enum Operation<'a> {
    /// Every block alone.
    Each(Direction, &'a mut [[u8; 8]]),
    /// Decryption, and the XOR with the block before. There is one before the first; it becomes the
    /// last one.
    CbcDecrypt(&'a mut u64, &'a mut [[u8; 8]]),
    /// Each block is XORed with the encryption of the one before it, and that likewise.
    CfbDecrypt(&'a mut u64, &'a mut [[u8; 8]]),
    /// Bytes are XORed with the encryptions of numbers; the next number; and the last encryption, if
    /// not all of it was used.
    Ctr(&'a mut u64, &'a mut [u8], &'a mut [u8; 8]),
}

impl Operation<'_> {
    /// Blocks, also a part of one.
    pub(crate) fn blocks(&self) -> usize {
        match self {
            Self::Each(_, blocks) | Self::CbcDecrypt(_, blocks) | Self::CfbDecrypt(_, blocks) => {
                blocks.len()
            }
            Self::Ctr(_, data, _) => data.len().div_ceil(8),
        }
    }

    /// The work on the first blocks; the rest stays.
    pub(crate) fn take(&mut self, blocks: usize) -> Operation<'_> {
        match self {
            Self::Each(direction, rest) => Operation::Each(*direction, front(rest, blocks)),
            Self::CbcDecrypt(before, rest) => Operation::CbcDecrypt(before, front(rest, blocks)),
            Self::CfbDecrypt(before, rest) => Operation::CfbDecrypt(before, front(rest, blocks)),
            Self::Ctr(next, rest, last) => {
                let bytes = blocks.saturating_mul(8).min(rest.len());
                Operation::Ctr(next, front(rest, bytes), last)
            }
        }
    }

    /// Which way the cipher runs.
    fn direction(&self) -> Direction {
        match self {
            Self::Each(direction, _) => *direction,
            Self::CbcDecrypt(..) => Direction::Decrypt,
            Self::CfbDecrypt(..) | Self::Ctr(..) => Direction::Encrypt,
        }
    }
}

fn front<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, behind) = core::mem::take(rest).split_at_mut(count);
    *rest = behind;
    front
}

/// Does all of an operation.
pub(crate) fn run<K: Kernel>(kernel: K, key: &Key<'_>, operation: Operation<'_>) {
    let beside = match &operation {
        Operation::Ctr(_, data, _) => {
            let part = if data.len() % 8 != 0 { size_of::<K::Blocks>() } else { 0 };
            Counters::<K>::FRAMES + part
        }
        _ => 0,
    };
    match key.passes.shape.passes() {
        1 => in_frame::<K, K::Des>(beside, || with_key::<K, K::Des>(kernel, key, operation)),
        _ => in_frame::<K, K::Tdes>(beside, || with_key::<K, K::Tdes>(kernel, key, operation)),
    }
}

/// Calls what has a state, keys, pieces of blocks, and so many bytes beside in its frames. Only work of
/// its own kind pays for this much of the stack, which is wiped as a whole.
#[inline(always)]
pub(super) fn in_frame<K: Kernel, B: Broadcast<K>>(beside: usize, work: impl FnOnce()) {
    scrubbed(size_of::<State<K>>() + size_of::<B>() + K::BESIDE + beside, work);
}

fn with_key<K: Kernel, B: Broadcast<K>>(kernel: K, key: &Key<'_>, operation: Operation<'_>) {
    // Cleared long before it is read: idle lanes are not written on the way in.
    let mut state = [K::Vector::ZERO; 64];
    let mut broadcast = B::none();
    broadcast.set(kernel, key, operation.direction());
    let mut groups = Groups { kernel, key: &broadcast, state: &mut state };
    match operation {
        Operation::Each(_, blocks) => groups.each(blocks),
        Operation::CbcDecrypt(before, blocks) => groups.cbc_decrypt(before, blocks),
        Operation::CfbDecrypt(before, blocks) => groups.cfb_decrypt(before, blocks),
        Operation::Ctr(next, data, last) => groups.ctr(next, data, last),
    }
}

/// A block for each lane at a time.
struct Groups<'k, K: Kernel, B> {
    kernel: K,
    key: &'k B,
    state: &'k mut State<K>,
}

impl<K: Kernel, B: Broadcast<K>> Groups<'_, K, B> {
    /// From blocks to a state that only needs to leave.
    #[inline]
    fn crypt(&mut self, blocks: &[[u8; 8]]) {
        self.key.enter(self.kernel, blocks, self.state);
        self.key.rounds(self.kernel, self.state);
    }

    fn leave(&mut self, blocks: &mut [[u8; 8]]) {
        self.key.leave(self.kernel, self.state, blocks);
    }

    fn leave_xor(&mut self, blocks: &mut [[u8; 8]]) {
        self.key.leave_xor(self.kernel, self.state, blocks);
    }

    fn each(&mut self, blocks: &mut [[u8; 8]]) {
        for group in blocks.chunks_mut(K::LANES) {
            self.crypt(group);
            self.leave(group);
        }
    }

    fn cbc_decrypt(&mut self, before: &mut u64, blocks: &mut [[u8; 8]]) {
        for group in blocks.chunks_mut(K::LANES) {
            self.crypt(group);
            let last = group[group.len() - 1];
            shift(group, *before);
            self.leave_xor(group);
            *before = u64::from_be_bytes(last);
        }
    }

    fn cfb_decrypt(&mut self, before: &mut u64, blocks: &mut [[u8; 8]]) {
        let mut at = 0;
        while at < blocks.len() {
            let count = K::LANES.min(blocks.len() - at);
            let last = blocks[at + count - 1];
            if at == 0 {
                // What stood before each block, in its place for a moment.
                shift(&mut blocks[..count], *before);
                self.crypt(&blocks[..count]);
                blocks.copy_within(1..count, 0);
                blocks[count - 1] = last;
            } else {
                // What is already decrypted gives its place back for a moment.
                let plain = core::mem::replace(&mut blocks[at - 1], before.to_be_bytes());
                self.crypt(&blocks[at - 1..][..count]);
                blocks[at - 1] = plain;
            }
            self.leave_xor(&mut blocks[at..][..count]);
            *before = u64::from_be_bytes(last);
            at += count;
        }
    }

    /// Not inlined, so that only who counts pays for the counters.
    #[inline(never)]
    fn ctr(&mut self, next: &mut u64, data: &mut [u8], last: &mut [u8; 8]) {
        let mut counters = Counters::<K>::new(*next, self.key);
        *next = next.wrapping_add(data.len().div_ceil(8) as u64);
        for group in data.chunks_mut(8 * K::LANES) {
            counters.enter(self.kernel, self.state);
            self.key.rounds(self.kernel, self.state);
            match group.as_chunks_mut::<8>() {
                (blocks, []) => self.leave_xor(blocks),
                (blocks, end) => *last = self.leave_xor_to_part(blocks, end),
            }
        }
    }

    /// XORs what only needs to leave into blocks and a part of one; gives the mask of that.
    ///
    /// Not inlined, so that only who has a part of a block pays for the buffer.
    #[inline(never)]
    fn leave_xor_to_part(&mut self, blocks: &mut [[u8; 8]], end: &mut [u8]) -> [u8; 8] {
        let mut scratch = K::NO_BLOCKS;
        let stage = &mut self.kernel.begin(&mut scratch, &[])[..blocks.len() + 1];
        self.leave(stage);
        for (block, mask) in blocks.iter_mut().zip(&*stage) {
            *block = (u64::from_ne_bytes(*block) ^ u64::from_ne_bytes(*mask)).to_ne_bytes();
        }
        let last = stage[blocks.len()];
        end.iter_mut().zip(last).for_each(|(byte, mask)| *byte ^= mask);
        last
    }
}

/// Each block takes the place of the one behind it.
fn shift(blocks: &mut [[u8; 8]], first: u64) {
    blocks.copy_within(..blocks.len() - 1, 1);
    blocks[0] = first.to_be_bytes();
}
