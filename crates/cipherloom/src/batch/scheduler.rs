//! A lane for each record, whose blocks wait for each other (CBC encryption); when it ends, another takes its lane.

use super::planner::LanePlanner;
use super::queue::{Queue, Ready, Work};
use super::rows::{self, MOST_STEPS, Rows};
use crate::dispatch::Load;
use crate::kernels::bitslice::{Lanes, MOST_LANES, Width};
use crate::kernels::wipe;
use crate::keys::Algorithm;

/// What is in a lane, or could be.
struct Job<'a> {
    /// What is still to be transformed.
    rest: &'a mut [[u8; 8]],
    /// What stands before it.
    before: [u8; 8],
    key: &'a [u8],
    record: usize,
}

/// Jobs and their lanes.
///
/// Between calls of [`LaneScheduler::work`] the first `active` jobs are those that have something left.
pub(super) struct LaneScheduler<'a, 's> {
    /// What each job has left, which is not nothing.
    rests: &'s mut [Option<&'a mut [[u8; 8]]>; MOST_LANES],
    keys: &'s mut [Option<&'a [u8]>; MOST_LANES],
    records: [usize; MOST_LANES],
    active: usize,
    /// Lanes behind so many never had a job.
    used: usize,
    /// Up to where jobs behind the last lane wait for one.
    queued: usize,
    /// Lanes without work, of those that are there.
    idle: [u16; MOST_LANES],
    idle_count: usize,
    /// Blocks on their way; in the first row for each job what stands before its next block.
    rows: Rows,
    staged_keys: StagedKeys,
}

