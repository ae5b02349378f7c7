//! The terminal whose echo was taken away, which must get it back however the process ends or stops.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetpgrp, tcsetattr};

/// The terminal that has no echo now. There is one at most: a process asks one question.
static SILENT: Mutex<Option<Silent>> = Mutex::new(None);

/// A terminal without echo, and how it was before.
pub(crate) struct Silent {
    terminal: File,
    before: Termios,
    prompt: String,
}

/// Gives the terminal its echo back, if it has none. While the result lives, nobody takes it away.
pub(crate) fn restore() -> MutexGuard<'static, Option<Silent>> {
    let silent = lock();
    if let Some(silent) = &*silent {
        silent.restore();
    }
    silent
}

/// Takes a terminal's echo away, and shows `prompt`, until the result is dropped.
///
/// # Errors
/// The system's.
pub(crate) fn silence(terminal: File, before: Termios, prompt: &str) -> io::Result<End> {
    let end = End;
    lock().insert(Silent { terminal, before, prompt: prompt.to_owned() }).silence()?;
    Ok(end)
}

/// The same again for the terminal that has no echo now, if there is one.
pub(crate) fn silence_again() {
    if let Some(silent) = &*lock() {
        let _ = silent.silence();
    }
}

fn lock() -> MutexGuard<'static, Option<Silent>> {
    SILENT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Silent {
    /// Takes the echo away, and shows the prompt.
    fn silence(&self) -> io::Result<()> {
        if !self.is_ours() {
            // Reading stops the process, and the question comes when it goes on in the foreground.
            return Ok(());
        }
        let mut silent = self.before.clone();
        silent.local_modes -= LocalModes::ECHO | LocalModes::ECHONL;
        tcsetattr(&self.terminal, OptionalActions::Now, &silent)?;
        (&self.terminal).write_all(self.prompt.as_bytes())
    }

    /// Whether the terminal listens to this process now: in the background the system would stop it
    /// for a change of settings, with the lock held.
    fn is_ours(&self) -> bool {
        tcgetpgrp(&self.terminal).is_ok_and(|group| group == getpgrp())
    }

    fn restore(&self) {
        if !self.is_ours() {
            return;
        }
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.before);
        // The end of the line was not shown.
        let _ = (&self.terminal).write_all(b"\n");
    }
}

/// The end of the silence, when it is dropped.
pub(crate) struct End;

impl Drop for End {
    fn drop(&mut self) {
        *restore() = None;
    }
}
