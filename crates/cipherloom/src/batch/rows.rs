//! Blocks of all lanes: a few of each are fetched at once, and taken apart into rows.
//!
//! A lane's blocks are neighbours, those of other lanes are far away: a cache line is touched once
//! and not once a block.

use super::queue::Work;
use crate::kernels::Xor;
use crate::kernels::bitslice::{Lanes, MOST_LANES};
use crate::kernels::cpu::{self, Vectors};

/// The most blocks of a lane that are fetched at once.
pub(super) const MOST_STEPS: usize = 4;

/// A block for each lane. A cache line longer than that: rows of a whole page would all meet in one set of
/// the nearest cache.
pub(super) type Row = [[u8; 8]; MOST_LANES + 8];

/// One row more than steps, for what comes before.
pub(super) type Rows = [Row; MOST_STEPS + 1];

/// Some blocks in each lane; `whiten` XORs a part of each lane's key into a row.
pub(super) fn crypt(
    work: Work,
    lanes: &mut dyn Lanes,
    rows: &mut [Row],
    steps: usize,
    whiten: impl Fn(&mut [[u8; 8]], usize),
) {
    let count = lanes.count();
    // DESX's key: that of DES, what is XORed in before encryption, what after it.
    let (first, second) = match work {
        Work::EcbDecrypt | Work::CbcDecrypt => (2, 1),
        Work::EcbEncrypt | Work::CbcEncrypt | Work::Ctr => (1, 2),
    };
    for step in 0..steps {
        let (before, next) = rows.split_at_mut(step + 1);
        let (first_row, before) = match before {
            [one] => (None, &mut one[..count]),
            [first, .., last] => (Some(&mut first[..count]), &mut last[..count]),
            [] => break,
        };
        let next = &mut next[0][..count];
        match work {
            Work::CbcEncrypt => {
                cpu::widely(Xor { blocks: next, masks: before });
                whiten(next, first);
                lanes.crypt(next);
                whiten(next, second);
            }
            Work::EcbEncrypt | Work::EcbDecrypt => {
                whiten(next, first);
                lanes.crypt(next);
                whiten(next, second);
            }
            Work::CbcDecrypt => {
                whiten(next, first);
                lanes.crypt_xor(next, before);
                whiten(before, second);
                // It will stand before the next block.
                whiten(next, first);
            }
            Work::Ctr => {
                let counters = first_row.unwrap_or(before);
                whiten(counters, first);
                lanes.crypt_xor(counters, next);
                whiten(next, second);
                whiten(counters, first);
                for counter in counters {
                    *counter = u64::from_be_bytes(*counter).wrapping_add(1).to_be_bytes();
                }
            }
        }
    }
}

/// The rows of results: plaintext is where the ciphertext before it was.
pub(super) fn results(work: Work, rows: &mut [Row]) -> &mut [Row] {
    if work == Work::CbcDecrypt { rows } else { &mut rows[1..] }
}

/// What stands before the next block of each lane comes first again; who waits behind them keeps his. (Exchanged: see
/// [`copy`](crate::kernels::copy) for what a copy of 4 KiB can take.)
pub(super) fn go_on(work: Work, rows: &mut [Row], lanes: usize, steps: usize) {
    if matches!(work, Work::CbcEncrypt | Work::CbcDecrypt) {
        let (first, others) = rows.split_at_mut(1);
        cpu::widely(Exchange(&mut first[0][..lanes], &mut others[steps - 1][..lanes]));
    }
}

struct Exchange<'a>(&'a mut [[u8; 8]], &'a mut [[u8; 8]]);

impl cpu::Work for Exchange<'_> {
    #[inline(always)]
    fn run(self, _: impl Vectors) {
        let [one, other] = [self.0, self.1].map(|blocks| blocks.as_chunks_mut::<4>().0);
        one.iter_mut().zip(other).for_each(|(one, other)| core::mem::swap(one, other));
    }
}

#[inline]
pub(super) fn add(block: &mut [u8; 8], mask: &[u8; 8]) {
    *block = (u64::from_ne_bytes(*block) ^ u64::from_ne_bytes(*mask)).to_ne_bytes();
}

/// Blocks that each lane has left.
pub(super) fn lengths(rests: &[Option<&mut [[u8; 8]]>]) -> impl Iterator<Item = usize> {
    rests.iter().flatten().map(|rest| rest.len())
}

/// The next blocks of each lane, into the rows behind the first.
pub(super) fn take(rests: &[Option<&mut [[u8; 8]]>], rows: &mut Rows, steps: usize) {
    let [_, rows @ ..] = rows;
    match steps {
        1 => take_each::<1>(rests, rows),
        2 => take_each::<2>(rests, rows),
        3 => take_each::<3>(rests, rows),
        _ => take_each::<MOST_STEPS>(rests, rows),
    }
}

fn take_each<const N: usize>(rests: &[Option<&mut [[u8; 8]]>], rows: &mut [Row; MOST_STEPS]) {
    for (lane, rest) in rests.iter().enumerate().take(MOST_LANES) {
        if let Some(blocks) = rest {
            take_some::<N>(blocks, rows, lane);
        }
    }
}

/// The first `N` blocks to a lane of rows; the last one also in place of those that are missing, as a processor foresees no
/// numbers of blocks.
#[inline(always)]
pub(super) fn take_some<const N: usize>(blocks: &[[u8; 8]], rows: &mut [Row], lane: usize) {
    if let Some(last) = blocks.len().checked_sub(1) {
        for (n, row) in rows[..N].iter_mut().enumerate() {
            row[lane] = blocks[n.min(last)];
        }
    }
}

/// The other way round.
#[inline(always)]
pub(super) fn put_some<const N: usize>(blocks: &mut [[u8; 8]], rows: &[Row], lane: usize) {
    if let Some(last) = blocks.len().checked_sub(1) {
        for n in 0..N {
            blocks[n.min(last)] = rows[n.min(last)][lane];
        }
    }
}

/// Puts so many blocks of each lane where they belong, and moves on. Tells of each lane whether it has nothing left.
pub(super) fn put(
    rests: &mut [Option<&mut [[u8; 8]]>],
    rows: &[Row],
    steps: usize,
    ended: impl FnMut(usize, bool),
) {
    match steps {
        1 => put_each::<1>(rests, rows, ended),
        2 => put_each::<2>(rests, rows, ended),
        3 => put_each::<3>(rests, rows, ended),
        _ => put_each::<MOST_STEPS>(rests, rows, ended),
    }
}

fn put_each<const N: usize>(
    rests: &mut [Option<&mut [[u8; 8]]>],
    rows: &[Row],
    mut ended: impl FnMut(usize, bool),
) {
    let Some(rows) = rows.first_chunk::<N>() else { return };
    for (lane, place) in rests.iter_mut().enumerate().take(MOST_LANES) {
        let Some(blocks) = place.take() else { continue };
        put_some::<N>(blocks, rows, lane);
        let behind = blocks.split_at_mut(N.min(blocks.len())).1;
        let is_end = behind.is_empty();
        *place = (!is_end).then_some(behind);
        ended(lane, is_end);
    }
}
