//! Strict decoding. Lines of any length are taken; OpenSSL silently loses data on long ones.

use base64::Engine as _;

use super::{ENGINE, is_base64};
use crate::encoding::StreamError;

type Result<T> = std::result::Result<T, StreamError>;

/// How much of a first line is kept to see whether it is base64.
const PREAMBLE: usize = 1024;

/// The state between pieces of text.
#[derive(Debug)]
pub(in crate::encoding) struct Strict {
    stage: Stage,
    /// Characters of the group in progress, or in the preamble the line in progress.
    held: Vec<u8>,
    line: u64,
    column: u64,
}

/// Where in the text we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Before the first line of base64: lines of words are passed over, as OpenSSL does, for headers
    /// such as `-----BEGIN`.
    Preamble,
    Body,
    /// Behind the first `=`.
    Padding,
    /// Behind a `-` at the start of a line.
    Dash,
    /// Behind two, which start a line such as `-----END`: the rest means nothing.
    End,
}

impl Default for Strict {
    fn default() -> Self {
        Self { stage: Stage::Preamble, held: Vec::new(), line: 1, column: 0 }
    }
}

impl Strict {
    pub(in crate::encoding) fn decode(&mut self, mut text: &[u8], out: &mut Vec<u8>) -> Result<()> {
        while self.stage == Stage::Preamble && !text.is_empty() {
            let end = text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |n| n + 1);
            let end = end.min(PREAMBLE - self.held.len());
            self.held.extend_from_slice(&text[..end]);
            text = &text[end..];
            if self.held.last() == Some(&b'\n') || self.held.len() == PREAMBLE {
                self.try_to_start(out)?;
            }
        }
        self.body(text, out)
    }

    pub(in crate::encoding) fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        if self.stage == Stage::Preamble {
            self.try_to_start(out)?;
        }
        if self.stage == Stage::Preamble {
            // Only an input of nothing, or of blank lines, stands for an empty message.
            return match self.line {
                1 => Ok(()),
                _ => Err(StreamError::NoBase64),
            };
        }
        if self.stage == Stage::Dash {
            return Err(self.bad("a single -"));
        }
        self.decode_groups(out)?;
        if self.held.is_empty() {
            return Ok(());
        }
        Err(StreamError::Base64Cut { line: self.line })
    }

    /// Decides on the line in `held`: base64 (the body starts with it) or something else.
    fn try_to_start(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let line = std::mem::take(&mut self.held);
        let text = line.trim_ascii();
        if text.is_empty() {
            return Ok(());
        }
        if text.iter().all(|&byte| is_base64(byte) || byte.is_ascii_whitespace()) {
            self.stage = Stage::Body;
            return self.body(&line, out);
        }
        if line.len() == PREAMBLE {
            return Err(StreamError::NotBase64);
        }
        // One with a few wrong characters is no header: passed over, it would be lost in silence.
        let is_words = text[0] == b'-' || text.iter().any(|byte| b" \t:".contains(byte));
        let wrong = text.iter().filter(|&&byte| !is_base64(byte)).count();
        let is_damaged = !is_words && wrong * 4 <= text.len();
        if let Some(at) = line.iter().position(|&byte| !is_base64(byte)).filter(|_| is_damaged) {
            self.column = at as u64 + 1;
            return Err(self.bad(&char::from(line[at]).escape_default().to_string()));
        }
        self.line += 1;
        Ok(())
    }

    fn body(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<()> {
        for &byte in text {
            self.column += 1;
            match (byte, self.stage) {
                (_, Stage::End) => break,
                (b'-', Stage::Dash) => self.stage = Stage::End,
                (_, Stage::Dash) => return Err(self.bad("a single -")),
                (b'\n', _) => {
                    self.line += 1;
                    self.column = 0;
                }
                (byte, _) if byte.is_ascii_whitespace() => {}
                (b'-', _) if self.column == 1 => self.stage = Stage::Dash,
                (b'=', _) if self.held.ends_with(b"==") => {
                    return Err(self.bad("a wrong number of = signs"));
                }
                (b'=', _) => {
                    self.stage = Stage::Padding;
                    self.held.push(byte);
                }
                (byte, Stage::Body) if is_base64(byte) => self.held.push(byte),
                (byte, Stage::Padding) if is_base64(byte) => {
                    return Err(self.bad(&format!("{} behind the padding", char::from(byte))));
                }
                (byte, _) => {
                    return Err(self.bad(&char::from(byte).escape_default().to_string()));
                }
            }
        }
        if self.stage == Stage::Body { self.decode_groups(out) } else { Ok(()) }
    }

    /// Decodes the whole groups of `held`, and keeps the rest.
    fn decode_groups(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let whole = self.held.len() / 4 * 4;
        if ENGINE.decode_vec(&self.held[..whole], out).is_err() {
            return Err(self.bad("a wrong number of = signs"));
        }
        self.held.drain(..whole);
        Ok(())
    }

    fn bad(&self, what: &str) -> StreamError {
        StreamError::Base64Damaged { what: what.to_owned(), line: self.line, column: self.column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &[u8], size: usize) -> Result<Vec<u8>> {
        let mut strict = Strict::default();
        let mut out = Vec::new();
        for piece in text.chunks(size) {
            strict.decode(piece, &mut out)?;
        }
        strict.finish(&mut out)?;
        Ok(out)
    }

    /// The first five are what OpenSSL 3.0 decodes too; on the rest it loses data silently.
    #[test]
    fn all_shapes_of_lines_decode() {
        let long = format!("{}\n", "QUJD".repeat(1000));
        for (text, plain) in [
            ("aGVsbG8=\n", "hello"),
            ("aGVs\r\nbG8=\r\n", "hello"),
            ("\n\n  aGVs\n\nbG8= \n", "hello"),
            ("-----BEGIN X-----\naGVs\nbG8=\n-----END X-----\n", "hello"),
            ("Subject: x\naGVsbB==\n", "hell"),
            ("aGVsbG8=", "hello"),
            ("aG\nVs\nbG8\n=", "hello"),
            (&long, &"ABC".repeat(1000)),
            ("", ""),
            ("\n", ""),
        ] {
            for size in [1, 3, 64, 100_000] {
                assert_eq!(decode(text.as_bytes(), size).unwrap(), plain.as_bytes(), "{text}");
            }
        }
    }

    #[test]
    fn damage_is_named_with_its_place() {
        let long = format!("{}!", "a".repeat(2000));
        for (text, says) in [
            ("aGVs\nbG!8=\n", "! at line 2, column 3"),
            ("aGVsbG8\n", "ends within a group"),
            // OpenSSL takes a - for the end, and passes over a first line that is damaged.
            ("aGVs\nbG-8\n", "- at line 2, column 3"),
            ("aGVs\n-bG8\n", "a single - at line 2"),
            ("aGVs\n-", "a single - at line 2"),
            ("aGV?\nbG8=\n", "? at line 1, column 4"),
            ("aG-V\nbG8=\n", "- at line 1, column 3"),
            ("aGVsbG8=\naGVs\n", "a behind the padding at line 2, column 1"),
            ("aGVsbG===\n", "="),
            ("a===\n", "="),
            ("hello, world\nthis: is\n", "no base64"),
            ("aGVs\n\u{e9}", "\\u{c3} at line 2"),
            (&long, "! at line 1, column 2001"),
        ] {
            for size in [1, 7, 100_000] {
                let error = decode(text.as_bytes(), size).unwrap_err().to_string();
                assert!(error.contains(says), "{text}: {error}");
            }
        }
    }
}
