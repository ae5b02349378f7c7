//! Records of one length, as many as there are lanes or fewer: they begin and end together, so that nothing has to be
//! looked after for each of them.

use super::planner::LanePlanner;
use super::queue::{Queue, Work};
use super::rows::{self, Row};
use super::scheduler::{StagedKeys, stage_all};
use super::source::Group;
use crate::dispatch;
use crate::kernels::bitslice::{Lanes, MOST_LANES};
use crate::kernels::cpu::{self, Four, Vectors};
use crate::kernels::wipe;

/// The most blocks of a record that are fetched at once: a cache line.
const MOST_STEPS: usize = 8;

/// Blocks on their way, as [`LaneScheduler`](super::scheduler::LaneScheduler) has them, and the keys of
/// each lane; rows begin with cache lines, so that no vector lies in two.
#[repr(align(64))]
struct Staged<const ROWS: usize> {
    rows: [Row; ROWS],
    keys: StagedKeys,
}

impl<const ROWS: usize> Drop for Staged<ROWS> {
    fn drop(&mut self) {
        wipe(self.keys.as_flattened_mut());
        wipe(self.rows.as_flattened_mut());
    }
}

/// The next records, as many as there are lanes or all that are left, if they are a group that is best
/// served as one; each in as many parts as there are lanes for.
pub(super) fn next<'a>(
    planner: &LanePlanner<'_>,
    queue: &mut Queue<'a, '_, '_>,
    lanes: usize,
) -> Option<(usize, Group<'a>)> {
    let count = lanes.min(queue.count());
    let (even, need) = queue.even(count)?;
    let (parts, blocks) = (dispatch::parts(planner.parts(even, need), count, lanes), need / 8);
    if planner.is_alone(blocks)
        || count < lanes && planner.are_cut_further(lanes, count, blocks, parts)
    {
        return None;
    }
    let (record, group) = queue.group(count, even, need)?;
    Some((record, Group { parts, ..group }))
}

/// Serves a group, and those behind it that fill the lanes.
pub(super) fn serve<'a>(
    planner: &LanePlanner<'_>,
    queue: &mut Queue<'a, '_, '_>,
    lanes: &mut dyn Lanes,
    first: (usize, Group<'a>),
) {
    // One row more than steps, for what comes before.
    match first.1.len / first.1.parts / 8 {
        1 => serve_by::<2>(planner, queue, lanes, first),
        2..=4 => serve_by::<5>(planner, queue, lanes, first),
        _ => serve_by::<{ MOST_STEPS + 1 }>(planner, queue, lanes, first),
    }
}

/// Not inlined: who has few blocks need not pay for the stack of many.
#[inline(never)]
fn serve_by<'a, const ROWS: usize>(
    planner: &LanePlanner<'_>,
    queue: &mut Queue<'a, '_, '_>,
    lanes: &mut dyn Lanes,
    first: (usize, Group<'a>),
) {
    let (count, own_keys) = (lanes.count(), lanes.wants_keys());
    let mut staged = Staged { rows: [[[0; 8]; _]; ROWS], keys: [[[0; 8]; MOST_LANES]; 3] };
    let Staged { rows, keys } = &mut staged;
    let mut next = Some(first);
    while let Some((record, group)) = next {
        if own_keys {
            stage_all(keys, planner.transform.algorithm, group.keys, group.parts);
            lanes.set_keys(keys.each_ref().map(|keys| &keys[..count]));
        }
        stage_befores(&mut rows[0], planner.transform.work, &group);
        crypt(planner, lanes, rows, group, |lane, last| queue.end(record + lane, last));
        let fits = |blocks: usize| blocks.min(MOST_STEPS) < ROWS && !planner.is_alone(blocks);
        let even = queue.even(count).filter(|(_, need)| fits(need / 8));
        next = even.and_then(|(even, need)| queue.group(count, even, need));
    }
}

/// What stands before each part, or its first counter.
fn stage_befores(row: &mut Row, work: Work, group: &Group<'_>) {
    let &Group { ivs, ref data, len, parts, .. } = group;
    let ivs = ivs.as_chunks().0;
    if parts == 1 {
        return row[..ivs.len()].copy_from_slice(ivs);
    }
    let part_len = len / parts;
    if work == Work::CbcDecrypt {
        for (before, part) in row[1..].iter_mut().zip(data.chunks_exact(part_len)) {
            *before = part.last_chunk().copied().unwrap_or_default();
        }
    }
    for (befores, iv) in row.chunks_mut(parts).zip(ivs) {
        befores[0] = *iv;
        if work == Work::Ctr {
            let first = u64::from_be_bytes(*iv);
            for (counter, blocks) in befores.iter_mut().zip((0..).step_by(part_len / 8)) {
                *counter = first.wrapping_add(blocks).to_be_bytes();
            }
        }
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
    let Group { data, distance, len, parts, .. } = group;
    let work = planner.transform.work;
    let most = rows.len() - 1;
    // Where there are parts, one lies right behind the other.
    let (part_len, part_distance) = (len / parts, distance / parts);
    for from in (0..part_len).step_by(8 * most) {
        let steps = ((part_len - from) / 8).min(most);
        let behind = &mut data[from..];
        cpu::widely(Fetch { data: behind, distance: part_distance, rows: &mut rows[1..=steps] });
        rows::crypt(work, lanes, rows, steps, |_, _| {});
        let rows_out = &rows::results(work, rows)[..steps];
        cpu::widely(Put { data: behind, distance: part_distance, rows: rows_out });
        if from + 8 * steps < part_len {
            rows::go_on(work, rows, lanes.count(), steps);
        }
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

impl cpu::Work for Fetch<'_> {
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
        match rest {
            [row] if distance == size_of_val(&row[0]) => {
                let blocks = data.as_chunks().0;
                row[..blocks.len()].copy_from_slice(blocks);
            }
            [one] => fetch_few(data, distance, [one]),
            [one, two] => fetch_few(data, distance, [one, two]),
            [one, two, three] => fetch_few(data, distance, [one, two, three]),
            _ => {}
        }
    }
}

/// The same for fewer rows.
#[inline(always)]
fn fetch_few<const N: usize>(data: &[u8], distance: usize, mut rows: [&mut Row; N]) {
    for (lane, record) in data.chunks(distance).enumerate().take(MOST_LANES) {
        let Some(blocks) = record.as_chunks().0.first_chunk::<N>() else { return };
        for (row, block) in rows.iter_mut().zip(blocks) {
            row[lane] = *block;
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
        let Some(first) = line(0) else { return };
        // Of lanes without a record any block is as good.
        let lines = [Some(first), line(1), line(2), line(3)].map(|line| line.unwrap_or(first));
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

impl cpu::Work for Put<'_> {
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
        match rest {
            [row] if distance == size_of_val(&row[0]) => {
                let blocks = data.as_chunks_mut().0;
                blocks.copy_from_slice(&row[..blocks.len()]);
            }
            [one] => put_few(data, distance, [one]),
            [one, two] => put_few(data, distance, [one, two]),
            [one, two, three] => put_few(data, distance, [one, two, three]),
            _ => {}
        }
    }
}

/// The same for fewer rows.
#[inline(always)]
fn put_few<const N: usize>(data: &mut [u8], distance: usize, rows: [&Row; N]) {
    for (lane, record) in data.chunks_mut(distance).enumerate().take(MOST_LANES) {
        let Some(blocks) = record.as_chunks_mut().0.first_chunk_mut::<N>() else { return };
        for (row, block) in rows.iter().zip(blocks) {
            *block = row[lane];
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
