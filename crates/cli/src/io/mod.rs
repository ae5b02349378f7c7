//! Files, pipes and terminals: how bytes come in and go out.

pub(crate) mod destination;
#[cfg(unix)]
mod echo;
pub(crate) mod input;
pub(crate) mod interrupts;
pub(crate) mod line;
pub(crate) mod notes;
pub(crate) mod output;
mod partial;
pub(crate) mod progress;
mod replace;
pub(crate) mod source;
/// What differs between systems.
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;
pub(crate) mod terminal;

use std::fs::File;

use crate::errors::{Error, Result};

/// Standard input as a file without a buffer, so that two readers can share it line by line.
pub(crate) fn stdin() -> Result<File> {
    system::stdin().map_err(|error| closed("standard input", &error))
}

/// Standard output as a file without a buffer.
pub(crate) fn stdout() -> Result<File> {
    system::stdout().map_err(|error| closed("standard output", &error))
}

fn closed(what: &str, error: &std::io::Error) -> Error {
    Error::failure(format!("{what} cannot be used: {}", crate::errors::reason(error)))
}
