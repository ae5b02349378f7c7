//! Hex: two digits a byte, in any case.

use zeroize::Zeroizing;

use super::{StreamError, ValueError};

/// Digits in a line of output.
const LINE: usize = 64;

/// Bytes in upper-case hex, as OpenSSL prints them.
#[must_use]
pub fn upper(bytes: &[u8]) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(2 * bytes.len()));
    let digits = bytes.iter().flat_map(digits);
    text.extend(digits.map(|digit| char::from(digit.to_ascii_uppercase())));
    text
}

/// The two digits of a byte.
pub(super) fn digits(byte: &u8) -> [u8; 2] {
    [byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)])
}

/// Appends the bytes of digits, with nothing between them. On error `out` is as it was.
///
/// Digits of right text decide neither branches nor addresses: they may be a key's, and where they did, each
/// second one was guessed wrong by the processor.
pub(crate) fn decode(digits: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
    let start = out.len();
    let (pairs, odd) = digits.as_chunks::<2>();
    out.resize(start + pairs.len(), 0);
    let mut right = odd.is_empty();
    for (byte, &[high, low]) in out[start..].iter_mut().zip(pairs) {
        *byte = number(high) << 4 | number(low);
        right &= is_digit(high) & is_digit(low);
    }
    if right {
        return Ok(());
    }
    out.truncate(start);
    Err(match digits.iter().position(|&digit| !is_digit(digit)) {
        Some(at) => ValueError::HexDigit { place: at + 1, character: char::from(digits[at]) },
        None => ValueError::OddDigits { count: digits.len() },
    })
}

fn value(digit: u8) -> Option<u8> {
    is_digit(digit).then(|| number(digit))
}

fn is_digit(character: u8) -> bool {
    (character.wrapping_sub(b'0') < 10) | is_letter(character)
}

fn is_letter(character: u8) -> bool {
    (character | b' ').wrapping_sub(b'a') < 6
}

/// What a digit stands for.
fn number(digit: u8) -> u8 {
    (digit & 15).wrapping_add(9 * u8::from(is_letter(digit)))
}

/// Decodes text that comes in pieces, with white space anywhere between bytes and digits. A `0x` or
/// `\x` at the start is passed over, as databases print it.
#[derive(Debug, Default)]
pub(super) struct Decoder {
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
    pub(super) fn decode(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<(), StreamError> {
        for &character in text {
            self.column += 1;
            if character == b'\n' {
                (self.line, self.column) = (self.line + 1, 0);
            }
            if character.is_ascii_whitespace() {
                continue;
            }
            self.seen += 1;
            match (value(character), self.half) {
                (Some(digit), Some(high)) => {
                    out.push(high << 4 | digit);
                    self.half = None;
                }
                // Of `\x` the first character, and the second of both prefixes.
                (None, None) if self.seen == 1 && character == b'\\' => {}
                (None, None | Some(0)) if self.seen == 2 && character == b'x' => self.half = None,
                (Some(digit), None) => self.half = Some(digit),
                (None, _) => {
                    return Err(StreamError::HexDigit {
                        character: char::from(character),
                        line: self.line + 1,
                        column: self.column,
                    });
                }
            }
        }
        Ok(())
    }

    /// Ends the text.
    pub(super) fn finish(&mut self) -> Result<(), StreamError> {
        self.half.map_or(Ok(()), |_| Err(StreamError::OddDigits))
    }
}

/// Encodes bytes that come in pieces, 32 a line.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    /// Digits in the line so far.
    column: usize,
}

impl Encoder {
    /// Encodes the next bytes onto `out`.
    pub(super) fn encode(&mut self, bytes: &[u8], out: &mut String) {
        for byte in bytes {
            out.extend(digits(byte).map(char::from));
            self.column += 2;
            if self.column == LINE {
                out.push('\n');
                self.column = 0;
            }
        }
    }

    /// Ends the text.
    pub(super) fn finish(&mut self, out: &mut String) {
        if self.column > 0 {
            out.push('\n');
        }
        self.column = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str, cut: usize) -> Result<Vec<u8>, StreamError> {
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
    fn every_character_is_a_digit_or_none() {
        for character in 0..=255u8 {
            let expected = char::from(character).to_digit(16);
            assert_eq!(value(character).map(u32::from), expected, "{character}");
            let mut out = vec![7];
            let decoded = super::decode(&[b'5', character], &mut out);
            assert_eq!(decoded.is_ok(), expected.is_some(), "{character}");
            let bytes = expected.map_or(vec![7], |digit| vec![7, 0x50 | digit as u8]);
            assert_eq!(out, bytes, "{character}");
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
