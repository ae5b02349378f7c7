//! What kernels cost.
//!
//! A row per backend and shape, in core cycles measured on one processor: only their ratios matter.
//! `bench/README.md` says how they are read off, `cipherloom speed --costs` prints them.

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
    [80, 240][column(shape)]
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
static X64_VBMI_REGISTERS: [Tables; 2] = [
    Tables { chain: 275, block:  65, record: 500 },
    Tables { chain: 800, block: 185, record: 1_150 },
];
#[rustfmt::skip]
static X64_AVX2_REGISTERS: [Tables; 2] = [
    Tables { chain: 445, block: 290, record:   670 },
    Tables { chain: 1_260, block: 830, record: 1_600 },
];
#[rustfmt::skip]
static PORTABLE_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   150, keys:  1_500, group:  8_000 },
        narrow: Width { key:    50, keys:    400, group:  3_800 },
        lane: 10,
        record: 40,
    },
    Slices {
        wide:   Width { key:   450, keys:  4_500, group: 18_000 },
        narrow: Width { key:   150, keys:  1_200, group:  8_600 },
        lane: 10,
        record: 40,
    },
];
#[rustfmt::skip]
static X64_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   300, keys:    600, group:  4_800 },
        narrow: Width { key:   300, keys:    600, group:  4_800 },
        lane: 10,
        record: 40,
    },
    Slices {
        wide:   Width { key:   800, keys:  1_800, group: 13_000 },
        narrow: Width { key:   800, keys:  1_800, group: 13_000 },
        lane: 10,
        record: 40,
    },
];
#[rustfmt::skip]
static X64_AVX2_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   300, keys:    600, group:  4_000 },
        narrow: Width { key:   300, keys:    600, group:  4_000 },
        lane: 10,
        record: 40,
    },
    Slices {
        wide:   Width { key:   800, keys:  1_800, group: 10_000 },
        narrow: Width { key:   800, keys:  1_800, group: 10_000 },
        lane: 10,
        record: 40,
    },
];
#[rustfmt::skip]
static X64_AVX512_SLICES: [Slices; 2] = [
    Slices {
        wide:   Width { key:   300, keys:    600, group:  2_800 },
        narrow: Width { key:   300, keys:    400, group:  2_200 },
        lane: 10,
        record: 40,
    },
    Slices {
        wide:   Width { key:   700, keys:  1_800, group:  6_500 },
        narrow: Width { key:   700, keys:  1_200, group:  5_500 },
        lane: 10,
        record: 40,
    },
];
