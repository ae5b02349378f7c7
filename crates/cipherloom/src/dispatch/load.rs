//! Pieces of work for lanes: how many there are, how they are cut, and what lanes cost for all of them.

use crate::backend::costs::{Slices, Width as Costs};
use crate::kernels::bitslice::Width;

/// The most blocks of a piece, which are served in one go: a cache line.
pub(crate) const LONGEST_PIECE: usize = 8;

/// Pieces of work that could each have a lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Load {
    pub(crate) pieces: usize,
    /// Blocks of all of them.
    pub(crate) blocks: usize,
    /// Blocks of the longest.
    pub(crate) longest: usize,
    /// Whether a piece's blocks wait for each other.
    pub(crate) chained: bool,
    /// Whether each has a key of its own.
    pub(crate) own_keys: bool,
    /// Whether some of them had lanes already, so that there is a scheduler.
    pub(crate) begun: bool,
    /// The lanes that have their keys.
    pub(crate) keyed: Option<Width>,
    /// If all are of one length and lie evenly: into how many parts each may be cut, as
    /// [`parts_of`] says.
    pub(crate) group: Option<usize>,
}

impl Load {
    /// What it costs in so many lanes, and what beside the kernels.
    pub(super) fn in_lanes(
        &self,
        (width, lanes): (Width, usize),
        slices: &Slices,
        costs: &Costs,
    ) -> (usize, usize) {
        let parts = self.group.map(|most| parts(most, self.pieces, lanes));
        let beside = |is_group| {
            let scheduler = if is_group || self.begun { 0 } else { slices.scheduler };
            slices.beside(self.pieces, self.blocks, is_group).saturating_add(scheduler)
        };
        let keys = if self.keyed == Some(width) { 0 } else { self.keys(costs) };
        let whole = self.longest.saturating_mul(costs.group);
        let rounds = times(lanes, self.pieces);
        let in_rounds = |steps: usize| steps.saturating_add(rounds.saturating_mul(keys));
        match parts {
            // Chains wait for the longest of so many.
            _ if self.chained => (in_rounds(whole.saturating_mul(rounds)), beside(parts.is_some())),
            Some(_) if rounds > 1 => {
                let steps = times(lanes, self.blocks).saturating_mul(costs.group);
                (in_rounds(steps), beside(true))
            }
            Some(each)
                if !slices.are_cut_further(costs, lanes, self.pieces, self.longest, each) =>
            {
                (in_rounds(whole / each), beside(true))
            }
            _ => (self.in_pieces(lanes, slices, costs).1, beside(false)),
        }
    }

    /// What keys in all lanes cost.
    fn keys(&self, costs: &Costs) -> usize {
        if self.own_keys { costs.keys } else { costs.key }
    }

    /// Into pieces of how many blocks at most, a power of two, all is best cut for so many lanes, and what these cost beside
    /// what records do.
    pub(super) fn in_pieces(&self, lanes: usize, slices: &Slices, costs: &Costs) -> (usize, usize) {
        let keys = self.keys(costs);
        let mut best = (1, usize::MAX);
        for size in (0..=LONGEST_PIECE.ilog2()).map(|bits| 1 << bits) {
            let is_whole = size >= self.longest;
            // What is left of a record is half a piece, unless pieces are blocks.
            let left = if size == 1 { 0 } else { self.pieces / 2 };
            let cut = left.saturating_add(times(size, self.blocks));
            let pieces = if is_whole { self.pieces } else { cut };
            let more = pieces.saturating_sub(self.pieces).saturating_mul(slices.piece());
            let steps = costs.group.saturating_mul(size.min(self.longest));
            let groups = times(lanes, pieces);
            let cost = steps.saturating_add(keys).saturating_mul(groups).saturating_add(more);
            if cost < best.1 {
                best = (size, cost);
            }
            if is_whole {
                break;
            }
        }
        best
    }
}

/// How often a power of two goes into a number, rounded up: sooner said than by a division.
fn times(power: usize, number: usize) -> usize {
    number.saturating_add(power - 1) >> power.trailing_zeros()
}

/// Into how many parts so many blocks may be cut in a group, all of one length: a power of two.
pub(crate) fn parts_of(blocks: usize) -> usize {
    blocks & blocks.wrapping_neg()
}

/// Into how many parts each piece of a group is cut that may be cut into `most`, to have a lane for each part.
pub(crate) fn parts(most: usize, pieces: usize, lanes: usize) -> usize {
    most.min(1 << (lanes / pieces.max(1)).max(1).ilog2())
}

impl Slices {
    /// Whether pieces of a group, each of so many blocks, are better cut into pieces for so many lanes than each into so
    /// many parts.
    pub(super) fn are_cut_further(
        &self,
        costs: &Costs,
        lanes: usize,
        pieces: usize,
        blocks: usize,
        parts: usize,
    ) -> bool {
        if blocks == parts {
            return false;
        }
        let all = blocks.saturating_mul(pieces);
        let steps = (blocks / parts).saturating_mul(costs.group).saturating_add(costs.keys);
        let group = steps.saturating_add(self.beside(pieces, all, true));
        let beside = self.beside(pieces, all, false).saturating_add(self.scheduler);
        let load = Load { pieces, blocks: all, longest: blocks, own_keys: true, ..Load::default() };
        load.in_pieces(lanes, self, costs).1.saturating_add(beside) < group
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All parts of a group are of one length, there is a lane for each, and there are no fewer than half as many as could be.
    #[test]
    fn a_group_is_cut_evenly() {
        for lanes in [64, 128, 256, 512] {
            for blocks in 1..70 {
                let most = parts_of(blocks);
                assert_eq!(blocks % most, 0, "{blocks}");
                assert!(blocks / most % 2 == 1, "{blocks}: {most}");
                for pieces in 1..=lanes + 1 {
                    let parts = parts(most, pieces, lanes);
                    let what = (lanes, blocks, pieces, parts);
                    assert!(most.is_multiple_of(parts), "{what:?}");
                    assert!(parts == 1 || parts * pieces <= lanes, "{what:?}");
                    assert!(parts == most || 2 * parts * pieces > lanes, "{what:?}");
                }
            }
        }
    }
}
