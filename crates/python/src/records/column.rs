//! Columns of values: lists, arrays of NumPy with two dimensions, columns of Arrow's.

use arrow_array::{Array, ArrayRef};
use cipherloom_records::{Values, is_binary};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString};
use zeroize::Zeroizing;

use crate::arrow;
use crate::buffer::{Input, copied};
use crate::fault;

/// A column; it can be read without Python's lock.
pub(crate) enum Column {
    List(Vec<Cell>),
    /// All of one length, one behind the other.
    Rows {
        bytes: Zeroizing<Vec<u8>>,
        width: usize,
        count: usize,
    },
    Arrow {
        pieces: Vec<ArrayRef>,
        is_text: bool,
    },
}

/// A value of a list.
pub(crate) enum Cell {
    Nothing,
    Bytes(Input),
    Text(PyBackedStr),
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
        // Iterators that may end in an error say nothing of their length.
        let mut cells = Vec::with_capacity(object.len().unwrap_or_default());
        if let Ok(list) = object.cast::<PyList>() {
            for value in list {
                cells.push(Cell::new(&value)?);
            }
        } else {
            for value in object.try_iter()? {
                cells.push(Cell::new(&value?)?);
            }
        }
        Ok(Self::List(cells))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List(cells) => cells.len(),
            Self::Rows { count, .. } => *count,
            Self::Arrow { pieces, .. } => pieces.iter().map(|piece| piece.len()).sum(),
        }
    }

    /// Whether its values are bytes, all that are there.
    pub(crate) fn is_bytes(&self) -> bool {
        match self {
            Self::List(cells) => !cells.iter().any(|cell| matches!(cell, Cell::Text(_))),
            Self::Rows { .. } => true,
            Self::Arrow { is_text, .. } => !is_text,
        }
    }

    /// # Errors
    /// A column of Arrow's has neither text nor bytes.
    pub(crate) fn reader(&self) -> PyResult<Reader<'_>> {
        Ok(match self {
            Self::List(cells) => Reader::List(cells),
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

impl Cell {
    fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            Ok(Self::Bytes(Input::Bytes(bytes.clone().into())))
        } else if value.is_none() {
            Ok(Self::Nothing)
        } else if value.is_instance_of::<PyString>() {
            Ok(Self::Text(value.extract()?))
        } else {
            Ok(Self::Bytes(value.extract()?))
        }
    }
}

impl Side {
    /// # Errors
    /// The object is neither a value nor a column.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !is_one(object) {
            return Column::new(object).map(Self::Each);
        }
        if let Ok(text) = object.extract::<PyBackedStr>() {
            return Ok(Self::One(Zeroizing::new(text.as_bytes().to_vec()), true));
        }
        let bytes: Input = object.extract()?;
        Ok(Self::One(Zeroizing::new(bytes.to_vec()), false))
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
    List(&'a [Cell]),
    Rows(&'a [u8], usize),
    Arrow(Vec<(usize, Values<'a>)>, IsText),
}

impl Reader<'_> {
    /// The value of a row, and whether it is text; none where there is nothing.
    pub(crate) fn get(&self, row: usize) -> Option<(&[u8], IsText)> {
        match self {
            Self::List(cells) => match &cells[row] {
                Cell::Nothing => None,
                Cell::Bytes(bytes) => Some((bytes, false)),
                Cell::Text(text) => Some((text.as_bytes(), true)),
            },
            Self::Rows(bytes, width) => Some((&bytes[row * width..][..*width], false)),
            Self::Arrow(pieces, is_text) => {
                let piece = pieces.partition_point(|(start, _)| *start <= row).checked_sub(1)?;
                let (start, values) = &pieces[piece];
                Some((values.get(row - start)?, *is_text))
            }
        }
    }
}
