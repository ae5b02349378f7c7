//! What kernels cost, and from that which work is whose.
//!
//! A row per backend and shape, in core cycles measured on one processor: only their ratios matter.
//! `bench/README.md` says how they are read off.

use crate::backend::Backend;
use crate::kernels::Shape;
use crate::kernels::bitslice::{LANES, NARROW_LANES};

/// A backend with tables.
struct Tables {
    /// A block of a chain.
    chain: usize,
    /// A block among several independent ones.
    block: usize,
    /// A record of one block with a key of its own, key set-up and all.
    record: usize,
}

/// The bit-sliced backend.
struct Slices {
    /// A call of up to 64 lanes.
    narrow: Call,
    /// One of up to 256 lanes.
    wide: Call,
    /// What a record's block costs more on its way into a lane and back.
    lane: usize,
}

/// A call of the bit-sliced kernel.
struct Call {
    /// With one key for all lanes.
    one_key: usize,
    /// With a key for each lane, which are set up for it.
    key_each: usize,
}

/// DES, then Triple-DES.
#[rustfmt::skip]
static X64_BMI2: [Tables; 2] = [
    Tables { chain: 195, block:  90, record: 415 },
    Tables { chain: 550, block: 228, record: 915 },
];
#[rustfmt::skip]
static X64: [Tables; 2] = [
    Tables { chain: 197, block:  92, record: 420 },
    Tables { chain: 552, block: 230, record: 920 },
];
#[rustfmt::skip]
static PORTABLE: [Tables; 2] = [
    Tables { chain: 211, block: 121, record: 430 },
    Tables { chain: 585, block: 330, record: 940 },
];
#[rustfmt::skip]
static SLICES: [Slices; 2] = [
    Slices {
        narrow: Call { one_key:  3_850, key_each:  5_300 },
        wide:   Call { one_key:  8_150, key_each: 11_100 },
        lane: 68,
    },
    Slices {
        narrow: Call { one_key:  8_740, key_each: 11_060 },
        wide:   Call { one_key: 18_300, key_each: 23_500 },
        lane: 70,
    },
];

/// Weighs a backend with tables against the bit-sliced one.
#[derive(Clone, Copy)]
pub(crate) struct Scales {
    tables: &'static Tables,
    slices: &'static Slices,
}

impl Scales {
    #[inline]
    pub(super) fn new(backend: Backend, shape: Shape) -> Self {
        let rows = match backend {
            Backend::X64Bmi2Table => &X64_BMI2,
            Backend::X64Table => &X64,
            _ => &PORTABLE,
        };
        let column = match shape {
            Shape::Single => 0,
            Shape::Ede | Shape::Eee => 1,
        };
        Self { tables: &rows[column], slices: &SLICES[column] }
    }

    /// How many of `blocks` independent blocks under one key go through lanes; the rest, fewer than
    /// are worth a call, is left to tables.
    #[inline]
    pub(super) fn sliced(self, blocks: usize) -> usize {
        let Self { tables: Tables { block, .. }, slices: Slices { narrow, wide, .. } } = self;
        if blocks.saturating_mul(*block) < narrow.one_key {
            return 0;
        }
        let rest = blocks % LANES;
        let few = rest.min(NARROW_LANES);
        let ways =
            [(0, rest * block), (few, narrow.one_key + (rest - few) * block), (rest, wide.one_key)];
        let best = ways.into_iter().min_by_key(|(_, cost)| *cost).map_or(0, |(count, _)| count);
        blocks - rest + best
    }

    /// Whether up to [`LANES`] blocks, each under a key of its own, go through lanes.
    pub(crate) fn slices(self, blocks: usize) -> bool {
        self.chains(blocks, 1)
    }

    /// Whether up to [`LANES`] chains of so many blocks, each under a key of its own, go through
    /// lanes.
    pub(crate) fn chains(self, chains: usize, blocks: usize) -> bool {
        let Self { tables: Tables { chain, record, .. }, slices: Slices { lane, .. } } = self;
        let more = blocks.saturating_sub(1);
        let call = self.call(chains);
        // A chain and a call may be long, but no longer than there is memory.
        let step = call.one_key + chains * lane;
        let sliced = (call.key_each + chains * lane).saturating_add(more.saturating_mul(step));
        let alone = (chains * record).saturating_add(more.saturating_mul(chains * chain));
        sliced < alone
    }

    /// Whether records, each under a key of its own, whose blocks are independent, are gathered into
    /// lanes, `blocks` in all.
    pub(crate) fn gathers(self, records: usize, blocks: usize) -> bool {
        let Self { tables: Tables { block, record, .. }, slices: Slices { wide, lane, .. } } = self;
        let rest = match blocks % LANES {
            0 => 0,
            rest if self.slices(rest) => self.call(rest).key_each,
            rest => rest * record,
        };
        let calls = (blocks / LANES).saturating_mul(wide.key_each);
        let gathered = calls.saturating_add(rest).saturating_add(blocks.saturating_mul(*lane));
        let more = blocks.saturating_sub(records).saturating_mul(*block);
        gathered < records.saturating_mul(*record).saturating_add(more)
    }

    fn call(self, lanes: usize) -> &'static Call {
        if lanes <= NARROW_LANES { &self.slices.narrow } else { &self.slices.wide }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (Scales, Backend, Shape)> {
        [Backend::X64Bmi2Table, Backend::X64Table, Backend::Table].into_iter().flat_map(|backend| {
            [Shape::Single, Shape::Ede, Shape::Eee]
                .map(|shape| (Scales::new(backend, shape), backend, shape))
        })
    }

    #[test]
    fn whole_wide_calls_are_always_sliced_and_a_short_rest_never() {
        for (scales, backend, shape) in all() {
            for n in 0..2_000 {
                let sliced = scales.sliced(n);
                assert!(sliced >= n / LANES * LANES && sliced <= n);
                assert!(n - sliced < NARROW_LANES, "{backend:?}, {shape:?}: {n} leave too many");
            }
            assert_eq!(scales.sliced(8), 0);
            assert_eq!(scales.sliced(NARROW_LANES), NARROW_LANES);
            assert_eq!(scales.sliced(usize::MAX) % LANES, LANES - 1);
        }
    }

    #[test]
    fn full_lanes_are_worth_a_call_and_two_are_not() {
        for (scales, backend, shape) in all() {
            let what = (backend, shape);
            for blocks in [1, 2, 1_000, 1_000_000] {
                assert!(!scales.chains(2, blocks) && !scales.gathers(2, 2), "{what:?}");
                assert!(scales.chains(NARROW_LANES, blocks), "{what:?}, {blocks} blocks");
            }
            assert!(scales.gathers(NARROW_LANES, NARROW_LANES) && scales.gathers(1000, 3000));
            // Few records of some length: each alone weaves its blocks.
            assert!(!scales.gathers(3, 3 * 10), "{what:?}");
            assert!(!scales.gathers(0, 0), "{what:?}");
        }
    }
}
