//! Where a table's columns are, and what comes behind them.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};

use super::column;
use crate::commands::records::args::Arguments;
use crate::commands::records::plan::{ByteColumns, Columns, Plan};
use crate::errors::{Error, Result};

/// Where the columns are, and what comes behind them.
pub(super) struct Layout {
    pub(super) data: usize,
    pub(super) key: Option<usize>,
    pub(super) iv: Option<usize>,
    pub(super) salt: Option<usize>,
    pub(super) has_status: bool,
    /// Results are bytes, not text.
    pub(super) is_binary: bool,
    pub(super) schema: Arc<Schema>,
}

impl Layout {
    /// Finds the columns, tells the plan which hold bytes, and names the new ones.
    pub(super) fn new(
        plan: &mut Plan,
        args: &Arguments,
        columns: &Columns,
        schema: &Schema,
    ) -> Result<Self> {
        let find = |name: &str| {
            let mut places = schema.fields().iter().enumerate().filter(|(_, f)| f.name() == name);
            match (places.next(), places.next()) {
                (Some((place, field)), None) => {
                    Ok((place, column::is_binary(name, field.data_type())?))
                }
                (Some(_), Some(_)) => {
                    Err(Error::usage(format!("the input has more than one column {name}")))
                }
                (None, _) => {
                    let names: Vec<_> =
                        schema.fields().iter().map(|field| field.name().as_str()).collect();
                    Err(Error::usage(format!(
                        "the input has no column {name}; its columns are {}",
                        names.join(", ")
                    )))
                }
            }
        };
        let (data, data_is_binary) = find(&columns.data)?;
        let find = |name: &Option<String>| name.as_deref().map(find).transpose();
        let (key, iv, salt) = (find(&columns.key)?, find(&columns.iv)?, find(&columns.salt)?);
        let holds_bytes =
            |found: Option<(usize, bool)>| found.is_some_and(|(_, is_binary)| is_binary);
        let is_binary = plan.take_bytes(
            args,
            ByteColumns {
                data: data_is_binary,
                key: holds_bytes(key),
                iv: holds_bytes(iv),
                salt: holds_bytes(salt),
            },
        );
        let mut fields: Vec<_> = schema.fields().iter().cloned().collect();
        for (option, name) in columns.added() {
            if schema.fields().iter().any(|field| field.name() == name) {
                return Err(Error::usage(format!(
                    "the input has a column {name} already; name another with {option}"
                )));
            }
            let kind = match option {
                "--result-column" if is_binary => DataType::Binary,
                _ => DataType::Utf8,
            };
            fields.push(Arc::new(Field::new(name, kind, true)));
        }
        Ok(Self {
            data,
            key: key.map(|(place, _)| place),
            iv: iv.map(|(place, _)| place),
            salt: salt.map(|(place, _)| place),
            has_status: columns.status.is_some(),
            is_binary,
            schema: Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())),
        })
    }
}
