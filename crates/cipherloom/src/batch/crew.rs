//! A lane for each record, or for a part of one; when it ends, another takes its lane.

use super::bench::Bench;
use super::queue::{Queue, Work};
use crate::kernels::bitslice::{Lanes, MOST_LANES, Width};
use crate::kernels::wipe;
use crate::keys::Algorithm;

/// What is in a lane, or could be.
pub(super) struct Member<'a> {
    /// What is still to be transformed; nothing: the lane is idle.
    rest: &'a mut [u8],
    key: &'a [u8],
    /// The record that ends with it; none if it is another part of one.
    record: Option<usize>,
}

impl Member<'_> {
    fn idle() -> Self {
        Self { rest: &mut [], key: &[], record: None }
    }
}

/// Members and their lanes.
///
/// Between calls of [`Crew::work`] the first `active` members are those that have something left.
pub(super) struct Crew<'a> {
    members: [Member<'a>; MOST_LANES],
    active: usize,
    /// Up to where members behind the last lane wait for one.
    parked: usize,
    /// Lanes without work, of those that are there.
    idle: [u16; MOST_LANES],
    idle_count: usize,
    /// What found no lane.
    pending: Option<(Member<'a>, [u8; 8])>,
    /// For each member what stands before its next block, or its next counter; and for each lane a
    /// block on its way.
    rooms: [[[u8; 8]; MOST_LANES]; 2],
    keys: [[[u8; 8]; MOST_LANES]; 3],
}

impl<'a> Crew<'a> {
    pub(super) fn new() -> Self {
        Self {
            members: core::array::from_fn(|_| Member::idle()),
            active: 0,
            parked: 0,
            idle: [0; MOST_LANES],
            idle_count: 0,
            pending: None,
            rooms: [[[0; 8]; MOST_LANES]; 2],
            keys: [[[0; 8]; MOST_LANES]; 3],
        }
    }

    /// Blocks that each member has left.
    pub(super) fn blocks(&self) -> impl Iterator<Item = usize> {
        self.members[..self.active].iter().map(|member| member.rest.len().div_ceil(8))
    }

    /// Serves all members without lanes.
    pub(super) fn alone(&mut self, bench: &Bench<'_>, queue: &mut Queue<'_, '_, '_>) {
        for (member, before) in self.members[..self.active].iter_mut().zip(&self.rooms[0]) {
            let Member { rest, key, record } = core::mem::replace(member, Member::idle());
            bench.alone(queue, key, *before, rest, record);
        }
        self.active = 0;
    }

    /// Serves members, and those who wait, until it is time to think again.
    pub(super) fn work(
        &mut self,
        bench: &Bench<'_>,
        lanes: &mut dyn Lanes,
        width: Width,
        queue: &mut Queue<'a, '_, '_>,
    ) {
        let count = lanes.count();
        let part = self.part(bench, count, queue);
        self.split(bench.task.work, part);
        self.parked = self.active.max(count);
        self.active = self.active.min(count);
        self.idle_count = 0;
        for lane in (self.active..count).rev() {
            self.make_idle(lane);
        }
        if lanes.wants_keys() {
            (0..self.active).for_each(|lane| self.stage_key(bench.task.algorithm, lane));
        }
        let mut begun = 0;
        let mut waste = usize::MAX;
        loop {
            if self.pending.is_some() || self.parked > count || queue.count() > 0 {
                waste = waste.saturating_add(self.idle_count);
                if waste > bench.patience(width) || self.active == 0 {
                    self.fill(bench, lanes, queue, part);
                    lanes.set_keys(self.keys.each_ref().map(|keys| &keys[..count]));
                    (begun, waste) = (self.active, 0);
                }
            } else if waste == usize::MAX {
                lanes.set_keys(self.keys.each_ref().map(|keys| &keys[..count]));
                (begun, waste) = (self.active, 0);
            } else if self.active <= begun / 2 {
                break;
            }
            if self.active == 0 {
                break;
            }
            self.step(bench, lanes, queue);
        }
        self.close_ranks();
    }

    /// How many blocks at most a member gets, so that all lanes have about as much to do: as few as
    /// give every part a lane.
    fn part(&self, bench: &Bench<'_>, lanes: usize, queue: &Queue<'_, '_, '_>) -> usize {
        if bench.task.work == Work::CbcEncrypt || self.active + queue.count() >= lanes {
            return usize::MAX / 8;
        }
        let all = || self.blocks().chain(bench.short(queue.blocks()));
        let fair = all().sum::<usize>().div_ceil(lanes).max(1);
        let fits =
            |part: &usize| all().map(|blocks| blocks.div_ceil(*part)).sum::<usize>() <= lanes;
        (fair..).find(fits).unwrap_or(usize::MAX / 8)
    }

    /// Cuts members into parts that each get a lane.
    fn split(&mut self, work: Work, part: usize) {
        let mut n = 0;
        while n < self.active && self.active < MOST_LANES {
            if let Some((member, before)) = cut(work, &mut self.members[n], self.rooms[0][n], part)
            {
                self.members[self.active] = member;
                self.rooms[0][self.active] = before;
                self.active += 1;
            }
            n += 1;
        }
    }

    fn make_idle(&mut self, lane: usize) {
        self.idle[self.idle_count] = lane as u16;
        self.idle_count += 1;
    }

    /// Gives idle lanes to those who wait.
    fn fill(
        &mut self,
        bench: &Bench<'_>,
        lanes: &dyn Lanes,
        queue: &mut Queue<'a, '_, '_>,
        part: usize,
    ) {
        while self.idle_count > 0 {
            let (mut member, before) = if let Some(pending) = self.pending.take() {
                pending
            } else if self.parked > lanes.count() {
                self.parked -= 1;
                let member = core::mem::replace(&mut self.members[self.parked], Member::idle());
                (member, self.rooms[0][self.parked])
            } else if let Some(ready) = bench.next(queue) {
                let record = Some(ready.record);
                (Member { rest: ready.data, key: ready.key, record }, ready.before)
            } else {
                break;
            };
            self.pending = cut(bench.task.work, &mut member, before, part);
            self.idle_count -= 1;
            let lane = usize::from(self.idle[self.idle_count]);
            (self.members[lane], self.rooms[0][lane]) = (member, before);
            if lanes.wants_keys() {
                self.stage_key(bench.task.algorithm, lane);
            }
            self.active += 1;
        }
    }

    fn stage_key(&mut self, algorithm: Algorithm, lane: usize) {
        let parts = self.members[lane].key.as_chunks::<8>().0;
        let numbers: &[usize] = match algorithm {
            Algorithm::Des | Algorithm::Desx => &[0],
            Algorithm::TdesEde2 | Algorithm::TdesEee2 => &[0, 1, 0],
            Algorithm::TdesEde3 | Algorithm::TdesEee3 => &[0, 1, 2],
        };
        for (keys, number) in self.keys.iter_mut().zip(numbers) {
            keys[lane] = parts[*number];
        }
    }

    /// One block in each lane.
    fn step(&mut self, bench: &Bench<'_>, lanes: &mut dyn Lanes, queue: &mut Queue<'a, '_, '_>) {
        let count = lanes.count();
        let whitens = bench.task.algorithm == Algorithm::Desx && lanes.wants_keys();
        let members = &mut self.members[..count];
        let [before, blocks] = &mut self.rooms;
        let (before, blocks) = (&mut before[..count], &mut blocks[..count]);
        let work = bench.task.work;
        if work != Work::CbcEncrypt {
            take(members, blocks);
        }
        // DESX's key: that of DES, what is XORed in before encryption, what after it.
        let (first, second) = match work {
            Work::EcbDecrypt | Work::CbcDecrypt => (2, 1),
            _ => (1, 2),
        };
        let whiten = |blocks: &mut [[u8; 8]], members: &[Member<'_>], part| {
            if whitens {
                whiten(blocks, members, part);
            }
        };
        let results = match work {
            Work::CbcEncrypt => {
                for (block, member) in before.iter_mut().zip(&*members) {
                    if let Some(plain) = member.rest.first_chunk::<8>() {
                        add(block, plain);
                    }
                }
                whiten(before, members, first);
                lanes.crypt(before);
                whiten(before, members, second);
                before
            }
            Work::EcbEncrypt | Work::EcbDecrypt => {
                whiten(blocks, members, first);
                lanes.crypt(blocks);
                whiten(blocks, members, second);
                blocks
            }
            Work::CbcDecrypt => {
                whiten(blocks, members, first);
                lanes.crypt_xor(blocks, before);
                whiten(before, members, second);
                // They will stand before the next blocks.
                whiten(blocks, members, first);
                before
            }
            Work::Ctr => {
                whiten(before, members, first);
                lanes.crypt_xor(before, blocks);
                whiten(blocks, members, second);
                whiten(before, members, first);
                for counter in before {
                    *counter = u64::from_be_bytes(*counter).wrapping_add(1).to_be_bytes();
                }
                blocks
            }
        };
        let mut ended = put(members, results, &mut self.idle[self.idle_count..]);
        for &lane in &self.idle[self.idle_count..][..ended] {
            let lane = usize::from(lane);
            if let Some(record) = members[lane].record {
                queue.end(record, &results[lane]);
            }
        }
        self.idle_count += ended;
        self.active -= core::mem::take(&mut ended);
        if work == Work::CbcDecrypt {
            let [before, blocks] = &mut self.rooms;
            before[..count].copy_from_slice(&blocks[..count]);
        }
    }

    /// Who has something left goes to the front.
    fn close_ranks(&mut self) {
        let mut active = 0;
        for lane in 0..self.parked {
            if !self.members[lane].rest.is_empty() {
                self.members.swap(active, lane);
                self.rooms[0].swap(active, lane);
                active += 1;
            }
        }
        if let Some((member, before)) = self.pending.take() {
            (self.members[active], self.rooms[0][active]) = (member, before);
            active += 1;
        }
        self.active = active;
    }
}

/// Leaves a member so many blocks, and gives the others to a new one.
fn cut<'a>(
    work: Work,
    member: &mut Member<'a>,
    before: [u8; 8],
    part: usize,
) -> Option<(Member<'a>, [u8; 8])> {
    if member.rest.len() <= 8 * part {
        return None;
    }
    let (rest, behind) = core::mem::take(&mut member.rest).split_at_mut(8 * part);
    let before = match work {
        Work::Ctr => u64::from_be_bytes(before).wrapping_add(part as u64).to_be_bytes(),
        _ => rest.last_chunk().copied().unwrap_or(before),
    };
    member.rest = rest;
    let record = member.record.take();
    Some((Member { rest: behind, key: member.key, record }, before))
}

