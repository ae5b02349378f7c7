//! The container of `openssl enc`: `Salted__`, the salt, and the ciphertext.

use std::fmt;

use crate::damage::Damage;

/// What a file encrypted with a password and a salt starts with.
pub const MAGIC: [u8; 8] = *b"Salted__";
/// Bytes of salt where no option says otherwise.
pub const SALT_LEN: usize = 8;

/// The header for a salt.
#[must_use]
pub fn header(salt: &[u8]) -> Vec<u8> {
    [&MAGIC, salt].concat()
}

/// Why no salt can be read.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The data starts otherwise.
    NoHeader(Start),
    /// The data ends within the header.
    Cut {
        /// Bytes that there are.
        len: usize,
        /// Bytes that a header has.
        need: usize,
    },
}

/// What data starts with that does not start with the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The base64 of a header.
    Base64,
    /// A header with a byte or two damaged.
    Damaged,
    /// Something else.
    Other,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader(_) => {
                f.write_str("the input does not start with Salted__ as OpenSSL's files do")
            }
            Self::Cut { len, need } => write!(
                f,
                "the input ends within the {need}-byte Salted__ header, after {len} bytes: it is \
                 truncated"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// The salt, of `salt_len` bytes, in the first bytes of a file.
///
/// # Errors
/// The file is shorter than the header or starts otherwise.
pub fn parse(start: &[u8], salt_len: usize) -> Result<Vec<u8>, Error> {
    let common = start.iter().zip(MAGIC).take_while(|(a, b)| **a == *b).count();
    if common < start.len().min(MAGIC.len()) {
        return Err(Error::NoHeader(match start {
            _ if start.starts_with(b"U2FsdGVkX1") => Start::Base64,
            _ if is_header(start) => Start::Damaged,
            _ => Start::Other,
        }));
    }
    let need = MAGIC.len() + salt_len;
    behind_magic(start, salt_len).ok_or(Error::Cut { len: start.len(), need })
}

/// The same; a header that is damaged and long enough is taken all the same.
///
/// # Errors
/// The file is shorter than the header.
pub fn salvage(start: &[u8], salt_len: usize) -> Result<(Vec<u8>, Option<Damage>), Error> {
    match parse(start, salt_len) {
        Ok(salt) => Ok((salt, None)),
        Err(error) => {
            let salt = behind_magic(start, salt_len).ok_or(error)?;
            Ok((salt, Some(Damage::Header { salt_len })))
        }
    }
}

/// Whether the first bytes of a file are a header's, whole or with a byte or two damaged: noise is so
/// once in 2^43 or more.
#[must_use]
pub fn is_header(start: &[u8]) -> bool {
    matching(start) >= 6
}

fn behind_magic(start: &[u8], salt_len: usize) -> Option<Vec<u8>> {
    Some(start.get(MAGIC.len()..)?.get(..salt_len)?.to_vec())
}

/// Why no header is expected, where there is one all the same. Encrypted data starts like one by chance
/// once in 2^64.
#[derive(Clone, Copy, Debug)]
pub enum Unexpected<'a> {
    /// The salt is known, and this one.
    GivenSalt(&'a [u8]),
    /// The key was derived without salt.
    NoSalt,
    /// The key is known, and no password is.
    Key,
}

impl Unexpected<'_> {
    /// Whether this explains a header with the salt `found`, which then is no part of the data. OpenSSL up
    /// to 1.1.1 wrote a header although the salt was given, and a known key may come from a password.
    /// Otherwise the two contradict each other.
    #[must_use]
    pub fn explains(self, found: &[u8]) -> bool {
        match self {
            Self::GivenSalt(given) => given == found,
            Self::NoSalt => false,
            Self::Key => true,
        }
    }
}

/// How many of the 8 magic bytes are as they should be.
fn matching(start: &[u8]) -> usize {
    start.iter().zip(MAGIC).filter(|(a, b)| **a == *b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_returns_its_salt() {
        for salt in [&b"saltsalt"[..], b"s", b"sixteen bytes or"] {
            assert_eq!(parse(&header(salt), salt.len()).unwrap(), salt);
        }
    }

    #[test]
    fn bad_headers_say_what_is_there() {
        let cut = |len| Error::Cut { len, need: 16 };
        for (start, error) in [
            (&b""[..], cut(0)),
            (b"Salt", cut(4)),
            (b"Salted__1234567", cut(15)),
            (b"Salted_!12345678", Error::NoHeader(Start::Damaged)),
            (b"U2FsdGVkX1+abcde", Error::NoHeader(Start::Base64)),
            (b"hello, world, hi", Error::NoHeader(Start::Other)),
        ] {
            assert_eq!(parse(start, SALT_LEN), Err(error), "{start:?}");
            let salvaged = salvage(start, SALT_LEN);
            match start.len() {
                16 => assert_eq!(salvaged.unwrap().1, Some(Damage::Header { salt_len: 8 })),
                _ => assert_eq!(salvaged, Err(error)),
            }
        }
    }
}
