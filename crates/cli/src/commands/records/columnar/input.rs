//! Tables read: batches of rows, one after the other.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, Schema};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::Compression;

use super::table::{Kind, broken};
use crate::errors::{Error, Result};

/// Rows that Parquet's reader gives at a time.
const ROWS: usize = 64 * 1024;

/// The batches of a table.
pub(super) struct Batches {
    reader: Reader,
    kind: Kind,
    schema: Arc<Schema>,
    position: Arc<AtomicU64>,
}

enum Reader {
    File(FileReader<BufReader<Counted<File>>>),
    Stream(Box<StreamReader<Box<dyn Read>>>),
    Parquet(ParquetRecordBatchReader),
}

/// Counts the bytes that were read.
struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

const READING: &str = "cannot read the table";

/// Opens a file.
///
/// # Errors
/// It is none, or it is damaged.
pub(super) fn open(file: File, is_parquet: bool) -> Result<Batches> {
    let position = Arc::new(AtomicU64::new(0));
    if is_parquet {
        let wrong =
            |error: parquet::errors::ParquetError| Error::failure(format!("{READING}: {error}"));
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(wrong)?;
        let groups = builder.metadata().row_groups();
        let column = groups.first().and_then(|group| group.columns().first());
        let compression = column.map_or(Compression::SNAPPY, |column| column.compression());
        let schema = builder.schema().clone();
        let reader = builder.with_batch_size(ROWS).build().map_err(wrong)?;
        let kind = Kind::Parquet(compression);
        return Ok(Batches { reader: Reader::Parquet(reader), kind, schema, position });
    }
    let counted = Counted { inner: file, count: position.clone() };
    let reader =
        FileReader::try_new_buffered(counted, None).map_err(|error| broken(READING, &error))?;
    let schema = reader.schema();
    Ok(Batches { reader: Reader::File(reader), kind: Kind::File, schema, position })
}

/// Opens a stream.
///
/// # Errors
/// It is none.
pub(super) fn open_stream(stream: impl Read + 'static) -> Result<Batches> {
    let position = Arc::new(AtomicU64::new(0));
    let counted = Counted { inner: stream, count: position.clone() };
    let stream: Box<dyn Read> = Box::new(BufReader::with_capacity(1 << 20, counted));
    let reader = StreamReader::try_new(stream, None).map_err(|error| broken(READING, &error))?;
    let schema = reader.schema();
    Ok(Batches { reader: Reader::Stream(Box::new(reader)), kind: Kind::Stream, schema, position })
}

impl Batches {
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn schema(&self) -> Arc<Schema> {
        self.schema.clone()
    }

    /// Bytes of the input that were read so far.
    pub(super) fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// The next batch.
    ///
    /// # Errors
    /// The input ends early, or is damaged.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>> {
        let next: Option<std::result::Result<RecordBatch, ArrowError>> = match &mut self.reader {
            Reader::File(reader) => reader.next(),
            Reader::Stream(reader) => reader.next(),
            Reader::Parquet(reader) => reader.next(),
        };
        next.transpose().map_err(|error| broken(READING, &error))
    }
}
