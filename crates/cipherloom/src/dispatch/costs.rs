//! What kernels cost.
//!
//! A row per backend and shape, in core cycles measured on one processor: only their ratios matter.
//! `bench/README.md` says how they are read off, `cipherloom speed --costs` prints them.

use crate::backend::Backend;
use crate::kernels::Shape;

/// A backend with tables.
pub(super) struct Tables {
    /// A block of a chain.
    pub(super) chain: usize,
    /// A block among several independent ones.
    pub(super) block: usize,
    /// A record of one block with a key of its own, key set-up and all.
    pub(super) record: usize,
}

/// A bit-sliced backend.
pub(super) struct Slices {
    pub(super) wide: Width,
    pub(super) narrow: Width,
    /// What a block in a lane costs beside the kernel: its way there and back.
    pub(super) lane: usize,
    /// What a record with a key of its own costs more.
    pub(super) record: usize,
}

/// A kernel of some width.
pub(super) struct Width {
    /// Setting up a call with one key for all lanes.
    pub(super) key: usize,
    /// Setting up a key for each lane.
    pub(super) keys: usize,
    /// A block in each lane, used or not.
    pub(super) group: usize,
}

/// The tables' row of a backend; none if it has no tables.
pub(super) fn tables(backend: Backend, shape: Shape) -> Option<&'static Tables> {
    let rows = match backend {
        Backend::X64Bmi2Table => &X64_BMI2,
        Backend::X64Table => &X64,
        Backend::Table => &PORTABLE,
        _ => return None,
    };
    Some(&rows[column(shape)])
}

/// The slices' row of a backend; none if it has no slices.
pub(super) fn slices(backend: Backend, shape: Shape) -> Option<&'static Slices> {
    let rows = match backend {
        Backend::X64Avx512Bitslice => &X64_AVX512_SLICES,
        Backend::X64Avx2Bitslice => &X64_AVX2_SLICES,
        Backend::X64Bitslice => &X64_SLICES,
        Backend::Bitslice => &PORTABLE_SLICES,
        _ => return None,
    };
    Some(&rows[column(shape)])
}

/// What a key object costs.
pub(super) fn schedule(shape: Shape) -> usize {
    [264, 431][column(shape)]
}

/// DES, then Triple-DES.
fn column(shape: Shape) -> usize {
    match shape {
        Shape::Single => 0,
        Shape::Ede | Shape::Eee => 1,
    }
}

#[rustfmt::skip]
static X64_BMI2: [Tables; 2] = [
    Tables { chain: 230, block: 118, record:   579 },
    Tables { chain: 629, block: 296, record: 1_234 },
];
#[rustfmt::skip]
static X64: [Tables; 2] = [
    Tables { chain: 239, block: 124, record:   576 },
    Tables { chain: 649, block: 315, record: 1_241 },
];
#[rustfmt::skip]
static PORTABLE: [Tables; 2] = [
    Tables { chain: 238, block: 147, record:   583 },
    Tables { chain: 654, block: 399, record: 1_268 },
];
#[rustfmt::skip]
static X64_AVX512_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   823, keys:  3_826, group:  4_204 },
        narrow: Width { key:   823, keys:  5_072, group:  2_201 },
        lane: 4,
        record: 76,
    },
    Slices {
        wide:   Width { key: 1_657, keys:  6_349, group: 10_543 },
        narrow: Width { key: 1_657, keys:  7_278, group:  5_899 },
        lane: 4,
        record: 77,
    },
];
#[rustfmt::skip]
static X64_AVX2_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   813, keys:  2_115, group:  2_828 },
        narrow: Width { key:   813, keys:  2_115, group:  2_828 },
        lane: 4,
        record: 88,
    },
    Slices {
        wide:   Width { key: 1_920, keys:  3_124, group:  7_075 },
        narrow: Width { key: 1_920, keys:  3_124, group:  7_075 },
        lane: 4,
        record: 93,
    },
];
#[rustfmt::skip]
static X64_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key: 1_187, keys:  1_423, group:  3_257 },
        narrow: Width { key: 1_187, keys:  1_423, group:  3_257 },
        lane: 6,
        record: 106,
    },
    Slices {
        wide:   Width { key: 3_028, keys:  2_700, group:  7_752 },
        narrow: Width { key: 3_028, keys:  2_700, group:  7_752 },
        lane: 6,
        record: 110,
    },
];
#[rustfmt::skip]
static PORTABLE_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key: 1_426, keys:  4_125, group:  5_847 },
        narrow: Width { key: 1_426, keys:  5_965, group:  2_993 },
        lane: 5,
        record: 87,
    },
    Slices {
        wide:   Width { key: 3_731, keys:  6_859, group: 14_622 },
        narrow: Width { key: 3_731, keys:  8_543, group:  7_914 },
        lane: 5,
        record: 87,
    },
];
