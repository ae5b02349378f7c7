//! The partial file, which an interrupt must not leave behind.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary file of the output in progress. There is one at most: a process writes one output.
static PARTIAL: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Locks the note of the partial file; while the lock is held no interrupt ends the process.
pub(crate) fn lock() -> MutexGuard<'static, Option<PathBuf>> {
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From here on an interrupt, a request to end, or a hang-up removes the partial file and then ends
/// the process in the way the signal does by itself.
#[cfg(unix)]
pub(crate) fn watch_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // Past a file size limit, writing must fail with an error rather than end the process.
    let seen = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let _ = signal_hook::flag::register(SIGXFSZ, seen);

    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let Ok(mut signals) = Signals::new(wanted) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if let Some(path) = lock().as_ref() {
                let _ = std::fs::remove_file(path);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

/// The same for what Windows has in place of signals.
#[cfg(windows)]
pub(crate) fn watch_signals() {
    super::system::watch_console();
}

/// Whether the process was started with the signal ignored (`nohup`, background jobs of scripts),
/// which must stay so. Known on Linux only; elsewhere signals count as not ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
