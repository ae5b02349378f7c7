//! Keys, IVs and salts in hex, as a command line or a configuration has them. Programs do not agree on
//! what a text of the wrong length means; [`Fit`] chooses.

use std::fmt;
use std::ops::RangeInclusive;

use zeroize::Zeroizing;

use crate::cipher::{Cipher, Kind};
use crate::encoding::{ValueError, hex};

/// What a text of the wrong length means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is an error.
    Exact,
    /// The key has these bytes. Only RC4 takes keys of many lengths.
    AsGiven,
    /// `openssl enc` puts zeros behind a short text and cuts a long one.
    LikeOpenssl,
}

/// What is wrong with a text.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is no hex: [`ValueError::HexDigit`] or [`ValueError::OddDigits`].
    Hex(ValueError),
    /// It has `got` bytes, and `lengths` are taken.
    Length {
        /// Bytes given.
        got: usize,
        /// Bytes taken.
        lengths: RangeInclusive<usize>,
    },
    /// A key for RC4 of `got` bytes: `openssl enc` fills or cuts it, other programs take it as it is.
    TwoMeanings {
        /// Bytes given.
        got: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hex(error) => error.fmt(f),
            Self::Length { got, lengths } if lengths.start() == lengths.end() => {
                write!(f, "{got} bytes in place of {}", lengths.start())
            }
            Self::Length { got, lengths } => {
                write!(f, "{got} bytes in place of {} to {}", lengths.start(), lengths.end())
            }
            Self::TwoMeanings { got } => write!(
                f,
                "a key for RC4 of {got} bytes has two meanings: OpenSSL fills or cuts it, other \
                 programs use it as it is"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Reads the bytes of hex digits.
///
/// # Errors
/// No hex, or another length.
pub fn parse(text: &[u8], lengths: RangeInclusive<usize>) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len() / 2));
    hex::decode(text, &mut bytes).map_err(Error::Hex)?;
    match bytes.len() {
        got if lengths.contains(&got) => Ok(bytes),
        got => Err(Error::Length { got, lengths }),
    }
}

/// Reads `len` bytes of an IV or a salt. [`Fit::AsGiven`] is for keys, and means [`Fit::Exact`] here.
///
/// # Errors
/// No hex, or another length where `fit` does not say what that means.
pub fn bytes(text: &[u8], len: usize, fit: Fit) -> Result<Zeroizing<Vec<u8>>, Error> {
    if fit != Fit::LikeOpenssl {
        return parse(text, len..=len);
    }
    // A last digit that stands alone gets a zero, too.
    let mut digits = Zeroizing::new(vec![b'0'; text.len().next_multiple_of(2)]);
    digits[..text.len()].copy_from_slice(text);
    let given = parse(&digits, 0..=usize::MAX)?;
    let mut bytes = Zeroizing::new(vec![0; len]);
    bytes.iter_mut().zip(&*given).for_each(|(place, &byte)| *place = byte);
    Ok(bytes)
}

/// Reads a key for `cipher`.
///
/// # Errors
/// As [`bytes`]; for RC4 another length than that of `openssl enc`, where `fit` does not choose.
pub fn key(cipher: &Cipher, text: &[u8], fit: Fit) -> Result<Zeroizing<Vec<u8>>, Error> {
    let len = cipher.derived_key_len();
    if !matches!(cipher.kind, Kind::Rc4(_)) || fit == Fit::LikeOpenssl {
        return bytes(text, len, fit);
    }
    let key = parse(text, cipherloom::Rc4::MIN_KEY_LEN..=cipherloom::Rc4::MAX_KEY_LEN)?;
    match key.len() {
        got if got != len && fit == Fit::Exact => Err(Error::TwoMeanings { got }),
        _ => Ok(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_lengths_are_read_in_any_case() {
        assert_eq!(*parse(b"00fFA5", 3..=3).unwrap(), [0x00, 0xff, 0xa5]);
        assert_eq!(*parse(b"01", 1..=256).unwrap(), [1]);
        assert_eq!(parse(b"0102", 3..=4), Err(Error::Length { got: 2, lengths: 3..=4 }));
        assert_eq!(parse(b"012", 2..=2), Err(Error::Hex(ValueError::OddDigits { count: 3 })));
    }

    #[test]
    fn padding_is_openssls() {
        let padded = |text: &[u8], len| bytes(text, len, Fit::LikeOpenssl);
        assert_eq!(*padded(b"", 2).unwrap(), [0, 0]);
        assert_eq!(*padded(b"abc", 3).unwrap(), [0xab, 0xc0, 0]);
        assert_eq!(*padded(b"010203", 2).unwrap(), [1, 2]);
        let wrong = ValueError::HexDigit { place: 5, character: 'x' };
        assert_eq!(padded(b"0102x", 2), Err(Error::Hex(wrong)));
    }

    #[test]
    fn keys_of_rc4_have_two_meanings() {
        let rc4 = Cipher::find("rc4").unwrap();
        assert_eq!(key(&rc4, b"0102", Fit::Exact), Err(Error::TwoMeanings { got: 2 }));
        assert_eq!(*key(&rc4, b"0102", Fit::AsGiven).unwrap(), [1, 2]);
        assert_eq!(key(&rc4, b"0102", Fit::LikeOpenssl).unwrap()[1..4], [2, 0, 0]);
        assert_eq!(key(&rc4, &[b'0'; 32], Fit::Exact).unwrap().len(), 16);
        let des = Cipher::find("des").unwrap();
        assert_eq!(key(&des, b"0102", Fit::Exact), Err(Error::Length { got: 2, lengths: 8..=8 }));
    }
}
