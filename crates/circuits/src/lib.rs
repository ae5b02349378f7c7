//! The S-boxes S1 to S8 of DES as Boolean circuits, for three sets of gates, and the search that found
//! them.
//!
//! | file | subject |
//! |---|---|
//! | `circuit.rs` | gates, evaluation over all inputs, depth, live values |
//! | `text.rs` | the format of the files in `data/` |
//! | `committed.rs` | these files, compiled in |
//! | `store.rs` | these files on disk, for the search |
//! | `search/` | the search |
//! | `fips.rs` | the tables of FIPS 46-3, for this crate and loom; the library has a copy |
//! | `random.rs` | random numbers that a seed decides |
//!
//! `docs/CIRCUITS.md` says how it works and what it found.

mod circuit;
mod committed;
pub mod fips;
mod random;
pub mod search;
mod store;
mod text;

use std::fmt;
use std::str::FromStr;

pub use circuit::{Circuit, Gate, INPUTS, LANES, Node, OUTPUTS, Op, Output};
pub use committed::{circuit, entry};
pub use random::Random;
pub use store::{Store, Unreadable};
pub use text::{Entry, Wrong};

/// The text of `fips.rs`, of which the library has a copy.
pub const FIPS: &str = include_str!("fips.rs");

/// Which gates a circuit may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateSet {
    /// AND, OR, XOR, and AND with the second operand inverted: what every processor has.
    Plain,
    /// The same and bit-select: NEON (`bsl`), XOP (`vpcmov`), PowerPC (`vsel`).
    Select,
    /// Every truth table of three inputs: AVX-512 (`vpternlog`).
    Lut3,
}

impl GateSet {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Select, Self::Lut3];

    /// Its name, also of its directory in `data/`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Select => "select",
            Self::Lut3 => "lut3",
        }
    }

    /// Whether it has a gate.
    #[must_use]
    pub const fn has(self, op: Op) -> bool {
        match op {
            Op::And | Op::Or | Op::Xor | Op::Andn => !matches!(self, Self::Lut3),
            Op::Select => matches!(self, Self::Select),
            Op::Table(_) => matches!(self, Self::Lut3),
        }
    }

    /// The fewest gates that others published for S1 to S8, and who.
    #[must_use]
    pub const fn published(self) -> ([usize; 8], &'static str) {
        match self {
            Self::Plain => ([49, 44, 46, 33, 48, 46, 46, 41], "353, each NOT counted"),
            Self::Select => ([36, 33, 33, 26, 35, 34, 34, 32], "263"),
            Self::Lut3 => ([23, 22, 24, 17, 23, 22, 23, 23], "177, in 2024"),
        }
    }
}

impl fmt::Display for GateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GateSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|set| set.name() == text);
        found.ok_or_else(|| format!("no gate set `{text}`; there is plain, select or lut3"))
    }
}

/// What an S-box is called: 0 is S1.
#[must_use]
pub fn name(sbox: usize) -> String {
    format!("S{}", sbox + 1)
}

/// The outputs of S-box number `sbox` (0 is S1) for the inputs [`LANES`].
///
/// # Panics
/// If `sbox` is above 7.
#[must_use]
pub fn target(sbox: usize) -> [u64; OUTPUTS] {
    std::array::from_fn(|o| {
        let bit = |v: usize| u64::from(fips::s_box(sbox, v) >> (OUTPUTS - 1 - o) & 1);
        (0..64).fold(0, |lanes, v| lanes | bit(v) << v)
    })
}
