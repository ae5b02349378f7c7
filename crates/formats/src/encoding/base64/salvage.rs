//! Decoding of damaged text: every byte that can be kept stays at its place.
//!
//! Characters that are no base64 count as zero bits, and a line that is shorter than the first one
//! is filled up, so that what follows is still decrypted from the right block on.

use base64::Engine as _;

use super::{ENGINE, is_base64};
use crate::damage::Damage;

/// The longest line that is taken as a line.
const LONGEST: usize = 4096;
/// How many damaged lines are named.
const NAMED: usize = 10;

/// The state between pieces of text.
#[derive(Debug, Default)]
pub(in crate::encoding) struct Salvage {
    /// The line in progress, whitespace left out.
    line: Vec<u8>,
    /// A whole line that waits: only if another one follows must it be full.
    waiting: Vec<u8>,
    /// Characters in the first line.
    width: usize,
    /// Number of the line in `waiting`.
    number: u64,
    damaged: Vec<u64>,
    more_damaged: u64,
    /// Characters at the end that make no group.
    lost: usize,
}

impl Salvage {
    pub(in crate::encoding) fn decode(&mut self, text: &[u8], out: &mut Vec<u8>) {
        for &byte in text {
            if byte == b'\n' || self.line.len() == LONGEST {
                self.end_line(out);
            }
            if !byte.is_ascii_whitespace() {
                self.line.push(byte);
            }
        }
    }

    pub(in crate::encoding) fn finish(&mut self, out: &mut Vec<u8>) {
        self.end_line(out);
        let last = std::mem::take(&mut self.waiting);
        self.lost = last.iter().take_while(|&&byte| byte != b'=').count() % 4;
        if last.ends_with(b"=") {
            self.lost = 0;
        }
        self.decode_line(last, out);
    }

    pub(in crate::encoding) fn damage(&self) -> Vec<Damage> {
        let lines = self.damaged.clone();
        let lines = Damage::Base64Lines { lines, more: self.more_damaged };
        let end = Damage::Base64End { lost: self.lost };
        let is_found = [!self.damaged.is_empty(), self.lost > 0];
        let found = [lines, end].into_iter().zip(is_found);
        found.filter(|(_, is_found)| *is_found).map(|(damage, _)| damage).collect()
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return;
        }
        if self.number == 0 {
            self.width = line.len();
        } else {
            let mut before = std::mem::take(&mut self.waiting);
            if before.len() != self.width {
                self.mark();
                before.resize(self.width, b'A');
            }
            self.decode_line(before, out);
        }
        self.waiting = line;
        self.number += 1;
    }

    /// Decodes one line; `=` at its end is padding, elsewhere damage.
    fn decode_line(&mut self, mut line: Vec<u8>, out: &mut Vec<u8>) {
        let padding = line.iter().rev().take_while(|&&byte| byte == b'=').count().min(2);
        let end = line.len() - padding;
        let mut is_damaged = false;
        for byte in &mut line[..end] {
            if !is_base64(*byte) || *byte == b'=' {
                *byte = b'A';
                is_damaged = true;
            }
        }
        if is_damaged {
            self.mark();
        }
        line.truncate(line.len() / 4 * 4);
        if ENGINE.decode_vec(&line, out).is_err() {
            // Only padding in a place where none can be is left as a reason.
            line.iter_mut().filter(|byte| **byte == b'=').for_each(|byte| *byte = b'A');
            self.mark();
            let _ = ENGINE.decode_vec(&line, out);
        }
    }

    fn mark(&mut self) {
        if self.damaged.last() == Some(&self.number) {
        } else if self.damaged.len() < NAMED {
            self.damaged.push(self.number);
        } else {
            self.more_damaged += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str) -> (Vec<u8>, Vec<Damage>) {
        let mut salvage = Salvage::default();
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(5) {
            salvage.decode(piece, &mut out);
        }
        salvage.finish(&mut out);
        (out, salvage.damage())
    }

    #[test]
    fn whole_text_decodes_without_a_word() {
        assert_eq!(decode("QUJDREVG\nR0g=\n"), (b"ABCDEFGH".to_vec(), vec![]));
        assert_eq!(decode(""), (vec![], vec![]));
    }

    #[test]
    fn damage_stays_at_its_place() {
        let (out, damage) = decode("QUJDREVG\nQUJ!REVG\nR0hJSktM\n");
        assert_eq!(
            (&out[..6], &out[9..12], &out[12..]),
            (&b"ABCDEF"[..], &b"DEF"[..], &b"GHIJKL"[..])
        );
        assert_eq!(damage, [Damage::Base64Lines { lines: vec![2], more: 0 }]);

        let (out, damage) = decode("QUJDREVG\nQUJD\nR0hJSktM\n");
        assert_eq!(out, b"ABCDEFABC\0\0\0GHIJKL");
        assert_eq!(damage, [Damage::Base64Lines { lines: vec![2], more: 0 }]);
    }

    #[test]
    fn a_cut_end_is_told() {
        let (out, damage) = decode("QUJDREVG\nR0hJSk");
        assert_eq!(out, b"ABCDEFGHI");
        assert_eq!(damage, [Damage::Base64End { lost: 2 }]);
    }
}
