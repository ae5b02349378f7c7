//! OpenSSL's file header: `Salted__` and the salt.

use crate::errors::{Error, Result};
use crate::hex;

/// What a file encrypted with a password and a salt starts with.
pub(crate) const MAGIC: [u8; 8] = *b"Salted__";
/// Bytes of salt where no option says otherwise.
pub(crate) const SALT_LEN: usize = 8;

/// The header for a salt.
pub(crate) fn header(salt: &[u8]) -> Vec<u8> {
    [&MAGIC, salt].concat()
}

/// The salt, of `salt_len` bytes, in the first bytes of a file.
///
/// # Errors
/// A failure if the file is shorter than the header or starts otherwise.
pub(crate) fn parse(start: &[u8], salt_len: usize) -> Result<Vec<u8>> {
    let common = start.iter().zip(MAGIC).take_while(|(a, b)| **a == *b).count();
    if common < start.len().min(8) {
        let hint = if start.starts_with(b"U2FsdGVkX1") {
            "it is base64 of such a file: add -a"
        } else if is_header(start) {
            "the header is damaged: --salvage takes the salt behind it all the same"
        } else {
            "if the file was made with -nosalt, -S or -K, give the same option; if it is base64, \
             add -a"
        };
        return Err(Error::failure(format!(
            "the input does not start with Salted__ as OpenSSL's files do ({hint})"
        )));
    }
    parse_damaged(start, salt_len).ok_or_else(|| {
        Error::failure(format!(
            "the input ends within the {}-byte Salted__ header, after {} bytes: it is truncated",
            MAGIC.len() + salt_len,
            start.len()
        ))
    })
}

/// Whether the first bytes of a file are a header's, whole or with a byte or two damaged: noise is so
/// once in 2^43 or more.
pub(crate) fn is_header(start: &[u8]) -> bool {
    matching(start) >= 6
}

/// The salt behind a damaged magic: anything long enough will do.
pub(crate) fn parse_damaged(start: &[u8], salt_len: usize) -> Option<Vec<u8>> {
    Some(start.get(MAGIC.len()..)?.get(..salt_len)?.to_vec())
}

/// The option that says that there is no header.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unexpected<'a> {
    /// `-S`, which gives this salt.
    GivenSalt(&'a [u8]),
    /// `-nosalt`.
    NoSalt,
    /// `-K` without a password.
    Key,
}

impl Unexpected<'_> {
    /// What to tell the user when a header with the salt `found` is there all the same and is left
    /// out. Encrypted data starts like one by chance once in 2^64.
    ///
    /// # Errors
    /// A failure that names both meanings, and how to choose one: where the options contradict the
    /// header, and with `as_openssl`, as OpenSSL decrypts it as a part of the data.
    pub(crate) fn left_out(self, found: &[u8], as_openssl: bool) -> Result<String> {
        let (is, choose, is_clear) = match self {
            Self::GivenSalt(given) if given != found => (
                format!(
                    "starts with Salted__ and the salt {}, but -S gives {}",
                    *hex::upper(found),
                    *hex::upper(given)
                ),
                "leave -S out if the header's salt is the right one",
                false,
            ),
            Self::GivenSalt(_) => (
                "starts with the Salted__ header that OpenSSL up to 1.1.1 wrote with -S too"
                    .to_owned(),
                "leave -S out: the salt is in the header",
                true,
            ),
            Self::NoSalt => (
                "starts with Salted__ and a salt, but -nosalt says that there is none".to_owned(),
                "leave -nosalt out",
                false,
            ),
            Self::Key => (
                "starts with Salted__, the header of data encrypted with a password".to_owned(),
                "use dec, which leaves the header out",
                true,
            ),
        };
        if as_openssl || !is_clear {
            return Err(Error::failure(format!(
                "the input {is}; {choose}, or add --header-is-data to decrypt the header with the \
                 rest, as OpenSSL 3 would; nothing was written"
            )));
        }
        Ok(format!("the input {is}; the header was left out"))
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
    fn bad_headers_say_what_may_be_wrong() {
        for (start, says) in [
            (&b""[..], "ends within"),
            (b"Salt", "ends within"),
            (b"Salted__1234567", "ends within"),
            (b"Salted_!12345678", "header is damaged"),
            (b"U2FsdGVkX1+abcde", "add -a"),
            (b"hello, world, hi", "-nosalt"),
        ] {
            let error = parse(start, SALT_LEN).unwrap_err().to_string();
            assert!(error.contains(says), "{start:?}: {error}");
        }
    }
}
