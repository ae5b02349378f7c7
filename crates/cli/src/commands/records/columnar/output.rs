//! Tables written, in what they were read from.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, Schema};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use super::table::{Kind, broken};
use crate::errors::{Error, Result};
use crate::io::output::Output;

const WRITING: &str = "cannot write the table";

/// Writes batches.
pub(super) enum Writer<'o> {
    File(Box<FileWriter<Sink<'o>>>),
    Stream(Box<StreamWriter<Sink<'o>>>),
    Parquet(Box<ArrowWriter<Sink<'o>>>),
}

/// The output, for writers that know errors of the system only.
pub(super) struct Sink<'o>(&'o mut Output);

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'o> Writer<'o> {
    /// # Errors
    /// The output's.
    pub(super) fn new(kind: Kind, output: &'o mut Output, schema: Arc<Schema>) -> Result<Self> {
        let sink = Sink(output);
        let wrong = |error: ArrowError| broken(WRITING, &error);
        Ok(match kind {
            Kind::File => Self::File(Box::new(FileWriter::try_new(sink, &schema).map_err(wrong)?)),
            Kind::Stream => {
                Self::Stream(Box::new(StreamWriter::try_new(sink, &schema).map_err(wrong)?))
            }
            Kind::Parquet(compression) => {
                let properties = WriterProperties::builder().set_compression(compression).build();
                let writer = ArrowWriter::try_new(sink, schema, Some(properties));
                Self::Parquet(Box::new(writer.map_err(|error| wrong(error.into()))?))
            }
        })
    }

    /// # Errors
    /// The output's.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let written = match self {
            Self::File(writer) => writer.write(batch),
            Self::Stream(writer) => writer.write(batch),
            Self::Parquet(writer) => writer.write(batch).map_err(Into::into),
        };
        written.map_err(|error| broken(WRITING, &error))
    }

    /// Writes what stands at the end of a table.
    ///
    /// # Errors
    /// The output's.
    pub(super) fn finish(self) -> Result<()> {
        let done: std::result::Result<(), ArrowError> = match self {
            Self::File(mut writer) => writer.finish(),
            Self::Stream(mut writer) => writer.finish(),
            Self::Parquet(writer) => writer.close().map(drop).map_err(Into::into),
        };
        done.map_err(|error| Error::failure(format!("{WRITING}: {error}")))
    }
}
