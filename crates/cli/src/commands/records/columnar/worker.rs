//! Rows of a batch, served.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use cipherloom_records::Values;

use super::column::values;
use super::layout::Layout;
use super::table::broken;
use crate::commands::records::layout::{Field, Fields};
use crate::commands::records::plan::Plan;
use crate::commands::records::service::Records;
use crate::commands::records::status::Ending;
use crate::commands::records::worker::Report;
use crate::errors::Result;

/// Serves one group of rows after the other.
#[derive(Default)]
pub(super) struct Worker {
    records: Records,
}

/// A batch that was served, with its new columns.
#[derive(Default)]
pub(super) struct Served {
    pub(super) batch: Option<RecordBatch>,
    pub(super) report: Report,
}

/// The new columns, as they grow.
struct Added {
    results: Results,
    statuses: StringBuilder,
    errors: StringBuilder,
}

enum Results {
    Bytes(BinaryBuilder),
    Text(StringBuilder),
}

impl Worker {
    /// Serves a batch onto `served`, which is empty. If `until_error`, nothing counts behind the first record
    /// with an error.
    ///
    /// # Errors
    /// As the worker's for rows of text.
    pub(super) fn process(
        &mut self,
        plan: &Plan,
        layout: &Layout,
        batch: &RecordBatch,
        until_error: bool,
        served: &mut Served,
    ) -> Result<()> {
        self.records.clear();
        let mut opener = plan.opener();
        let column = |place: usize| values(batch.column(place));
        let data = column(layout.data)?;
        let [key, iv, salt] =
            [layout.key, layout.iv, layout.salt].map(|place| place.map(column).transpose());
        let (key, iv, salt) = (key?, iv?, salt?);
        let rows = batch.num_rows();
        for row in 0..rows {
            let fields = match data.get(row) {
                None => Ok(Fields::default()),
                Some(data) => field(&key, row, "key").and_then(|key| {
                    let (iv, salt) = (field(&iv, row, "IV")?, field(&salt, row, "salt")?);
                    Ok(Fields { data: Some(Field::Piece(data)), key, iv, salt })
                }),
            };
            self.records.take(plan, &mut opener, fields)?;
        }
        self.records.transform(plan)?;
        let mut added = Added::new(layout, rows);
        let report = &mut served.report;
        self.records.endings(plan, |ending, remarks| {
            report.add(None, &ending, remarks);
            added.push(&ending);
            !(until_error && report.errors > 0)
        });
        if until_error && report.errors > 0 {
            return Ok(());
        }
        let mut columns = batch.columns().to_vec();
        columns.extend(added.finish(layout));
        let done = RecordBatch::try_new(layout.schema.clone(), columns);
        served.batch = Some(done.map_err(|error| broken("cannot make the new table", &error))?);
        Ok(())
    }
}

/// What stands in a row, if there is such a column.
fn field<'a>(
    values: &Option<Values<'a>>,
    row: usize,
    name: &str,
) -> std::result::Result<Option<Field<'a>>, String> {
    let Some(values) = values else { return Ok(None) };
    match values.get(row) {
        Some(value) => Ok(Some(Field::Piece(value))),
        None => Err(format!("the {name} is null")),
    }
}

impl Added {
    fn new(layout: &Layout, rows: usize) -> Self {
        let results = match layout.is_binary {
            true => Results::Bytes(BinaryBuilder::with_capacity(rows, 32 * rows)),
            false => Results::Text(StringBuilder::with_capacity(rows, 32 * rows)),
        };
        let (statuses, errors) = (StringBuilder::new(), StringBuilder::with_capacity(rows, 0));
        Self { results, statuses, errors }
    }

    fn push(&mut self, ending: &Ending<'_>) {
        self.statuses.append_value(ending.status.name());
        self.errors.append_option(ending.result.err());
        match &mut self.results {
            Results::Bytes(bytes) => bytes.append_option(ending.result.ok().flatten()),
            // What is written as text was checked to be UTF-8.
            Results::Text(text) => text.append_option(
                ending.result.ok().flatten().and_then(|result| std::str::from_utf8(result).ok()),
            ),
        }
    }

    fn finish(mut self, layout: &Layout) -> Vec<ArrayRef> {
        let results: ArrayRef = match &mut self.results {
            Results::Bytes(bytes) => Arc::new(bytes.finish()),
            Results::Text(text) => Arc::new(text.finish()),
        };
        let mut columns = vec![results];
        if layout.has_status {
            columns.push(Arc::new(self.statuses.finish()));
        }
        columns.push(Arc::new(self.errors.finish()));
        columns
    }
}
