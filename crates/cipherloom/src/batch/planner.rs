//! Which records get a lane, and which are served alone.

use super::crew::Crew;
use super::queue::{Queue, Ready, Task, Work};
use crate::dispatch::{Kernels, Load, Scales};
use crate::kernels::bitslice::{Edition, Keys, MOST_LANES, Width};
use crate::kernels::{Direction, scrubbed};
use crate::keys::BlockKey;

/// What is the same for all records.
pub(super) struct Bench<'k> {
    pub(super) task: Task,
    slices: Option<Edition>,
    scales: Scales,
    /// Fewer blocks than this never make a record alone.
    short: usize,
    /// The key of all of them, if they have one, and it can be one.
    one_key: Option<&'k BlockKey>,
}

/// Serves all records; nothing waits for the longest one.
pub(super) fn run(task: Task, kernels: Kernels, queue: &mut Queue<'_, '_, '_>) {
    let one_key = queue.one_key().and_then(|key| task.key(key).ok());
    let chained = task.work == Work::CbcEncrypt;
    let (slices, scales) = (kernels.slices(), kernels.scales());
    let short = if chained { usize::MAX } else { scales.alone_from(one_key.is_none()) };
    let bench = Bench { task, slices, scales, short, one_key: one_key.as_ref() };
    while queue.count() > 0 {
        match bench.lanes(queue.blocks().take(MOST_LANES)) {
            Some(width) => in_lanes(&bench, queue, width),
            None => {
                let mut left = MOST_LANES;
                while left > 0
                    && let Some(ready) = queue.next()
                {
                    bench.ready_alone(queue, ready);
                    left -= 1;
                }
            }
        }
    }
}

/// Not inlined: a few records need not pay for the room of many.
#[inline(never)]
fn in_lanes<'a>(bench: &Bench<'_>, queue: &mut Queue<'a, '_, '_>, width: Width) {
    let Some(edition) = bench.slices else { return };
    let mut crew = Crew::new();
    let direction = match bench.task.work {
        Work::EcbDecrypt | Work::CbcDecrypt => Direction::Decrypt,
        Work::EcbEncrypt | Work::CbcEncrypt | Work::Ctr => Direction::Encrypt,
    };
    let keys = match bench.one_key {
        Some(key) => Keys::One(key.for_kernels()),
        None => Keys::Each(bench.task.algorithm.shape()),
    };
    let mut width = Some(width);
    loop {
        match width {
            Some(width) => {
                edition.with_lanes(width, keys, direction, &mut |lanes| {
                    crew.work(bench, lanes, queue);
                });
            }
            None => crew.alone(bench, queue),
        }
        let busy = crew.blocks().count();
        let waiting = queue.blocks().take(MOST_LANES - busy);
        width = bench.lanes(crew.blocks().chain(waiting));
        if busy == 0 && width.is_none() {
            return;
        }
    }
}

impl Bench<'_> {
    /// The lanes for pieces of work of these lengths; none if they are better served alone.
    fn lanes(&self, blocks: impl Iterator<Item = usize>) -> Option<Width> {
        let mut load = Load {
            chained: self.task.work == Work::CbcEncrypt,
            own_keys: self.one_key.is_none(),
            ..Load::default()
        };
        self.short(blocks).for_each(|blocks| {
            load.pieces += usize::from(blocks > 0);
            load.blocks = load.blocks.saturating_add(blocks);
            load.longest = load.longest.max(blocks);
        });
        if load.pieces == 0 { None } else { self.scales.lanes(&load) }
    }

    /// Whether work is better cut into a part for each lane.
    pub(super) fn are_cut(&self, lanes: usize, blocks: usize, longest: usize) -> bool {
        self.scales.are_cut(lanes, blocks, longest)
    }

    /// Lengths of records without those that are served alone.
    pub(super) fn short(&self, blocks: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
        blocks.filter(|blocks| !self.is_alone(*blocks))
    }

    fn is_alone(&self, blocks: usize) -> bool {
        blocks >= self.short && self.scales.alone(blocks, self.one_key.is_none())
    }

    /// How many steps of idle lanes are less than keys for all of them: a key takes about an eighth
    /// of a step, whatever the width, as it is transposed like blocks, and all rounds take as many
    /// times longer as there are passes.
    pub(super) fn patience(&self, lanes: usize) -> usize {
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

    fn ready_alone(&self, queue: &mut Queue<'_, '_, '_>, ready: Ready<'_>) {
        let Ready { record, key, before, data } = ready;
        if !self.task.removes_padding() {
            return self.alone(queue, key, before, data, Some(record));
        }
        let result = match self.one_key {
            Some(key) => self.task.open(key, before, data),
            None => self.task.key(key).and_then(|key| self.task.open(&key, before, data)),
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
            Some(key) => self.task.alone(key, before, data),
            None => scrubbed(4 * size_of::<BlockKey>(), || {
                self.task.key(key).and_then(|key| self.task.alone(&key, before, data))
            }),
        };
        queue.served(record, result, data);
    }
}
