//! Columns by their names, and rows with new fields.

use memchr::{memchr, memchr3};

use super::fields::{CsvSplitter, Written, is_open, value};
use crate::commands::records::layout::{Field, Fields, Layout};
use crate::commands::records::plan::Columns;
use crate::commands::records::rows::{Reader, Rows};
use crate::commands::records::status::Ending;
use crate::errors::{Error, Result};

/// Characters of the header that a message shows.
const SHOWN: usize = 500;

/// The form of the lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style<'a> {
    pub(crate) delimiter: u8,
    /// Whether the first line has the names of the columns.
    pub(crate) has_header: bool,
    /// Whether results and errors are kept from being formulas.
    pub(crate) escape_formulas: bool,
    /// What stands for nothing, where it is not in quotes.
    pub(crate) null: Option<&'a str>,
}

/// Knows the columns.
pub(crate) struct CsvLayout<'a> {
    pub(super) style: Style<'a>,
    pub(super) line_end: &'static [u8],
    /// Fields of a row; taken from the first row.
    pub(super) width: usize,
    pub(super) data: usize,
    pub(super) key: Option<usize>,
    pub(super) iv: Option<usize>,
    pub(super) salt: Option<usize>,
    /// Whether there is a column for what became of each row.
    pub(super) has_status: bool,
}

/// Reads the header, or the first row where there is none, and finds the columns.
/// Appends the new header to `out`, and returns the first row if it is a record.
///
/// # Errors
/// The input is empty, lacks a column, or has one of the columns to be added.
pub(crate) fn open<'a>(
    reader: &mut Reader<'_, CsvSplitter>,
    style: Style<'a>,
    columns: &Columns,
    out: &mut Vec<u8>,
) -> Result<(CsvLayout<'a>, Rows)> {
    let mut rows = Rows::default();
    reader.read(&mut rows)?;
    let Some(row) = rows.iter().next() else {
        return Err(Error::failure(
            "the input is empty; a CSV has a line of column names at least",
        ));
    };
    let written = Written::new(row.text, style.delimiter);
    if written.last().is_some_and(is_open) {
        return Err(Error::failure("the first line opens a quote that is never closed"));
    }
    let find = |name: &String| {
        if style.has_header { by_name(written, name) } else { by_number(written, name) }
    };
    let layout = CsvLayout {
        style,
        line_end: reader.line_end()?,
        width: written.count(),
        data: find(&columns.data)?,
        key: columns.key.as_ref().map(find).transpose()?,
        iv: columns.iv.as_ref().map(find).transpose()?,
        salt: columns.salt.as_ref().map(find).transpose()?,
        has_status: columns.status.is_some(),
    };
    if !style.has_header {
        return Ok((layout, rows));
    }
    for (option, name) in columns.added() {
        if written.clone().any(|field| *value(field) == *name.as_bytes()) {
            return Err(Error::usage(format!(
                "the input has a column {name} already; name another with {option}"
            )));
        }
    }
    out.extend(row.text);
    for (_, name) in columns.added() {
        layout.append(name.as_bytes(), false, out);
    }
    out.extend(layout.line_end);
    Ok((layout, Rows::default()))
}

fn by_name(header: Written<'_>, name: &str) -> Result<usize> {
    let mut places = (0..).zip(header).filter(|(_, field)| *value(field) == *name.as_bytes());
    match (places.next(), places.next()) {
        (Some((place, _)), None) => Ok(place),
        (Some(_), Some(_)) => {
            Err(Error::usage(format!("the input has more than one column {name}")))
        }
        (None, _) => Err(Error::usage(format!(
            "the input has no column {name}; its columns are {}",
            names(header)
        ))),
    }
}

/// The names of the columns for a message, as many as it should have.
fn names(header: Written<'_>) -> String {
    let mut names = String::new();
    for field in header {
        if !names.is_empty() {
            names += ", ";
        }
        let field = value(field);
        names.extend(String::from_utf8_lossy(&field[..field.len().min(SHOWN)]).chars());
        if names.len() > SHOWN {
            return names.chars().take(SHOWN).chain(" ...".chars()).collect();
        }
    }
    names
}

fn by_number(first: Written<'_>, name: &str) -> Result<usize> {
    let width = first.count();
    match name.parse::<usize>() {
        Ok(number) if (1..=width).contains(&number) => Ok(number - 1),
        _ => Err(Error::usage(format!(
            "with --no-header columns are numbers from 1 to {width} here, and {name} is none"
        ))),
    }
}

