//! What kernels cost.
//!
//! A row per backend and shape, in core cycles: only their ratios matter. `bench/README.md` says how
//! they are read off, `cipherloom speed --costs` prints them. Those below lie between what Zen 4 and
//! Zen 5 need.
//!
//! They differ most in vectors of 512 bits, which Zen 4 does in two halves (a group of 512 lanes takes
//! 4,200 cycles there and 2,300 on Zen 5, one of 256 lanes 2,200 and 2,400). So the narrow kernels are
//! there for messages that fit into one group of theirs; behind a wide group it is wide ones again,
//! and no message takes longer than a longer one. A row that is too dear for a kernel costs a little
//! speed around a cross-over; one that is too cheap lets a message take longer than a longer one.

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
    Tables { chain: 210, block: 104, record:   590 },
    Tables { chain: 590, block: 262, record: 1_160 },
];
#[rustfmt::skip]
static X64: [Tables; 2] = [
    Tables { chain: 218, block: 110, record:   590 },
    Tables { chain: 600, block: 275, record: 1_170 },
];
#[rustfmt::skip]
static PORTABLE: [Tables; 2] = [
    Tables { chain: 226, block: 137, record:   595 },
    Tables { chain: 630, block: 370, record: 1_210 },
];
#[rustfmt::skip]
static X64_VBMI_REGISTERS: [Tables; 2] = [
    Tables { chain: 280, block:  67, record:   680 },
    Tables { chain: 830, block: 190, record: 1_360 },
];
#[rustfmt::skip]
static X64_AVX2_REGISTERS: [Tables; 2] = [
    Tables { chain:   450, block: 300, record:   880 },
    Tables { chain: 1_300, block: 850, record: 1_890 },
];
#[rustfmt::skip]
static X64_AVX512_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   830, keys:  3_400, group:  2_900 },
        narrow: Width { key:   830, keys:  3_400, group:  2_300 },
        lane: 4,
        record: 70,
    },
    Slices {
        wide:   Width { key: 1_400, keys:  5_000, group:  7_300 },
        narrow: Width { key: 1_400, keys:  5_000, group:  6_000 },
        lane: 4,
        record: 70,
    },
];
#[rustfmt::skip]
static X64_AVX2_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   750, keys:  1_600, group:  2_900 },
        narrow: Width { key:   750, keys:  1_600, group:  2_900 },
        lane: 4,
        record: 80,
    },
    Slices {
        wide:   Width { key: 1_700, keys:  3_000, group:  7_250 },
        narrow: Width { key: 1_700, keys:  3_000, group:  7_250 },
        lane: 4,
        record: 80,
    },
];
#[rustfmt::skip]
static X64_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key: 1_190, keys:  1_300, group:  3_220 },
        narrow: Width { key: 1_190, keys:  1_300, group:  3_220 },
        lane: 6,
        record: 100,
    },
    Slices {
        wide:   Width { key: 2_700, keys:  2_700, group:  7_850 },
        narrow: Width { key: 2_700, keys:  2_700, group:  7_850 },
        lane: 6,
        record: 100,
    },
];
#[rustfmt::skip]
static PORTABLE_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key: 1_200, keys:  3_200, group:  6_000 },
        narrow: Width { key: 1_200, keys:  3_200, group:  3_000 },
        lane: 4,
        record: 80,
    },
    Slices {
        wide:   Width { key: 3_000, keys:  6_200, group: 15_000 },
        narrow: Width { key: 3_000, keys:  6_200, group:  7_900 },
        lane: 4,
        record: 80,
    },
];
