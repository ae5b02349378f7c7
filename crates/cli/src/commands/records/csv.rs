//! Records as lines of comma-separated values.

use std::io::BufReader;

use csv::{ByteRecord, ReaderBuilder, Terminator, WriterBuilder};

use super::plan::Columns;
use super::source::{Field, Fields, Layout, Reader, Source, failure};
use crate::errors::{Error, Result};

/// The form of the lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) delimiter: u8,
    /// Whether the first line has the names of the columns.
    pub(super) has_header: bool,
    /// Whether lines end in CR LF.
    pub(super) crlf: bool,
}

/// Reads lines.
pub(super) struct CsvReader(csv::Reader<BufReader<Source>>);

/// Knows the columns.
pub(super) struct CsvLayout {
    style: Style,
    /// Fields of a row; taken from the first row.
    width: usize,
    data: usize,
    key: Option<usize>,
    iv: Option<usize>,
}

/// Reads the header, or the first row where there is none, and finds the columns.
/// Appends the new header to `out`, and returns that first row if it is a record.
///
/// # Errors
/// The input is empty, lacks a column, or has one of the columns to be added.
pub(super) fn open(
    source: BufReader<Source>,
    style: Style,
    columns: &Columns,
    out: &mut Vec<u8>,
) -> Result<(CsvReader, CsvLayout, Option<ByteRecord>)> {
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(style.delimiter)
        .from_reader(source);
    let mut reader = CsvReader(reader);
    let mut first = ByteRecord::new();
    if reader.read(&mut first)?.is_none() {
        return Err(Error::failure(
            "the input is empty; a CSV has a line of column names at least",
        ));
    }
    let find = |name: &String| {
        if style.has_header { by_name(&first, name) } else { by_number(&first, name) }
    };
    let layout = CsvLayout {
        style,
        width: first.len(),
        data: find(&columns.data)?,
        key: columns.key.as_ref().map(find).transpose()?,
        iv: columns.iv.as_ref().map(find).transpose()?,
    };
    if !style.has_header {
        return Ok((reader, layout, Some(first)));
    }
    for (option, name) in [("--result-column", &columns.result), ("--error-column", &columns.error)]
    {
        if first.iter().any(|field| field == name.as_bytes()) {
            return Err(Error::usage(format!(
                "the input has a column {name} already; name another with {option}"
            )));
        }
    }
    first.push_field(columns.result.as_bytes());
    first.push_field(columns.error.as_bytes());
    layout.write(out, |writer| writer.write_byte_record(&first));
    Ok((reader, layout, None))
}

fn by_name(header: &ByteRecord, name: &str) -> Result<usize> {
    let mut places = (0..).zip(header).filter(|(_, field)| *field == name.as_bytes());
    match (places.next(), places.next()) {
        (Some((place, _)), None) => Ok(place),
        (Some(_), Some(_)) => {
            Err(Error::usage(format!("the input has more than one column {name}")))
        }
        (None, _) => {
            let names: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
            Err(Error::usage(format!(
                "the input has no column {name}; its columns are {}",
                names.join(", ")
            )))
        }
    }
}

fn by_number(first: &ByteRecord, name: &str) -> Result<usize> {
    match name.parse::<usize>() {
        Ok(number) if (1..=first.len()).contains(&number) => Ok(number - 1),
        _ => Err(Error::usage(format!(
            "with --no-header columns are numbers from 1 to {} here, and {name} is none",
            first.len()
        ))),
    }
}

impl Reader for CsvReader {
    type Row = ByteRecord;

    fn read(&mut self, row: &mut ByteRecord) -> Result<Option<usize>> {
        self.0.get_mut().get_mut().begin_record();
        match self.0.read_byte_record(row) {
            Ok(true) => Ok(Some(row.as_slice().len() + row.len() * size_of::<usize>())),
            Ok(false) => Ok(None),
            Err(error) => match error.into_kind() {
                csv::ErrorKind::Io(error) => Err(failure(&error)),
                other => Err(Error::failure(format!("cannot read the CSV: {other:?}"))),
            },
        }
    }

    fn total(&self) -> u64 {
        self.0.get_ref().get_ref().total()
    }
}

impl CsvLayout {
    fn write(
        &self,
        out: &mut Vec<u8>,
        lines: impl FnOnce(&mut csv::Writer<&mut Vec<u8>>) -> csv::Result<()>,
    ) {
        let terminator = if self.style.crlf { Terminator::CRLF } else { Terminator::Any(b'\n') };
        let mut writer = WriterBuilder::new()
            .delimiter(self.style.delimiter)
            .terminator(terminator)
            .flexible(true)
            .from_writer(out);
        // A vector takes everything, and rows of any width are allowed.
        lines(&mut writer).expect("writing to memory cannot fail");
        writer.flush().expect("writing to memory cannot fail");
    }
}

impl Layout for CsvLayout {
    type Row = ByteRecord;

    fn fields<'r>(&self, row: &'r ByteRecord) -> std::result::Result<Fields<'r>, String> {
        if row.len() != self.width {
            return Err(format!("the row has {} fields in place of {}", row.len(), self.width));
        }
        let field = |place: usize| Field::Piece(&row[place]);
        Ok(Fields { data: field(self.data), key: self.key.map(field), iv: self.iv.map(field) })
    }

    /// A short row is filled up, and what a long one has too much stands behind the new columns, so
    /// that these are where the header says.
    fn render<'o>(
        &self,
        rows: &[ByteRecord],
        outcome: &dyn Fn(usize) -> std::result::Result<&'o [u8], &'o str>,
        out: &mut Vec<u8>,
    ) {
        self.write(out, |writer| {
            for (n, row) in rows.iter().enumerate() {
                let (result, error) = match outcome(n) {
                    Ok(result) => (result, &b""[..]),
                    Err(error) => (&b""[..], error.as_bytes()),
                };
                let own = row.iter().take(self.width);
                let missing = std::iter::repeat_n(&b""[..], self.width.saturating_sub(row.len()));
                let surplus = row.iter().skip(self.width);
                writer.write_record(own.chain(missing).chain([result, error]).chain(surplus))?;
            }
            Ok(())
        });
    }

    fn line(&self, row: &ByteRecord) -> u64 {
        row.position().map_or(0, csv::Position::line)
    }
}
