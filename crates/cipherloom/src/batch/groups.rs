//! As many records of one length as there are lanes: they begin and end together, so that nothing has to be
//! looked after for each of them.

use super::planner::LanePlanner;
use super::queue::Queue;
use super::rows::{self, Row};
use super::scheduler::{StagedKeys, stage};
use super::source::Group;
use crate::kernels::bitslice::{Lanes, MOST_LANES};
use crate::kernels::cpu::{self, Four, Vectors, Work};
use crate::kernels::wipe;
use crate::keys::Algorithm;

/// The most blocks of a record that are fetched at once: a cache line.
const MOST_STEPS: usize = 8;

/// Blocks on their way, as [`LaneScheduler`](super::scheduler::LaneScheduler) has them, and the keys of
/// each lane.
struct Staged {
    rows: [Row; MOST_STEPS + 1],
    keys: StagedKeys,
}

impl Drop for Staged {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut());
        wipe(self.rows.as_flattened_mut());
    }
}

/// Serves groups, as long as the next records are one.
///
/// Not inlined: its stack is free again for those that are no group.
#[inline(never)]
pub(super) fn serve(
    planner: &LanePlanner<'_>,
    queue: &mut Queue<'_, '_, '_>,
    lanes: &mut dyn Lanes,
) {
    let (count, own_keys) = (lanes.count(), lanes.wants_keys());
    let algorithm = planner.transform.algorithm;
    if own_keys && algorithm == Algorithm::Desx {
        // Its keys are not the kernel's alone.
        return;
    }
    let mut staged = Staged { rows: [[[0; 8]; _]; _], keys: [[[0; 8]; MOST_LANES]; 3] };
    let Staged { rows, keys } = &mut staged;
    while let Some((record, group)) =
        queue.group(count, own_keys, |blocks| planner.is_alone(blocks))
    {
        if own_keys {
            for (lane, key) in group.keys.chunks_exact(algorithm.key_len()).enumerate() {
                stage(keys, algorithm, lane, key);
            }
            lanes.set_keys(keys.each_ref().map(|keys| &keys[..count]));
        }
        for (block, iv) in rows[0].iter_mut().zip(group.ivs.as_chunks().0) {
            *block = *iv;
        }
        crypt(planner, lanes, rows, group, |lane, last| queue.end(record + lane, last));
    }
}

/// Takes note of each record's last block, once all are in place.
fn crypt(
    planner: &LanePlanner<'_>,
    lanes: &mut dyn Lanes,
    rows: &mut [Row],
    group: Group<'_>,
    mut ended: impl FnMut(usize, &[u8; 8]),
) {
    let Group { data, distance, len, .. } = group;
    let work = planner.transform.work;
    for from in (0..len).step_by(8 * MOST_STEPS) {
        let steps = ((len - from) / 8).min(MOST_STEPS);
        let behind = &mut data[from..];
        cpu::widely(Fetch { data: behind, distance, rows: &mut rows[1..=steps] });
        rows::crypt(work, lanes, rows, steps, |_, _| {});
        cpu::widely(Put { data: behind, distance, rows: &rows::results(work, rows)[..steps] });
        rows::go_on(work, rows, lanes.count(), steps);
    }
    if planner.transform.removes_padding() {
        for (lane, record) in data.chunks(distance).enumerate() {
            if let Some(last) = record[..len].last_chunk() {
                ended(lane, last);
            }
        }
    }
}

/// Copies the first blocks of all records, as many as there are rows, to these.
struct Fetch<'a> {
    data: &'a [u8],
    distance: usize,
    rows: &'a mut [Row],
}

impl Work for Fetch<'_> {
    #[inline(always)]
    fn run(self, vectors: impl Vectors) {
        let Self { data, distance, rows } = self;
        let (fours, rest) = rows.as_chunks_mut::<4>();
        let done = 4 * fours.len();
        for (n, records) in data.chunks(4 * distance).enumerate().take(MOST_LANES / 4) {
            let mut records = records.chunks(distance);
            let Some(records) = each_of_four(|| records.next()) else { return };
            // Sixteen blocks at once: a store for four.
            for (four, rows) in fours.iter_mut().enumerate() {
                let lines = records.map(|record| record.as_chunks().0.as_chunks().0[four]);
                for (row, blocks) in rows.iter_mut().zip(vectors.turn(lines)) {
                    row.as_chunks_mut().0[n] = blocks;
                }
            }
            for (step, row) in rest.iter_mut().enumerate() {
                row.as_chunks_mut().0[n] = records.map(|record| record.as_chunks().0[done + step]);
            }
        }
    }
}

/// Copies rows to the first blocks of all records.
struct Put<'a> {
    data: &'a mut [u8],
    distance: usize,
    rows: &'a [Row],
}

impl Work for Put<'_> {
    #[inline(always)]
    fn run(self, vectors: impl Vectors) {
        let Self { data, distance, rows } = self;
        let (fours, rest) = rows.as_chunks::<4>();
        let done = 4 * fours.len();
        for (n, records) in data.chunks_mut(4 * distance).enumerate().take(MOST_LANES / 4) {
            let mut records = records.chunks_mut(distance);
            let Some(records) = each_of_four(|| records.next()) else { return };
            let mut records = records.map(|record| record.as_chunks_mut().0);
            match fours {
                // A whole line of each record, which is then written at once.
                [first, second] => {
                    let (first, second) = (columns(vectors, first, n), columns(vectors, second, n));
                    for (record, (first, second)) in
                        records.iter_mut().zip(first.iter().zip(&second))
                    {
                        let line = record.as_chunks_mut().0;
                        line[0] = *first;
                        line[1] = *second;
                    }
                }
                [rows] => {
                    let lines = columns(vectors, rows, n);
                    for (record, line) in records.iter_mut().zip(lines) {
                        record.as_chunks_mut().0[0] = line;
                    }
                }
                _ => {}
            }
            for (step, row) in rest.iter().enumerate() {
                for (record, block) in records.iter_mut().zip(row.as_chunks::<4>().0[n]) {
                    record[done + step] = block;
                }
            }
        }
    }
}

/// What four rows have for four lanes: each lane's blocks.
#[inline(always)]
fn columns(vectors: impl Vectors, [a, b, c, d]: &[Row; 4], n: usize) -> [Four; 4] {
    vectors.turn([a.as_chunks().0[n], b.as_chunks().0[n], c.as_chunks().0[n], d.as_chunks().0[n]])
}

/// Four things, if there are as many.
#[inline(always)]
fn each_of_four<T>(mut next: impl FnMut() -> Option<T>) -> Option<[T; 4]> {
    Some([next()?, next()?, next()?, next()?])
}
