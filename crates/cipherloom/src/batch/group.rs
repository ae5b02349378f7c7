//! Blocks of many records, gathered until a bulk kernel's lanes are full.

use zeroize::Zeroize;

use crate::backend::Family;
use crate::dispatch::{self, Choice, Tables};
use crate::error::Error;
use crate::kernels::bitslice::{self, LaneKeys};
use crate::kernels::table::Schedule;
use crate::kernels::{Direction, Passes};
use crate::keys::{Algorithm, BlockKey};

/// From how many blocks on a record is served alone: its key is then the same in all lanes, and
/// nothing is gathered.
const ALONE_FROM: usize = 64;

/// The kernels that a batch may use.
pub(super) struct Kernels {
    pub(super) algorithm: Algorithm,
    pub(super) choice: Choice,
    /// From how many lanes on the bit-sliced kernel is used.
    sliced_from: usize,
    /// What serves fewer; none: nothing but lanes.
    tables: Option<Tables>,
}

impl Kernels {
    pub(super) fn pick(algorithm: Algorithm, choice: Choice) -> Result<Self, Error> {
        let sliced_from = dispatch::lanes_from(algorithm.shape(), choice)?;
        let single = choice.pick(dispatch::first(Family::Des, choice.policy()))?;
        Ok(Self { algorithm, choice, sliced_from, tables: Tables::of(single) })
    }

    /// Whether so many lanes are worth a call of the bit-sliced kernel.
    pub(super) fn slices(&self, lanes: usize) -> bool {
        lanes >= self.sliced_from
    }

    /// Whether a record of `len` bytes, one of `records`, is better served alone than gathered:
    /// a long one, and all where lanes would stay empty, as each needs its key schedule only once.
    pub(super) fn serves_alone(&self, len: usize, records: usize) -> bool {
        len >= ALONE_FROM * 8 || !self.slices(records.saturating_mul(2))
    }

    /// The key object of a record, under the batch's choice of backends.
    pub(super) fn key(&self, key: &[u8]) -> Result<BlockKey, Error> {
        let mut key = BlockKey::new(self.algorithm, key)?;
        key.choice = self.choice;
        Ok(key)
    }

    /// Transforms up to [`bitslice::LANES`] blocks, block n under key n.
    pub(super) fn crypt(&self, direction: Direction, keys: &[[u64; 3]], blocks: &mut [u64]) {
        let shape = self.algorithm.shape();
        match self.tables {
            Some(tables) if !self.slices(blocks.len()) => {
                for (keys, block) in keys.iter().zip(blocks) {
                    let schedule = Schedule::new(&Passes { keys: *keys, shape });
                    *block = tables.one(&schedule, direction, *block);
                }
            }
            _ => LaneKeys::new(shape, keys).crypt(direction, blocks),
        }
    }
}

/// One block on its way through a lane.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    /// XORed into the result.
    pub(super) mask: u64,
    /// Where the result goes: record, first byte, bytes.
    pub(super) record: usize,
    pub(super) offset: usize,
    pub(super) len: usize,
}

/// Independent blocks under construction.
pub(super) struct Group {
    keys: [[u64; 3]; bitslice::LANES],
    blocks: [u64; bitslice::LANES],
    slots: [Slot; bitslice::LANES],
    count: usize,
}

impl Group {
    pub(super) fn new() -> Self {
        Self {
            keys: [[0; 3]; bitslice::LANES],
            blocks: [0; bitslice::LANES],
            slots: [Slot::default(); bitslice::LANES],
            count: 0,
        }
    }

    /// Adds a block; says whether the group is full and must be emptied.
    pub(super) fn add(&mut self, keys: [u64; 3], block: u64, slot: Slot) -> bool {
        let n = self.count;
        (self.keys[n], self.blocks[n], self.slots[n]) = (keys, block, slot);
        self.count += 1;
        self.count == bitslice::LANES
    }

    /// Transforms what was gathered, hands every result to `put`, and begins anew.
    pub(super) fn flush(
        &mut self,
        kernels: &Kernels,
        direction: Direction,
        mut put: impl FnMut(Slot, u64),
    ) {
        let count = core::mem::take(&mut self.count);
        let blocks = &mut self.blocks[..count];
        kernels.crypt(direction, &self.keys[..count], blocks);
        for (slot, block) in self.slots.iter().zip(blocks) {
            put(*slot, *block ^ slot.mask);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.keys.zeroize();
        self.blocks.zeroize();
        for slot in &mut self.slots {
            slot.mask.zeroize();
        }
    }
}
