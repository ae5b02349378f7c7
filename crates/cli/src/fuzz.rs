//! What fuzz targets call: each parser on any bytes. They panic only where something is wrong. (Those of
//! formats are in `cipherloom_formats::fuzz`.)

use crate::command_line;
use crate::commands::records;

/// The fields and lines of `records`.
///
/// # Panics
/// If a value that was read is not the one that would be written, or a line of JSON becomes none.
pub fn records(data: &[u8]) {
    records::fuzz(data);
}

/// A command line, its words between NUL bytes.
///
/// # Panics
/// If normalising it twice is not the same as once, or a value does not arrive as it is.
pub fn arguments(data: &[u8]) {
    command_line::fuzz::fuzz(data);
}

/// The CSV of `records`, beside another reader: `reference` takes a text and a delimiter.
///
/// # Panics
/// If the two see different rows or fields, or what is written has others than what was read.
pub fn csv(data: &[u8], reference: impl Fn(&[u8], u8) -> Vec<Vec<Vec<u8>>>) {
    records::csv::fuzz(data, reference);
}
