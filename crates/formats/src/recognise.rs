//! What may have written a value: by its characters, its first bytes and its length, without any key.

use std::cmp::Reverse;
use std::fmt;

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

/// A way to read the value.
struct Reading {
    text: Text,
    bytes: Vec<u8>,
    /// Hex is base64, too, and hardly ever meant so.
    is_doubtful: bool,
}

const RAW: Text = Text::As(Encoding::Text);

/// What nobody here opens, if no preset says more: its first bytes, what it is.
const OTHERS: [(&[u8], &str); 4] = [
    (b"\x00m\x03", "a file of the command mcrypt (.nc), in what is not here or damaged"),
    (b"-----BEGIN ", "PEM in another cipher, in none, or damaged: openssl reads it"),
    (b"%PDF-", "a PDF: qpdf decrypts it"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a file of Microsoft Office: msoffcrypto decrypts it"),
];

/// What may have written `value`, likely ones first. Empty: nothing that is known here.
#[must_use]
pub fn recognise(value: &[u8]) -> Vec<Guess> {
    let mut guesses = Vec::new();
    for reading in readings(value) {
        let found = guesses.len();
        guesses.extend(Preset::all().filter_map(|preset| guess(preset, &reading)));
        if !guesses[found..].iter().any(|(_, guess)| guess.sign == Sign::Magic) {
            guesses.extend(others(&reading));
        }
    }
    // Of the same weight, as found: rows and readings are in their order.
    guesses.sort_by_key(|(weight, _)| Reverse(*weight));
    let mut known: Vec<Guess> = Vec::new();
    for (_, guess) in guesses {
        let is_same = |other: &Guess| match (other.preset, guess.preset) {
            (Some(a), Some(b)) => a.name == b.name,
            (None, None) => other.why == guess.why,
            _ => false,
        };
        if !known.iter().any(is_same) {
            known.push(guess);
        }
    }
    known
}

/// The ways to read a value as text, and the value itself.
fn readings(value: &[u8]) -> Vec<Reading> {
    let text = value.trim_ascii();
    let mut readings = Vec::new();
    let mut read = |text: Text, encoding: Encoding, value: &[u8], is_doubtful| {
        let mut bytes = Vec::new();
        let is_read = !value.is_empty() && encoding.decode(value, &mut bytes).is_ok();
        if is_read {
            readings.push(Reading { text, bytes, is_doubtful });
        }
        is_read
    };
    for preset in Preset::all() {
        if let Text::Wrapped(prefix, suffix, encoding) = preset.text
            && let Some(inside) = text.strip_prefix(prefix.as_bytes())
            && let Some(inside) = inside.strip_suffix(suffix.as_bytes())
        {
            // All rows with this wrapper have the same reading.
            read(preset.text, encoding, inside, false);
            return readings;
        }
    }
    let is_hex = read(Text::As(Encoding::Hex), Encoding::Hex, text, false);
    let is_base64 = read(Text::As(Encoding::Base64), Encoding::Base64, text, is_hex);
    read(Text::As(Encoding::Uu), Encoding::Uu, text, is_hex || is_base64);
    let is_text = std::str::from_utf8(value)
        .is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_ascii_whitespace()));
    read(RAW, Encoding::Text, value, is_text);
    readings
}

fn guess(preset: &'static Preset, reading: &Reading) -> Option<((Sign, bool, bool), Guess)> {
    let sign = preset.fits(&reading.bytes)?;
    let is_usual = match (preset.text, reading.text) {
        (Text::Wrapped(_, _, usual), Text::As(encoding)) => usual == encoding,
        (usual, text) => usual == text,
    };
    let is_wrapped = is_usual && matches!(reading.text, Text::Wrapped(..));
    // Whole blocks alone say little. Programs also write hex, base64 or bytes where others write something
    // else, but no plain text, no hex that is to be read as base64, and no uuencoding.
    let is_possible = is_usual || !reading.is_doubtful && reading.text != Text::As(Encoding::Uu);
    if sign == Sign::Length && (!is_possible || reading.is_doubtful && reading.text == RAW) {
        return None;
    }
    let sign = if is_wrapped { Sign::Magic } else { sign };
    let why = format!("{}: {}", written(reading), form(preset, sign));
    let weight = (sign, !reading.is_doubtful, is_usual);
    Some((weight, Guess { preset: Some(preset), text: reading.text, sign, why }))
}

fn others(reading: &Reading) -> Vec<((Sign, bool, bool), Guess)> {
    let bytes = &reading.bytes;
    let mut found: Vec<&str> = OTHERS
        .iter()
        .filter(|(start, _)| bytes.trim_ascii_start().starts_with(start))
        .map(|&(_, what)| what)
        .collect();
    let by_key = bytes.len() >= 36 && bytes.len().is_multiple_of(4);
    if by_key && matches!(bytes[16..20], [1 | 2, 0, 0, 0]) && bytes[..4] != [1, 0, 0, 0] {
        found.push(
            "SQL Server's EncryptByKey: a GUID, and the version; only the server has the key",
        );
    }
    let guess = |what: &str| Guess {
        preset: None,
        text: reading.text,
        sign: Sign::Magic,
        why: format!("{}: {what}", written(reading)),
    };
    found.into_iter().map(|what| ((Sign::Magic, true, true), guess(what))).collect()
}

fn written(reading: &Reading) -> String {
    let len = reading.bytes.len();
    match reading.text {
        Text::Wrapped(prefix, suffix, _) => format!("{prefix}...{suffix} around {len} bytes"),
        Text::As(Encoding::Hex) => format!("hex of {len} bytes"),
        Text::As(Encoding::Base64) => format!("base64 of {len} bytes"),
        Text::As(Encoding::Uu) => format!("uuencoding of {len} bytes"),
        Text::As(Encoding::Text) => format!("{len} bytes"),
    }
}

fn form(preset: &Preset, sign: Sign) -> &'static str {
    match preset.container {
        Container::Salted => "Salted__ and a salt before the ciphertext",
        Container::RandomIv => "RandomIV and an IV before the ciphertext",
        Container::SqlServer(1) => "the number 1, an IV of 8 bytes, whole blocks",
        Container::SqlServer(_) => "the number 2, an IV of 16 bytes, whole blocks of 16",
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

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.preset {
            Some(preset) => write!(f, "{}, {} ({})", preset.name, preset.written_by, self.why),
            None => f.write_str(&self.why),
        }
    }
}
