//! What is said of a message that was opened, or was not.

use cipherloom_formats::preset::{Error as PresetError, Outcome, Witness};

use crate::errors::Error;
use crate::io::notes::Notes;
use crate::presets::Opening;

/// What was given cannot be used.
pub(super) fn misused(opening: &Opening, error: PresetError) -> Error {
    Error::usage(format!("preset {}: {error}", opening.preset.name))
}

/// What became of the input `name`, what may help, and that of `written` bytes that cannot be taken back.
pub(super) fn not_opened(opening: &Opening, name: &str, outcome: &Outcome, written: u64) -> Error {
    let help = match outcome {
        Outcome::Other(other, _) if !other.is_empty() => format!("; try --preset {other}"),
        Outcome::WrongKey => match opening.doubts() {
            doubts if doubts.is_empty() => doubts,
            doubts => format!("; or it is {doubts}"),
        },
        _ => String::new(),
    };
    let error = format!("{name}: {outcome}{help}");
    match written {
        0 => Error::failure(format!("{error}; nothing was written")),
        _ => with_warning(written, Error::failure(error)),
    }
}

/// Says why the key was right.
pub(super) fn tell(opening: &Opening, witness: Witness, notes: &Notes) {
    let name = opening.preset.name;
    let decrypted = if witness == Witness::Nothing { "" } else { "decrypted; " };
    let doubt = if witness.is_weak() { "; look at the result before you trust it" } else { "" };
    notes.say(&format!("{name}: {decrypted}{witness}{doubt}"));
}

/// What went to a pipe cannot be taken back: the user must know.
pub(super) fn with_warning(written: u64, error: Error) -> Error {
    match (written, error) {
        (0, error) => error,
        (count, Error::Failure(text)) => Error::failure(format!(
            "{text}; {count} bytes were written before this was known: discard them (--spool holds \
             output back)"
        )),
        (_, error) => error,
    }
}
