//! Rows of text: read one by one, held in groups.

use super::source::Source;
use crate::errors::{Error, Result};

/// Bytes of text that one row may have. More is no record but, for instance, a quote that was never
/// closed, and would fill the memory.
pub(super) const ROW_LIMIT: usize = 16 << 20;

/// Most rows in a group.
const ROWS: usize = 8192;
/// Bytes of text in a group, which may be passed by the last row.
pub(super) const BYTES: usize = 1 << 20;

/// A group of rows, one behind the other.
#[derive(Default)]
pub(super) struct Rows {
    text: Vec<u8>,
    /// Where each row ends in the text, and the line of the input where it starts.
    ends: Vec<(usize, u64)>,
}

/// A row of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'r> {
    /// The text, without the end of the line.
    pub(super) text: &'r [u8],
    /// The line of the input where it starts, from 1.
    pub(super) line: u64,
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of text.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// The rows in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, line)| {
            let text = &self.text[start..end];
            start = end;
            Row { text, line }
        })
    }

    /// Forgets the rows, and gives up memory that no usual group needs.
    pub(super) fn clear(&mut self) {
        clear(&mut self.text, 2 * BYTES);
        self.ends.clear();
    }

    /// Reads rows behind those it holds, until the group is full. `weight` is what each takes
    /// beside its text, in bytes.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub(super) fn fill<F: Splitter>(
        &mut self,
        reader: &mut Reader<'_, F>,
        weight: usize,
    ) -> Result<()> {
        while self.len() < ROWS && self.weight(weight) < BYTES && reader.read(self)? {}
        Ok(())
    }

    /// What the group takes, if each row takes `weight` bytes beside its text.
    pub(super) fn weight(&self, weight: usize) -> usize {
        self.bytes().saturating_add(self.len().saturating_mul(weight))
    }
}

/// Forgets bytes, and gives their memory up if there is more than `keep` of it.
pub(super) fn clear(bytes: &mut Vec<u8>, keep: usize) {
    match bytes.capacity() > keep {
        true => *bytes = Vec::new(),
        false => bytes.clear(),
    }
}

/// How rows end.
pub(super) trait Splitter {
    /// Looks at more text of a row, and returns how many bytes of it are the row's, and whether the
    /// row ends there, which then takes another byte.
    fn split(&mut self, text: &[u8]) -> (usize, bool);

    /// Whether a row is none, and is left out.
    fn is_blank(row: &[u8]) -> bool;
}

/// Reads rows.
pub(super) struct Reader<'i, F> {
    source: Source<'i>,
    splitter: F,
    /// The line that comes next, from 1.
    line: u64,
    /// The byte that ended the last row.
    last: u8,
}

impl<'i, F: Splitter> Reader<'i, F> {
    pub(super) fn new(source: Source<'i>, splitter: F) -> Self {
        Self { source, splitter, line: 1, last: 0 }
    }

    /// Reads the next row, and returns whether there was one.
    ///
    /// # Errors
    /// The input's; a row of more than [`ROW_LIMIT`] bytes.
    pub(super) fn read(&mut self, rows: &mut Rows) -> Result<bool> {
        let start = rows.bytes();
        loop {
            let text = self.source.next()?;
            let is_end = text.is_empty();
            let (len, ended) = self.splitter.split(text);
            if rows.bytes() - start + len > ROW_LIMIT {
                return Err(Error::failure(format!(
                    "the record at line {} has more than {} MiB; a quote may be left open there, or \
                     the file has another form than --format says",
                    self.line,
                    ROW_LIMIT >> 20
                )));
            }
            rows.text.extend(&text[..len]);
            let byte = text.get(len).copied().unwrap_or_default();
            self.source.consume(len + usize::from(ended));
            if !ended && !is_end {
                continue;
            }
            let row = &rows.text[start..];
            let line = self.line;
            // The second half of CR LF ends no other line.
            if !(row.is_empty() && self.last == b'\r' && byte == b'\n') {
                self.line += 1 + memchr::memchr_iter(b'\n', row).count() as u64;
            }
            self.last = byte;
            if !F::is_blank(row) {
                rows.ends.push((rows.text.len(), line));
                return Ok(true);
            }
            rows.text.truncate(start);
            if is_end {
                return Ok(false);
            }
        }
    }

    /// How the last row ended: by LF, CR LF or CR. LF if the input ended there.
    ///
    /// # Errors
    /// The input's.
    pub(super) fn line_end(&mut self) -> Result<&'static [u8]> {
        Ok(match self.last {
            b'\r' if self.source.next()?.starts_with(b"\n") => b"\r\n",
            b'\r' => b"\r",
            _ => b"\n",
        })
    }

    /// Bytes read so far.
    pub(super) fn total(&self) -> u64 {
        self.source.total()
    }
}
