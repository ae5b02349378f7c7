//! Work on blocks: a chain, or blocks that are independent.

use super::lookups::LookUps;
use super::{Kernels, first};
use crate::backend::{Backend, Family};
use crate::error::Error;
use crate::kernels::bitslice::{Edition, Job, Keys, Width};
use crate::kernels::{Direction, Key, scrubbed, wipe};
use crate::keys::BlockKey;
use crate::modes::{shifted, with_room, xor, xor_blocks};

/// The kernel for blocks that depend on each other.
pub(crate) struct Chain<'a> {
    key: &'a BlockKey,
    kernel: Single,
}

/// What transforms one block at a time.
enum Single {
    LookUps(LookUps),
    /// In constant time, at the price of a call a block.
    Slices(Edition),
}

impl<'a> Chain<'a> {
    #[inline(always)]
    pub(crate) fn new(key: &'a BlockKey) -> Result<Self, Error> {
        let backend = Self::backend(key)?;
        let kernel = match LookUps::of(backend) {
            Some(look_ups) => Single::LookUps(look_ups),
            None => Single::Slices(Edition::of(backend).ok_or(Error::Backend(backend))?),
        };
        Ok(Self { key, kernel })
    }

    /// Whose it is.
    #[inline]
    pub(crate) fn backend(key: &BlockKey) -> Result<Backend, Error> {
        key.choice.pick(first(Family::Des, key.choice.policy()))
    }

    /// Encrypts one block, read as a big-endian number.
    #[inline]
    pub(crate) fn encrypt(&self, block: u64) -> u64 {
        self.one(Direction::Encrypt, block)
    }

    /// Decrypts one block, read as a big-endian number.
    #[inline]
    pub(crate) fn decrypt(&self, block: u64) -> u64 {
        self.one(Direction::Decrypt, block)
    }

    #[inline]
    fn one(&self, direction: Direction, block: u64) -> u64 {
        match self.kernel {
            Single::LookUps(look_ups) => look_ups.one(&self.key.for_kernels(), direction, block),
            Single::Slices(edition) => {
                let mut blocks = [block.to_be_bytes()];
                let job = Job::Each(direction, &mut blocks);
                edition.run(Width::Narrow, &self.key.for_kernels(), job);
                let block = u64::from_be_bytes(blocks[0]);
                wipe(&mut blocks);
                block
            }
        }
    }

    /// Encrypts a chain in place: each block is XORed with the result before it. `before` is the
    /// block before the first, and becomes the last one.
    ///
    /// This is CBC encryption; OFB, CFB and MACs are such chains too.
    pub(crate) fn encrypt_chain(&self, before: &mut u64, blocks: &mut [[u8; 8]]) {
        let key = &self.key.for_kernels();
        match self.kernel {
            Single::LookUps(look_ups) => look_ups.encrypt_chain(key, before, blocks),
            Single::Slices(edition) => {
                scrubbed(0, || encrypt_in_a_lane(edition, key, before, blocks));
            }
        }
    }
}

/// A chain in the first of many lanes.
#[cold]
fn encrypt_in_a_lane(edition: Edition, key: &Key<'_>, before: &mut u64, blocks: &mut [[u8; 8]]) {
    let keys = Keys::One(*key);
    edition.with_lanes(Width::Narrow, keys, Direction::Encrypt, &mut |lanes| {
        with_room(lanes.count(), |room| {
            let lane = &mut room[..lanes.count()];
            for block in &mut *blocks {
                *before ^= u64::from_be_bytes(*block);
                lane[0] = before.to_be_bytes();
                lanes.crypt(lane);
                *block = lane[0];
                *before = u64::from_be_bytes(*block);
            }
        });
    });
}

/// The kernels for independent blocks: lanes for much, look-ups for little and for a short rest.
pub(crate) struct Bulk<'a> {
    key: &'a BlockKey,
    kernels: Kernels,
}

impl<'a> Bulk<'a> {
    /// For pieces of up to so many blocks.
    #[inline(always)]
    pub(crate) fn new(key: &'a BlockKey, blocks: usize) -> Result<Self, Error> {
        Ok(Self { key, kernels: Kernels::pick(key.passes.shape, key.choice, blocks)? })
    }

    /// Encrypts every block in place.
    pub(crate) fn encrypt(&self, blocks: &mut [[u8; 8]]) {
        self.run(Job::Each(Direction::Encrypt, blocks));
    }

    /// Transforms every block in place.
    pub(crate) fn crypt(&self, direction: Direction, blocks: &mut [[u8; 8]]) {
        self.run(Job::Each(direction, blocks));
    }

    /// Does a job by what is cheapest for its size.
    #[inline]
    pub(crate) fn run(&self, mut job: Job<'_>) {
        let kernels = self.kernels;
        let key = &self.key.for_kernels();
        if let Some(edition) = kernels.slices() {
            let plan = kernels.scales().plan(job.blocks());
            for (width, blocks) in [(Width::Wide, plan.wide), (Width::Narrow, plan.narrow)] {
                if blocks > 0 {
                    edition.run(width, key, job.take(blocks));
                }
            }
        }
        if let Some(look_ups) = kernels.look_ups().filter(|_| job.blocks() > 0) {
            by_look_ups(look_ups, key, job);
        }
    }
}

/// Through a buffer where the mode needs the blocks before.
fn by_look_ups(look_ups: LookUps, key: &Key<'_>, job: Job<'_>) {
    let crypt = |direction, blocks: &mut [[u8; 8]]| look_ups.crypt(key, direction, blocks);
    // So many blocks of a room, or more: where a group is done at a time, the room fills it up.
    let crypt_some = |direction, room: &mut [[u8; 8]], count| {
        crypt(direction, &mut room[..look_ups.filled(count)]);
    };
    let count = job.blocks();
    match job {
        Job::Each(direction, blocks) => crypt(direction, blocks),
        Job::CbcDecrypt(before, blocks) => with_room(count, |room| {
            for blocks in blocks.chunks_mut(room.len()) {
                room[..blocks.len()].copy_from_slice(blocks);
                crypt_some(Direction::Decrypt, room, blocks.len());
                for (block, decrypted) in blocks.iter_mut().zip(&*room) {
                    let ciphertext = u64::from_be_bytes(*block);
                    *block = (u64::from_be_bytes(*decrypted) ^ *before).to_be_bytes();
                    *before = ciphertext;
                }
            }
        }),
        Job::CfbDecrypt(before, blocks) => with_room(count, |room| {
            for blocks in blocks.chunks_mut(room.len()) {
                shifted(room, *before, blocks);
                *before = u64::from_be_bytes(blocks[blocks.len() - 1]);
                crypt_some(Direction::Encrypt, room, blocks.len());
                xor_blocks(blocks, &room[..blocks.len()]);
            }
        }),
        Job::Ctr(next, data, last) => with_room(count, |room| {
            for data in data.chunks_mut(room.len() * 8) {
                let count = data.len().div_ceil(8);
                for block in &mut room[..count] {
                    *block = next.to_be_bytes();
                    *next = next.wrapping_add(1);
                }
                crypt_some(Direction::Encrypt, room, count);
                xor(data, room[..count].as_flattened());
                if data.len() % 8 != 0 {
                    *last = room[count - 1];
                }
            }
        }),
    }
}
