//! Backends: which kernels there are, which of them work here, and what a user may ask for.
//!
//! One seam for users, tests and benchmarks. A backend is a kernel with a name; a key object takes
//! the fastest one for the amount of work, unless it was told otherwise with
//! [`Backend::force`] or [`Policy`].

use crate::dispatch;
use crate::error::Error;
use crate::kernels::x86_64::{Bmi2, X64};
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
    /// No kernel whose addresses or branches depend on secrets, whatever it costs: a bit-sliced
    /// call per block in chains (CBC encryption, OFB, MACs), a scan of S per byte in RC4.
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
    /// single chain or stream first, and those in constant time last.
    #[must_use]
    pub fn all() -> &'static [Self] {
        // Longest first; where something is missing, the front of the list is.
        const ALL: [Backend; 7] = [
            Backend::X64Bmi2Table,
            Backend::X64Table,
            Backend::X64Rc4Loop,
            Backend::Table,
            Backend::Bitslice,
            Backend::Rc4Loop,
            Backend::Rc4Scan,
        ];
        match (X64::detect(), Bmi2::detect()) {
            (Some(_), Some(_)) => &ALL,
            (Some(_), None) => &ALL[1..],
            (None, _) => &ALL[3..],
        }
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
        match self {
            Self::Table => "portable-table",
            Self::Bitslice => "portable-bitslice",
            Self::Rc4Loop => "portable-rc4-loop",
            Self::Rc4Scan => "portable-rc4-scan",
            Self::X64Table => "x86-64-table",
            Self::X64Bmi2Table => "x86-64-bmi2-table",
            Self::X64Rc4Loop => "x86-64-rc4-loop",
        }
    }

    /// The ciphers that it serves.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Table | Self::Bitslice | Self::X64Table | Self::X64Bmi2Table => Family::Des,
            Self::Rc4Loop | Self::Rc4Scan | Self::X64Rc4Loop => Family::Rc4,
        }
    }

    /// Whether none of its addresses and branches depends on keys or data.
    #[must_use]
    pub const fn is_constant_time(self) -> bool {
        matches!(self, Self::Bitslice | Self::Rc4Scan)
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
