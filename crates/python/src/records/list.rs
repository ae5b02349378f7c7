//! A list's values.
//!
//! Short ones are copied, one behind the other: a list has few bytes of each and many objects, and to hold each
//! object takes longer than to copy it.

use cipherloom_records::Wiped;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::column::IsText;
use crate::buffer::with_bytes_at;
use crate::fault;
use crate::presets::Value;

/// Bytes of the longest value that is copied.
const SHORT: usize = u8::MAX as usize;
/// Bytes of a chunk, in which values are copied: a place in it has 16 bits.
const CHUNK: usize = 1 << 16;

/// See above.
pub(crate) struct List {
    cells: Vec<Cell>,
    chunks: Vec<Wiped>,
    long: Vec<Value>,
    is_bytes: bool,
}

/// Where a value is.
#[derive(Clone, Copy)]
enum Cell {
    Nothing,
    /// In a chunk.
    Short {
        chunk: u32,
        start: u16,
        len: u8,
        is_text: IsText,
    },
    Long(u32),
}

// A list has as many cells as values: what they take of memory takes time.
const _: () = assert!(size_of::<Cell>() == 8);

impl List {
    /// # Errors
    /// The object has no values to go through, or one that is neither text nor bytes.
    pub(super) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        // Iterators that may end in an error say nothing of their length.
        let cells = Vec::with_capacity(object.len().unwrap_or_default());
        let mut own = Self { cells, chunks: Vec::new(), long: Vec::new(), is_bytes: true };
        let Ok(list) = object.cast::<PyList>() else {
            for value in object.try_iter()? {
                own.push(&value?)?;
            }
            return Ok(own);
        };
        let (mut row, mut rows) = (0, list.len());
        while row < rows {
            let is_copied = with_bytes_at(list, row, |bytes| own.copy(bytes, false));
            if !is_copied.unwrap_or(false) {
                own.push(&list.get_item(row)?)?;
                // A value may have run code of its own, which may have changed the list.
                rows = list.len();
            }
            row += 1;
        }
        Ok(own)
    }

    #[cold]
    fn push(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if value.is_none() {
            self.cells.push(Cell::Nothing);
            return Ok(());
        }
        let value: Value = value.extract().map_err(|error| self.at_this_row(value.py(), error))?;
        self.is_bytes &= !value.is_text();
        if !self.copy(value.bytes(), value.is_text()) {
            let place = u32::try_from(self.long.len());
            self.cells.push(Cell::Long(place.map_err(|_| fault::usage("too many values"))?));
            self.long.push(value);
        }
        Ok(())
    }

    /// Says in an error in which row it was found.
    fn at_this_row(&self, py: Python<'_>, error: PyErr) -> PyErr {
        if !error.is_instance_of::<PyTypeError>(py) {
            return error;
        }
        PyTypeError::new_err(format!("row {}: {}", self.cells.len(), error.value(py)))
    }

    /// Takes in a copy of a value, if it is short.
    #[inline]
    fn copy(&mut self, bytes: &[u8], is_text: IsText) -> bool {
        let Ok(len) = u8::try_from(bytes.len()) else { return false };
        if self.chunks.last().is_none_or(|chunk| CHUNK - chunk.len() <= SHORT) {
            self.chunks.push(Wiped::with_room(CHUNK));
        }
        let place = self.chunks.len() - 1;
        let chunk = &mut self.chunks[place];
        // Chunks are far fewer than 2^32, and what begins in one begins below its end.
        let (start, place) = (chunk.len() as u16, place as u32);
        chunk.extend_from_slice(bytes);
        self.cells.push(Cell::Short { chunk: place, start, len, is_text });
        true
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether no value is text.
    pub(super) fn is_bytes(&self) -> bool {
        self.is_bytes
    }

    /// The value of a row, and whether it is text; none where there is nothing.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Option<(&[u8], IsText)> {
        match self.cells[row] {
            Cell::Nothing => None,
            Cell::Short { chunk, start, len, is_text } => {
                let chunk = &self.chunks[chunk as usize];
                Some((&chunk[usize::from(start)..][..usize::from(len)], is_text))
            }
            Cell::Long(place) => {
                let value = &self.long[place as usize];
                Some((value.bytes(), value.is_text()))
            }
        }
    }
}
