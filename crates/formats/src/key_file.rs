//! MySQL's key file for `DES_ENCRYPT`: up to ten keys, each in a line after its number.

use std::fmt;

use zeroize::Zeroizing;

use crate::encoding::BOM;

/// The keys of a file, by number.
#[derive(Default)]
pub struct KeyFile {
    keys: [Option<Zeroizing<Vec<u8>>>; 10],
    first: Option<u8>,
}

/// A line that begins neither with a digit nor with `#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLine {
    /// Counted from 1.
    pub line: usize,
}

impl KeyFile {
    /// Reads a file. A later key replaces an earlier one of its number.
    ///
    /// # Errors
    /// A line is neither a key nor a comment.
    pub fn parse(text: &[u8]) -> Result<Self, WrongLine> {
        let mut file = Self::default();
        let text = text.strip_prefix(BOM).unwrap_or(text);
        for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
            match line {
                [] | [b'#', ..] | [b'\r'] => {}
                [digit @ b'0'..=b'9', key @ ..] => {
                    let number = digit - b'0';
                    file.first.get_or_insert(number);
                    let key = key.trim_ascii();
                    if !key.is_empty() {
                        file.keys[usize::from(number)] = Some(Zeroizing::new(key.to_vec()));
                    }
                }
                _ => return Err(WrongLine { line: at + 1 }),
            }
        }
        Ok(file)
    }

    /// The key of this number, 0 to 9.
    #[must_use]
    pub fn key(&self, number: u8) -> Option<&[u8]> {
        Some(self.keys.get(usize::from(number))?.as_ref()?)
    }

    /// The number of the first line: MySQL encrypts with it, where nothing else is asked for.
    #[must_use]
    pub fn first(&self) -> Option<u8> {
        self.first
    }
}

impl fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<_> = (0..10).filter(|&number| self.key(number).is_some()).collect();
        f.debug_struct("KeyFile").field("numbers", &numbers).finish_non_exhaustive()
    }
}

impl fmt::Display for WrongLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the key file begins with neither a digit nor #", self.line)
    }
}

impl std::error::Error for WrongLine {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_never_shown() {
        let file = KeyFile::parse(b"# keys\n5 default_password \r\n\n0\tother\n7 \n").unwrap();
        assert_eq!(file.key(5), Some(&b"default_password"[..]));
        assert_eq!(file.key(0), Some(&b"other"[..]));
        assert_eq!((file.key(7), file.key(1), file.key(127)), (None, None, None));
        assert_eq!(file.first(), Some(5));
        assert_eq!(format!("{file:?}"), "KeyFile { numbers: [0, 5], .. }");
        let marked = KeyFile::parse("\u{feff}5 a".as_bytes()).unwrap();
        assert_eq!(marked.key(5), Some(&b"a"[..]));
        assert_eq!(KeyFile::parse(b"5 a\nx b").unwrap_err(), WrongLine { line: 2 });
    }
}
