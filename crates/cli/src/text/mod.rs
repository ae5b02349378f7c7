//! What goes to standard output as text.

pub(crate) mod columns;

use std::io::Write;

use crate::errors::{Error, Result, is_broken_pipe, reason};

/// Writes `text` to standard output. Text that nobody reads to its end (`| head -1`) is no failure.
///
/// # Errors
/// A failure if standard output does not take it.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if !is_broken_pipe(&error) => {
            Err(Error::failure(format!("cannot write standard output: {}", reason(&error))))
        }
        _ => Ok(()),
    }
}

/// Writes `value` to standard output as JSON.
///
/// # Errors
/// As [`print`].
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|error| Error::failure(format!("cannot write JSON: {error}")))?;
    print(&(json + "\n"))
}
