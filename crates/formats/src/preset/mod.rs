//! Presets: each is a way in which a program wrote data, as a row of data.
//!
//! A row ([`Preset`]) has what the program fixes, [`Given`] what the caller gives. [`Preset::open`] opens one
//! value, and its [`Outcome`] says what became of it; [`Preset::long`] opens one of any length in pieces.
//! [`Preset::seal`] makes one.

mod candidates;
mod cfmx;
mod container;
mod fill;
mod fits;
mod given;
mod inner;
mod judge;
mod key;
mod open;
mod opener;
mod outcome;
mod pieces;
mod row;
mod seal;
mod table;
mod takes;
mod work;

pub use candidates::derivations;
pub use fits::Sign;
pub use given::{Error, Given, Secret};
pub use judge::Judge;
pub use opener::Opener;
pub use outcome::{Fault, Outcome, Plaintext, Witness};
pub use pieces::{Begun, Long};
pub use row::{
    Charset, Ciphers, Container, Evidence, Fill, Inner, IvFrom, KeyFit, KeyFrom, PasswordAs,
    Preset, SecretKind, Text,
};
