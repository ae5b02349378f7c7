//! Backends: which kernels there are, which of them work here, and what a user may ask for.
//!
//! One seam for users, tests and benchmarks. A backend is a kernel with a name; a key object takes
//! the fastest one for the amount of work, unless it was told otherwise with
//! [`Backend::force`] or [`Policy`].

use core::ffi::CStr;

use crate::dispatch;
use crate::error::Error;
use crate::kernels::bitslice::{Edition, Width};
use crate::kernels::x86_64::{Avx2, Avx512, Bmi2, Vbmi, X64};
use crate::keys::{Algorithm, BlockCipher};
use crate::rc4::Rc4;
use crate::selftest;

/// The ciphers that a backend serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// DES and all that is built of it.
    Des,
    /// RC4.
    Rc4,
}

/// A kernel that this crate can use. Not every processor has all of them: see [`all`](Self::all).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// DES by eight tables of 64 entries, in portable Rust. Fastest for one chain of blocks. Looks
    /// up at secret addresses.
    Table,
    /// DES in bit slices of 64 lanes a word, in portable Rust. Fastest for many blocks.
    /// Constant time.
    Bitslice,
    /// RC4's loop, in portable Rust. Looks up at secret addresses.
    Rc4Loop,
    /// RC4 by masked scans over S, in portable Rust. Constant time, and tens of times slower.
    Rc4Scan,
    /// [`Table`](Self::Table) in tuned assembly for every x86-64: a chain whose permutations wait
    /// for nothing, and three or four independent blocks woven together. Looks up at secret
    /// addresses.
    X64Table,
    /// The same with the instructions of BMI2.
    X64Bmi2Table,
    /// DES by look-ups inside the registers of AVX2, for one chain and a few blocks. Constant time.
    X64Avx2Registers,
    /// The same in registers of 512 bits, with AVX-512 (F, BW, DQ, VL and VBMI) and GFNI; blocks
    /// that are independent go faster than by tables. Constant time.
    X64VbmiRegisters,
    /// [`Bitslice`](Self::Bitslice) in assembly for every x86-64: 128 lanes. Constant time.
    X64Bitslice,
    /// The same with the vectors of AVX2: 256 lanes. Constant time.
    X64Avx2Bitslice,
    /// The same with the vectors and the three-input operations of AVX-512 (F, BW, DQ, VL): 512
    /// lanes, and 256 for less work. Constant time.
    X64Avx512Bitslice,
    /// RC4 in tuned assembly for every x86-64: one stream, and up to four woven together. Looks up
    /// at secret addresses.
    X64Rc4Loop,
}

/// What matters more, where a user has to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The fastest kernel; a neighbour on the same processor may learn of the key by watching the
    /// cache.
    #[default]
    Fastest,
    /// No kernel whose addresses or branches depend on secrets, whatever it costs: in chains (CBC
    /// encryption, OFB, MACs) a fifth to three fifths more time with AVX-512's VBMI, two to three
    /// times as much with AVX2, else a bit-sliced call per block; a scan of S per byte in RC4.
    ConstantTime,
}

/// What is known of a backend on this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It was not used yet; its self-test comes before its first use.
    Untested,
    /// Its self-test passed.
    Works,
    /// Its self-test failed, and it is no longer used.
    Failed,
}

