//! Work on blocks: a chain, or blocks that are independent.

use super::costs::Scales;
use super::tables::Tables;
use super::{fastest, first};
use crate::backend::{Backend, Family};
use crate::error::Error;
use crate::kernels::{Direction, bitslice};
use crate::keys::{Algorithm, BlockKey};

/// The kernel for blocks that depend on each other.
pub(crate) struct Chain<'a> {
    key: &'a BlockKey,
    /// None: constant time, at the price of a bit-sliced call a block.
    tables: Option<Tables>,
}

impl<'a> Chain<'a> {
    #[inline]
    pub(crate) fn new(key: &'a BlockKey) -> Result<Self, Error> {
        let wanted = first(Family::Des, key.choice.policy());
        Ok(Self { key, tables: Tables::of(key.choice.pick(wanted)?) })
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
        match self.tables {
            Some(tables) => tables.one(&self.key.schedule, direction, block),
            None => {
                let mut blocks = [block.to_be_bytes()];
                slice(self.key, direction, &mut blocks);
                u64::from_be_bytes(blocks[0])
            }
        }
    }

    /// Encrypts a chain in place: each block is XORed with the result before it. `before` is the
    /// block before the first, and becomes the last one.
    ///
    /// This is CBC encryption; OFB, CFB and MACs are such chains too.
    pub(crate) fn encrypt_chain(&self, before: &mut u64, blocks: &mut [[u8; 8]]) {
        match self.tables {
            Some(tables) => tables.encrypt_chain(&self.key.schedule, before, blocks),
            None => {
                for block in blocks {
                    *before = self.encrypt(*before ^ u64::from_be_bytes(*block));
                    *block = before.to_be_bytes();
                }
            }
        }
    }
}

/// The kernels for independent blocks: one for the bulk, one for a short tail.
pub(crate) struct Bulk<'a> {
    key: &'a BlockKey,
    many: Backend,
    few: Backend,
}

impl<'a> Bulk<'a> {
    pub(crate) fn new(key: &'a BlockKey, blocks: usize) -> Result<Self, Error> {
        let policy = key.choice.policy();
        let many = key.choice.pick(fastest(key.passes.shape, blocks, policy))?;
        Ok(Self { key, many, few: key.choice.pick(first(Family::Des, policy))? })
    }

    /// Encrypts every block in place.
    pub(crate) fn encrypt(&self, blocks: &mut [[u8; 8]]) {
        self.crypt(Direction::Encrypt, blocks);
    }

    /// Decrypts every block in place.
    pub(crate) fn decrypt(&self, blocks: &mut [[u8; 8]]) {
        self.crypt(Direction::Decrypt, blocks);
    }

    fn crypt(&self, direction: Direction, blocks: &mut [[u8; 8]]) {
        let split = if self.many == self.few {
            0
        } else {
            Scales::new(self.few, self.key.passes.shape).sliced(blocks.len())
        };
        let (bulk, tail) = blocks.split_at_mut(split);
        self.run(self.many, direction, bulk);
        self.run(self.few, direction, tail);
    }

    fn run(&self, backend: Backend, direction: Direction, blocks: &mut [[u8; 8]]) {
        match Tables::of(backend) {
            _ if blocks.is_empty() => {}
            Some(tables) => tables.crypt(&self.key.schedule, direction, blocks),
            None => slice(self.key, direction, blocks),
        }
    }
}

/// The bit-sliced kernel. It knows no whitening, which a schedule for tables has in it.
#[cold]
fn slice(key: &BlockKey, direction: Direction, blocks: &mut [[u8; 8]]) {
    let [before, after] = match direction {
        Direction::Encrypt => key.whitening,
        Direction::Decrypt => [key.whitening[1], key.whitening[0]],
    };
    whiten(key, blocks, before);
    bitslice::crypt_blocks(&key.passes, direction, blocks);
    whiten(key, blocks, after);
}

fn whiten(key: &BlockKey, blocks: &mut [[u8; 8]], mask: u64) {
    if key.algorithm == Algorithm::Desx {
        for block in blocks {
            *block = (u64::from_be_bytes(*block) ^ mask).to_be_bytes();
        }
    }
}
