//! Columns of values: lists, arrays of NumPy with two dimensions, columns of Arrow's.

use std::ops::Range;

use arrow_array::{Array, ArrayRef};
use cipherloom_records::{Values, Wiped, is_binary};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use zeroize::Zeroizing;

use super::list::List;
use crate::arrow;
use crate::buffer::copied;
use crate::fault;
use crate::presets::Value;

/// A column; it can be read without Python's lock.
pub(crate) enum Column {
    List(List),
    /// All of one length, one behind the other.
    Rows {
        bytes: Wiped,
        width: usize,
        count: usize,
    },
    Arrow {
        pieces: Vec<ArrayRef>,
        is_text: bool,
    },
}

/// What all records share, or what each has itself.
pub(crate) enum Side {
    One(Zeroizing<Vec<u8>>, IsText),
    Each(Column),
}

/// Whether a value is text, which stands for bytes.
pub(crate) type IsText = bool;

impl Column {
    /// # Errors
    /// The object is no column.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if is_one(object) {
            return Err(PyTypeError::new_err("a column is needed, and this is one value"));
        }
        if let Some(pieces) = arrow::import(object)? {
            let kinds: Result<Vec<_>, _> =
                pieces.iter().map(|piece| is_binary(piece.data_type())).collect();
            let kinds = kinds.map_err(|other| fault::usage(format!("a column of {other}")))?;
            return Ok(Self::Arrow { is_text: kinds.first() == Some(&false), pieces });
        }
        if let Ok(buffer) = PyUntypedBuffer::get(object) {
            let shape = buffer.shape();
            match (shape, buffer.item_size(), buffer.format().to_bytes().last()) {
                (&[count, width], 1, _) => {
                    let bytes = copied(object.py(), &buffer)?;
                    return Ok(Self::Rows { bytes, width, count });
                }
                // Of NumPy's kinds S and V.
                (&[count], width, Some(b's' | b'x')) => {
                    let bytes = copied(object.py(), &buffer)?;
                    return Ok(Self::Rows { bytes, width, count });
                }
                (_, _, Some(b'O')) => {}
                _ => {
                    return Err(PyTypeError::new_err(
                        "an array is needed that has two dimensions of bytes, a row for each record",
                    ));
                }
            }
        }
        List::new(object).map(Self::List)
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Rows { count, .. } => *count,
            Self::Arrow { pieces, .. } => pieces.iter().map(|piece| piece.len()).sum(),
        }
    }

    /// Whether its values are bytes, all that are there.
    pub(crate) fn is_bytes(&self) -> bool {
        match self {
            Self::List(list) => list.is_bytes(),
            Self::Rows { .. } => true,
            Self::Arrow { is_text, .. } => !is_text,
        }
    }

    /// # Errors
    /// A column of Arrow's has neither text nor bytes.
    pub(crate) fn reader(&self) -> PyResult<Reader<'_>> {
        Ok(match self {
            Self::List(list) => Reader::List(list),
            Self::Rows { bytes, width, .. } => Reader::Rows(bytes, *width),
            Self::Arrow { pieces, is_text } => {
                let mut start = 0;
                let mut values = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    values.push((start, Values::new(piece).map_err(fault::usage)?));
                    start += piece.len();
                }
                Reader::Arrow(values, *is_text)
            }
        })
    }
}

impl Side {
    /// # Errors
    /// The object is neither a value nor a column.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !is_one(object) {
            return Column::new(object).map(Self::Each);
        }
        let value: Value = object.extract()?;
        Ok(Self::One(Zeroizing::new(value.bytes().to_vec()), value.is_text()))
    }
}

/// Whether an object is one value: text, bytes, or an array of bytes with one dimension.
fn is_one(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || PyUntypedBuffer::get(object).is_ok_and(|buffer| {
            buffer.dimensions() == 1
                && buffer.item_size() == 1
                && matches!(buffer.format().to_bytes(), b"B" | b"b" | b"c" | b"<B")
        })
}

/// Reads a column, row by row.
pub(crate) enum Reader<'a> {
    List(&'a List),
    Rows(&'a [u8], usize),
    Arrow(Vec<(usize, Values<'a>)>, IsText),
}

impl Reader<'_> {
    /// Bytes that values of these rows have.
    pub(super) fn bytes(&self, rows: Range<usize>) -> usize {
        match self {
            Self::Rows(_, width) => rows.len() * width,
            _ => rows.map(|row| self.get(row).map_or(0, |(value, _)| value.len())).sum(),
        }
    }

    /// The value of a row, and whether it is text; none where there is nothing.
    pub(crate) fn get(&self, row: usize) -> Option<(&[u8], IsText)> {
        match self {
            Self::List(list) => list.get(row),
            Self::Rows(bytes, width) => Some((&bytes[row * width..][..*width], false)),
            Self::Arrow(pieces, is_text) => {
                let piece = pieces.partition_point(|(start, _)| *start <= row).checked_sub(1)?;
                let (start, values) = &pieces[piece];
                Some((values.get(row - start)?, *is_text))
            }
        }
    }
}