/// Each member's next block, or a part of one with zeros behind it.
#[inline]
fn take(members: &[Member<'_>], blocks: &mut [[u8; 8]]) {
    for (block, member) in blocks.iter_mut().zip(members) {
        if let Some(next) = member.rest.first_chunk() {
            *block = *next;
        } else if !member.rest.is_empty() {
            *block = [0; 8];
            block[..member.rest.len()].copy_from_slice(member.rest);
        }
    }
}

/// Puts the results where the blocks were, and says how many members have nothing left; their lanes
/// are written into `ended`.
#[inline]
fn put(members: &mut [Member<'_>], blocks: &[[u8; 8]], ended: &mut [u16]) -> usize {
    let mut count = 0;
    for (lane, (member, block)) in members.iter_mut().zip(blocks).enumerate() {
        let rest = core::mem::take(&mut member.rest);
        if rest.is_empty() {
            continue;
        }
        let (place, behind) = rest.split_at_mut(rest.len().min(8));
        match place.as_mut_array() {
            Some(place) => *place = *block,
            None => place.copy_from_slice(&block[..place.len()]),
        }
        member.rest = behind;
        if member.rest.is_empty() {
            ended[count] = lane as u16;
            count += 1;
        }
    }
    count
}

/// XORs a part of each member's key into its block.
#[cold]
fn whiten(blocks: &mut [[u8; 8]], members: &[Member<'_>], part: usize) {
    for (block, member) in blocks.iter_mut().zip(members) {
        if let Some(mask) = member.key.as_chunks().0.get(part) {
            add(block, mask);
        }
    }
}

#[inline]
fn add(block: &mut [u8; 8], mask: &[u8; 8]) {
    *block = (u64::from_ne_bytes(*block) ^ u64::from_ne_bytes(*mask)).to_ne_bytes();
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut());
        wipe(self.rooms.as_flattened_mut());
    }
}
