//! Blocks of many records, gathered until a bulk kernel's lanes are full.

use crate::dispatch::{Choice, Records};
use crate::error::Error;
use crate::kernels::bitslice::{self, LaneKeys};
use crate::kernels::table::Schedule;
use crate::kernels::{Direction, Passes, wipe};
use crate::keys::{Algorithm, BlockKey, KeyParts};

/// From how many blocks on a record is served alone: its key is then the same in all lanes, and
/// nothing is gathered.
pub(super) const ALONE_FROM: usize = 64;

/// The kernels that a batch may use.
pub(super) struct Kernels {
    pub(super) algorithm: Algorithm,
    pub(super) choice: Choice,
    records: Records,
}

impl Kernels {
    pub(super) fn pick(algorithm: Algorithm, choice: Choice) -> Result<Self, Error> {
        Ok(Self { algorithm, choice, records: Records::pick(algorithm.shape(), choice)? })
    }

    /// Whether so many chains of at least so many blocks go through lanes.
    pub(super) fn slices_chains(&self, chains: usize, blocks: usize) -> bool {
        match self.records {
            Records::Lanes => true,
            Records::Tables(_) => false,
            Records::Either(_, scales) => scales.chains(chains, blocks),
        }
    }

    /// Whether records of independent blocks, `blocks` in all, are gathered into lanes.
    pub(super) fn gathers(&self, records: usize, blocks: usize) -> bool {
        match self.records {
            Records::Lanes => true,
            Records::Tables(_) => false,
            Records::Either(_, scales) => scales.gathers(records, blocks),
        }
    }

    /// The key object of a record, under the batch's choice of backends.
    #[inline]
    pub(super) fn key(&self, parts: &KeyParts) -> BlockKey {
        BlockKey::of(self.algorithm, parts, self.choice)
    }

    /// Transforms up to [`bitslice::LANES`] blocks, block n under key n.
    pub(super) fn crypt(&self, direction: Direction, keys: &[[u64; 3]], blocks: &mut [u64]) {
        let shape = self.algorithm.shape();
        let tables = match self.records {
            Records::Lanes => None,
            Records::Tables(tables) => Some(tables),
            Records::Either(tables, scales) => (!scales.slices(blocks.len())).then_some(tables),
        };
        match tables {
            Some(tables) => {
                for (keys, block) in keys.iter().zip(blocks) {
                    let schedule = Schedule::new(&Passes { keys: *keys, shape }, [0; 2]);
                    *block = tables.one(&schedule, direction, *block);
                }
            }
            None => LaneKeys::new(shape, keys).crypt(direction, blocks),
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
    /// Lanes that were in use at any time.
    used: usize,
}

impl Group {
    pub(super) fn new() -> Self {
        Self {
            keys: [[0; 3]; bitslice::LANES],
            blocks: [0; bitslice::LANES],
            slots: [Slot::default(); bitslice::LANES],
            count: 0,
            used: 0,
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
        self.used = self.used.max(count);
        let blocks = &mut self.blocks[..count];
        kernels.crypt(direction, &self.keys[..count], blocks);
        for (slot, block) in self.slots.iter().zip(blocks) {
            put(*slot, *block ^ slot.mask);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let used = self.used.max(self.count);
        wipe(self.keys[..used].as_flattened_mut());
        wipe(&mut self.blocks[..used]);
        wipe(&mut self.slots[..used]);
    }
}
