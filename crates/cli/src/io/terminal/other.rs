//! Terminals by `rpassword`.

use std::io::ErrorKind;
use std::time::Duration;

use super::{Answer, Fault, LIMIT};
use crate::io::interrupts;

/// Shows `prompt` and reads a line.
pub(crate) fn ask(prompt: &str) -> Answer {
    interrupts::watch();
    match rpassword::prompt_password(prompt) {
        Ok(line) => {
            let line = line.into_bytes();
            if line.len() > LIMIT { Err(Fault::NoLine) } else { Ok(Some(line)) }
        }
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            // Ctrl-C was typed. Another thread hears of it, and ends the process.
            std::thread::sleep(Duration::from_secs(1));
            Err(Fault::Broken(error))
        }
        Err(_) => Err(Fault::NoTerminal),
    }
}
