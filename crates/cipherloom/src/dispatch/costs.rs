//! What kernels cost, and from that how much work is whose.
//!
//! A row per backend, in core cycles measured on one processor; only ratios matter.
//! `bench/README.md` says how they are measured.

use crate::backend::Backend;
use crate::kernels::{Shape, bitslice};

/// A backend with tables.
struct Tables {
    /// Each of several independent blocks.
    block: usize,
    /// A block under a key of its own, which is set up for it.
    record: usize,
}

/// The bit-sliced backend.
struct Slices {
    /// A call of up to 64 lanes.
    narrow: usize,
    /// One of up to 256 lanes.
    wide: usize,
    /// What a key for each of up to 64 lanes costs more.
    keys: usize,
}

/// DES, then Triple-DES.
#[rustfmt::skip]
const fn tables(backend: Backend) -> [Tables; 2] {
    match backend {
        Backend::X64Bmi2Table => [Tables { block: 70, record: 300 }, Tables { block: 190, record: 800 }],
        Backend::X64Table => [Tables { block: 75, record: 310 }, Tables { block: 205, record: 830 }],
        _ => [Tables { block: 122, record: 330 }, Tables { block: 335, record: 830 }],
    }
}

const SLICES: [Slices; 2] = [
    Slices { narrow: 3_700, wide: 6_800, keys: 1_500 },
    Slices { narrow: 8_700, wide: 15_000, keys: 4_000 },
];

const fn column(shape: Shape) -> usize {
    match shape {
        Shape::Single => 0,
        Shape::Ede | Shape::Eee => 1,
    }
}

/// How many of `blocks` independent blocks the bit-sliced kernel does best; the rest, fewer than
/// are worth a call of it, is left to a backend with tables.
pub(super) fn sliced(backend: Backend, shape: Shape, blocks: usize) -> usize {
    let Tables { block, .. } = tables(backend)[column(shape)];
    let Slices { narrow, wide, .. } = SLICES[column(shape)];
    if blocks < narrow / block {
        return 0;
    }
    let rest = blocks % bitslice::LANES;
    let few = rest.min(bitslice::NARROW_LANES);
    let ways = [(0, rest * block), (few, narrow + (rest - few) * block), (rest, wide)];
    let best = ways.into_iter().min_by_key(|(_, cost)| *cost).map_or(0, |(count, _)| count);
    blocks - rest + best
}

/// From how many blocks on, each under a key of its own, a call of the bit-sliced kernel is faster
/// than a backend with tables.
pub(super) fn lanes_from(backend: Backend, shape: Shape) -> usize {
    let Tables { record, .. } = tables(backend)[column(shape)];
    let Slices { narrow, keys, .. } = SLICES[column(shape)];
    (narrow + keys).div_ceil(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: [Backend; 3] = [Backend::X64Bmi2Table, Backend::X64Table, Backend::Table];
    const SHAPES: [Shape; 3] = [Shape::Single, Shape::Ede, Shape::Eee];

    #[test]
    fn whole_wide_calls_are_always_sliced_and_a_short_rest_never() {
        for (backend, shape) in TABLES.into_iter().flat_map(|b| SHAPES.map(|s| (b, s))) {
            for n in 0..2_000 {
                let sliced = sliced(backend, shape, n);
                assert!(sliced >= n / bitslice::LANES * bitslice::LANES && sliced <= n);
                assert!(n - sliced < bitslice::NARROW_LANES, "{n} blocks leave {}", n - sliced);
            }
            assert_eq!(sliced(backend, shape, 8), 0);
            assert_eq!(sliced(backend, shape, bitslice::NARROW_LANES), bitslice::NARROW_LANES);
        }
    }

    #[test]
    fn a_full_narrow_call_is_worth_it_and_two_lanes_are_not() {
        for (backend, shape) in TABLES.into_iter().flat_map(|b| SHAPES.map(|s| (b, s))) {
            let from = lanes_from(backend, shape);
            assert!((3..=bitslice::NARROW_LANES).contains(&from), "{from}");
        }
    }
}
