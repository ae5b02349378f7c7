//! What the command says: the one place that writes text to standard error and standard output.

mod shown;

use std::io::Write;

use crate::errors::{Error, Result, is_broken_pipe, reason};

/// Says one line on standard error, whatever is in it.
pub(crate) fn say(line: &str) {
    tell(&format!("cipherloom: {}\n", shown::line(line)));
}

/// Writes lines to standard error as they are, but for characters that would drive a terminal.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub(crate) fn tell(text: &str) {
    // Where standard error is closed there is nobody to tell.
    let _ = std::io::stderr().write_all(shown::lines(text).as_bytes());
}

/// Writes lines for people to standard output. Text that nobody reads to its end (`| head -1`) is
/// no failure.
///
/// # Errors
/// A failure if standard output does not take it.
pub(crate) fn print(text: &str) -> Result<()> {
    print_data(&shown::lines(text))
}

/// Writes `lines` for people to standard output, a line each, whatever is in them.
///
/// # Errors
/// As [`print`].
#[cfg(feature = "migrate")]
pub(crate) fn print_lines(lines: &[String]) -> Result<()> {
    print_data(&lines.iter().map(|line| format!("{}\n", shown::line(line))).collect::<String>())
}

/// Writes `value` to standard output as JSON.
///
/// # Errors
/// As [`print`].
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|error| Error::failure(format!("cannot write JSON: {error}")))?;
    print_data(&(json + "\n"))
}

/// Writes text for programs to standard output, as it is.
///
/// # Errors
/// As [`print`].
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub(crate) fn print_data(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if !is_broken_pipe(&error) => {
            Err(Error::failure(format!("cannot write standard output: {}", reason(&error))))
        }
        _ => Ok(()),
    }
}
