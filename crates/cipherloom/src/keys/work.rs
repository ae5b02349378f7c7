//! Work on blocks: a chain, or blocks that are independent.

use super::block_key::BlockKey;
use crate::backend::Backend;
use crate::dispatch::{FEW, Kernels, LookUps, Sliced, available};
use crate::error::Error;
use crate::kernels::bitslice::{Keys, Operation, Width};
use crate::kernels::{
    Direction, Key, scrubbed, shifted, unchain, wipe, with_scratch, xor, xor_blocks,
};

impl BlockKey {
    /// Says if there is no kernel for it: to be asked before anything is changed.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        Chain::backend(self).map(|_| ())
    }

    // What calls these two is compiled in programs that use this crate, from where a call of anything else here goes by
    // the linker's table of addresses: so each calls one function, and all behind that goes straight. What they need on the
    // way to a kernel is a part of them: after other work each further page of code takes a hundred cycles or more.

    /// One block in place.
    pub(crate) fn one(&self, direction: Direction, block: &mut [u8; 8]) -> Result<(), Error> {
        *block = self.chain()?.one(direction, u64::from_be_bytes(*block)).to_be_bytes();
        Ok(())
    }

    /// Independent blocks in place.
    pub(crate) fn each(&self, direction: Direction, blocks: &mut [[u8; 8]]) -> Result<(), Error> {
        match blocks {
            [block] => self.one(direction, block),
            blocks => self.independent(Operation::Each(direction, blocks)),
        }
    }

    /// An operation on independent blocks, by what is cheapest for its size.
    #[inline]
    pub(crate) fn independent(&self, operation: Operation<'_>) -> Result<(), Error> {
        let blocks = operation.blocks();
        match (self.little(blocks)?, operation) {
            (Some(look_ups), Operation::Each(direction, blocks)) => {
                look_ups.crypt(&self.for_kernels(), direction, blocks);
            }
            (Some(look_ups), operation) => by_look_ups(look_ups, &self.for_kernels(), operation),
            (None, operation) => self.bulk(blocks)?.run(operation),
        }
        Ok(())
    }

    /// The look-ups that do so few blocks alone: asking who does how much of them would take long.
    #[inline(always)]
    fn little(&self, blocks: usize) -> Result<Option<LookUps>, Error> {
        let few = available().few(self.passes.shape, self.choice.policy());
        if blocks > few.little {
            return Ok(None);
        }
        Ok(LookUps::of(self.choice.pick(few.of(blocks))?))
    }

    /// The kernel for blocks that depend on each other.
    #[inline(always)]
    pub(crate) fn chain(&self) -> Result<Chain<'_>, Error> {
        Chain::new(self)
    }

    /// The kernels for `blocks` independent blocks.
    #[inline(always)]
    pub(crate) fn bulk(&self, blocks: usize) -> Result<Bulk<'_>, Error> {
        Bulk::new(self, blocks)
    }
}

/// The kernel for blocks that depend on each other.
pub(crate) struct Chain<'a> {
    key: &'a BlockKey,
    kernel: Single,
}

/// What transforms one block at a time.
enum Single {
    LookUps(LookUps),
    /// In constant time, at the price of a call a block.
    Sliced(Sliced),
}

impl<'a> Chain<'a> {
    #[inline(always)]
    pub(crate) fn new(key: &'a BlockKey) -> Result<Self, Error> {
        let backend = Self::backend(key)?;
        if let Some(look_ups) = LookUps::of(backend) {
            return Ok(Self { key, kernel: Single::LookUps(look_ups) });
        }
        match Sliced::of(backend) {
            Some(sliced) => Ok(Self { key, kernel: Single::Sliced(sliced) }),
            None => Err(Error::Backend(backend)),
        }
    }

