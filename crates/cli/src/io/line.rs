//! A first line, as OpenSSL reads it.

use std::io::Read;

/// The line, cut at a limit, and at a NUL byte.
pub(crate) struct Line {
    pub(crate) bytes: Vec<u8>,
    /// The source ended before its first byte.
    pub(crate) is_nothing: bool,
    /// Whether there was more of it.
    pub(crate) was_cut: bool,
}

/// Reads byte by byte, so that what follows the line is left for others.
pub(crate) fn first_line(reader: &mut dyn Read, limit: usize) -> std::io::Result<Line> {
    let mut bytes = Vec::with_capacity(limit);
    let mut byte = [0];
    let mut ended = false;
    while bytes.len() < limit && bytes.last() != Some(&b'\n') {
        match reader.read(&mut byte) {
            Ok(0) => {
                ended = true;
                break;
            }
            Ok(_) => bytes.push(byte[0]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let is_nothing = bytes.is_empty();
    let mut was_cut = bytes.len() == limit && bytes.last() != Some(&b'\n') && !ended;
    if let Some(nul) = bytes.iter().position(|&byte| byte == 0) {
        bytes.truncate(nul);
        was_cut = true;
    }
    Ok(Line { bytes, is_nothing, was_cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mut text: &[u8], limit: usize) -> (Vec<u8>, bool) {
        let line = first_line(&mut text, limit).unwrap();
        (line.bytes.to_vec(), line.was_cut)
    }

    #[test]
    fn a_line_ends_where_openssl_ends_it() {
        assert_eq!(line(b"pw\r\nmore", 127), (b"pw\r\n".to_vec(), false));
        assert_eq!(line(b"pw", 127), (b"pw".to_vec(), false));
        assert_eq!(line(b"abcdef", 4), (b"abcd".to_vec(), true));
        assert_eq!(line(b"ab\0cd\nef", 127), (b"ab".to_vec(), true));
        assert_eq!(line(b"", 4), (b"".to_vec(), false));
    }

    #[test]
    fn what_follows_the_line_is_left() {
        let mut text = &b"pw\nrest"[..];
        first_line(&mut text, 1023).unwrap();
        assert_eq!(text, b"rest");
    }
}
