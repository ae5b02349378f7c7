//! Which records get a lane, and which are served alone.

use super::queue::{KEY_FRAMES, Queue, Ready, Transform, Work};
use super::source::Even;
use crate::dispatch::{Kernels, Load, Planner, Sliced, parts_of};
use crate::kernels::bitslice::Width;
use crate::kernels::scrubbed;
use crate::keys::BlockKey;

/// What is the same for all records.
pub(super) struct LanePlanner<'k> {
    pub(super) transform: Transform,
    pub(super) sliced: Option<Sliced>,
    dispatch: Planner,
    /// Fewer blocks than this never make a record alone.
    short: usize,
    /// The key of all of them, if they have one, and it can be one.
    pub(super) one_key: Option<&'k BlockKey>,
}

impl<'k> LanePlanner<'k> {
    #[inline(always)]
    pub(super) fn new(
        transform: Transform,
        kernels: Kernels,
        one_key: Option<&'k BlockKey>,
    ) -> Self {
        let dispatch = kernels.planner();
        let short = match transform.work {
            Work::CbcEncrypt => usize::MAX,
            _ => dispatch.alone_from(one_key.is_none()),
        };
        Self { transform, sliced: kernels.sliced(), dispatch, short, one_key }
    }

    /// Records or pieces of these lengths, without those that are served alone.
    pub(super) fn load(&self, blocks: impl Iterator<Item = usize>, mut load: Load) -> Load {
        load.chained = self.transform.work == Work::CbcEncrypt;
        load.own_keys = self.one_key.is_none();
        self.short(blocks).for_each(|blocks| {
            load.pieces += usize::from(blocks > 0);
            load.blocks = load.blocks.saturating_add(blocks);
            load.longest = load.longest.max(blocks);
        });
        load
    }

    /// The lanes for a load; none if it is better served alone, or nothing.
    pub(super) fn lanes(&self, load: &Load) -> Option<Width> {
        if load.pieces == 0 { None } else { self.dispatch.lanes(load) }
    }

    /// Into pieces of how many blocks at most a load is cut for lanes of a width.
    pub(super) fn piece(&self, width: Width, load: &Load) -> usize {
        self.dispatch.piece(width, load)
    }

    /// Into how many parts each record of a group may be cut that lies like this, and has so many bytes: with a
    /// gap behind it, or chained, it stays whole.
    pub(super) fn parts(&self, even: Even, need: usize) -> usize {
        let is_cut = even.distance == need && self.transform.work != Work::CbcEncrypt;
        if is_cut { parts_of(need / 8) } else { 1 }
    }

    /// Whether records of a group, each in so many parts, are better cut into pieces.
    pub(super) fn are_cut_further(
        &self,
        lanes: usize,
        records: usize,
        blocks: usize,
        parts: usize,
    ) -> bool {
        self.transform.work != Work::CbcEncrypt
            && self.dispatch.are_cut_further(lanes, records, blocks, parts)
    }

    /// Lengths of records without those that are served alone.
    pub(super) fn short(&self, blocks: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
        blocks.filter(|blocks| !self.is_alone(*blocks))
    }

    /// Whether a record is better served without lanes.
    #[inline(always)]
    pub(super) fn is_alone(&self, blocks: usize) -> bool {
        blocks >= self.short && self.dispatch.alone(blocks, self.one_key.is_none())
    }

    /// How many steps of idle lanes are less than keys for all of them: a key takes about an eighth
    /// of a step, whatever the width, as it is transposed like blocks, and all rounds take as many
    /// times longer as there are passes.
    pub(super) fn refill_threshold(&self, lanes: usize) -> usize {
        if self.one_key.is_some() { 0 } else { lanes / 8 }
    }

    /// The next record that gets a lane.
    #[inline(always)]
    pub(super) fn next<'a>(&self, queue: &mut Queue<'a, '_, '_>) -> Option<Ready<'a>> {
        loop {
            let ready = queue.next()?;
            if !self.is_alone(ready.data.len().div_ceil(8)) {
                return Some(ready);
            }
            self.ready_alone(queue, ready);
        }
    }

    pub(super) fn ready_alone(&self, queue: &mut Queue<'_, '_, '_>, ready: Ready<'_>) {
        let Ready { record, key, before, data } = ready;
        if !self.transform.removes_padding() {
            return self.alone(queue, key, before, data, Some(record));
        }
        let result = match self.one_key {
            Some(key) => self.transform.open(key, before, data),
            None => self.transform.key(key).and_then(|key| self.transform.open(&key, before, data)),
        };
        queue.opened(record, result);
    }

    /// Serves data alone; it may be the end of a record.
    pub(super) fn alone(
        &self,
        queue: &mut Queue<'_, '_, '_>,
        key: &[u8],
        before: [u8; 8],
        data: &mut [u8],
        record: Option<usize>,
    ) {
        let result = match self.one_key {
            Some(key) => self.transform.alone(key, before, data),
            None => scrubbed(KEY_FRAMES, || {
                self.transform.key(key).and_then(|key| self.transform.alone(&key, before, data))
            }),
        };
        queue.served(record, result, data);
    }
}
