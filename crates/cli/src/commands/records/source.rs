//! The text that records are read from.

use std::io::{self, Read};

use crate::errors::{Error, Result};
use crate::io::input::Input;

/// Bytes of text that one record may have. More is no record but, for instance, a quote that was
/// never closed, and would fill the memory.
pub(super) const RECORD_LIMIT: u64 = 16 << 20;

/// An input that notices records without end.
pub(super) struct Source {
    input: Input,
    /// Bytes read in all.
    total: u64,
    /// Bytes read when the last record began.
    record_start: u64,
}

impl Source {
    pub(super) fn new(input: Input) -> Self {
        Self { input, total: 0, record_start: 0 }
    }

    /// From here on a new record is read.
    pub(super) fn begin_record(&mut self) {
        self.record_start = self.total;
    }

    /// Bytes read in all.
    pub(super) fn total(&self) -> u64 {
        self.total
    }
}

impl Read for Source {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.total - self.record_start > RECORD_LIMIT {
            return Err(io::Error::other(format!(
                "a record has more than {} MiB; is a quote left open, or this no such file?",
                RECORD_LIMIT >> 20
            )));
        }
        let count = self.input.read(buf).map_err(|error| io::Error::other(error.to_string()))?;
        self.total += count as u64;
        Ok(count)
    }
}

/// The error behind an error of a reader.
pub(super) fn failure(error: &io::Error) -> Error {
    Error::failure(error.to_string())
}

/// A stream of rows.
pub(super) trait Reader {
    type Row: Default + Send + Sync;

    /// Reads the next row, and returns how much memory it takes; `None` at the end.
    ///
    /// # Errors
    /// The input's; a row of more than [`RECORD_LIMIT`] bytes.
    fn read(&mut self, row: &mut Self::Row) -> Result<Option<usize>>;

    /// Bytes read so far.
    fn total(&self) -> u64;
}

/// How rows are taken apart, and written with what became of them.
pub(super) trait Layout: Sync {
    type Row: Default + Send + Sync;

    /// The fields of a row.
    ///
    /// # Errors
    /// What is wrong with the row.
    fn fields<'r>(&self, row: &'r Self::Row) -> std::result::Result<Fields<'r>, String>;

    /// Appends the rows, each with its result as text, or its error.
    fn render<'o>(
        &self,
        rows: &[Self::Row],
        outcome: &dyn Fn(usize) -> std::result::Result<&'o [u8], &'o str>,
        out: &mut Vec<u8>,
    );

    /// The line of the input where the row starts, from 1.
    fn line(&self, row: &Self::Row) -> u64;
}

/// The fields of a row that count, as text.
pub(super) struct Fields<'r> {
    pub(super) data: Field<'r>,
    pub(super) key: Option<Field<'r>>,
    pub(super) iv: Option<Field<'r>>,
}

/// A field: a piece of the row, or a string of its own where the row writes it otherwise.
pub(super) enum Field<'r> {
    Piece(&'r [u8]),
    Own(zeroize::Zeroizing<String>),
}

impl std::ops::Deref for Field<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Piece(piece) => piece,
            Self::Own(text) => text.as_bytes(),
        }
    }
}
