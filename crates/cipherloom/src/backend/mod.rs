//! Backends: which kernels there are, and what a user may ask for. A backend is a set of kernels with a
//! name.
//!
//! Here are names and facts, which dispatch builds on. What a program asks of a backend on its own
//! processor is in `queries.rs`, above all else.

pub(crate) mod costs;
mod table;

use core::ffi::CStr;

pub use table::Backend;
pub(crate) use table::Strategy;

/// The ciphers that a backend serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// DES and all that is built of it.
    Des,
    /// RC4.
    Rc4,
}

/// What matters more, where a user has to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The fastest kernel; a neighbour on the same processor may learn of the key by watching the
    /// cache.
    #[default]
    Fastest,
    /// No kernel whose addresses or branches depend on secrets, whatever it costs: in chains (CBC
    /// encryption, OFB, MACs) a twentieth to three fifths more time with AVX-512's VBMI, two to three
    /// times as much with AVX2, else a bit-sliced call per block; in RC4 about five times as much with
    /// AVX-512's VBMI, ten times with AVX2, else a scan of S per byte.
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
        self.row().name
    }

    /// The ciphers that it serves.
    #[must_use]
    pub const fn family(self) -> Family {
        match self.row().strategy {
            Strategy::Tables(_) | Strategy::Registers(_) | Strategy::Slices(_) => Family::Des,
            Strategy::Rc4Loop(_)
            | Strategy::Rc4Words(_)
            | Strategy::Rc4Registers(_)
            | Strategy::Rc4Scan(_) => Family::Rc4,
        }
    }

    /// Whether none of its addresses and branches depends on keys or data.
    #[must_use]
    pub const fn is_constant_time(self) -> bool {
        match self.row().strategy {
            Strategy::Registers(_)
            | Strategy::Slices(_)
            | Strategy::Rc4Registers(_)
            | Strategy::Rc4Scan(_) => true,
            Strategy::Tables(_) | Strategy::Rc4Loop(_) | Strategy::Rc4Words(_) => false,
        }
    }

    /// How many independent blocks it does at a time, where a few take about as long.
    pub(crate) const fn together(self) -> usize {
        match self {
            Self::X64VbmiRegisters => 32,
            _ => 1,
        }
    }

    /// The name of the feature that its processor must have, `x86-64` for every one of that kind;
    /// none if its kernels are portable.
    #[doc(hidden)]
    #[must_use]
    pub const fn needs(self) -> Option<&'static str> {
        match self.row().needs {
            Some(feature) => Some(feature.name()),
            None => None,
        }
    }
}
