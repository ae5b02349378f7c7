//! The S-boxes S1 to S8 of DES as Boolean circuits, for some sets of gates, and the search that found
//! them.
//!
//! | file | subject |
//! |---|---|
//! | `fips.rs`, `sbox.rs` | the tables of FIPS 46-3, for this crate and loom (the library has a copy); an S-box for all inputs at once |
//! | `gates.rs` | operations of gates, and the sets of them |
//! | `circuit.rs` | a circuit: evaluation over all inputs, depth, live values |
//! | `text.rs` | the format of the files in `data/` |
//! | `committed.rs` | these files, compiled in |
//! | `kept.rs` | the same circuits for halves of which some bits are kept inverted |
//! | `store.rs` | these files on disk, for the search |
//! | `search/` | the search |
//! | `random.rs` | random numbers that a seed decides |
//!
//! `docs/CIRCUITS.md` says how it works and what it found.

mod circuit;
mod committed;
pub mod fips;
mod gates;
mod kept;
mod random;
mod sbox;
pub mod search;
mod store;
mod text;

pub use circuit::{Circuit, Gate, Node, Output};
pub use committed::{circuit, entry};
pub use gates::{GateSet, Op};
pub use kept::Kept;
pub use random::Random;
pub use sbox::{INPUTS, LANES, OUTPUTS, name, target};
pub use store::{Store, Unreadable};
pub use text::{Entry, Wrong};

/// The text of `fips.rs`, of which the library has a copy.
pub const FIPS: &str = include_str!("fips.rs");
