//! A line typed on the terminal, unseen.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "other.rs")]
mod system;

use std::io;

pub(crate) use system::*;

/// Most bytes of a line; OpenSSL's prompt takes no more either.
const LIMIT: usize = 512;

/// Why there is no line.
#[derive(Debug)]
pub(crate) enum Fault {
    /// There is no terminal.
    NoTerminal,
    /// The line has more than 512 bytes, or a NUL byte.
    NoLine,
    /// Reading failed.
    Broken(io::Error),
}

/// A line without its end, or Ctrl-D in its place.
pub(crate) type Answer = Result<Option<Vec<u8>>, Fault>;