impl<'a, 's> LaneScheduler<'a, 's> {
    /// In places of a caller's, as the compiler would make them elsewhere, and copy them. Inlined, so that the rest is made
    /// where it stays.
    #[inline(always)]
    pub(super) fn new(
        rests: &'s mut [Option<&'a mut [[u8; 8]]>; MOST_LANES],
        keys: &'s mut [Option<&'a [u8]>; MOST_LANES],
    ) -> Self {
        Self {
            rests,
            keys,
            records: [0; MOST_LANES],
            active: 0,
            used: 0,
            queued: 0,
            idle: [0; MOST_LANES],
            idle_count: 0,
            rows: [[[0; 8]; _]; _],
            staged_keys: [[[0; 8]; MOST_LANES]; 3],
        }
    }

    /// Blocks that each job has left.
    pub(super) fn blocks(&self) -> impl Iterator<Item = usize> {
        rows::lengths(&self.rests[..self.used])
    }

    /// The lanes that are best for what is left and for those who wait, if some have their keys; none if all are better
    /// served alone, or nothing is left.
    pub(super) fn plan(
        &self,
        planner: &LanePlanner<'_>,
        queue: &Queue<'_, '_, '_>,
        keyed: Option<Width>,
    ) -> Option<Width> {
        let begun = self.active > 0;
        let blocks = self.blocks().chain(queue.blocks().take(MOST_LANES - self.active));
        planner.lanes(&planner.load(blocks, Load { begun, keyed, ..Load::default() }))
    }

    /// Serves all jobs without lanes.
    pub(super) fn alone(&mut self, planner: &LanePlanner<'_>, queue: &mut Queue<'_, '_, '_>) {
        for n in 0..core::mem::take(&mut self.active) {
            if let Some(Job { rest, before, key, record }) = self.remove(n) {
                planner.alone(queue, key, before, rest.as_flattened_mut(), Some(record));
            }
        }
    }

    /// Serves jobs, and those who wait, until it is time to think again.
    pub(super) fn work(
        &mut self,
        planner: &LanePlanner<'_>,
        (width, lanes): (Width, &mut dyn Lanes),
        queue: &mut Queue<'a, '_, '_>,
    ) {
        let (count, own_keys) = (lanes.count(), lanes.wants_keys());
        self.queued = self.active.max(count);
        self.active = self.active.min(count);
        self.used = self.active;
        self.idle_count = 0;
        for lane in (self.active..count).rev() {
            self.make_idle(lane);
        }
        if own_keys {
            (0..self.active).for_each(|lane| self.stage_key(lane));
        }
        self.fill(planner, (count, own_keys), queue);
        lanes.set_keys(self.staged_keys.each_ref().map(|keys| &keys[..count]));
        let (mut begun, mut waste) = (self.active, 0);
        while self.active > 0 {
            let steps = self.steps();
            self.step(planner, lanes, steps);
            self.put(count, steps);
            if self.queued > count || queue.count() > 0 {
                waste += self.idle_count * steps;
                if self.active == 0 && queue.count() < count {
                    break;
                }
                if waste > planner.refill_threshold(count) || self.active == 0 {
                    self.fill(planner, (count, own_keys), queue);
                    lanes.set_keys(self.staged_keys.each_ref().map(|keys| &keys[..count]));
                    (begun, waste) = (self.active, 0);
                }
            } else if self.active <= begun / 2 {
                if self.plan(planner, queue, Some(width)) != Some(width) {
                    break;
                }
                begun = self.active;
            }
        }
        self.close_ranks(count);
    }

    #[inline(always)]
    fn place(&mut self, n: usize, job: Job<'a>) {
        let Job { rest, before, key, record } = job;
        self.rests[n] = Some(rest);
        self.rows[0][n] = before;
        self.keys[n] = Some(key);
        self.records[n] = record;
    }

    fn remove(&mut self, n: usize) -> Option<Job<'a>> {
        let (rest, key) = self.rests[n].take().zip(self.keys[n])?;
        Some(Job { rest, before: self.rows[0][n], key, record: self.records[n] })
    }

    fn make_idle(&mut self, lane: usize) {
        self.idle[self.idle_count] = lane as u16;
        self.idle_count += 1;
    }

    /// Gives idle lanes to those who wait.
    fn fill(
        &mut self,
        planner: &LanePlanner<'_>,
        (count, own_keys): (usize, bool),
        queue: &mut Queue<'a, '_, '_>,
    ) {
        while self.idle_count > 0 {
            let job = if self.queued > count {
                self.waiting(count)
            } else {
                planner.next(queue).map(|Ready { record, key, before, data }| Job {
                    rest: data.as_chunks_mut().0,
                    before,
                    key,
                    record,
                })
            };
            let Some(job) = job else { break };
            self.take_lane(own_keys, job);
        }
    }

    /// Who found no lane before.
    #[cold]
    fn waiting(&mut self, count: usize) -> Option<Job<'a>> {
        self.queued = self.queued.checked_sub(1).filter(|queued| *queued >= count)?;
        self.remove(self.queued)
    }

    /// Gives a job an idle lane.
    #[inline(always)]
    fn take_lane(&mut self, own_keys: bool, job: Job<'a>) {
        self.idle_count -= 1;
        let lane = usize::from(self.idle[self.idle_count]);
        self.place(lane, job);
        self.used = self.used.max(lane + 1);
        if own_keys {
            self.stage_key(lane);
        }
        self.active += 1;
    }

    #[inline(always)]
    fn stage_key(&mut self, lane: usize) {
        if let Some(key) = self.keys[lane] {
            stage(&mut self.staged_keys, lane, key);
        }
    }

    /// How many blocks of each job are worth fetching at once: as many as all have, or half of what they have in the
    /// mean. A step that a lane is idle takes about as long as to look after all of them once more.
    fn steps(&self) -> usize {
        let (mut least, mut sum) = (usize::MAX, 0);
        self.blocks().for_each(|blocks| {
            least = least.min(blocks);
            sum += blocks;
        });
        least.max(sum / self.active.max(1) / 2).clamp(1, MOST_STEPS)
    }

    /// Some blocks in each lane.
    fn step(&mut self, planner: &LanePlanner<'_>, lanes: &mut dyn Lanes, steps: usize) {
        let count = lanes.count();
        let keys = &self.keys[..count];
        rows::take(&self.rests[..self.used], &mut self.rows, steps);
        let whitens = planner.transform.algorithm == Algorithm::Desx && lanes.wants_keys();
        let whiten = |blocks: &mut [[u8; 8]], part| {
            if whitens {
                whiten(blocks, keys, part);
            }
        };
        rows::crypt(planner.transform.work, lanes, &mut self.rows, steps, whiten);
    }

    /// Puts results where the blocks were, and takes note of lanes without work.
    fn put(&mut self, count: usize, steps: usize) {
        let (idle, idle_count) = (&mut self.idle, &mut self.idle_count);
        let already_idle = *idle_count;
        let results = rows::results(Work::CbcEncrypt, &mut self.rows);
        rows::put(&mut self.rests[..self.used], results, steps, |lane, is_end| {
            // There is room for one more: this lane was not idle.
            idle[*idle_count] = lane as u16;
            *idle_count += usize::from(is_end);
        });
        self.active -= self.idle_count - already_idle;
        rows::go_on(Work::CbcEncrypt, &mut self.rows, count, steps);
    }

    /// Who has something left goes to the front.
    fn close_ranks(&mut self, count: usize) {
        self.active = 0;
        for lane in (0..self.used).chain(count..self.queued) {
            if let Some(job) = self.remove(lane) {
                self.place(self.active, job);
                self.active += 1;
            }
        }
        self.used = self.active;
    }
}

