//! PEM (RFC 1421, RFC 7468): bytes as base64, between a line that says what they are and one that ends them,
//! with headers before them in the older form. Any text may stand around it.

use super::{Encoding, ValueError};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// A block of PEM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'t> {
    /// What it says that it is.
    pub label: &'t [u8],
    /// Headers and base64.
    inside: &'t [u8],
}

/// The blocks of a text, in their order; of one that has no end, none.
pub fn blocks(text: &[u8]) -> impl Iterator<Item = Block<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = behind(rest, BEGIN)?;
        let (label, inside) = split(rest, DASHES)?;
        let end = [END, label, DASHES].concat();
        let (inside, after) = split(inside, &end)?;
        rest = after;
        Some(Block { label, inside })
    })
}

impl<'t> Block<'t> {
    /// What a header says, by its name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&'t [u8]> {
        self.lines().find_map(|line| {
            let (key, value) = split(line, b":")?;
            key.trim_ascii().eq_ignore_ascii_case(name.as_bytes()).then_some(value.trim_ascii())
        })
    }

    /// The bytes.
    ///
    /// # Errors
    /// The base64 is damaged.
    pub fn decode(&self) -> Result<Vec<u8>, ValueError> {
        // No header is without a colon, and no base64 has one.
        let base64: Vec<u8> =
            self.lines().filter(|line| !line.contains(&b':')).flatten().copied().collect();
        let mut bytes = Vec::new();
        Encoding::Base64.decode(&base64, &mut bytes)?;
        Ok(bytes)
    }

    fn lines(&self) -> impl Iterator<Item = &'t [u8]> {
        self.inside.split(|&byte| byte == b'\n' || byte == b'\r')
    }
}

/// What stands before and behind the first `mark`.
fn split<'t>(text: &'t [u8], mark: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = text.windows(mark.len()).position(|window| window == mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}

fn behind<'t>(text: &'t [u8], mark: &[u8]) -> Option<&'t [u8]> {
    split(text, mark).map(|(_, after)| after)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] =
        b"Bag Attributes: none\r\n-----BEGIN A KEY-----\r\nProc-Type: 4,ENCRYPTED\r\n\
        DEK-Info: DES-CBC,00\r\n\r\nAP+l\r\nAA==\r\n-----END A KEY-----\r\n\
        -----BEGIN B-----\nAP+lAA==\n-----END B-----";

    #[test]
    fn blocks_headers_and_bytes_are_found() {
        let found: Vec<_> = blocks(TEXT).collect();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].label, found[1].label), (&b"A KEY"[..], &b"B"[..]));
        assert_eq!(found[0].header("dek-info"), Some(&b"DES-CBC,00"[..]));
        assert_eq!(found[1].header("DEK-Info"), None);
        for block in found {
            assert_eq!(block.decode().unwrap(), [0, 0xff, 0xa5, 0]);
        }
    }

    #[test]
    fn what_has_no_end_is_no_block() {
        for len in 0..TEXT.len() {
            let count = blocks(&TEXT[..len]).count();
            let first = TEXT.windows(20).position(|part| part == b"-----END A KEY-----\r").unwrap();
            assert_eq!(count, usize::from(len >= first + 19), "{len}");
        }
        assert!(
            blocks(b"-----BEGIN A-----\nAP*l\n-----END A-----").next().unwrap().decode().is_err()
        );
    }
}
