//! OpenSSL's file header: `Salted__` and 8 bytes of salt.

use crate::errors::{Error, Result};

/// What a file encrypted with a password and a salt starts with.
pub(crate) const MAGIC: [u8; 8] = *b"Salted__";
/// Bytes of the header, magic and salt.
pub(crate) const LEN: usize = 16;

/// The header for a salt.
pub(crate) fn header(salt: &[u8; 8]) -> [u8; LEN] {
    let mut header = [0; LEN];
    header[..8].copy_from_slice(&MAGIC);
    header[8..].copy_from_slice(salt);
    header
}

/// The salt in the first bytes of a file.
///
/// # Errors
/// A failure if the file is shorter than the header or starts otherwise.
pub(crate) fn parse(start: &[u8]) -> Result<[u8; 8]> {
    let common = start.iter().zip(MAGIC).take_while(|(a, b)| **a == *b).count();
    if common < start.len().min(8) {
        let hint = if start.starts_with(b"U2FsdGVkX1") {
            "it is base64 of such a file: add -a"
        } else if matching(start) >= 6 {
            "the header is damaged: --salvage takes the salt behind it all the same"
        } else {
            "if the file was made with -nosalt, -S or -K, give the same option; if it is base64, \
             add -a"
        };
        return Err(Error::failure(format!(
            "the input does not start with Salted__ as OpenSSL's files do ({hint})"
        )));
    }
    let salt = start.get(8..LEN).and_then(|salt| salt.try_into().ok());
    salt.ok_or_else(|| {
        Error::failure(format!(
            "the input ends within the 16-byte Salted__ header, after {} bytes: it is truncated",
            start.len()
        ))
    })
}

/// The salt behind a damaged magic: anything of 16 bytes will do.
pub(crate) fn parse_damaged(start: &[u8]) -> Option<[u8; 8]> {
    start.get(8..LEN)?.try_into().ok()
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
        assert_eq!(parse(&header(b"saltsalt")).unwrap(), *b"saltsalt");
    }

    #[test]
    fn bad_headers_say_what_may_be_wrong() {
        for (start, says) in [
            (&b""[..], "ends within"),
            (b"Salt", "ends within"),
            (b"Salted__1234567", "ends within"),
            (b"Salted_!12345678", "header is damaged"),
            (b"U2FsdGVkX1+abcde", "add -a"),
            (b"hello, world, hi", "-nosalt"),
        ] {
            let error = parse(start).unwrap_err().to_string();
            assert!(error.contains(says), "{start:?}: {error}");
        }
    }
}
