//! Encoding: lines of 64 characters, or one line.

use base64::Engine as _;

use super::ENGINE;

/// Bytes in a line of 64 characters.
const LINE: usize = 48;

/// Encodes bytes that come in pieces.
#[derive(Debug)]
pub(in crate::encoding) struct Encoder {
    /// One endless line (`-A`) in place of lines of 64 characters.
    one_line: bool,
    /// Bytes that do not fill a line, or a group, yet.
    held: Vec<u8>,
}

impl Encoder {
    /// An encoder at its start.
    pub(in crate::encoding) fn new(one_line: bool) -> Self {
        Self { one_line, held: Vec::with_capacity(LINE) }
    }

    /// Encodes the next bytes onto `out`.
    pub(in crate::encoding) fn encode(&mut self, bytes: &[u8], out: &mut String) {
        let unit = if self.one_line { 3 } else { LINE };
        let missing = (unit - self.held.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(missing);
        self.held.extend_from_slice(first);
        if self.held.len() < unit {
            return;
        }
        self.put(&self.held, out);
        let whole = rest.len() / unit * unit;
        if self.one_line {
            self.put(&rest[..whole], out);
        } else {
            rest[..whole].chunks(LINE).for_each(|line| self.put(line, out));
        }
        self.held.clear();
        self.held.extend_from_slice(&rest[whole..]);
    }

    /// Encodes what is left, and ends the text.
    pub(in crate::encoding) fn finish(&mut self, out: &mut String) {
        if !self.held.is_empty() {
            self.put(&self.held, out);
            self.held.clear();
        }
    }

    fn put(&self, bytes: &[u8], out: &mut String) {
        ENGINE.encode_string(bytes, out);
        if !self.one_line {
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(pieces: &[&[u8]], one_line: bool) -> String {
        let mut encoder = Encoder::new(one_line);
        let mut out = String::new();
        for piece in pieces {
            encoder.encode(piece, &mut out);
        }
        encoder.finish(&mut out);
        out
    }

    /// The shapes are OpenSSL 3.0's (`head -c N /dev/zero | openssl enc -a`, and `-A`).
    #[test]
    fn lines_are_openssls() {
        assert_eq!(encode(&[&[]], false), "");
        assert_eq!(encode(&[&[0]], false), "AA==\n");
        assert_eq!(encode(&[&[0]], true), "AA==");
        assert_eq!(encode(&[&[0; 48]], false), format!("{}\n", "A".repeat(64)));
        assert_eq!(encode(&[&[0; 49]], false), format!("{}\nAA==\n", "A".repeat(64)));
        assert_eq!(encode(&[&[0; 49]], true), format!("{}AA==", "A".repeat(64)));
    }

    #[test]
    fn any_chunking_gives_the_same_text() {
        let bytes: Vec<u8> = (0..200).collect();
        for one_line in [false, true] {
            let whole = encode(&[&bytes], one_line);
            for size in [1, 2, 3, 47, 48, 49, 100] {
                let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
                assert_eq!(encode(&pieces, one_line), whole, "pieces of {size}");
            }
        }
    }
}
