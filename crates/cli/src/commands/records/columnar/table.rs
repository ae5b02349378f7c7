//! What a table is in, and what can be wrong with one.

use arrow_schema::ArrowError;
use parquet::basic::Compression;

use crate::errors::{Error, Result};

/// What the table is in; the output is in the same.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Arrow's IPC file, which can be read from any place.
    File,
    /// Arrow's IPC stream.
    Stream,
    /// Parquet, compressed so.
    Parquet(Compression),
}

/// What Arrow's or Parquet's reader or writer found wrong.
pub(super) fn broken(doing: &str, error: &ArrowError) -> Error {
    Error::failure(format!("{doing}: {error}"))
}

/// Does what may panic: at some damaged tables, readers do. Nothing of what was written is kept then.
///
/// # Errors
/// Those of `work`; a failure for a panic.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    std::panic::set_hook(hook);
    result.unwrap_or_else(|_| Err(Error::failure("the table is damaged; nothing was written")))
}
