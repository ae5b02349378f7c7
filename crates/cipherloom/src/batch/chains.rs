//! CBC encryption of many records: a lane per record, refilled when its record ends.

use super::Outcome;
use super::group::Kernels;
use super::source::Source;
use crate::error::Error;
use crate::kernels::bitslice::{LANES, LaneKeys};
use crate::kernels::{Direction, wipe};
use crate::modes::Mode;
use crate::padding::Padding;

/// A record in a lane.
#[derive(Clone, Copy, Default)]
struct Lane {
    record: usize,
    /// The next block of the record, in bytes.
    offset: usize,
    /// The record's length in bytes.
    len: usize,
    /// IV or the last ciphertext block.
    chain: u64,
    whitening: [u64; 2],
}

/// The lanes in use are the first `count`, and so are their keys.
struct Lanes {
    lanes: [Lane; LANES],
    keys: [[u64; 3]; LANES],
    count: usize,
}

/// Encrypts the records; nothing waits for the longest one.
pub(super) fn run<S: Source + ?Sized>(kernels: &Kernels, records: &mut S, results: &mut [Outcome]) {
    let longest = results.iter().flatten().max().map_or(0, |len| len / 8);
    if !kernels.slices_chains(results.len().min(LANES), longest) {
        for (record, result) in results.iter_mut().enumerate() {
            let Ok(len @ 1..) = *result else { continue };
            let chain = iv(records, record);
            let lane = Lane { record, len, chain, ..Lane::default() };
            if let Err(error) = finish(kernels, records, &lane) {
                *result = Err(error);
            }
        }
        return;
    }
    let mut next = 0;
    let mut lanes = Lanes { lanes: [Lane::default(); LANES], keys: [[0; 3]; LANES], count: 0 };
    let mut blocks = [0; LANES];
    loop {
        lanes.fill(kernels, records, results, &mut next);
        if lanes.count == 0 {
            break;
        }
        let blocks_until_an_end = lanes.blocks_until_an_end();
        if !kernels.slices_chains(lanes.count, blocks_until_an_end) {
            // Too few are left for the kernel, or a backend without lanes takes them all.
            lanes.finish_singly(kernels, records, results);
            continue;
        }
        // All lanes go on under the same keys until the first record ends.
        let keys = LaneKeys::new(kernels.algorithm.shape(), &lanes.keys[..lanes.count]);
        for _ in 0..blocks_until_an_end {
            lanes.step(&keys, records, &mut blocks[..lanes.count]);
        }
        lanes.retire();
    }
    wipe(&mut blocks);
}

impl Lanes {
    /// Gives idle lanes to the next records.
    fn fill<S: Source + ?Sized>(
        &mut self,
        kernels: &Kernels,
        records: &mut S,
        results: &mut [Outcome],
        next: &mut usize,
    ) {
        while self.count < LANES && *next < results.len() {
            let record = *next;
            *next += 1;
            let Ok(len) = results[record] else { continue };
            if len == 0 {
                continue;
            }
            match kernels.algorithm.read_key(records.key(record)) {
                Ok(parts) => {
                    let chain = iv(records, record);
                    let whitening = parts.whitening;
                    self.keys[self.count] = parts.keys;
                    self.lanes[self.count] = Lane { record, offset: 0, len, chain, whitening };
                    self.count += 1;
                }
                Err(error) => results[record] = Err(error),
            }
        }
    }

    fn blocks_until_an_end(&self) -> usize {
        let left = self.lanes[..self.count].iter().map(|lane| (lane.len - lane.offset) / 8);
        left.min().unwrap_or(0)
    }

    /// One block of every lane.
    fn step<S: Source + ?Sized>(&mut self, keys: &LaneKeys, records: &mut S, blocks: &mut [u64]) {
        for (lane, block) in self.lanes.iter().zip(&mut *blocks) {
            *block = lane.chain ^ lane.whitening[0] ^ u64::from_be_bytes(*lane.place(records));
        }
        keys.crypt(Direction::Encrypt, blocks);
        for (lane, block) in self.lanes.iter_mut().zip(blocks) {
            lane.chain = *block ^ lane.whitening[1];
            *lane.place(records) = lane.chain.to_be_bytes();
            lane.offset += 8;
        }
    }

    /// Frees the lanes whose records have ended; the last lanes take their places.
    fn retire(&mut self) {
        let mut n = 0;
        while n < self.count {
            if self.lanes[n].offset == self.lanes[n].len {
                self.count -= 1;
                self.lanes[n] = self.lanes[self.count];
                self.keys[n] = self.keys[self.count];
            } else {
                n += 1;
            }
        }
    }

    /// Ends the records in the lanes, one chain after the other, and frees the lanes.
    fn finish_singly<S: Source + ?Sized>(
        &mut self,
        kernels: &Kernels,
        records: &mut S,
        results: &mut [Outcome],
    ) {
        for lane in &self.lanes[..self.count] {
            if let Err(error) = finish(kernels, records, lane) {
                results[lane.record] = Err(error);
            }
        }
        self.count = 0;
    }
}

/// What stands before a record's first block.
fn iv<S: Source + ?Sized>(records: &S, record: usize) -> u64 {
    u64::from_be_bytes(records.iv(record).try_into().unwrap_or_default())
}

/// The rest of a lane's record, as one chain.
fn finish<S: Source + ?Sized>(
    kernels: &Kernels,
    records: &mut S,
    lane: &Lane,
) -> Result<(), Error> {
    let key = kernels.key(&kernels.algorithm.read_key(records.key(lane.record))?);
    let data = &mut records.data(lane.record)[lane.offset..lane.len];
    let len = data.len();
    Mode::cbc(lane.chain.to_be_bytes(), Padding::None).encrypt_in_place(&key, data, len)?;
    Ok(())
}

impl Lane {
    /// The lane's next block.
    fn place<'r, S: Source + ?Sized>(&self, records: &'r mut S) -> &'r mut [u8; 8] {
        let data = records.data(self.record);
        data[self.offset..].first_chunk_mut().expect("a record has whole blocks")
    }
}

impl Drop for Lanes {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut());
        wipe(&mut self.lanes);
    }
}
