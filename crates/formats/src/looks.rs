//! Does a piece of data look like something: text, or a known type of file?

use std::fmt;

use zeroize::Zeroizing;

/// Fewest bytes at the start of a file that say what it is.
const ENOUGH: usize = 4;

/// What data looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Text that a terminal can show.
    Text,
    /// A type of file, by the usual end of its name.
    File(&'static str),
}

impl fmt::Display for Looks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("text"),
            Self::File(extension) => write!(f, "a {extension} file"),
        }
    }
}

/// What the start of a file looks like.
///
/// `bytes` are its first bytes, at most a few KiB; the last character of a text may be cut.
#[must_use]
pub fn like_what(bytes: &[u8]) -> Option<Looks> {
    if bytes.len() < ENOUGH {
        return None;
    }
    if is_text(bytes) {
        return Some(Looks::Text);
    }
    infer::get(bytes).map(|kind| Looks::File(kind.extension()))
}

/// The same, but not by two bytes alone: as many types begin with those, one in some thousand pieces
/// of noise looks like such a file.
#[must_use]
pub fn surely_like_what(bytes: &[u8]) -> Option<Looks> {
    let mut two = Zeroizing::new(vec![0; bytes.len()]);
    let count = bytes.len().min(2);
    two[..count].copy_from_slice(&bytes[..count]);
    like_what(bytes).filter(|what| like_what(&two).as_ref() != Some(what))
}

/// Whether bytes are text that a terminal can show: UTF-8 without control characters. A character
/// may be cut at either end.
#[must_use]
pub fn is_text(bytes: &[u8]) -> bool {
    let cut = bytes.iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count();
    let bytes = &bytes[cut..];
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text_wherever_it_is_cut() {
        let text = "K\u{e4}se, \u{20ac} 3\n".as_bytes();
        for start in 0..text.len() {
            for end in start..text.len() {
                assert!(is_text(&text[start..end]));
            }
        }
        assert!(!is_text(b"\x1b[2J"));
        assert!(!is_text(b"abc\xff"));
    }

    #[test]
    fn known_files_are_known() {
        assert_eq!(like_what(b"\x1f\x8b\x08\0\0\0\0\0"), Some(Looks::File("gz")));
        assert_eq!(like_what(b"hello"), Some(Looks::Text));
        assert_eq!(like_what(b"\x93\x28\xd5\x4f\x08\x7b\x7c\x67"), None);
        assert_eq!(like_what(b"ab"), None);
        assert_eq!(Looks::File("gz").to_string(), "a gz file");
    }

    #[test]
    fn two_bytes_are_no_proof() {
        let noise = b"BC\x93\x28\xd5\x4f\x08\x7b\x7c\x67";
        assert_eq!(like_what(noise), Some(Looks::File("bc")));
        assert_eq!(surely_like_what(noise), None);
        assert_eq!(surely_like_what(b"\x1f\x8b\x08\0\0\0\0\0"), Some(Looks::File("gz")));
        assert_eq!(surely_like_what(b"BC is a text"), Some(Looks::Text));
        assert_eq!(surely_like_what(b""), None);
    }
}
