//! A column of text or bytes, whatever its layout in memory.

use std::fmt;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

/// The values of a column, by row.
pub struct Values<'a>(Box<dyn Fn(usize) -> Option<&'a [u8]> + Send + Sync + 'a>);

/// A column has numbers, dates or lists: neither text nor bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherKind(DataType);

impl fmt::Display for OtherKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "neither text nor bytes, but {}", self.0)
    }
}

impl std::error::Error for OtherKind {}

/// Whether a column's values are bytes; else they are text.
///
/// # Errors
/// They are neither.
pub fn is_binary(kind: &DataType) -> Result<bool, OtherKind> {
    match kind {
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Ok(true),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(false),
        DataType::Dictionary(key, value)
            if matches!(**key, DataType::Int32 | DataType::Int64) && !value.is_nested() =>
        {
            is_binary(value)
        }
        other => Err(OtherKind(other.clone())),
    }
}

impl<'a> Values<'a> {
    /// # Errors
    /// As [`is_binary`].
    pub fn new(array: &'a ArrayRef) -> Result<Self, OtherKind> {
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
                    DataType::Int64 => dictionary!(Int64Type),
                    _ => return Err(OtherKind(array.data_type().clone())),
                }
            }
            other => return Err(OtherKind(other.clone())),
        })
    }

    /// The value of a row; none where there is nothing.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&'a [u8]> {
        (self.0)(row)
    }
}