/// The DES keys of each lane, for up to three passes.
pub(super) type StagedKeys = [[[u8; 8]; MOST_LANES]; 3];

/// A lane's key; of DESX also what is XORed in before and after encryption.
#[inline(always)]
pub(super) fn stage(staged: &mut StagedKeys, lane: usize, key: &[u8]) {
    let [first, second, third] = staged;
    match *key.as_chunks::<8>().0 {
        [one, two, three] => (first[lane], second[lane], third[lane]) = (one, two, three),
        [one, two] => (first[lane], second[lane], third[lane]) = (one, two, one),
        [one, ..] => first[lane] = one,
        [] => {}
    }
}

/// The keys of records of a group, which lie one behind the other: each for so many lanes.
pub(super) fn stage_all(staged: &mut StagedKeys, algorithm: Algorithm, keys: &[u8], times: usize) {
    let [first, second, third] = staged;
    match algorithm.key_len() {
        8 => split(keys, [first]),
        16 => {
            split(keys, [first, second]);
            *third = *first;
        }
        _ => split(keys, [first, second, third]),
    }
    if times > 1 {
        let lanes = keys.len() / algorithm.key_len() * times;
        staged
            .iter_mut()
            .take(algorithm.shape().passes())
            .for_each(|row| spread(&mut row[..lanes], times));
    }
}

/// Each of the first blocks of a row takes so many places, a power of two, one behind the other.
fn spread(row: &mut [[u8; 8]], times: usize) {
    for n in (0..row.len() / times).rev() {
        let block = row[n];
        row[n * times..][..times].fill(block);
    }
}

/// Parts of keys, each to a row of its own.
fn split<const PARTS: usize>(keys: &[u8], mut rows: [&mut [[u8; 8]; MOST_LANES]; PARTS]) {
    let keys = keys.as_chunks::<8>().0.as_chunks::<PARTS>().0;
    for (lane, key) in keys.iter().enumerate().take(MOST_LANES) {
        for (row, part) in rows.iter_mut().zip(key) {
            row[lane] = *part;
        }
    }
}

/// XORs a part of each job's key into its block.
#[cold]
fn whiten(blocks: &mut [[u8; 8]], keys: &[Option<&[u8]>], part: usize) {
    for (block, key) in blocks.iter_mut().zip(keys) {
        if let Some(mask) = key.and_then(|key| key.as_chunks().0.get(part)) {
            rows::add(block, mask);
        }
    }
}

impl Drop for LaneScheduler<'_, '_> {
    fn drop(&mut self) {
        wipe(self.staged_keys.as_flattened_mut());
        wipe(self.rows.as_flattened_mut());
    }
}
