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
        let Self { mut data, distance, rows } = self;
        let (lines, rows) = rows.as_chunks_mut();
        if let [rows] = lines {
            return fetch::<MOST_STEPS>(vectors, data, distance, rows);
        }
        let (fours, rest) = rows.as_chunks_mut();
        if let [rows] = fours {
            fetch::<4>(vectors, data, distance, rows);
            data = &data[size_of::<Four>()..];
        }
        for (step, row) in rest.iter_mut().enumerate() {
            for (block, at) in row.iter_mut().zip((8 * step..).step_by(distance)) {
                let Some(found) = data.get(at..).and_then(|data| data.first_chunk()) else { break };
                *block = *found;
            }
        }
    }
}

/// The same for a number of rows that the compiler knows, a multiple of four.
#[inline(always)]
fn fetch<const N: usize>(vectors: impl Vectors, data: &[u8], distance: usize, rows: &mut [Row; N]) {
    for n in 0..MOST_LANES / 4 {
        let line = |lane: usize| {
            let behind = data.get((4 * n + lane) * distance..)?;
            behind.as_chunks().0.first_chunk::<N>()
        };
        let Some(lines) = each_of_four(line) else { return };
        // Sixteen blocks at once: a store for four.
        for (four, rows) in rows.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let turned = vectors.turn(lines.map(|line| line.as_chunks().0[four]));
            for (row, blocks) in rows.iter_mut().zip(turned) {
                row.as_chunks_mut().0[n] = blocks;
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
        let Self { mut data, distance, rows } = self;
        let (lines, rows) = rows.as_chunks();
        if let [rows] = lines {
            return put::<MOST_STEPS>(vectors, data, distance, rows);
        }
        let (fours, rest) = rows.as_chunks();
        if let [rows] = fours {
            put::<4>(vectors, data, distance, rows);
            data = &mut data[size_of::<Four>()..];
        }
        for (step, row) in rest.iter().enumerate() {
            for (block, at) in row.iter().zip((8 * step..).step_by(distance)) {
                let place = data.get_mut(at..).and_then(|data| data.first_chunk_mut());
                let Some(place) = place else { break };
                *place = *block;
            }
        }
    }
}

/// The same for a number of rows that the compiler knows, a multiple of four.
#[inline(always)]
fn put<const N: usize>(vectors: impl Vectors, data: &mut [u8], distance: usize, rows: &[Row; N]) {
    for n in 0..MOST_LANES / 4 {
        // All of a line of each record, which is then written at once.
        let mut lines = [[[0; 8]; N]; 4];
        for (four, [a, b, c, d]) in rows.as_chunks::<4>().0.iter().enumerate() {
            let rows = [a, b, c, d].map(|row| row.as_chunks().0[n]);
            for (line, blocks) in lines.iter_mut().zip(vectors.turn(rows)) {
                line.as_chunks_mut().0[four] = blocks;
            }
        }
        for (lane, line) in lines.iter().enumerate() {
            let behind = data.get_mut((4 * n + lane) * distance..);
            let place = behind.and_then(|data| data.as_chunks_mut().0.first_chunk_mut::<N>());
            let Some(place) = place else { return };
            *place = *line;
        }
    }
}

/// Four things, if there are as many.
#[inline(always)]
fn each_of_four<T>(thing: impl Fn(usize) -> Option<T>) -> Option<[T; 4]> {
    Some([thing(0)?, thing(1)?, thing(2)?, thing(3)?])
}
