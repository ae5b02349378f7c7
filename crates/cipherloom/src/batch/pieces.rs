//! Records of any lengths whose blocks wait for nothing: cut into pieces of a few blocks, a lane for each.

use super::planner::LanePlanner;
use super::queue::{Queue, Ready, Work};
use super::rows::{self, Row};
use super::scheduler::{StagedKeys, stage};
use crate::dispatch::{LONGEST_PIECE, Load};
use crate::kernels::bitslice::{Lanes, MOST_LANES, Width};
use crate::kernels::wipe;
use crate::keys::Algorithm;

/// A piece, or what is left of a record.
struct Piece<'a> {
    /// Some blocks; under CTR the last may be a part of one.
    data: &'a mut [u8],
    /// What stands before them, or their first counter.
    before: [u8; 8],
    key: &'a [u8],
    record: usize,
}

/// Pieces on their way, a lane for each; rows for one block more than they have at most.
pub(super) struct PieceScheduler<'a, 's, const ROWS: usize> {
    places: &'s mut [Option<&'a mut [u8]>; MOST_LANES],
    /// The records that end with them, or [`NO_END`].
    records: [usize; MOST_LANES],
    count: usize,
    /// Blocks of the longest.
    longest: usize,
    /// What is left of a record of which some is served.
    rest: Option<Piece<'a>>,
    /// In the first is what stands before the blocks, or their counters.
    rows: [Row; ROWS],
    staged_keys: StagedKeys,
}

/// In place of a record: this is not its last piece. (A word is stored faster than a choice.)
const NO_END: usize = usize::MAX;

impl<'a, 's, const ROWS: usize> PieceScheduler<'a, 's, ROWS> {
    /// In places of a caller's, as the compiler would make them elsewhere, and copy them. Inlined, so that the rest is made
    /// where it stays.
    #[inline(always)]
    pub(super) fn new(places: &'s mut [Option<&'a mut [u8]>; MOST_LANES]) -> Self {
        Self {
            places,
            records: [0; MOST_LANES],
            count: 0,
            longest: 0,
            rest: None,
            rows: [[[0; 8]; _]; _],
            staged_keys: [[[0; 8]; MOST_LANES]; 3],
        }
    }

    /// The lanes that are best for what comes, and into pieces of how many blocks it is cut; none if it is better served
    /// alone, or there is nothing.
    pub(super) fn plan(
        &self,
        planner: &LanePlanner<'_>,
        queue: &Queue<'_, '_, '_>,
    ) -> Option<(Width, usize)> {
        let rest = self.rest.iter().map(|piece| piece.data.len().div_ceil(8));
        let blocks = rest.chain(queue.blocks().take(MOST_LANES));
        let load = planner.load(blocks, Load { begun: true, ..Load::default() });
        let width = planner.lanes(&load)?;
        Some((width, planner.piece(width, &load)))
    }

    /// Serves pieces of at most so many blocks, for as long as they fill all lanes, and once if they do not.
    pub(super) fn work(
        &mut self,
        planner: &LanePlanner<'_>,
        lanes: &mut dyn Lanes,
        queue: &mut Queue<'a, '_, '_>,
        most: usize,
    ) {
        match most.min(ROWS - 1) {
            1 => self.work_by::<1>(planner, lanes, queue),
            2 => self.work_by::<2>(planner, lanes, queue),
            3..=4 => self.work_by::<4>(planner, lanes, queue),
            _ => self.work_by::<LONGEST_PIECE>(planner, lanes, queue),
        }
    }

    fn work_by<const N: usize>(
        &mut self,
        planner: &LanePlanner<'_>,
        lanes: &mut dyn Lanes,
        queue: &mut Queue<'a, '_, '_>,
    ) {
        let (count, own_keys) = (lanes.count(), lanes.wants_keys());
        let transform = planner.transform;
        let whitens = transform.algorithm == Algorithm::Desx && own_keys;
        loop {
            self.collect(planner, queue, (count, own_keys), 8 * N);
            if own_keys {
                lanes.set_keys(self.staged_keys.each_ref().map(|keys| &keys[..count]));
            }
            take::<N>(&self.places[..self.count], &mut self.rows);
            let whiten = |blocks: &mut [[u8; 8]], part: usize| {
                if whitens {
                    whiten(blocks, &self.staged_keys[part]);
                }
            };
            rows::crypt(transform.work, lanes, &mut self.rows, self.longest, whiten);
            self.put::<N>(planner, queue);
            if self.rest.is_none() && queue.count() < count {
                break;
            }
        }
    }

    /// Cuts records into pieces of so many bytes, as many as there are lanes.
    #[inline(never)]
    fn collect(
        &mut self,
        planner: &LanePlanner<'_>,
        queue: &mut Queue<'a, '_, '_>,
        (lanes, own_keys): (usize, bool),
        most: usize,
    ) {
        let (mut lane, mut longest) = (0, 0);
        let mut rest = self.rest.take();
        while lane < lanes {
            let piece = match rest.take() {
                Some(piece) => piece,
                None => match planner.next(queue) {
                    Some(Ready { record, key, before, data }) => {
                        Piece { data, before, key, record }
                    }
                    None => break,
                },
            };
            let piece = if piece.data.len() > most {
                let (first, behind) = cut(planner.transform.work, piece, most);
                rest = Some(behind);
                first
            } else {
                piece
            };
            longest = longest.max(piece.data.len());
            self.rows[0][lane] = piece.before;
            if own_keys {
                stage(&mut self.staged_keys, lane, piece.key);
            }
            self.records[lane] = piece.record;
            self.places[lane] = Some(piece.data);
            lane += 1;
        }
        (self.count, self.longest, self.rest) = (lane, longest.div_ceil(8), rest);
    }

    /// Puts results where the blocks were, and takes note of the ends of records.
    fn put<const N: usize>(&mut self, planner: &LanePlanner<'_>, queue: &mut Queue<'_, '_, '_>) {
        let rows = rows::results(planner.transform.work, &mut self.rows);
        let removes = planner.transform.removes_padding();
        for (lane, place) in self.places[..self.count].iter_mut().enumerate() {
            let Some(data) = place.take() else { continue };
            let (blocks, end) = data.as_chunks_mut();
            rows::put_some::<N>(blocks, rows, lane);
            if !end.is_empty() {
                end.copy_from_slice(&rows[blocks.len()][lane][..end.len()]);
            }
            if removes
                && self.records[lane] != NO_END
                && let Some(last) = blocks.last()
            {
                queue.end(self.records[lane], last);
            }
        }
    }

    /// Serves what is left of a record without lanes.
    pub(super) fn alone(&mut self, planner: &LanePlanner<'_>, queue: &mut Queue<'_, '_, '_>) {
        if let Some(Piece { data, before, key, record }) = self.rest.take() {
            planner.alone(queue, key, before, data, Some(record));
        }
    }
}

