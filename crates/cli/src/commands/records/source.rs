//! The text that records are read from.

use crate::errors::Result;

/// Bytes that a command reads at a time.
pub(super) const BUFFER: usize = 256 * 1024;

/// Where text comes from: fills a buffer from the front, and says how far; 0 at the end.
pub(super) type Read<'i> = Box<dyn FnMut(&mut [u8]) -> Result<usize> + 'i>;

/// Text with a look ahead.
pub(super) struct Source<'i> {
    read: Read<'i>,
    buffer: Vec<u8>,
    /// The part of the buffer that was read and is not used up.
    start: usize,
    end: usize,
    /// Bytes read in all.
    total: u64,
}

impl<'i> Source<'i> {
    /// Reads at most `size` bytes at a time.
    pub(super) fn new(read: Read<'i>, size: usize) -> Self {
        Self { read, buffer: vec![0; size], start: 0, end: 0, total: 0 }
    }

    /// The text that comes next, at least a byte of it; empty at the end only.
    pub(super) fn next(&mut self) -> Result<&[u8]> {
        self.look(|text| !text.is_empty())
    }

    /// The text that comes next, read on until it is enough, or the buffer is full, or the end.
    pub(super) fn look(&mut self, is_enough: impl Fn(&[u8]) -> bool) -> Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        while self.end < self.buffer.len() && !is_enough(&self.buffer[self.start..self.end]) {
            let count = (self.read)(&mut self.buffer[self.end..])?;
            if count == 0 {
                break;
            }
            self.end += count;
            self.total += count as u64;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Uses up the first `count` bytes of what comes next.
    pub(super) fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Bytes read in all.
    pub(super) fn total(&self) -> u64 {
        self.total
    }
}

#[cfg(feature = "arrow")]
impl std::io::Read for Source<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let text = self.next().map_err(|error| std::io::Error::other(error.to_string()))?;
        let count = text.len().min(out.len());
        out[..count].copy_from_slice(&text[..count]);
        self.consume(count);
        Ok(count)
    }
}
