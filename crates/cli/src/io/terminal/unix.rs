//! Terminals by termios: the system edits the line, so that all bytes but its end are the user's, as
//! at OpenSSL's prompt.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use rustix::process::{getpgrp, getsid};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr,
};
use signal_hook::consts::{SIGCONT, SIGTSTP};
use signal_hook::iterator::Signals;

use super::{Answer, Fault, LIMIT};
use crate::io::line::first_line;
use crate::io::partial;

/// The terminal that has no echo now. There is one at most: a process asks one question.
static SILENT: Mutex<Option<Silent>> = Mutex::new(None);

/// A terminal without echo, and how it was before.
pub(crate) struct Silent {
    terminal: File,
    before: Termios,
    prompt: String,
}

/// Shows `prompt` and reads a line.
pub(crate) fn ask(prompt: &str) -> Answer {
    let open = || OpenOptions::new().read(true).write(true).open("/dev/tty");
    let (Ok(mut keyboard), Ok(terminal)) = (open(), open()) else { return Err(Fault::NoTerminal) };
    let before = tcgetattr(&terminal).map_err(|_| Fault::NoTerminal)?;
    // Whoever may end or stop the process must know of the echo before it is off.
    partial::watch_signals();
    watch_stops();
    let silent = Silent { terminal, before, prompt: prompt.to_owned() };
    let end = End;
    silent.begin(&mut lock()).map_err(Fault::Broken)?;
    let line = first_line(&mut keyboard, LIMIT + 1);
    // An interrupt and what is typed behind it come in this order.
    partial::end_if_asked();
    drop(end);
    let line = line.map_err(Fault::Broken)?;
    let mut bytes = line.bytes;
    let has_end = bytes.last() == Some(&b'\n');
    if line.was_cut {
        // The rest of it is not for the next program.
        let _ = tcflush(&keyboard, QueueSelector::IFlush);
        return Err(Fault::NoLine);
    }
    if has_end {
        bytes.pop();
    }
    Ok((has_end || !bytes.is_empty()).then_some(bytes))
}

/// Gives the terminal its echo back, if it has none. While the result lives, nobody takes it away.
pub(crate) fn restore() -> MutexGuard<'static, Option<Silent>> {
    let silent = lock();
    if let Some(silent) = &*silent {
        silent.restore();
    }
    silent
}

fn lock() -> MutexGuard<'static, Option<Silent>> {
    SILENT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Silent {
    fn begin(self, place: &mut Option<Self>) -> std::io::Result<()> {
        place.insert(self).silence()
    }

    /// Takes the echo away, and shows the prompt.
    fn silence(&self) -> std::io::Result<()> {
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

/// The end of the silence.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        *restore() = None;
    }
}

/// From here on a terminal has its echo while the process is stopped (Ctrl-Z), and the question comes
/// again when it goes on.
fn watch_stops() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // What ignores the stop is left to; where no shell could continue the process (its group is
        // that of the session's first process), the system ignores it.
        let is_stoppable =
            !partial::is_ignored(SIGTSTP) && getsid(None).is_ok_and(|session| session != getpgrp());
        let wanted = if is_stoppable { &[SIGTSTP, SIGCONT][..] } else { &[SIGCONT] };
        let Ok(mut signals) = Signals::new(wanted) else { return };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if signal == SIGTSTP {
                    let _terminal = restore();
                    let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
                } else if let Some(silent) = &*lock() {
                    let _ = silent.silence();
                }
            }
        });
    });
}
