//! What can go wrong, in one type: one line for the user and an exit code.

use std::fmt;
use std::io;
use std::path::Path;

/// Why the command stops. Printed as one line after `cipherloom: `.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line asks for something that cannot be done: exit code 2.
    Usage(String),
    /// The work itself failed, on data, files or the machine: exit code 1.
    Failure(String),
    /// The library refused; a command that knows more turns it into a better line. Exit code 1.
    Cipher(cipherloom::Error),
}

/// Everything in this command fails with the same type.
pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Bad usage: what is wrong, and what to do.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// A failure: what was wrong, and what to do.
    pub(crate) fn failure(text: impl Into<String>) -> Self {
        Self::Failure(text.into())
    }

    /// The system refused to do something with a file: `doing` is "cannot open" or the like.
    pub(crate) fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::failure(format!("{doing} {}: {}", path.display(), reason(error)))
    }

    /// The process's exit code: 1 for failures, 2 for bad usage.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failure(_) | Self::Cipher(_) => 1,
        }
    }
}

/// The system's reason in words, without the "(os error N)" that Rust adds and Windows' full stop.
pub(crate) fn reason(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        return "no such file or directory".to_owned(); // Unix' words, for what Windows has many
    }
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].trim_end_matches('.').to_lowercase()
}

/// Whether nobody reads any more what is written to a pipe.
pub(crate) fn is_broken_pipe(error: &io::Error) -> bool {
    /// Windows' ERROR_PIPE_NOT_CONNECTED, which Rust has no name for.
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) | Self::Failure(text) => f.write_str(text),
            Self::Cipher(error) => error.fmt(f),
        }
    }
}

impl From<cipherloom::Error> for Error {
    fn from(error: cipherloom::Error) -> Self {
        Self::Cipher(error)
    }
}
