//! Records as columns: Arrow's IPC files and streams, and Parquet.
//!
//! A table keeps its columns and its schema, and gets new columns behind them. A column of bytes is taken as
//! it is, one of text in the encoding that the options say. Nothing in a row stays nothing.

mod column;
mod input;
mod layout;
mod output;
mod table;
mod worker;

use std::fs::File;
use std::io::Read;

use arrow_array::RecordBatch;

use super::args::Arguments;
use super::plan::{Columns, Plan};
use super::run::{self, Settings, Total};
use crate::errors::Result;
use crate::io::output::Output;
use crate::io::progress::Progress;

use input::Batches;
use layout::Layout;
use table::guarded;
use worker::Worker;

/// Rows and bytes of data that a group has: rows of a batch are served in groups.
const ROWS: usize = 16 * 1024;
const BYTES: usize = 2 << 20;

/// How a table is served.
pub(super) struct Table<'a> {
    pub(super) args: &'a Arguments,
    pub(super) columns: &'a Columns,
    pub(super) settings: Settings,
}

impl Table<'_> {
    /// Serves all records of a file: of Parquet, or of Arrow's.
    ///
    /// # Errors
    /// Of input and output; a column that is missing, is there already, or holds neither text nor bytes; the
    /// first record with an error if the settings say so.
    pub(super) fn run_file(
        &self,
        plan: &mut Plan,
        (file, is_parquet): (File, bool),
        output: &mut Output,
        progress: &mut Progress,
    ) -> Result<Total> {
        guarded(|| self.run(plan, input::open(file, is_parquet)?, output, progress))
    }

    /// Serves all records of a stream of Arrow's.
    ///
    /// # Errors
    /// As [`run_file`](Self::run_file).
    pub(super) fn run_stream(
        &self,
        plan: &mut Plan,
        stream: impl Read + 'static,
        output: &mut Output,
        progress: &mut Progress,
    ) -> Result<Total> {
        guarded(|| self.run(plan, input::open_stream(stream)?, output, progress))
    }

    fn run(
        &self,
        plan: &mut Plan,
        mut batches: Batches,
        output: &mut Output,
        progress: &mut Progress,
    ) -> Result<Total> {
        let layout = Layout::new(plan, self.args, self.columns, &batches.schema())?;
        let mut writer = output::Writer::new(batches.kind(), output, layout.schema.clone())?;
        let (mut total, mut seen) = (Total::default(), 0);
        let mut rest: Option<RecordBatch> = None;
        let plan = &*plan;
        run::run(
            self.settings.threads,
            None,
            |groups| {
                for (n, group) in groups.iter_mut().enumerate() {
                    if group.is_none() {
                        *group = next(&mut rest, &mut batches, layout.data)?;
                    }
                    if group.is_none() {
                        return Ok(n);
                    }
                }
                progress.add(batches.position() - seen);
                seen = batches.position();
                Ok(groups.len())
            },
            |worker: &mut Worker, group: &Option<RecordBatch>| match group {
                Some(batch) => worker.process(plan, &layout, batch, self.settings.stop_on_error),
                None => Ok(()),
            },
            |worker| {
                let (batch, report) = worker.take();
                total.add(&report, self.settings)?;
                batch.map_or(Ok(()), |batch| writer.write(&batch))
            },
            |group| *group = None,
        )?;
        writer.finish()?;
        Ok(total)
    }
}

/// The next rows of the table, as many as a group takes; `rest` is what is left of a batch.
fn next(
    rest: &mut Option<RecordBatch>,
    batches: &mut Batches,
    data: usize,
) -> Result<Option<RecordBatch>> {
    let batch = loop {
        match rest.take() {
            Some(batch) if batch.num_rows() > 0 => break batch,
            _ => match batches.next()? {
                Some(batch) => *rest = Some(batch),
                None => return Ok(None),
            },
        }
    };
    let len = column::rows_of(batch.column(data), ROWS, BYTES)?;
    *rest = Some(batch.slice(len, batch.num_rows() - len));
    Ok(Some(batch.slice(0, len)))
}
