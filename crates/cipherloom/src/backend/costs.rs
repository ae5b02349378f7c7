//! What kernels cost.
//!
//! A row per backend and shape, in core cycles: only their ratios matter. `bench/README.md` says how
//! they are read off, `cipherloom speed --costs` prints them. Those below are from Zen 4
//! and Zen 5.
//!
//! They differ most in vectors of 512 bits, which Zen 4 does in two halves (a group of 512 lanes takes
//! 4,200 cycles there and 2,200 on Zen 5, one of 256 lanes 2,200 and 1,800). So the narrow kernels are
//! for messages that fit into one group of theirs; behind a wide group it is wide ones again.
//!
//! A row that is wrong by some costs a little speed around a cross-over, but where bit slices come too
//! late, a message takes longer than a longer one. So look-ups have the higher of both processors'
//! costs, and slices the lower ones.

use crate::backend::Backend;
use crate::kernels::Shape;

/// A backend that looks up, in tables or in registers.
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
    /// What a record costs more.
    pub(super) record: usize,
    /// What a batch costs before its first record has a lane.
    pub(super) crew: usize,
}

/// What a part costs into which a record is cut so that all lanes have work.
pub(super) const PART: usize = 55;

/// A kernel of some width.
pub(super) struct Width {
    /// Setting up a call with one key for all lanes.
    pub(super) key: usize,
    /// Setting up a key for each lane.
    pub(super) keys: usize,
    /// A block in each lane, used or not.
    pub(super) group: usize,
}

/// The row of a backend that looks up; none if it is sliced.
pub(super) fn tables(backend: Backend, shape: Shape) -> Option<&'static Tables> {
    let rows = match backend {
        Backend::X64Bmi2Table => &X64_BMI2,
        Backend::X64Table => &X64,
        Backend::Table => &PORTABLE,
        Backend::X64VbmiRegisters => &X64_VBMI_REGISTERS,
        Backend::X64Avx2Registers => &X64_AVX2_REGISTERS,
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
    [230, 400][column(shape)]
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
    Tables { chain: 230, block: 118, record:   590 },
    Tables { chain: 629, block: 296, record: 1_230 },
];
#[rustfmt::skip]
static X64: [Tables; 2] = [
    Tables { chain: 239, block: 124, record:   600 },
    Tables { chain: 649, block: 315, record: 1_240 },
];
#[rustfmt::skip]
static PORTABLE: [Tables; 2] = [
    Tables { chain: 238, block: 147, record:   600 },
    Tables { chain: 654, block: 399, record: 1_270 },
];
#[rustfmt::skip]
static X64_VBMI_REGISTERS: [Tables; 2] = [
    Tables { chain: 285, block:  80, record:   680 },
    Tables { chain: 840, block: 230, record: 1_360 },
];
#[rustfmt::skip]
static X64_AVX2_REGISTERS: [Tables; 2] = [
    Tables { chain:   485, block: 300, record:   880 },
    Tables { chain: 1_410, block: 860, record: 1_950 },
];
#[rustfmt::skip]
static X64_AVX512_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   800, keys:  2_900, group:  2_300 },
        narrow: Width { key:   800, keys:  2_900, group:  2_160 },
        lane: 4,
        record: 47,
        crew: 6_600,
    },
    Slices {
        wide:   Width { key: 1_350, keys:  4_500, group:  5_900 },
        narrow: Width { key: 1_350, keys:  4_500, group:  5_700 },
        lane: 4,
        record: 47,
        crew: 6_600,
    },
];
#[rustfmt::skip]
static X64_AVX2_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   720, keys:  1_600, group:  2_850 },
        narrow: Width { key:   720, keys:  1_600, group:  2_850 },
        lane: 4,
        record: 47,
        crew: 6_600,
    },
    Slices {
        wide:   Width { key: 1_450, keys:  3_000, group:  7_100 },
        narrow: Width { key: 1_450, keys:  3_000, group:  7_100 },
        lane: 4,
        record: 47,
        crew: 6_600,
    },
];
#[rustfmt::skip]
static X64_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key: 1_000, keys:  1_200, group:  3_200 },
        narrow: Width { key: 1_000, keys:  1_200, group:  3_200 },
        lane: 5,
        record: 47,
        crew: 6_600,
    },
    Slices {
        wide:   Width { key: 2_400, keys:  2_700, group:  7_750 },
        narrow: Width { key: 2_400, keys:  2_700, group:  7_750 },
        lane: 5,
        record: 47,
        crew: 6_600,
    },
];
#[rustfmt::skip]
static PORTABLE_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key: 1_200, keys:  3_200, group:  6_000 },
        narrow: Width { key: 1_200, keys:  3_200, group:  3_000 },
        lane: 4,
        record: 47,
        crew: 6_600,
    },
    Slices {
        wide:   Width { key: 3_000, keys:  6_200, group: 15_000 },
        narrow: Width { key: 3_000, keys:  6_200, group:  7_900 },
        lane: 4,
        record: 47,
        crew: 6_600,
    },
];
