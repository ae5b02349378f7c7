//! Does a piece of data look like something: text, or a known type of file?

/// Fewest bytes at the start of a file that say what it is.
const ENOUGH: usize = 4;

/// What the start of a file looks like, in words.
///
/// `bytes` are its first bytes, at most a few KiB; the last character of a text may be cut.
pub(crate) fn like_what(bytes: &[u8]) -> Option<String> {
    if bytes.len() < ENOUGH {
        return None;
    }
    if is_text(bytes) {
        return Some("text".to_owned());
    }
    infer::get(bytes).map(|kind| format!("a {} file", kind.extension()))
}

/// The same, but not by two bytes alone: as many types begin with those, one in some thousand pieces
/// of noise looks like such a file.
pub(crate) fn surely_like_what(bytes: &[u8]) -> Option<String> {
    let mut two = vec![0; bytes.len()];
    let count = bytes.len().min(2);
    two[..count].copy_from_slice(&bytes[..count]);
    like_what(bytes).filter(|what| like_what(&two).as_ref() != Some(what))
}

/// Whether bytes are text that a terminal can show: UTF-8 without control characters. A character
/// may be cut at either end.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
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
        assert_eq!(like_what(b"\x1f\x8b\x08\0\0\0\0\0").unwrap(), "a gz file");
        assert_eq!(like_what(b"hello").unwrap(), "text");
        assert_eq!(like_what(b"\x93\x28\xd5\x4f\x08\x7b\x7c\x67"), None);
        assert_eq!(like_what(b"ab"), None);
    }

    #[test]
    fn two_bytes_are_no_proof() {
        let noise = b"BC\x93\x28\xd5\x4f\x08\x7b\x7c\x67";
        assert_eq!(like_what(noise).unwrap(), "a bc file");
        assert_eq!(surely_like_what(noise), None);
        assert_eq!(surely_like_what(b"\x1f\x8b\x08\0\0\0\0\0").unwrap(), "a gz file");
        assert_eq!(surely_like_what(b"BC is a text").unwrap(), "text");
        assert_eq!(surely_like_what(b""), None);
    }
}
