//! Files, pipes and terminals: how bytes come in and go out.

pub(crate) mod armor;
pub(crate) mod base64;
pub(crate) mod hex;
pub(crate) mod input;
pub(crate) mod notes;
pub(crate) mod output;
pub(crate) mod partial;
pub(crate) mod progress;
mod replace;
pub(crate) mod source;

use std::fs::File;

use crate::errors::{Error, Result};

/// Standard input as a file without a buffer, so that two readers can share it line by line.
pub(crate) fn stdin() -> Result<File> {
    #[cfg(unix)]
    let copy = std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let copy = std::os::windows::io::AsHandle::as_handle(&std::io::stdin()).try_clone_to_owned();
    copy.map(File::from).map_err(|error| closed("standard input", &error))
}

/// Standard output as a file without a buffer.
#[expect(clippy::disallowed_methods, reason = "the output is data, not words")]
pub(crate) fn stdout() -> Result<File> {
    #[cfg(unix)]
    let copy = std::os::fd::AsFd::as_fd(&std::io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let copy = std::os::windows::io::AsHandle::as_handle(&std::io::stdout()).try_clone_to_owned();
    copy.map(File::from).map_err(|error| closed("standard output", &error))
}

fn closed(what: &str, error: &std::io::Error) -> Error {
    Error::failure(format!("{what} cannot be used: {}", crate::errors::reason(error)))
}