/// Brings the blocks of each piece, `N` at most, to the rows behind the first; of a part of one, with zeros behind it.
fn take<const N: usize>(places: &[Option<&mut [u8]>], rows: &mut [Row]) {
    let [_, rows @ ..] = rows else { return };
    for (lane, place) in places.iter().enumerate().take(MOST_LANES) {
        let Some(data) = place else { continue };
        let (blocks, end) = data.as_chunks();
        rows::take_some::<N>(blocks, rows, lane);
        if !end.is_empty() {
            rows[blocks.len()][lane] = [0; 8];
            rows[blocks.len()][lane][..end.len()].copy_from_slice(end);
        }
    }
}

/// Takes the first bytes off a piece; gives them and what is left.
fn cut(work: Work, piece: Piece<'_>, len: usize) -> (Piece<'_>, Piece<'_>) {
    let Piece { data, before, key, record } = piece;
    let (data, behind) = data.split_at_mut(len);
    let next = match work {
        Work::Ctr => u64::from_be_bytes(before).wrapping_add(len as u64 / 8).to_be_bytes(),
        Work::CbcDecrypt => data.last_chunk().copied().unwrap_or(before),
        // A plaintext is left nowhere that does not need it; encryption of chains is never cut.
        Work::EcbEncrypt | Work::EcbDecrypt | Work::CbcEncrypt => before,
    };
    let first = Piece { data, before, key, record: NO_END };
    (first, Piece { data: behind, before: next, key, record })
}

/// XORs a part of each lane's key into its block.
#[cold]
fn whiten(blocks: &mut [[u8; 8]], masks: &[[u8; 8]]) {
    for (block, mask) in blocks.iter_mut().zip(masks) {
        rows::add(block, mask);
    }
}

impl<const ROWS: usize> Drop for PieceScheduler<'_, '_, ROWS> {
    fn drop(&mut self) {
        wipe(self.staged_keys.as_flattened_mut());
        wipe(self.rows.as_flattened_mut());
    }
}
