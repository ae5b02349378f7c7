//! What may have written a value: by its characters, its first bytes and its length, without any key.

mod column;
mod guess;
mod others;
mod reading;

pub use guess::Guess;
use reading::Start;

/// What a file or a pasted text may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// Whether it is a column, a value in each line.
    pub is_column: bool,
    /// What the value or most values of the column may be, likely ones first. Empty: nothing that is known here.
    pub guesses: Vec<Guess>,
}

/// What may have written `value`, likely ones first. Empty: nothing that is known here.
#[must_use]
pub fn recognise(value: &[u8]) -> Vec<Guess> {
    guess::guesses(Start::whole(value))
}

/// What a file or a pasted text may be, a value or a column of them, of which `start` are the first bytes, and `len`
/// is how many the whole has. `None`: these are all.
///
/// Text is cut at whole groups or lines, and lengths that are told are the whole's. Where its exact length cannot be
/// known, only what has a magic number is recognised. 64 KiB of a start are enough.
#[must_use]
pub fn recognise_start(start: &[u8], len: Option<u64>) -> Recognised {
    let len = len.unwrap_or(0).max(start.len() as u64);
    let start = Start { bytes: start, len };
    match column::lines(start) {
        Some(lines) => Recognised { is_column: true, guesses: column::guesses(lines) },
        None => Recognised { is_column: false, guesses: guess::guesses(start) },
    }
}
