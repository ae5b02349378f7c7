//! Values: how a column or a configuration writes bytes.

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use zeroize::Zeroizing;

use super::{ValueError, hex, uu};

/// Standard base64; the `=` at the end may be missing.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// How bytes are written as one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Two digits a byte, also with `0x` or `\x` in front, as databases print it, or `\\x`, as PostgreSQL's COPY
    /// does.
    Hex,
    /// Standard base64 (RFC 4648 section 4), also in lines and without `=` at the end.
    Base64,
    /// Lines of uuencoding without `begin` and `end`, as ColdFusion writes them.
    Uu,
    /// The bytes themselves; results must be UTF-8.
    Text,
}

impl Encoding {
    /// Appends the bytes that `text` stands for.
    ///
    /// # Errors
    /// What is wrong with the text, without the text; `out` has not changed then.
    pub fn decode(self, text: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
        match self {
            Self::Hex => decode_hex(text, out),
            Self::Base64 => decode_base64(text, out),
            Self::Uu => uu::decode(text, out),
            Self::Text => {
                out.extend_from_slice(text);
                Ok(())
            }
        }
    }

    /// Appends the text that stands for `bytes`.
    ///
    /// # Errors
    /// The bytes are no UTF-8 and are to be text; `out` has not changed then.
    pub fn encode(self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
        match self {
            Self::Hex => {
                out.reserve(2 * bytes.len());
                out.extend(bytes.iter().flat_map(hex::digits));
            }
            Self::Base64 => {
                let start = out.len();
                out.resize(start + bytes.len().div_ceil(3) * 4, 0);
                // The room is exactly what base64 takes, so this cannot fail.
                let _ = BASE64.encode_slice(bytes, &mut out[start..]);
            }
            Self::Uu => uu::encode(bytes, out),
            Self::Text if std::str::from_utf8(bytes).is_err() => {
                return Err(ValueError::NotUtf8);
            }
            Self::Text => out.extend_from_slice(bytes),
        }
        Ok(())
    }
}

fn decode_hex(text: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
    let text = text.trim_ascii();
    let prefix =
        ["0x", "0X", "\\x", "\\\\x"].iter().find(|prefix| text.starts_with(prefix.as_bytes()));
    let skipped = prefix.map_or(0, |prefix| prefix.len());
    hex::decode(&text[skipped..], out).map_err(|error| match error {
        ValueError::HexDigit { place, character } => {
            ValueError::HexDigit { place: skipped + place, character }
        }
        other => other,
    })
}

fn decode_base64(text: &[u8], out: &mut Vec<u8>) -> Result<(), ValueError> {
    // Databases break base64 into lines.
    if text.iter().any(u8::is_ascii_whitespace) {
        // With room for all of it, so that no copy is left behind.
        let mut solid = Zeroizing::new(Vec::with_capacity(text.len()));
        solid.extend(text.iter().filter(|byte| !byte.is_ascii_whitespace()));
        return decode_base64(&solid, out);
    }
    let start = out.len();
    out.resize(start + text.len().div_ceil(4) * 3, 0);
    match BASE64.decode_slice(text, &mut out[start..]) {
        Ok(len) => {
            out.truncate(start + len);
            Ok(())
        }
        Err(error) => {
            out.truncate(start);
            Err(why(text, &error))
        }
    }
}

fn why(text: &[u8], error: &base64::DecodeSliceError) -> ValueError {
    use base64::DecodeError::{InvalidByte, InvalidLastSymbol};
    match *error {
        base64::DecodeSliceError::DecodeError(InvalidByte(at, byte)) => {
            ValueError::Base64Character { place: at + 1, character: char::from(byte) }
        }
        base64::DecodeSliceError::DecodeError(InvalidLastSymbol { .. }) => ValueError::Base64End,
        _ => ValueError::Base64Length { count: text.len() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encoding: Encoding, text: &str) -> Result<Vec<u8>, String> {
        let mut out = vec![0xee];
        let result = encoding.decode(text.as_bytes(), &mut out);
        assert_eq!(out.remove(0), 0xee);
        assert!(result.is_ok() || out.is_empty(), "{text}: something was left of a bad value");
        result.map(|()| out).map_err(|error| error.to_string())
    }

    #[test]
    fn hex_is_read_as_databases_print_it() {
        for text in ["00fFa5", "0x00ffA5", "0X00ffa5", "\\x00ffa5", "\\\\x00ffa5", " 00ffa5\r"] {
            assert_eq!(decoded(Encoding::Hex, text), Ok(vec![0, 0xff, 0xa5]), "{text}");
        }
        assert_eq!(decoded(Encoding::Hex, ""), Ok(vec![]));
        assert!(decoded(Encoding::Hex, "0x0g").unwrap_err().contains("character 4 (g)"));
        assert!(decoded(Encoding::Hex, "00 11").unwrap_err().contains("character 3 ( )"));
        assert!(decoded(Encoding::Hex, "001").unwrap_err().contains("odd number of hex digits, 3"));
        assert!(decoded(Encoding::Hex, "00z").unwrap_err().contains("character 3 (z)"));
    }

    #[test]
    fn base64_may_have_lines_and_lack_its_end() {
        for text in ["AP+lAA==", "AP+lAA", "AP+l\nAA==\n"] {
            assert_eq!(decoded(Encoding::Base64, text), Ok(vec![0, 0xff, 0xa5, 0]), "{text}");
        }
        assert!(decoded(Encoding::Base64, "AP-l").unwrap_err().contains("character 3 (-)"));
        for text in ["AP+lA", "AB==", "====", "AP+lAA==="] {
            assert!(decoded(Encoding::Base64, text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_encoded_decodes_to_the_same() {
        let bytes: Vec<u8> = (0..=255).collect();
        for len in 0..=bytes.len() {
            for encoding in [Encoding::Hex, Encoding::Base64, Encoding::Uu] {
                let mut text = b"x".to_vec();
                encoding.encode(&bytes[..len], &mut text).unwrap();
                let text = String::from_utf8(text.split_off(1)).unwrap();
                assert_eq!(decoded(encoding, &text).as_deref(), Ok(&bytes[..len]));
            }
        }
    }

    #[test]
    fn text_must_be_text() {
        let mut out = Vec::new();
        Encoding::Text.encode("grün".as_bytes(), &mut out).unwrap();
        assert_eq!(Encoding::Text.encode(&[0xff], &mut out), Err(ValueError::NotUtf8));
        assert_eq!(out, "grün".as_bytes());
    }
}
