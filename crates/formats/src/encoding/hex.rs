//! Hex in a stream: two digits a byte, in any case, white space anywhere between bytes and digits.

use crate::errors::{Error, Result};

/// Digits in a line of output.
const LINE: usize = 64;

/// Decodes text that comes in pieces. A `0x` or `\x` at the start is passed over, as databases
/// print it.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// The first digit of a byte.
    half: Option<u8>,
    /// Characters seen that are no white space.
    seen: u64,
    line: u64,
    /// Characters of the line before this one.
    column: u64,
}

impl Decoder {
    /// Decodes the next piece of text onto `out`.
    ///
    /// # Errors
    /// A failure that names line and column of what is no hex digit.
    pub(crate) fn decode(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<()> {
        for &character in text {
            self.column += 1;
            if character == b'\n' {
                (self.line, self.column) = (self.line + 1, 0);
            }
            if character.is_ascii_whitespace() {
                continue;
            }
            self.seen += 1;
            let digit = char::from(character).to_digit(16).map(|digit| digit as u8);
            match (digit, self.half) {
                (Some(digit), Some(high)) => {
                    out.push(high << 4 | digit);
                    self.half = None;
                }
                // Of `\x` the first character, and the second of both prefixes.
                (None, None) if self.seen == 1 && character == b'\\' => {}
                (None, None | Some(0)) if self.seen == 2 && character == b'x' => self.half = None,
                (Some(digit), None) => self.half = Some(digit),
                (None, _) => {
                    return Err(Error::failure(format!(
                        "the input is no hex: line {}, column {}: {:?}",
                        self.line + 1,
                        self.column,
                        char::from(character)
                    )));
                }
            }
        }
        Ok(())
    }

    /// Ends the text.
    ///
    /// # Errors
    /// A failure if a byte has one digit only.
    pub(crate) fn finish(&mut self) -> Result<()> {
        match self.half {
            None => Ok(()),
            Some(_) => Err(Error::failure(
                "the input is hex with an odd number of digits: a part of it is missing",
            )),
        }
    }
}

/// Encodes bytes that come in pieces, 32 a line.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    /// Digits in the line so far.
    column: usize,
}

impl Encoder {
    /// Encodes the next bytes onto `out`.
    pub(crate) fn encode(&mut self, bytes: &[u8], out: &mut String) {
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] {
                out.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
            }
            self.column += 2;
            if self.column == LINE {
                out.push('\n');
                self.column = 0;
            }
        }
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self, out: &mut String) {
        if self.column > 0 {
            out.push('\n');
        }
        self.column = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str, cut: usize) -> Result<Vec<u8>> {
        let (mut decoder, mut out) = (Decoder::default(), Vec::new());
        let (first, second) = text.as_bytes().split_at(cut);
        decoder.decode(first, &mut out)?;
        decoder.decode(second, &mut out)?;
        decoder.finish()?;
        Ok(out)
    }

    #[test]
    fn cut_anywhere_it_is_the_same() {
        for text in ["0x00fFa1", "\\x00ffA1", "00 ff\na1\n", "0 0 f f a 1", " \n00ffa1"] {
            for cut in 0..=text.len() {
                assert_eq!(decode(text, cut).unwrap(), [0x00, 0xff, 0xa1], "{text:?} at {cut}");
            }
        }
    }

    #[test]
    fn what_is_no_hex_is_named() {
        for (text, place) in [
            ("00\n0g", "line 2, column 2: 'g'"),
            ("x0", "line 1, column 1: 'x'"),
            ("000x", "line 1, column 4: 'x'"),
            ("1x00", "line 1, column 2: 'x'"),
            ("\\y", "line 1, column 2: 'y'"),
            ("000", "odd number of digits"),
        ] {
            let error = decode(text, 1).unwrap_err().to_string();
            assert!(error.contains(place), "{text:?}: {error}");
        }
    }

    #[test]
    fn lines_have_64_digits() {
        let (mut encoder, mut out) = (Encoder::default(), String::new());
        encoder.encode(&[0xa5; 20], &mut out);
        encoder.encode(&[0x5a; 20], &mut out);
        encoder.finish(&mut out);
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(lines.iter().map(|line| line.len()).collect::<Vec<_>>(), [64, 16]);
        assert_eq!(decode(&out, 7).unwrap(), [[0xa5; 20], [0x5a; 20]].concat());
    }
}
