//! Blocks of all lanes: a few of each are fetched at once, and taken apart into rows.
//!
//! A lane's blocks are neighbours, those of other lanes are far away: a cache line is touched once
//! and not once a block.

use crate::kernels::bitslice::MOST_LANES;

/// The most blocks of a lane that are fetched at once.
pub(super) const MOST_STEPS: usize = 4;

/// Rows of a block for each lane; one more than steps, for what comes before.
pub(super) type Rows = [[[u8; 8]; MOST_LANES]; MOST_STEPS + 1];

/// Blocks that each lane has left.
pub(super) fn lengths(rests: &[Option<&mut [u8]>]) -> impl Iterator<Item = usize> {
    rests.iter().flatten().map(|rest| rest.len().div_ceil(8))
}

/// The next blocks of each lane, into the rows behind the first; of one that has less, parts of
/// blocks with zeros behind them.
pub(super) fn take(rests: &[Option<&mut [u8]>], rows: &mut Rows, steps: usize) {
    let [_, rows @ ..] = rows;
    match steps {
        1 => take_each::<1>(rests, rows),
        2 => take_each::<2>(rests, rows),
        3 => take_each::<3>(rests, rows),
        _ => take_each::<MOST_STEPS>(rests, rows),
    }
}

fn take_each<const N: usize>(
    rests: &[Option<&mut [u8]>],
    rows: &mut [[[u8; 8]; MOST_LANES]; MOST_STEPS],
) {
    for (lane, rest) in rests.iter().enumerate().take(MOST_LANES) {
        let Some(rest) = rest else { continue };
        let (blocks, end) = rest.as_chunks();
        if let Some(blocks) = blocks.first_chunk::<N>() {
            for (row, block) in rows.iter_mut().zip(blocks) {
                row[lane] = *block;
            }
        } else {
            for (row, block) in rows.iter_mut().zip(blocks) {
                row[lane] = *block;
            }
            if let Some(row) = rows.get_mut(blocks.len()) {
                row[lane] = [0; 8];
                row[lane][..end.len()].copy_from_slice(end);
            }
        }
    }
}

/// Puts so many blocks of each lane where they belong, and moves on. Tells of lanes that have nothing
/// left, and of their last whole block.
pub(super) fn put(
    rests: &mut [Option<&mut [u8]>],
    rows: &[[[u8; 8]; MOST_LANES]],
    steps: usize,
    ended: impl FnMut(usize, Option<&[u8; 8]>),
) {
    match steps {
        1 => put_each::<1>(rests, rows, ended),
        2 => put_each::<2>(rests, rows, ended),
        3 => put_each::<3>(rests, rows, ended),
        _ => put_each::<MOST_STEPS>(rests, rows, ended),
    }
}

fn put_each<const N: usize>(
    rests: &mut [Option<&mut [u8]>],
    rows: &[[[u8; 8]; MOST_LANES]],
    mut ended: impl FnMut(usize, Option<&[u8; 8]>),
) {
    let Some(rows) = rows.first_chunk::<N>() else { return };
    for (lane, place) in rests.iter_mut().enumerate().take(MOST_LANES) {
        let Some(rest) = place.take() else { continue };
        if rest.len() > 8 * N {
            let (now, behind) = rest.split_at_mut(8 * N);
            for (block, row) in now.as_chunks_mut().0.iter_mut().zip(rows) {
                *block = row[lane];
            }
            *place = Some(behind);
        } else {
            let (blocks, end) = rest.as_chunks_mut();
            for (block, row) in blocks.iter_mut().zip(rows) {
                *block = row[lane];
            }
            if let Some(row) = rows.get(blocks.len()) {
                end.copy_from_slice(&row[lane][..end.len()]);
            }
            ended(lane, blocks.last());
        }
    }
}
