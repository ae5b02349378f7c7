//! A piece of a message where it lies in memory.

/// Bytes in front of a piece that must be free: what was kept back of the piece before goes there.
pub const HEADROOM: usize = 16;

/// A piece of a message, transformed in place. Its length and its place change a little on the way, as
/// blocks do not end where pieces do.
pub struct Piece<'b> {
    buffer: &'b mut [u8],
    start: usize,
    end: usize,
}

impl<'b> Piece<'b> {
    /// The `len` bytes behind the first [`HEADROOM`] bytes of `buffer`.
    ///
    /// # Panics
    /// If the buffer is shorter.
    #[must_use]
    pub fn new(buffer: &'b mut [u8], len: usize) -> Self {
        let end = HEADROOM + len;
        assert!(end <= buffer.len(), "a piece of {len} bytes without its headroom");
        Self { buffer, start: HEADROOM, end }
    }

    /// What it is now.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The same, to be transformed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.buffer[self.start..self.end]
    }

    /// Puts bytes in front, for which there is room once.
    pub(super) fn prepend(&mut self, before: &[u8]) {
        let start = self.start - before.len();
        self.buffer[start..self.start].copy_from_slice(before);
        self.start = start;
    }

    /// Shortens it to `len` bytes, and returns the others.
    pub(super) fn split_off(&mut self, len: usize) -> &[u8] {
        let end = std::mem::replace(&mut self.end, self.start + len);
        &self.buffer[self.end..end]
    }

    /// Moves it to the start of its buffer, and returns its length there.
    pub(super) fn move_to_start(self) -> usize {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end - self.start
    }
}
