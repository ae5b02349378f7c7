//! A column of text or bytes, whatever its layout in memory.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use crate::commands::records::rows::ROW_LIMIT;
use crate::errors::{Error, Result};

/// The values of a column, by row.
pub(super) struct Values<'a>(Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>);

/// Whether the column's values are bytes; else they are text.
///
/// # Errors
/// It has numbers, dates or lists.
pub(super) fn is_binary(name: &str, kind: &DataType) -> Result<bool> {
    match kind {
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Ok(true),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(false),
        DataType::Dictionary(key, value)
            if matches!(**key, DataType::Int32 | DataType::Int64) && !value.is_nested() =>
        {
            is_binary(name, value)
        }
        other => Err(Error::usage(format!(
            "the column {name} holds neither text nor bytes, but {other}"
        ))),
    }
}

impl<'a> Values<'a> {
    /// # Errors
    /// As [`is_binary`].
    pub(super) fn new(array: &'a ArrayRef) -> Result<Self> {
        macro_rules! values {
            ($array:expr) => {{
                let array = $array;
                Self(Box::new(move |row| {
                    array.is_valid(row).then(|| AsRef::<[u8]>::as_ref(array.value(row)))
                }))
            }};
        }
        Ok(match array.data_type() {
            DataType::Binary => values!(array.as_binary::<i32>()),
            DataType::LargeBinary => values!(array.as_binary::<i64>()),
            DataType::BinaryView => values!(array.as_binary_view()),
            DataType::FixedSizeBinary(_) => values!(array.as_fixed_size_binary()),
            DataType::Utf8 => values!(array.as_string::<i32>()),
            DataType::LargeUtf8 => values!(array.as_string::<i64>()),
            DataType::Utf8View => values!(array.as_string_view()),
            DataType::Dictionary(key, _) => {
                macro_rules! dictionary {
                    ($key:ty) => {{
                        let dictionary = array.as_dictionary::<$key>();
                        let values = Self::new(dictionary.values())?;
                        Self(Box::new(move |row| values.get(dictionary.key(row)?)))
                    }};
                }
                match **key {
                    DataType::Int32 => dictionary!(Int32Type),
                    _ => dictionary!(Int64Type),
                }
            }
            other => return Err(Error::failure(format!("a column turned into {other}"))),
        })
    }

    /// The value of a row; none where there is nothing.
    pub(super) fn get(&self, row: usize) -> Option<&'a [u8]> {
        (self.0)(row)
    }
}

/// How many of the first rows make a group: at most `rows`, and no more than what has `bytes` bytes, but one
/// at least.
///
/// # Errors
/// As [`is_binary`].
pub(super) fn rows_of(array: &ArrayRef, rows: usize, bytes: usize) -> Result<usize> {
    let values = Values::new(array)?;
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
