//! Interrupts: what they must not leave behind is the partial file, and a terminal without echo.

/// From here on an interrupt, a request to end, or a hang-up removes the partial file, gives the
/// terminal its echo back, and then ends the process in the way the signal does by itself.
#[cfg(unix)]
pub(crate) fn watch() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(watch_signals);
}

#[cfg(unix)]
fn watch_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // Past a file size limit, writing must fail with an error rather than end the process.
    let seen = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let _ = signal_hook::flag::register(SIGXFSZ, seen);

    let wanted = [SIGINT, SIGQUIT, SIGTERM, SIGHUP].into_iter();
    let wanted: Vec<i32> = wanted.filter(|&signal| !is_ignored(signal)).collect();
    for &signal in &wanted {
        let _ = signal_hook::flag::register_usize(signal, &ASKED, signal as usize);
    }
    let Ok(mut signals) = Signals::new(wanted) else { return };
    std::thread::spawn(move || signals.forever().for_each(end));
}

/// The signal that asked the process to end, or 0.
#[cfg(unix)]
static ASKED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

/// Ends the process as a signal asks.
#[cfg(unix)]
fn end(signal: i32) {
    // Both are held until the end, so that nobody makes anew what was put right.
    let partial = super::partial::lock();
    let _terminal = super::echo::restore();
    if let Some(path) = partial.as_ref() {
        let _ = std::fs::remove_file(path);
    }
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Ends the process if a signal asked for it: what happened since may have come of the same
/// interrupt, as when a whole pipeline gets it, and would be told as an error.
#[cfg(unix)]
pub(crate) fn end_if_asked() {
    let signal = ASKED.load(std::sync::atomic::Ordering::SeqCst);
    if signal != 0 {
        end(signal as i32);
    }
}

/// Elsewhere the system's own handling needs no help.
#[cfg(not(unix))]
pub(crate) fn end_if_asked() {}

/// The same for what Windows has in place of signals.
#[cfg(windows)]
pub(crate) fn watch() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(super::system::watch_console);
}

/// Whether the process was started with the signal ignored (`nohup`, background jobs of scripts),
/// which must stay so. Known on Linux only; elsewhere signals count as not ignored.
#[cfg(unix)]
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
