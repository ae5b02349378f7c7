//! Records as lines of comma-separated values (RFC 4180, and what else is found).
//!
//! A row stays as it is, byte for byte, and new fields come behind it; so what counts is where rows
//! and fields lie, which libraries do not tell. A field is quoted if it begins with a quote; a quote
//! elsewhere is a character, and so is what stands between a closing quote and the delimiter. Rows end
//! at LF, CR LF or CR. The crate `csv` reads the same: the fuzz target `csv` compares.

mod fields;
mod fuzz;
mod layout;

pub(super) use fields::CsvSplitter;
pub(crate) use fuzz::fuzz;
pub(super) use layout::{Style, open};
