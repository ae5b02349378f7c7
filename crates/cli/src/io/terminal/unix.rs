//! Terminals by termios: the system edits the line, so that all bytes but its end are the user's, as
//! at OpenSSL's prompt.

use std::fs::OpenOptions;
use std::sync::Once;

use rustix::process::{getpgrp, getsid};
use rustix::termios::{QueueSelector, tcflush, tcgetattr};
use signal_hook::consts::{SIGCONT, SIGTSTP};
use signal_hook::iterator::Signals;

use super::{Answer, Fault, LIMIT};
use crate::io::line::first_line;
use crate::io::{echo, interrupts};

/// Shows `prompt` and reads a line.
pub(crate) fn ask(prompt: &str) -> Answer {
    let open = || OpenOptions::new().read(true).write(true).open("/dev/tty");
    let (Ok(mut keyboard), Ok(terminal)) = (open(), open()) else { return Err(Fault::NoTerminal) };
    let before = tcgetattr(&terminal).map_err(|_| Fault::NoTerminal)?;
    // Whoever may end or stop the process must know of the echo before it is off.
    interrupts::watch();
    watch_stops();
    let end = echo::silence(terminal, before, prompt).map_err(Fault::Broken)?;
    let line = first_line(&mut keyboard, LIMIT + 1);
    // An interrupt and what is typed behind it come in this order.
    interrupts::end_if_asked();
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

/// From here on a terminal has its echo while the process is stopped (Ctrl-Z), and the question comes
/// again when it goes on.
fn watch_stops() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // What ignores the stop is left to; where no shell could continue the process (its group is
        // that of the session's first process), the system ignores it.
        let is_stoppable = !interrupts::is_ignored(SIGTSTP)
            && getsid(None).is_ok_and(|session| session != getpgrp());
        let wanted = if is_stoppable { &[SIGTSTP, SIGCONT][..] } else { &[SIGCONT] };
        let Ok(mut signals) = Signals::new(wanted) else { return };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if signal == SIGTSTP {
                    let _terminal = echo::restore();
                    let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
                } else {
                    echo::silence_again();
                }
            }
        });
    });
}
