//! The ways to read a value: as bytes, and as text that stands for bytes.

use crate::encoding::Encoding;
use crate::encoding::pasted::{self, Wrapped};
use crate::encoding::uu;
use crate::preset::{Preset, Text};

pub(super) const RAW: Text = Text::As(Encoding::Text);

/// Any block's size divides it: a cut file keeps the rest of its length by it.
const BLOCKS: usize = 16;

/// A group of base64, and two bytes of hex.
const GROUP: usize = 4;

/// A way to read the value.
pub(super) struct Reading {
    pub(super) text: Text,
    pub(super) bytes: Vec<u8>,
    /// How many bytes the whole file has, read so.
    len: u64,
    /// The start of a text: how many bytes the rest stands for is not known to the byte.
    pub(super) is_cut: bool,
    /// Hex is base64, too, and hardly ever meant so. So are words, and rows of a table are uuencoding.
    pub(super) is_doubtful: bool,
    pub(super) is_word: bool,
}

/// What a value begins with.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) bytes: &'a [u8],
    /// Bytes of the whole.
    pub(super) len: u64,
}

/// A wrapper has no end.
pub(super) struct Unclosed(pub(super) &'static str, pub(super) &'static str);

/// The ways to read a value as text, and the value itself.
pub(super) fn readings(start: Start<'_>) -> Result<Vec<Reading>, Unclosed> {
    for preset in Preset::all() {
        let Text::Wrapped(prefix, suffix, encoding) = preset.text else { continue };
        match pasted::unwrap(start.bytes, prefix, suffix) {
            Wrapped::Bare(_) => {}
            Wrapped::Unclosed => return Err(Unclosed(prefix, suffix)),
            // All rows with this wrapper have the same reading.
            Wrapped::Inside(inside) => {
                return Ok(Start::whole(inside).read(preset.text, encoding).into_iter().collect());
            }
        }
    }
    let mut readings = Vec::new();
    for encoding in [Encoding::Hex, Encoding::Base64, Encoding::Uu, Encoding::Text] {
        let Some(mut reading) = start.read(Text::As(encoding), encoding) else { continue };
        reading.is_doubtful = match encoding {
            Encoding::Hex => false,
            Encoding::Base64 | Encoding::Uu => !readings.is_empty(),
            Encoding::Text => start.is_text(),
        };
        reading.is_word = match encoding {
            Encoding::Base64 => is_word(start.bytes),
            Encoding::Uu => is_row(start.bytes) || !start.is_cut() && !uu::is_exact(start.bytes),
            Encoding::Hex | Encoding::Text => false,
        };
        readings.push(reading);
    }
    Ok(readings)
}

impl<'a> Start<'a> {
    pub(super) fn whole(bytes: &'a [u8]) -> Self {
        Self { bytes, len: bytes.len() as u64 }
    }

    pub(super) fn is_cut(self) -> bool {
        self.len > self.bytes.len() as u64
    }

    fn read(self, text: Text, encoding: Encoding) -> Option<Reading> {
        let part = self.whole_units(encoding);
        let mut bytes = Vec::new();
        if part.is_empty() || encoding.decode_pasted(part, &mut bytes).is_err() {
            return None;
        }
        let is_text = encoding != Encoding::Text;
        let is_cut = self.is_cut() && is_text;
        let len = match (is_cut, is_text) {
            (true, _) => {
                let len = u128::from(self.len) * bytes.len() as u128 / part.len() as u128;
                u64::try_from(len).unwrap_or(u64::MAX)
            }
            (false, true) => bytes.len() as u64,
            (false, false) => self.len,
        };
        if is_cut {
            bytes.truncate(bytes.len() / BLOCKS * BLOCKS);
        }
        Some(Reading { text, bytes, len, is_cut, is_doubtful: false, is_word: false })
    }

    /// Of what is cut, as much as stands for whole bytes, or has as many over whole blocks as the file has.
    fn whole_units(&self, encoding: Encoding) -> &[u8] {
        let start = self.bytes;
        if !self.is_cut() {
            return start;
        }
        match encoding {
            Encoding::Text => {
                let blocks = (start.len() / BLOCKS).saturating_sub(1);
                &start[..blocks * BLOCKS + (self.len % BLOCKS as u64) as usize]
            }
            Encoding::Uu => match start.iter().rposition(|&byte| byte == b'\n') {
                Some(at) => &start[..at],
                None => &[],
            },
            Encoding::Hex | Encoding::Base64 => {
                let is_digit = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b':';
                let over = start.iter().filter(|byte| is_digit(byte)).count() % GROUP;
                let mut digits = start.iter().enumerate().filter(|(_, byte)| is_digit(byte)).rev();
                match over.checked_sub(1).and_then(|last| digits.nth(last)) {
                    Some((at, _)) => &start[..at],
                    None => start,
                }
            }
        }
    }

    /// Whether it is UTF-8 without control characters; the last character may be cut.
    fn is_text(self) -> bool {
        let text = match std::str::from_utf8(self.bytes) {
            Err(error) if self.is_cut() && error.error_len().is_none() => {
                std::str::from_utf8(&self.bytes[..error.valid_up_to()])
            }
            text => text,
        };
        text.is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_ascii_whitespace()))
    }
}

/// Whether base64 is rather a word or a password: it has no `=`, and a length that wants one, or letters of
/// one case only, or it is a name with a number behind it.
fn is_word(text: &[u8]) -> bool {
    let text = pasted::bare(text);
    let has = |is: fn(&u8) -> bool| text.iter().any(is);
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let digits = text.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    let mut behind = text.iter().skip(1).skip_while(|byte| byte.is_ascii_lowercase());
    let is_name = behind.all(u8::is_ascii_digit);
    let is_plain = !is_mixed || is_name || !digits.is_multiple_of(GROUP);
    is_plain && !has(|&byte| matches!(byte, b'=' | b'%'))
}

/// Whether uuencoding is rather a row of a table: one character in 64 is a comma by chance.
fn is_row(text: &[u8]) -> bool {
    let commas = text.iter().filter(|&&byte| byte == b',').count();
    commas > 1 && 16 * commas > text.len()
}

impl Reading {
    /// How it is written, and how many bytes it has.
    pub(super) fn written(&self) -> String {
        let about = if self.is_cut { "about " } else { "" };
        let len = format!("{about}{} bytes", self.len);
        match self.text {
            Text::Wrapped(prefix, suffix, _) => format!("{prefix}...{suffix} around {len}"),
            Text::As(Encoding::Hex) => format!("hex of {len}"),
            Text::As(Encoding::Base64) => format!("base64 of {len}"),
            Text::As(Encoding::Uu) => format!("uuencoding of {len}"),
            Text::As(Encoding::Text) => len,
        }
    }
}
