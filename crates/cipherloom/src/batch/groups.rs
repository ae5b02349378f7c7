//! As many records of one length as there are lanes: they begin and end together, so that nothing has to be
//! looked after for each of them.

use super::planner::LanePlanner;
use super::queue::Queue;
use super::rows::{self, Row};
use super::scheduler::{StagedKeys, stage};
use super::source::Group;
use crate::kernels::bitslice::{Lanes, MOST_LANES};
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
        pair(behind, distance, &mut rows[1..], steps, |block, row| *row = *block);
        rows::crypt(work, lanes, rows, steps, |_, _| {});
        pair(behind, distance, rows::results(work, rows), steps, |block, row| *block = *row);
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

/// Copies the first blocks of all records to or from rows.
#[inline(always)]
fn pair(
    data: &mut [u8],
    distance: usize,
    rows: &mut [Row],
    steps: usize,
    copy: impl Fn(&mut [u8; 8], &mut [u8; 8]) + Copy,
) {
    let mut done = 0;
    for some in [8, 4, 2, 1].into_iter().filter(|some| steps & some != 0) {
        let (data, rows) = (&mut data[8 * done..], &mut rows[done..]);
        match some {
            8 => pair_each::<8>(data, distance, rows, copy),
            4 => pair_each::<4>(data, distance, rows, copy),
            2 => pair_each::<2>(data, distance, rows, copy),
            _ => pair_each::<1>(data, distance, rows, copy),
        }
        done += some;
    }
}

/// A number of blocks that the compiler knows: it writes the loop over them out.
fn pair_each<const N: usize>(
    data: &mut [u8],
    distance: usize,
    rows: &mut [Row],
    copy: impl Fn(&mut [u8; 8], &mut [u8; 8]),
) {
    let Some(rows) = rows.first_chunk_mut::<N>() else { return };
    for (lane, record) in data.chunks_mut(distance).enumerate().take(MOST_LANES) {
        if let Some(blocks) = record.as_chunks_mut().0.first_chunk_mut::<N>() {
            for (block, row) in blocks.iter_mut().zip(&mut *rows) {
                copy(block, &mut row[lane]);
            }
        }
    }
}