impl Backend {
    /// Every backend that this processor can run; in each family the one that is fastest for a
    /// single chain or stream first, and those in constant time last: among them too first those for
    /// a chain, then those for much work, the fastest first.
    #[must_use]
    pub fn all() -> &'static [Self] {
        /// A list for each set of features.
        static LISTS: [List; 32] = {
            let mut lists = [const { List::of([false; 5]) }; 32];
            let mut n = 0;
            while n < lists.len() {
                lists[n] = List::of([n & 1 != 0, n & 2 != 0, n & 4 != 0, n & 8 != 0, n & 16 != 0]);
                n += 1;
            }
            lists
        };
        let n = usize::from(X64::detect().is_some())
            | usize::from(Bmi2::detect().is_some()) << 1
            | usize::from(Avx2::detect().is_some()) << 2
            | usize::from(Avx512::detect().is_some()) << 3
            | usize::from(Vbmi::detect().is_some()) << 4;
        let List { backends, count } = &LISTS[n];
        &backends[..*count]
    }

    /// The backend that this processor gets for `blocks` independent blocks of `algorithm`; a chain
    /// is work of one block.
    #[must_use]
    pub fn detect(algorithm: Algorithm, blocks: usize, policy: Policy) -> Self {
        dispatch::fastest(algorithm.shape(), blocks, policy)
    }

    /// The key, served by this backend alone. Other objects are not touched.
    ///
    /// # Errors
    /// [`Error::Backend`] if the backend is of the other family, or this processor cannot run it.
    pub fn force<C: BlockCipher>(self, key: C) -> Result<C, Error> {
        key.with_backend(self)
    }

    /// A new RC4 stream, served by this backend alone.
    ///
    /// # Errors
    /// [`Error::Backend`] if the backend is not RC4's or this processor cannot run it;
    /// [`Error::KeyLength`], [`Error::SelfTest`].
    pub fn force_rc4(self, key: &[u8]) -> Result<Rc4, Error> {
        Rc4::with_backend(key, self)
    }

    /// Its name, stable and made for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.c_name().to_str() {
            Ok(name) => name,
            Err(_) => "",
        }
    }

    /// The same as C wants it.
    #[doc(hidden)]
    #[must_use]
    pub const fn c_name(self) -> &'static CStr {
        match self {
            Self::Table => c"portable-table",
            Self::Bitslice => c"portable-bitslice",
            Self::Rc4Loop => c"portable-rc4-loop",
            Self::Rc4Scan => c"portable-rc4-scan",
            Self::X64Table => c"x86-64-table",
            Self::X64Bmi2Table => c"x86-64-bmi2-table",
            Self::X64Avx2Registers => c"x86-64-avx2-registers",
            Self::X64VbmiRegisters => c"x86-64-vbmi-registers",
            Self::X64Bitslice => c"x86-64-sse2-bitslice",
            Self::X64Avx2Bitslice => c"x86-64-avx2-bitslice",
            Self::X64Avx512Bitslice => c"x86-64-avx512-bitslice",
            Self::X64Rc4Loop => c"x86-64-rc4-loop",
        }
    }

    /// The ciphers that it serves.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Table
            | Self::Bitslice
            | Self::X64Table
            | Self::X64Bmi2Table
            | Self::X64Avx2Registers
            | Self::X64VbmiRegisters
            | Self::X64Bitslice
            | Self::X64Avx2Bitslice
            | Self::X64Avx512Bitslice => Family::Des,
            Self::Rc4Loop | Self::Rc4Scan | Self::X64Rc4Loop => Family::Rc4,
        }
    }

    /// Whether none of its addresses and branches depends on keys or data.
    #[must_use]
    pub const fn is_constant_time(self) -> bool {
        match self {
            Self::Bitslice
            | Self::X64Avx2Registers
            | Self::X64VbmiRegisters
            | Self::X64Bitslice
            | Self::X64Avx2Bitslice
            | Self::X64Avx512Bitslice
            | Self::Rc4Scan => true,
            Self::Table
            | Self::X64Table
            | Self::X64Bmi2Table
            | Self::Rc4Loop
            | Self::X64Rc4Loop => false,
        }
    }

    /// How many blocks its kernels take at once, where that is what they are made for: for much
    /// work, and for less.
    #[doc(hidden)]
    #[must_use]
    pub fn lanes(self) -> Option<[usize; 2]> {
        let edition = Edition::of(self)?;
        Some([Width::Wide, Width::Narrow].map(|width| edition.lanes(width)))
    }

    /// What is known of it so far. Runs nothing.
    #[must_use]
    pub fn status(self) -> Status {
        selftest::status(self)
    }

    /// Runs its self-test now, and keeps the result for the process: a failure takes the backend
    /// out of service, a pass after a failure does not bring it back.
    ///
    /// # Errors
    /// [`Error::SelfTest`]; [`Error::Backend`] if this processor cannot run it.
    pub fn self_test(self) -> Result<(), Error> {
        selftest::run(self)
    }
}

/// Backends, of which only the first ones count.
#[derive(Clone, Copy)]
struct List {
    backends: [Backend; List::MOST],
    count: usize,
}

impl List {
    const MOST: usize = 12;

    /// Those for a processor with assembly, and with BMI2, AVX2, AVX-512 and its VBMI.
    const fn of([x64, bmi2, avx2, avx512, vbmi]: [bool; 5]) -> Self {
        let all = [
            (bmi2, Backend::X64Bmi2Table),
            (x64, Backend::X64Table),
            (x64, Backend::X64Rc4Loop),
            (true, Backend::Table),
            (true, Backend::Rc4Loop),
            (vbmi, Backend::X64VbmiRegisters),
            (avx2, Backend::X64Avx2Registers),
            (avx512, Backend::X64Avx512Bitslice),
            (avx2, Backend::X64Avx2Bitslice),
            (x64, Backend::X64Bitslice),
            (true, Backend::Bitslice),
            (true, Backend::Rc4Scan),
        ];
        let mut list = Self { backends: [Backend::Table; Self::MOST], count: 0 };
        let mut n = 0;
        while n < all.len() {
            if all[n].0 {
                list.backends[list.count] = all[n].1;
                list.count += 1;
            }
            n += 1;
        }
        list
    }
}
