//! What can go wrong, in one type: one line for the user and an exit code.

use std::fmt;
use std::io;
use std::path::Path;

use loom::variant::NoSuchKernel;

/// Why the command stops. Printed as one line after `loom: `.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line asks for something that cannot be done: exit code 2.
    Usage(String),
    /// The work itself failed: exit code 1.
    Failure(String),
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
            Self::Failure(_) => 1,
        }
    }
}

/// The system's reason in words, without the "(os error N)" that Rust adds.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Usage(text) | Self::Failure(text)) = self;
        f.write_str(text)
    }
}

impl From<NoSuchKernel> for Error {
    fn from(error: NoSuchKernel) -> Self {
        Self::usage(format!("{error}; `loom list` names them"))
    }
}

impl From<loom::stats::NotThere> for Error {
    fn from(error: loom::stats::NotThere) -> Self {
        Self::usage(error.to_string())
    }
}

/// A kernel that cannot be made is an error of loom's own.
impl From<loom::allocate::Wrong> for Error {
    fn from(error: loom::allocate::Wrong) -> Self {
        Self::failure(format!("allocation is wrong, which is an error in loom: {error}"))
    }
}

impl From<loom::tune::Unusable> for Error {
    fn from(error: loom::tune::Unusable) -> Self {
        match error {
            loom::tune::Unusable::File(path, error) => {
                Self::file("cannot read or write", &path, &error)
            }
            wrong @ loom::tune::Unusable::Text(..) => Self::failure(wrong.to_string()),
        }
    }
}

impl From<cipherloom_circuits::Unreadable> for Error {
    fn from(error: cipherloom_circuits::Unreadable) -> Self {
        match error {
            cipherloom_circuits::Unreadable::File(path, error) => {
                Self::file("cannot read or write", &path, &error)
            }
            wrong @ cipherloom_circuits::Unreadable::Text(..) => Self::failure(wrong.to_string()),
        }
    }
}
