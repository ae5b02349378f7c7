//! A column of a table, and how many of its rows make a group.

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use cipherloom_records::Values;

use crate::commands::records::rows::ROW_LIMIT;
use crate::errors::{Error, Result};

/// Whether the column's values are bytes; else they are text.
///
/// # Errors
/// It has numbers, dates or lists.
pub(super) fn is_binary(name: &str, kind: &DataType) -> Result<bool> {
    cipherloom_records::is_binary(kind)
        .map_err(|other| Error::usage(format!("the column {name} holds {other}")))
}

/// # Errors
/// The column turned into one of another kind.
pub(super) fn values(array: &ArrayRef) -> Result<Values<'_>> {
    Values::new(array).map_err(|other| Error::failure(format!("a column turned into {other}")))
}

/// How many of the first rows make a group: at most `rows`, and no more than what has `bytes` bytes, but one
/// at least.
///
/// # Errors
/// As [`values`]; a record that is too large.
pub(super) fn rows_of(array: &ArrayRef, rows: usize, bytes: usize) -> Result<usize> {
    let values = values(array)?;
    let mut sum = 0;
    for row in 0..array.len().min(rows) {
        let len = values.get(row).map_or(0, <[u8]>::len);
        if len > ROW_LIMIT {
            return Err(Error::failure(format!("a record has more than {} MiB", ROW_LIMIT >> 20)));
        }
        sum += len;
        if sum >= bytes {
            return Ok(row + 1);
        }
    }
    Ok(array.len().min(rows))
}
