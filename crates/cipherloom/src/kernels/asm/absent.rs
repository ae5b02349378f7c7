//! The names of this module where there is no assembly: types that have no value, and so no code
//! that runs.

use super::bitslice::{Job, Keys, Lanes, Width};
use super::table::Schedule;
use super::{Direction, Key};

/// Has no value. (In private fields, so that who uses these types is not told that the rest of a
/// function is never reached.)
#[derive(Clone, Copy, Debug)]
enum Never {}

/// No processor here runs the assembly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct X64(Never);

impl X64 {
    pub(crate) fn detect() -> Option<Self> {
        None
    }
}

/// Witnesses of features.
macro_rules! witnesses {
    ($($name:ident)*) => {$(
        /// No processor here runs assembly with it.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(Never);

        impl $name {
            pub(crate) fn detect() -> Option<Self> {
                None
            }
        }
    )*};
}

witnesses! { Bmi2 Avx2 Avx512 Vbmi }

/// Table kernels.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Table {
    Baseline(X64),
    Bmi2(Bmi2),
}

impl Table {
    pub(crate) fn encrypt_chain(self, _: &Schedule, _: &mut [u8; 8], _: &mut [[u8; 8]]) {
        self.never()
    }

    pub(crate) fn crypt(self, _: &Schedule, _: Direction, _: &mut [[u8; 8]]) {
        self.never()
    }

    pub(crate) fn one(self, _: &Schedule, _: Direction, _: &mut [[u8; 8]]) {
        self.never()
    }

    fn never(self) -> ! {
        match self {
            Self::Baseline(X64(never)) | Self::Bmi2(Bmi2(never)) => match never {},
        }
    }
}

/// Kernels with look-ups inside registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Registers {
    Avx2(Avx2),
    Vbmi(Vbmi),
}

impl Registers {
    pub(crate) fn encrypt_chain(self, _: &Key<'_>, _: &mut [u8; 8], _: &mut [[u8; 8]]) {
        self.never()
    }

    pub(crate) fn crypt(self, _: &Key<'_>, _: Direction, _: &mut [[u8; 8]]) {
        self.never()
    }

    pub(crate) fn filled(self, _: usize) -> usize {
        self.never()
    }

    fn never(self) -> ! {
        match self {
            Self::Avx2(Avx2(never)) | Self::Vbmi(Vbmi(never)) => match never {},
        }
    }
}

/// Bit-slice kernels.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bitslice {
    Baseline(X64),
    Avx2(Avx2),
    Avx512(Avx512),
}

impl Bitslice {
    pub(crate) const fn lanes(self, _: Width) -> usize {
        self.never()
    }

    pub(crate) fn run(self, _: Width, _: &Key<'_>, _: Job<'_>) {
        self.never()
    }

    pub(crate) fn with_lanes(
        self,
        _: Width,
        _: Keys<'_>,
        _: Direction,
        _: &mut dyn FnMut(&mut dyn Lanes),
    ) {
        self.never()
    }

    const fn never(self) -> ! {
        match self {
            Self::Baseline(X64(never)) | Self::Avx2(Avx2(never)) | Self::Avx512(Avx512(never)) => {
                match never {}
            }
        }
    }
}

/// Subkeys by vector instructions: not made here.
pub(crate) fn subkeys(_: u64, _: &mut [u64; 16]) -> bool {
    false
}

/// Masking by wider vectors: not here.
pub(crate) fn mask(_: &mut [[u8; 8]], _: u64) -> bool {
    false
}

/// Functions for libdes' words.
pub(crate) fn libdes() -> Option<&'static super::libdes::Functions> {
    None
}

/// RC4.
pub(crate) mod rc4 {
    use super::{Never, X64};

    pub(crate) const WOVEN: usize = 1;

    /// A stream.
    #[derive(Clone)]
    pub(crate) struct State(Never);

    impl State {
        pub(crate) fn new(x64: X64, _: &[u8]) -> Self {
            match x64.0 {}
        }

        pub(crate) fn resume(x64: X64, _: &[u8; 256], _: u8, _: u8) -> Self {
            match x64.0 {}
        }

        pub(crate) fn pause(&self) -> Option<([u8; 256], u8, u8)> {
            match self.0 {}
        }

        pub(crate) fn apply(&mut self, _: &mut [u8]) {
            match self.0 {}
        }
    }

    /// Streams that move together.
    pub(crate) struct Streams(Never);

    impl Streams {
        pub(crate) fn new(x64: X64) -> Self {
            match x64.0 {}
        }

        pub(crate) fn count(&self) -> usize {
            match self.0 {}
        }

        pub(crate) fn add(&mut self, _: &[&[u8]]) {
            match self.0 {}
        }

        pub(crate) fn keystreams(&mut self, _: &mut [u8]) {
            match self.0 {}
        }

        pub(crate) fn remove(&mut self, _: usize) {
            match self.0 {}
        }

        pub(crate) fn into_first(self) -> State {
            match self.0 {}
        }
    }
}
