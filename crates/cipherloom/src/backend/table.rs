//! The table of backends: everything about one that is not its kernel.
//!
//! Lists, names, self-tests, dispatch, `cipherloom info` and the tests' lists of what must run are made
//! from it. How a row gets here: `docs/add-a-backend.md`.

use core::ffi::CStr;

use super::costs::{By, Slices, Tables, Width};
use crate::kernels::cpu::Feature::{self, AArch64, Avx2, Avx512, Bmi2, Gfni, Sha3, Vbmi, X64};

/// What the table says of a backend.
pub(crate) struct Row {
    /// Its name, stable and made for people.
    pub(crate) name: &'static CStr,
    /// What the processor must have; nothing for portable kernels.
    pub(crate) needs: Option<Feature>,
    /// What its kernels do, and what that costs with DES and with Triple-DES.
    pub(crate) strategy: Strategy,
}

/// What the kernels of a backend do.
#[derive(Clone, Copy)]
pub(crate) enum Strategy {
    /// DES by look-ups in tables, at secret addresses.
    Tables(&'static By<[Tables; 2]>),
    /// DES by look-ups inside registers.
    Registers(&'static By<[Tables; 2]>),
    /// DES in bit slices.
    Slices(&'static By<[Slices; 2]>),
    /// RC4, with look-ups at secret addresses: a new key and 1,500 bytes of its stream.
    Rc4Loop(&'static By<usize>),
    /// The same, with a word for each entry of S.
    Rc4Words(&'static By<usize>),
    /// RC4 in constant time, with S in registers: the same.
    Rc4Registers(&'static By<usize>),
    /// RC4 in constant time, with scans of S in memory: the same.
    Rc4Scan(&'static By<usize>),
}

/// By how much more a call in 512 bits costs on Intel's processors than one right behind another: half of the
/// 1,550 cycles in which they wake up (`loom calibrate`), as some calls come after a pause and some do not.
const WAKE: usize = 775;

/// Makes the type, and what is asked of a row.
macro_rules! backends {
    ($($(#[$doc:meta])* $backend:ident: $name:literal, $needs:expr, $strategy:expr;)*) => {
        /// A set of kernels that this crate can use. Not every processor has all of them: see
        /// [`all`](Self::all).
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Backend {
            $($(#[$doc])* $backend,)*
        }

        impl Backend {
            /// The whole table; see [`all`](Self::all) for the order.
            #[doc(hidden)]
            pub const EVERY: [Self; [$(Self::$backend),*].len()] = [$(Self::$backend),*];

            /// Its row. It is in memory: a `match` would be a jump by a table, which a processor that did other work
            /// does not foresee.
            #[inline(always)]
            pub(crate) const fn row(self) -> &'static Row {
                const ROWS: &[Row; Backend::EVERY.len()] =
                    &[$(Row { name: $name, needs: $needs, strategy: $strategy }),*];
                &ROWS[self as usize]
            }
        }
    };
}

// In each family first those for a single chain or stream, and those in constant time last: among them
// too first those for a chain, then those for much work, the fastest first. Which chain is the fastest
// follows from the costs.
backends! {
    /// [`X64Table`](Self::X64Table) with the instructions of BMI2. Looks up at secret addresses.
    X64Bmi2Table: c"x86-64-bmi2-table", Some(Bmi2), Strategy::Tables(&By::X64 {
        amd: [
            Tables { chain: 190, block:  89, record: 522 },
            Tables { chain: 533, block: 226, record: 925 },
        ],
        zen4: [
            Tables { chain: 230, block: 117, record:   684 },
            Tables { chain: 628, block: 295, record: 1_172 },
        ],
        zen: Some([
            Tables { chain: 214, block: 118, record:   695 },
            Tables { chain: 577, block: 298, record: 1_210 },
        ]),
        intel: [
            Tables { chain: 198, block: 95, record: 485 },
            Tables { chain: 551, block: 246, record: 935 },
        ],
    });

    /// [`X64Bmi2Table`](Self::X64Bmi2Table) with IP and its inverse by products with matrices of bits (GFNI), for a chain
    /// and for single blocks. On Intel's processors three of a longer chain's tables are spaced, so that indices are
    /// taken sooner. Looks up at secret addresses.
    X64GfniTable: c"x86-64-gfni-table", Some(Gfni), Strategy::Tables(&By::X64 {
        amd: [
            Tables { chain: 169, block:  89, record: 506 },
            Tables { chain: 505, block: 226, record: 916 },
        ],
        zen4: [
            Tables { chain: 206, block: 118, record:   668 },
            Tables { chain: 605, block: 295, record: 1_172 },
        ],
        zen: None,
        intel: [
            Tables { chain: 170, block: 95, record: 460 },
            Tables { chain: 503, block: 246, record: 930 },
        ],
    });

    /// [`Table`](Self::Table) in tuned assembly for every x86-64: a chain whose permutations wait
    /// for nothing, and three or four independent blocks interleaved. Looks up at secret addresses.
    X64Table: c"x86-64-table", Some(X64), Strategy::Tables(&By::X64 {
        amd: [
            Tables { chain: 239, block: 124, record:   600 },
            Tables { chain: 649, block: 315, record: 1_240 },
        ],
        zen4: [
            Tables { chain: 238, block: 123, record:   678 },
            Tables { chain: 649, block: 315, record: 1_165 },
        ],
        zen: Some([
            Tables { chain: 236, block: 124, record:   690 },
            Tables { chain: 638, block: 318, record: 1_260 },
        ]),
        intel: [
            Tables { chain: 226, block: 99, record: 490 },
            Tables { chain: 633, block: 250, record: 975 },
        ],
    });

    /// RC4 in tuned assembly for every x86-64: one stream, and up to four interleaved. Looks up at
    /// secret addresses.
    X64Rc4Loop: c"x86-64-rc4-loop", Some(X64), Strategy::Rc4Loop(&By::X64 {
        amd: 5_150,
        zen4: 6_000,
        zen: Some(10_950),
        intel: 6_300,
    });

    // One stream is the loop's on AMD's processors: its cost is less there, as four take 0.80 (Zen 4) and 0.84 times (Zen 5).
    /// The same with bytes of keystream put together in a vector (AVX2), which leaves more registers for several
    /// streams. Looks up at secret addresses.
    X64Avx2Rc4Loop: c"x86-64-avx2-rc4-loop", Some(Avx2), Strategy::Rc4Loop(&By::X64 {
        amd: 5_000,
        zen4: 5_800,
        zen: Some(10_960),
        intel: 6_100,
    });

    // On Zen 4 and later, and on Intel's, not measured through the library: bytes have an instruction less.
    /// The same with a 32-bit word for each entry of S: the faster way on AMD's processors before Zen 4. Looks up at
    /// secret addresses.
    X64Rc4Words: c"x86-64-rc4-words", Some(X64), Strategy::Rc4Words(&By::X64 {
        amd: 5_900,
        zen4: 6_310,
        zen: Some(6_470),
        intel: 7_000,
    });

    /// [`Table`](Self::Table) in assembly for every AArch64: a chain whose permutations wait for nothing, and two
    /// independent blocks interleaved. Looks up at secret addresses.
    AArch64Table: c"aarch64-table", Some(AArch64), Strategy::Tables(&By::AArch64 {
        arm: [
            Tables { chain: 165, block:  95, record:   500 },
            Tables { chain: 475, block: 240, record: 1_100 },
        ],
        older: Some([
            Tables { chain: 185, block: 135, record:   640 },
            Tables { chain: 525, block: 365, record: 1_450 },
        ]),
        apple: [
            Tables { chain: 165, block:  85, record:   500 },
            Tables { chain: 485, block: 215, record: 1_100 },
        ],
    });

    /// RC4 in assembly for every AArch64: one stream, and up to four interleaved. Looks up at secret
    /// addresses.
    AArch64Rc4: c"aarch64-rc4", Some(AArch64), Strategy::Rc4Loop(&By::AArch64 {
        arm: 3_600,
        older: Some(5_600),
        apple: 3_300,
    });

    /// DES by eight tables of 64 entries, in portable Rust. Fastest for one chain of blocks. Looks
    /// up at secret addresses.
    Table: c"portable-table", None, Strategy::Tables(&By::X64 {
        amd: [
            Tables { chain: 238, block: 147, record:   600 },
            Tables { chain: 654, block: 399, record: 1_270 },
        ],
        zen4: [
            Tables { chain: 237, block: 145, record:   720 },
            Tables { chain: 647, block: 393, record: 1_233 },
        ],
        zen: Some([
            Tables { chain: 238, block: 148, record:   740 },
            Tables { chain: 647, block: 400, record: 1_295 },
        ]),
        intel: [
            Tables { chain: 225, block: 140, record: 530 },
            Tables { chain: 648, block: 373, record: 1_040 },
        ],
    });

    /// RC4's loop, in portable Rust. Looks up at secret addresses.
    Rc4Loop: c"portable-rc4-loop", None, Strategy::Rc4Loop(&By::X64 {
        amd: 6_750,
        zen4: 7_690,
        zen: Some(9_660),
        intel: 9_300,
    });

    // Of many blocks AMD's and Intel's are between ECB (20 and 57, 27 and 70) and decryption in CBC, which XORs behind the
    // kernels (23 and 61, 35 and 80), or a little higher, so that slices come sooner.
    /// DES by look-ups inside the registers of AVX-512 (F, BW, DQ, VL and VBMI) and GFNI, for one
    /// chain and a few blocks; blocks that are independent go faster than by tables. Constant time.
    X64VbmiRegisters: c"x86-64-vbmi-registers", Some(Vbmi), Strategy::Registers(&By::X64 {
        amd: [
            Tables { chain: 285, block: 23, record:   604 },
            Tables { chain: 840, block: 64, record: 1_207 },
        ],
        zen4: [
            Tables { chain: 272, block: 33, record:   750 },
            Tables { chain: 806, block: 90, record: 1_370 },
        ],
        zen: None,
        intel: [
            Tables { chain: 212, block: 25, record: 492 },
            Tables { chain: 613, block: 70, record: 977 },
        ],
    });

    /// The same inside the registers of AVX2, of 256 bits. Constant time.
    X64Avx2Registers: c"x86-64-avx2-registers", Some(Avx2), Strategy::Registers(&By::X64 {
        amd: [
            Tables { chain:   437, block: 261, record:   804 },
            Tables { chain: 1_280, block: 748, record: 1_720 },
        ],
        zen4: [
            Tables { chain:   364, block: 239, record:   839 },
            Tables { chain: 1_041, block: 678, record: 1_595 },
        ],
        zen: Some([
            Tables { chain:   373, block: 237, record:   830 },
            Tables { chain: 1_070, block: 670, record: 1_665 },
        ]),
        intel: [
            Tables { chain: 356, block: 262, record: 660 },
            Tables { chain: 1_038, block: 750, record: 1_445 },
        ],
    });

    /// The same by `tbl` in NEON's registers, for every AArch64. Constant time.
    AArch64TblRegisters: c"aarch64-tbl-registers", Some(AArch64), Strategy::Registers(&By::AArch64 {
        arm: [
            Tables { chain:   365, block: 195, record:   700 },
            Tables { chain: 1_060, block: 565, record: 1_690 },
        ],
        older: Some([
            Tables { chain:   440, block:   370, record:   900 },
            Tables { chain: 1_180, block: 1_080, record: 2_100 },
        ]),
        apple: [
            Tables { chain: 330, block: 135, record:   670 },
            Tables { chain: 940, block: 400, record: 1_550 },
        ],
    });

    /// [`Bitslice`](Self::Bitslice) with the vectors and the three-input operations of AVX-512 (F, BW,
    /// DQ, VL): 512 lanes, and 256 for less work. Constant time.
    X64Avx512Bitslice: c"x86-64-avx512-bitslice", Some(Avx512), Strategy::Slices(&By::X64 {
        amd: [
            Slices {
                wide:   Width { key:   650, keys: 4_550, group:  2_300 },
                narrow: Width { key:   650, keys: 4_550, group:  2_160 },
                lane: 4,
                record: 47,
                scheduler: 4_950,
            },
            Slices {
                wide:   Width { key: 1_200, keys: 6_150, group:  5_900 },
                narrow: Width { key: 1_200, keys: 6_150, group:  5_700 },
                lane: 4,
                record: 47,
                scheduler: 4_950,
            },
        ],
        zen4: [
            Slices {
                wide:   Width { key: 550, keys: 4_850, group: 4_200 },
                narrow: Width { key: 550, keys: 3_550, group: 2_330 },
                lane: 4,
                record: 43,
                scheduler: 6_750,
            },
            Slices {
                wide:   Width { key: 1_080, keys: 7_250, group: 10_400 },
                narrow: Width { key: 1_080, keys: 4_850, group:  5_880 },
                lane: 4,
                record: 43,
                scheduler: 6_750,
            },
        ],
        zen: None,
        intel: [
            Slices {
                wide:   Width { key: 560 + WAKE, keys: 3_000, group: 2_550 },
                narrow: Width { key: 560, keys: 1_500, group: 1_780 },
                lane: 4,
                record: 50,
                scheduler: 10_000,
            },
            Slices {
                wide:   Width { key: 1_050 + WAKE, keys: 8_000, group: 6_010 },
                narrow: Width { key: 1_050, keys: 3_480, group: 3_900 },
                lane: 4,
                record: 52,
                scheduler: 10_500,
            },
        ],
    });

    /// The same with the vectors of AVX2: 256 lanes. Constant time.
    X64Avx2Bitslice: c"x86-64-avx2-bitslice", Some(Avx2), Strategy::Slices(&By::X64 {
        amd: [
            Slices {
                wide:   Width { key:   570, keys: 3_250, group:  2_850 },
                narrow: Width { key:   570, keys: 3_250, group:  2_850 },
                lane: 4,
                record: 47,
                scheduler: 4_950,
            },
            Slices {
                wide:   Width { key: 1_300, keys: 4_650, group:  7_100 },
                narrow: Width { key: 1_300, keys: 4_650, group:  7_100 },
                lane: 4,
                record: 47,
                scheduler: 4_950,
            },
        ],
        zen4: [
            Slices {
                wide:   Width { key: 940, keys: 3_725, group: 2_530 },
                narrow: Width { key: 940, keys: 3_725, group: 2_530 },
                lane: 4,
                record: 54,
                scheduler: 4_125,
            },
            Slices {
                wide:   Width { key: 1_665, keys: 4_975, group: 6_310 },
                narrow: Width { key: 1_665, keys: 4_975, group: 6_310 },
                lane: 4,
                record: 54,
                scheduler: 4_125,
            },
        ],
        zen: Some([
            Slices {
                wide:   Width { key: 615, keys: 3_080, group: 2_785 },
                narrow: Width { key: 615, keys: 3_080, group: 2_785 },
                lane: 5,
                record: 50,
                scheduler: 2_300,
            },
            Slices {
                wide:   Width { key: 1_400, keys: 4_580, group: 6_600 },
                narrow: Width { key: 1_400, keys: 4_580, group: 6_600 },
                lane: 5,
                record: 50,
                scheduler: 2_300,
            },
        ]),
        intel: [
            Slices {
                wide:   Width { key: 600, keys: 1_800, group: 3_000 },
                narrow: Width { key: 600, keys: 1_800, group: 3_000 },
                lane: 5,
                record: 60,
                scheduler: 6_500,
            },
            Slices {
                wide:   Width { key: 1_200, keys: 3_120, group: 7_160 },
                narrow: Width { key: 1_200, keys: 3_120, group: 7_160 },
                lane: 5,
                record: 62,
                scheduler: 8_000,
            },
        ],
    });

    /// The same in assembly for every x86-64: 128 lanes. Constant time.
    X64Bitslice: c"x86-64-sse2-bitslice", Some(X64), Strategy::Slices(&By::X64 {
        amd: [
            Slices {
                wide:   Width { key: 1_000, keys: 2_850, group:  3_200 },
                narrow: Width { key: 1_000, keys: 2_850, group:  3_200 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
            Slices {
                wide:   Width { key: 2_400, keys: 4_350, group:  7_750 },
                narrow: Width { key: 2_400, keys: 4_350, group:  7_750 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
        ],
        zen4: [
            Slices {
                wide:   Width { key: 1_140, keys: 2_350, group: 2_935 },
                narrow: Width { key: 1_140, keys: 2_350, group: 2_935 },
                lane: 5,
                record: 58,
                scheduler: 3_900,
            },
            Slices {
                wide:   Width { key: 3_080, keys: 3_620, group: 6_860 },
                narrow: Width { key: 3_080, keys: 3_620, group: 6_860 },
                lane: 5,
                record: 58,
                scheduler: 3_900,
            },
        ],
        zen: Some([
            Slices {
                wide:   Width { key: 1_310, keys: 2_770, group: 3_170 },
                narrow: Width { key: 1_310, keys: 2_770, group: 3_170 },
                lane: 7,
                record: 53,
                scheduler: 1_900,
            },
            Slices {
                wide:   Width { key: 3_000, keys: 3_990, group: 7_550 },
                narrow: Width { key: 3_000, keys: 3_990, group: 7_550 },
                lane: 6,
                record: 50,
                scheduler: 2_600,
            },
        ]),
        intel: [
            Slices {
                wide:   Width { key: 870, keys: 1_400, group: 2_980 },
                narrow: Width { key: 870, keys: 1_400, group: 2_980 },
                lane: 9,
                record: 58,
                scheduler: 5_100,
            },
            Slices {
                wide:   Width { key: 2_430, keys: 2_540, group: 7_420 },
                narrow: Width { key: 2_430, keys: 2_540, group: 7_420 },
                lane: 9,
                record: 58,
                scheduler: 5_400,
            },
        ],
    });

    /// DES in bit slices of 128 lanes in assembly for AArch64 with FEAT_SHA3, which has XORs of three inputs. Its wide
    /// kernel has as many lanes and masks of one key. Constant time.
    AArch64Sha3Bitslice: c"aarch64-sha3-bitslice", Some(Sha3), Strategy::Slices(&By::AArch64 {
        arm: [
            Slices {
                wide:   Width { key: 1_700, keys: 2_650, group: 1_880 },
                narrow: Width { key: 900, keys: 2_650, group: 2_070 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
            Slices {
                wide:   Width { key: 5_000, keys: 3_950, group: 4_870 },
                narrow: Width { key: 2_200, keys: 3_950, group: 5_400 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
        ],
        older: None,
        apple: [
            Slices {
                wide:   Width { key: 1_700, keys: 2_650, group: 1_320 },
                narrow: Width { key: 900, keys: 2_650, group: 1_600 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
            Slices {
                wide:   Width { key: 5_000, keys: 3_950, group: 3_400 },
                narrow: Width { key: 2_200, keys: 3_950, group: 4_200 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
        ],
    });

    /// The same for every AArch64, which has NEON. Constant time.
    AArch64Bitslice: c"aarch64-neon-bitslice", Some(AArch64), Strategy::Slices(&By::AArch64 {
        arm: [
            Slices {
                wide:   Width { key: 900, keys: 2_650, group: 2_360 },
                narrow: Width { key: 900, keys: 2_650, group: 2_360 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
            Slices {
                wide:   Width { key: 2_200, keys: 3_950, group: 6_280 },
                narrow: Width { key: 2_200, keys: 3_950, group: 6_280 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
        ],
        older: Some([
            Slices {
                wide:   Width { key: 1_500, keys: 4_275, group: 5_000 },
                narrow: Width { key: 1_500, keys: 4_275, group: 5_000 },
                lane: 8,
                record: 70,
                scheduler: 7_425,
            },
            Slices {
                wide:   Width { key: 3_700, keys: 6_675, group: 13_000 },
                narrow: Width { key: 3_700, keys: 6_675, group: 13_000 },
                lane: 8,
                record: 70,
                scheduler: 7_425,
            },
        ]),
        apple: [
            Slices {
                wide:   Width { key: 900, keys: 2_650, group: 2_100 },
                narrow: Width { key: 900, keys: 2_650, group: 2_100 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
            Slices {
                wide:   Width { key: 2_200, keys: 3_950, group: 5_750 },
                narrow: Width { key: 2_200, keys: 3_950, group: 5_750 },
                lane: 5,
                record: 47,
                scheduler: 4_950,
            },
        ],
    });

    /// DES in bit slices of 64 lanes a word, in portable Rust. Fastest for many blocks.
    /// Constant time.
    Bitslice: c"portable-bitslice", None, Strategy::Slices(&By::X64 {
        amd: [
            Slices {
                wide:   Width { key: 1_200, keys: 4_850, group:  6_000 },
                narrow: Width { key: 1_200, keys: 4_850, group:  3_000 },
                lane: 4,
                record: 47,
                scheduler: 4_950,
            },
            Slices {
                wide:   Width { key: 3_000, keys: 7_850, group: 15_000 },
                narrow: Width { key: 3_000, keys: 7_850, group:  7_900 },
                lane: 4,
                record: 47,
                scheduler: 4_950,
            },
        ],
        zen4: [
            Slices {
                wide:   Width { key: 1_720, keys: 4_550, group: 5_620 },
                narrow: Width { key: 1_720, keys: 3_730, group: 2_920 },
                lane: 5,
                record: 54,
                scheduler: 4_425,
            },
            Slices {
                wide:   Width { key: 4_015, keys: 7_175, group: 13_370 },
                narrow: Width { key: 4_015, keys: 5_925, group:  7_440 },
                lane: 5,
                record: 54,
                scheduler: 4_425,
            },
        ],
        zen: Some([
            Slices {
                wide:   Width { key: 1_855, keys: 3_650, group: 6_040 },
                narrow: Width { key: 1_855, keys: 3_850, group: 3_000 },
                lane: 5,
                record: 55,
                scheduler: 2_650,
            },
            Slices {
                wide:   Width { key: 3_920, keys: 6_800, group: 14_110 },
                narrow: Width { key: 3_920, keys: 6_260, group: 7_770 },
                lane: 5,
                record: 55,
                scheduler: 2_300,
            },
        ]),
        intel: [
            Slices {
                wide:   Width { key: 1_120, keys: 1_250, group: 6_340 },
                narrow: Width { key: 1_120, keys: 2_660, group: 3_200 },
                lane: 5,
                record: 60,
                scheduler: 8_000,
            },
            Slices {
                wide:   Width { key: 2_930, keys: 4_500, group: 15_240 },
                narrow: Width { key: 2_930, keys: 5_800, group: 8_000 },
                lane: 5,
                record: 60,
                scheduler: 9_900,
            },
        ],
    });

    /// RC4 with S in the registers of AVX-512 (F, BW, DQ, VL and VBMI) and GFNI. Constant time.
    X64VbmiRc4Registers: c"x86-64-vbmi-rc4-registers", Some(Vbmi), Strategy::Rc4Registers(&By::X64 {
        amd: 35_500,
        zen4: 35_500,
        zen: None,
        intel: 26_400,
    });

    /// The same in the registers of AVX2, of 256 bits. Constant time.
    X64Avx2Rc4Registers: c"x86-64-avx2-rc4-registers", Some(Avx2), Strategy::Rc4Registers(&By::X64 {
        amd: 49_700,
        zen4: 45_900,
        zen: Some(47_200),
        intel: 53_100,
    });

    /// RC4 by masked scans over S, in portable Rust. Constant time, and tens of times slower.
    Rc4Scan: c"portable-rc4-scan", None, Strategy::Rc4Scan(&By::X64 {
        amd: 139_600,
        zen4: 123_500,
        zen: Some(133_000),
        intel: 123_300,
    });
}
