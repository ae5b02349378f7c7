//! What goes to standard output.

use std::io::{ErrorKind, Write};

use super::error::{Error, Result, reason};

/// Writes `text` to standard output. Text that nobody reads to its end (`| head -1`) is no failure.
///
/// # Errors
/// A failure if standard output does not take it.
pub(crate) fn print(text: &str) -> Result<()> {
    write(text.as_bytes())
}

/// Writes `bytes` to standard output; as [`print`].
///
/// # Errors
/// As [`print`].
pub(crate) fn write(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
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

/// A remark on standard error; if nobody takes it, that is no failure.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "loom: {text}");
}