    /// Whose it is.
    #[inline]
    pub(crate) fn backend(key: &BlockKey) -> Result<Backend, Error> {
        key.choice.pick(available().few(key.passes.shape, key.choice.policy()).single)
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

    #[inline(always)]
    fn one(&self, direction: Direction, block: u64) -> u64 {
        let key = &self.key.for_kernels();
        match self.kernel {
            Single::LookUps(look_ups) => look_ups.one(key, direction, block),
            Single::Sliced(sliced) => one_in_a_lane(sliced, key, direction, block),
        }
    }

    /// Has the processor fetch the tables for a short message, if they are not near: after other work each block
    /// would wait for parts of them some sixteen times.
    #[inline]
    pub(crate) fn fetch(&self, message: &[u8]) {
        /// A longer message hides it.
        const SHORT: usize = 32;
        if let (Single::LookUps(look_ups), ..=SHORT) = (&self.kernel, message.len()) {
            look_ups.fetch();
        }
    }

    /// CBC decryption in place of so few blocks that this kernel does them, and asking who does how much of them
    /// would take long: `before` is the block before the first, and becomes the last one. Says whether it did.
    pub(crate) fn decrypt_few(&self, before: &mut u64, blocks: &mut [[u8; 8]]) -> bool {
        let mut scratch = [0; FEW];
        let (Single::LookUps(look_ups), Some(ciphertexts)) =
            (&self.kernel, scratch.get_mut(..blocks.len()))
        else {
            return false;
        };
        if blocks.len() >= available().interleaved_from() {
            return false;
        }
        for (ciphertext, block) in ciphertexts.iter_mut().zip(&*blocks) {
            *ciphertext = u64::from_be_bytes(*block);
        }
        look_ups.crypt(&self.key.for_kernels(), Direction::Decrypt, blocks);
        for (block, ciphertext) in blocks.iter_mut().zip(ciphertexts) {
            *block = (u64::from_be_bytes(*block) ^ *before).to_be_bytes();
            *before = *ciphertext;
        }
        true
    }

    /// Encrypts a chain in place: each block is XORed with the result before it. `before` is the
    /// block before the first, and becomes the last one.
    ///
    /// This is CBC encryption; OFB, CFB and MACs are such chains too.
    pub(crate) fn encrypt_chain(&self, before: &mut u64, blocks: &mut [[u8; 8]]) {
        let key = &self.key.for_kernels();
        match self.kernel {
            Single::LookUps(look_ups) => look_ups.encrypt_chain(key, before, blocks),
            Single::Sliced(sliced) => {
                scrubbed(0, || encrypt_in_a_lane(sliced, key, before, blocks));
            }
        }
    }
}

/// A block in the first of many lanes.
#[cold]
fn one_in_a_lane(sliced: Sliced, key: &Key<'_>, direction: Direction, block: u64) -> u64 {
    let mut blocks = [block.to_be_bytes()];
    sliced.run(Width::Narrow, key, Operation::Each(direction, &mut blocks));
    let block = u64::from_be_bytes(blocks[0]);
    wipe(&mut blocks);
    block
}

/// A chain in the first of many lanes.
#[cold]
fn encrypt_in_a_lane(sliced: Sliced, key: &Key<'_>, before: &mut u64, blocks: &mut [[u8; 8]]) {
    let keys = Keys::One(*key);
    sliced.with_lanes(Width::Narrow, keys, Direction::Encrypt, &mut |lanes| {
        with_scratch(lanes.count(), |scratch| {
            let lane = &mut scratch[..lanes.count()];
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
        self.run(Operation::Each(Direction::Encrypt, blocks));
    }

    /// Does an operation by what is cheapest for its size.
    #[inline]
    pub(crate) fn run(&self, mut operation: Operation<'_>) {
        let kernels = self.kernels;
        let key = &self.key.for_kernels();
        if let Some(sliced) = kernels.sliced() {
            if let Some(width) = kernels.group(sliced, operation.blocks()) {
                return sliced.run(width, key, operation);
            }
            let plan = kernels.planner().plan(operation.blocks());
            for (width, blocks) in [(Width::Wide, plan.wide), (Width::Narrow, plan.narrow)] {
                if blocks > 0 {
                    sliced.run(width, key, operation.take(blocks));
                }
            }
        }
        if let Some(look_ups) = kernels.look_ups().filter(|_| operation.blocks() > 0) {
            by_look_ups(look_ups, key, operation);
        }
    }
}

/// Blocks that look-ups get at a time from a buffer: they fill all vectors, and more of them take long to clear and wipe.
const AT_A_TIME: usize = 64;

/// Through a buffer where the mode needs the blocks before.
fn by_look_ups(look_ups: LookUps, key: &Key<'_>, operation: Operation<'_>) {
    let crypt = |direction, blocks: &mut [[u8; 8]]| look_ups.crypt(key, direction, blocks);
    // So many blocks of a scratch buffer, or more: a group that is done at a time is filled up from it.
    let crypt_some = |direction, scratch: &mut [[u8; 8]], count| {
        crypt(direction, &mut scratch[..look_ups.filled(count)]);
    };
    let count = operation.blocks().min(AT_A_TIME);
    match operation {
        Operation::Each(direction, blocks) => crypt(direction, blocks),
        Operation::CbcDecrypt(before, blocks) => with_scratch(count, |scratch| {
            for blocks in blocks.chunks_mut(scratch.len()) {
                scratch[..blocks.len()].copy_from_slice(blocks);
                crypt_some(Direction::Decrypt, scratch, blocks.len());
                unchain(before, blocks, scratch);
            }
        }),
        Operation::CfbDecrypt(before, blocks) => with_scratch(count, |scratch| {
            for blocks in blocks.chunks_mut(scratch.len()) {
                shifted(scratch, *before, blocks);
                *before = u64::from_be_bytes(blocks[blocks.len() - 1]);
                crypt_some(Direction::Encrypt, scratch, blocks.len());
                xor_blocks(blocks, &scratch[..blocks.len()]);
            }
        }),
        Operation::Ctr(next, data, last) => with_scratch(count, |scratch| {
            for data in data.chunks_mut(scratch.len() * 8) {
                let count = data.len().div_ceil(8);
                for block in &mut scratch[..count] {
                    *block = next.to_be_bytes();
                    *next = next.wrapping_add(1);
                }
                crypt_some(Direction::Encrypt, scratch, count);
                xor(data, scratch[..count].as_flattened());
                if data.len() % 8 != 0 {
                    *last = scratch[count - 1];
                }
            }
        }),
    }
}