impl CsvLayout<'_> {
    /// Whether a field as it is written stands for nothing.
    fn is_null(&self, written: &[u8]) -> bool {
        self.style.null.is_some_and(|null| null.as_bytes() == written)
    }

    /// What a field that is not the data says.
    ///
    /// # Errors
    /// That there is nothing.
    fn own<'r>(&self, written: &'r [u8], what: &str) -> std::result::Result<Field<'r>, String> {
        match self.is_null(written) {
            true => Err(format!("the {what} is null")),
            false => Ok(value(written)),
        }
    }

    /// Appends a field to a row, in quotes where it needs them or `is_quoted` says so.
    fn append(&self, field: &[u8], is_quoted: bool, out: &mut Vec<u8>) {
        let is_special = memchr3(b'"', b'\n', b'\r', field).is_some()
            || memchr(self.style.delimiter, field).is_some();
        let apostrophe = self.style.escape_formulas && is_formula(field);
        let mark: &[u8] = if apostrophe { b"'" } else { b"" };
        out.push(self.style.delimiter);
        if !is_quoted && !is_special && !mark.contains(&self.style.delimiter) {
            out.extend(mark);
            out.extend(field);
            return;
        }
        out.push(b'"');
        out.extend(mark);
        for piece in field.split_inclusive(|&byte| byte == b'"') {
            out.extend(piece);
            if piece.ends_with(b"\"") {
                out.push(b'"');
            }
        }
        out.push(b'"');
    }
}

/// Whether spreadsheets may compute a field, by its first character; an apostrophe, too, so that the
/// one that is put before a formula can be told from it.
fn is_formula(field: &[u8]) -> bool {
    // The last four are = + - @ in full width.
    const SIGNS: [&str; 12] =
        ["=", "+", "-", "@", "\t", "\r", "\n", "'", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}"];
    SIGNS.iter().any(|sign| field.starts_with(sign.as_bytes()))
}

impl Layout for CsvLayout<'_> {
    fn fields<'r>(&self, row: &'r [u8]) -> std::result::Result<Fields<'r>, String> {
        let none = &row[..0];
        let (mut data, mut key, mut iv, mut salt) = (none, none, none, none);
        let (mut last, mut width) = (none, 0);
        for field in Written::new(row, self.style.delimiter) {
            if width == self.data {
                data = field;
            }
            if Some(width) == self.key {
                key = field;
            }
            if Some(width) == self.iv {
                iv = field;
            }
            if Some(width) == self.salt {
                salt = field;
            }
            last = field;
            width += 1;
        }
        if is_open(last) {
            return Err("the row opens a quote that is never closed".into());
        }
        if width != self.width {
            let s = if width == 1 { "" } else { "s" };
            return Err(format!("the row has {width} field{s} in place of {}", self.width));
        }
        if self.is_null(data) {
            return Ok(Fields::default());
        }
        Ok(Fields {
            data: Some(value(data)),
            key: self.key.map(|_| self.own(key, "key")).transpose()?,
            iv: self.iv.map(|_| self.own(iv, "IV")).transpose()?,
            salt: self.salt.map(|_| self.own(salt, "salt")).transpose()?,
        })
    }

    /// A short row is filled up, and what a long one has too much stands behind the new columns, so
    /// that these are where the header says. A quote that is left open is closed.
    fn write(&self, row: &[u8], ending: Ending<'_>, out: &mut Vec<u8>) {
        let (mut own, mut surplus, mut missing, mut is_open) = (row, &b""[..], 0, false);
        // A row with a result has all its fields.
        if ending.result.is_err() {
            let fields = Written::new(row, self.style.delimiter);
            is_open = fields.last().is_some_and(self::is_open);
            missing = self.width.saturating_sub(fields.count());
            if missing == 0 {
                let len = fields.take(self.width).map(|field| field.len() + 1).sum::<usize>() - 1;
                (own, surplus) = row.split_at(len);
            }
        }
        let quote = |is_there: bool| if is_open && is_there { &b"\""[..] } else { b"" };
        out.extend(own);
        out.extend(quote(surplus.is_empty()));
        for _ in 0..missing {
            out.push(self.style.delimiter);
        }
        match (ending.result, self.style.null) {
            (Ok(None), Some(null)) => {
                out.push(self.style.delimiter);
                out.extend(null.as_bytes());
            }
            // What would stand for nothing is quoted.
            (Ok(Some(result)), _) => self.append(result, self.is_null(result), out),
            _ => self.append(b"", false, out),
        }
        if self.has_status {
            self.append(ending.status.name().as_bytes(), false, out);
        }
        self.append(ending.result.err().unwrap_or_default().as_bytes(), false, out);
        out.extend(surplus);
        out.extend(quote(!surplus.is_empty()));
        out.extend(self.line_end);
    }

    fn weight(&self) -> usize {
        self.width
    }
}
