//! What a value may be.

use std::cmp::Reverse;
use std::fmt;

use super::others;
use super::reading::{RAW, Reading, Start, Unclosed, readings};
use crate::encoding::Encoding;
use crate::preset::{Container, Preset, Sign, Text};

/// What a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The preset that would open it, if there is one.
    pub preset: Option<&'static Preset>,
    /// How its bytes are written.
    pub text: Text,
    /// What speaks for it.
    pub sign: Sign,
    /// The same for people: a line.
    pub why: String,
}

/// Signs, and whether they are of a usual way to write values. The greater, the more.
type Weight = (Sign, bool, bool);

/// What a value of this start may be, likely ones first.
pub(super) fn guesses(start: Start<'_>) -> Vec<Guess> {
    if others::is_utf16(start.bytes) {
        return vec![foreign(RAW, "text in UTF-16: convert it to UTF-8 first".to_owned())];
    }
    let readings = match readings(start) {
        Ok(readings) => readings,
        Err(Unclosed(prefix, suffix)) => {
            let why = format!("{prefix}...{suffix} whose closing parenthesis is missing");
            return vec![foreign(RAW, why)];
        }
    };
    let mut guesses = Vec::new();
    for reading in readings {
        let mut found: Vec<_> = Preset::all().filter_map(|row| guess(row, &reading)).collect();
        if !found.iter().any(|(_, guess)| guess.sign == Sign::Magic) {
            let others = others::others(&reading);
            if !others.is_empty() {
                found.clear();
            }
            found.extend(others.into_iter().map(|what| {
                let why = format!("{}: {what}", reading.written());
                ((Sign::Magic, true, true), foreign(reading.text, why))
            }));
        }
        guesses.extend(found);
    }
    // Of the same weight, as found: rows and readings are in their order.
    guesses.sort_by_key(|(weight, _)| Reverse(*weight));
    let mut known: Vec<Guess> = Vec::new();
    for (_, guess) in guesses {
        if !known.iter().any(|other| guess.is_same(other)) {
            known.push(guess);
        }
    }
    known
}

/// What no preset opens.
fn foreign(text: Text, why: String) -> Guess {
    Guess { preset: None, text, sign: Sign::Magic, why }
}

fn guess(preset: &'static Preset, reading: &Reading) -> Option<(Weight, Guess)> {
    let sign = preset.fits(&reading.bytes)?;
    let is_usual = match (preset.text, reading.text) {
        (Text::Wrapped(_, _, usual), Text::As(encoding)) => usual == encoding,
        (usual, text) => usual == text,
    };
    let is_wrapped = is_usual && matches!(reading.text, Text::Wrapped(..));
    // Whole blocks alone say little. Programs also write hex, base64 or bytes where others write something
    // else, but no plain text, no hex that is to be read as base64, and no uuencoding.
    let is_possible = is_usual || !reading.is_doubtful && reading.text != Text::As(Encoding::Uu);
    let is_plain = reading.is_doubtful && reading.text == RAW;
    if sign == Sign::Length && (!is_possible || is_plain || reading.is_word)
        || sign < Sign::Magic && reading.is_cut
    {
        return None;
    }
    let sign = if is_wrapped { Sign::Magic } else { sign };
    let why = format!("{}: {}", reading.written(), form(preset, sign));
    let weight = (sign, !reading.is_doubtful, is_usual);
    Some((weight, Guess { preset: Some(preset), text: reading.text, sign, why }))
}

fn form(preset: &Preset, sign: Sign) -> &'static str {
    match preset.container {
        Container::Salted => {
            "Salted__ and a salt before the ciphertext; data of today is likely in AES, which openssl opens"
        }
        Container::RandomIv => "RandomIV and an IV before the ciphertext",
        Container::SqlServer(1) => "the number 1, an IV of 8 bytes, whole blocks",
        Container::SqlServer(_) => "the number 2, an IV of 16 bytes, whole blocks of 16",
        Container::SqlServerKey => {
            "a GUID, a version and an IV before whole blocks; it is likely in AES, which only the server opens"
        }
        Container::MySql if sign == Sign::FirstByte => {
            "the number of a key, or FF for a password, before whole blocks"
        }
        Container::MySql => "a byte with its top bit before whole blocks",
        Container::SqlDeveloper => "05 and a key of 8 bytes before whole blocks",
        Container::Pem => "PEM whose header DEK-Info names the cipher",
        Container::Pkcs8 => "an encrypted private key of PKCS#8",
        Container::Mcrypt => "the header of mcrypt's files",
        Container::Salt => "room for a salt of 8 bytes, and a ciphertext",
        Container::None => "a length that the cipher has",
    }
}

impl Guess {
    /// Whether two guesses are for one format.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self.preset, other.preset) {
            (Some(a), Some(b)) => a.name == b.name,
            (None, None) => self.why == other.why,
            _ => false,
        }
    }
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.preset {
            Some(preset) => write!(f, "{}, {} ({})", preset.name, preset.written_by, self.why),
            None => f.write_str(&self.why),
        }
    }
}
