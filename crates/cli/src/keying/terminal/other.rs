//! Terminals by `rpassword`.

use std::io::ErrorKind;

use zeroize::Zeroizing;

use super::{Answer, Fault, LIMIT};

/// Shows `prompt` and reads a line.
pub(crate) fn ask(prompt: &str) -> Answer {
    match rpassword::prompt_password(prompt) {
        Ok(line) => {
            let line = Zeroizing::new(line.into_bytes());
            if line.len() > LIMIT { Err(Fault::NoLine) } else { Ok(Some(line)) }
        }
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(_) => Err(Fault::NoTerminal),
    }
}
