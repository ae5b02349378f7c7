//! The partial file, which an interrupt must not leave behind.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary file of the output in progress. There is one at most: a process writes one output.
static PARTIAL: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Locks the note of the partial file; while the lock is held no interrupt ends the process.
pub(crate) fn lock() -> MutexGuard<'static, Option<PathBuf>> {
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
}
