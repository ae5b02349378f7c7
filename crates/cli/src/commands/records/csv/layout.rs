//! Records as lines of comma-separated values (RFC 4180, and what else is found).
//!
//! A row stays as it is, byte for byte, and new fields come behind it; so what counts is where rows
//! and fields lie, which libraries do not tell. A field is quoted if it begins with a quote; a quote
//! elsewhere is a character, and so is what stands between a closing quote and the delimiter. Rows end
//! at LF, CR LF or CR. The crate `csv` reads the same: the fuzz target `csv` compares.

use memchr::{memchr, memchr3};

use super::layout::{Field, Fields, Layout};
use super::plan::Columns;
use super::rows::{Form, Reader, Rows};
use crate::errors::{Error, Result};

/// Characters of the header that a message shows.
const SHOWN: usize = 500;

/// The form of the lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) delimiter: u8,
    /// Whether the first line has the names of the columns.
    pub(super) has_header: bool,
    /// Whether results and errors are kept from being formulas.
    pub(super) escape_formulas: bool,
}

/// Finds the ends of rows.
pub(super) struct CsvForm {
    delimiter: u8,
    state: State,
}

/// What comes next in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A field's first byte.
    Start,
    /// More of a field that is not quoted, or is no longer.
    Plain,
    /// More of a quoted field.
    Quoted,
    /// What stands behind a quote in a quoted field.
    Quote,
}

/// Knows the columns.
pub(super) struct CsvLayout {
    style: Style,
    line_end: &'static [u8],
    /// Fields of a row; taken from the first row.
    width: usize,
    data: usize,
    key: Option<usize>,
    iv: Option<usize>,
}

impl CsvForm {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, state: State::Start }
    }
}

impl Form for CsvForm {
    fn split(&mut self, text: &[u8]) -> (usize, bool) {
        let mut at = 0;
        while at < text.len() {
            match self.state {
                State::Quoted => {
                    let Some(quote) = memchr(b'"', &text[at..]) else { break };
                    at += quote + 1;
                    self.state = State::Quote;
                }
                State::Quote if text[at] == b'"' => {
                    at += 1;
                    self.state = State::Quoted;
                }
                State::Start if text[at] == b'"' => {
                    at += 1;
                    self.state = State::Quoted;
                }
                State::Start | State::Plain | State::Quote => {
                    let rest = &text[at..];
                    let Some(place) = memchr3(b'"', b'\n', b'\r', rest) else {
                        let is_start = rest.last() == Some(&self.delimiter);
                        self.state = if is_start { State::Start } else { State::Plain };
                        break;
                    };
                    if rest[place] != b'"' {
                        self.state = State::Start;
                        return (at + place, true);
                    }
                    let is_start = place > 0 && rest[place - 1] == self.delimiter;
                    self.state = if is_start { State::Quoted } else { State::Plain };
                    at += place + 1;
                }
            }
        }
        (text.len(), false)
    }

    fn is_blank(row: &[u8]) -> bool {
        row.is_empty()
    }
}

/// The fields of a row as they are written, quotes and all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'r> {
    rest: Option<&'r [u8]>,
    delimiter: u8,
}

impl<'r> Written<'r> {
    pub(super) fn new(row: &'r [u8], delimiter: u8) -> Self {
        Self { rest: Some(row), delimiter }
    }
}

impl<'r> Iterator for Written<'r> {
    type Item = &'r [u8];

    fn next(&mut self) -> Option<&'r [u8]> {
        let rest = self.rest?;
        let quoted = if rest.starts_with(b"\"") { closing(rest) } else { 0 };
        let plain = &rest[quoted..];
        let len = quoted + memchr(self.delimiter, plain).unwrap_or(plain.len());
        self.rest = rest.get(len + 1..);
        Some(&rest[..len])
    }
}

/// Where the quoted part of a field ends, which begins with a quote; the closing quote belongs to it.
fn closing(field: &[u8]) -> usize {
    let mut at = 1;
    while let Some(quote) = memchr(b'"', &field[at..]) {
        at += quote + 1;
        if field.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    field.len()
}

/// Whether a field's quote is left open.
fn is_open(field: &[u8]) -> bool {
    // Quotes inside come in pairs, so the quoted part has an even number of them if it is closed.
    field.starts_with(b"\"") && memchr::memchr_iter(b'"', &field[..closing(field)]).count() % 2 == 1
}

/// What a written field says.
pub(super) fn value(field: &[u8]) -> Field<'_> {
    let Some(inner) = field.strip_prefix(b"\"") else { return Field::Piece(field) };
    if let [inner @ .., b'"'] = inner
        && memchr(b'"', inner).is_none()
    {
        return Field::Piece(inner);
    }
    let (quoted, plain) = field.split_at(closing(field));
    let mut bytes = Vec::with_capacity(field.len());
    let mut inner = &quoted[1..];
    // Of two quotes the first is left out, and so is the closing one.
    while let Some(quote) = memchr(b'"', inner) {
        bytes.extend_from_slice(&inner[..quote]);
        inner = &inner[quote + 1..];
        if let Some(behind) = inner.strip_prefix(b"\"") {
            bytes.push(b'"');
            inner = behind;
        }
    }
    bytes.extend_from_slice(inner);
    bytes.extend_from_slice(plain);
    Field::Own(bytes)
}

/// Reads the header, or the first row where there is none, and finds the columns.
/// Appends the new header to `out`, and returns the first row if it is a record.
///
/// # Errors
/// The input is empty, lacks a column, or has one of the columns to be added.
pub(super) fn open(
    reader: &mut Reader<'_, CsvForm>,
    style: Style,
    columns: &Columns,
    out: &mut Vec<u8>,
) -> Result<(CsvLayout, Rows)> {
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
    };
    if !style.has_header {
        return Ok((layout, rows));
    }
    for (option, name) in [("--result-column", &columns.result), ("--error-column", &columns.error)]
    {
        if written.clone().any(|field| *value(field) == *name.as_bytes()) {
            return Err(Error::usage(format!(
                "the input has a column {name} already; name another with {option}"
            )));
        }
    }
    out.extend(row.text);
    layout.append(columns.result.as_bytes(), out);
    layout.append(columns.error.as_bytes(), out);
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

impl CsvLayout {
    /// Appends a field to a row.
    fn append(&self, field: &[u8], out: &mut Vec<u8>) {
        let special = |byte: &u8| [self.style.delimiter, b'"', b'\n', b'\r'].contains(byte);
        let apostrophe = self.style.escape_formulas && is_formula(field);
        let mark: &[u8] = if apostrophe { b"'" } else { b"" };
        out.push(self.style.delimiter);
        if !mark.iter().chain(field).any(special) {
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

impl Layout for CsvLayout {
    fn fields<'r>(&self, row: &'r [u8]) -> std::result::Result<Fields<'r>, String> {
        let none = &row[..0];
        let (mut data, mut key, mut iv, mut last, mut width) = (none, none, none, none, 0);
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
        Ok(Fields {
            data: value(data),
            key: self.key.map(|_| value(key)),
            iv: self.iv.map(|_| value(iv)),
        })
    }

    /// A short row is filled up, and what a long one has too much stands behind the new columns, so
    /// that these are where the header says. A quote that is left open is closed.
    fn write(&self, row: &[u8], outcome: std::result::Result<&[u8], &str>, out: &mut Vec<u8>) {
        let (mut own, mut surplus, mut missing, mut is_open) = (row, &b""[..], 0, false);
        // A row with a result has all its fields.
        if outcome.is_err() {
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
        self.append(outcome.unwrap_or_default(), out);
        self.append(outcome.err().unwrap_or_default().as_bytes(), out);
        out.extend(surplus);
        out.extend(quote(!surplus.is_empty()));
        out.extend(self.line_end);
    }

    fn weight(&self) -> usize {
        self.width
    }
}

/// Rows of fields, as some reader took them from a text with a delimiter.
pub(crate) type Table = Vec<Vec<Vec<u8>>>;

/// For fuzz targets: whatever the text is, rows and fields are what `reference` takes them for, in
/// whatever pieces the text comes; and what is written has the fields that were read, and the new
/// ones in their place.
pub(crate) fn fuzz(data: &[u8], reference: impl Fn(&[u8], u8) -> Table) {
    let [delimiter, piece, column, flags, text @ ..] = data else { return };
    let delimiter = b",;\t|="[usize::from(*delimiter) % 5];
    let piece = 1 + usize::from(*piece);
    let mut rest = text;
    let read = |buffer: &mut [u8]| {
        let (now, behind) = rest.split_at(buffer.len().min(rest.len()));
        buffer[..now.len()].copy_from_slice(now);
        rest = behind;
        Ok(now.len())
    };
    let source = super::source::Source::new(Box::new(read), piece);
    let mut reader = Reader::new(source, CsvForm::new(delimiter));
    let mut rows = Rows::default();
    while reader.read(&mut rows).expect("a short text can be read") {}
    let fields = |row| Written::new(row, delimiter).map(|field| value(field).to_vec()).collect();
    let table: Table = rows.iter().map(|row| fields(row.text)).collect();
    assert_eq!(table, reference(text, delimiter));

    let Some(width) = table.first().map(Vec::len) else { return };
    let style = Style { delimiter, has_header: false, escape_formulas: flags & 1 == 1 };
    let data = usize::from(*column) % width;
    let line_end = [&b"\n"[..], b"\r\n", b"\r"][usize::from(flags >> 1) % 3];
    let layout = CsvLayout { style, line_end, width, data, key: None, iv: None };
    let mut out = Vec::new();
    let mut want = Table::new();
    for (row, mut fields) in rows.iter().zip(table) {
        let read = layout.fields(row.text);
        let outcome = read.as_ref().map(|fields| &*fields.data).map_err(String::as_str);
        layout.write(row.text, outcome, &mut out);
        assert!(outcome.is_err() || outcome == Ok(&*fields[data]));
        fields.resize(fields.len().max(width), Vec::new());
        let new = [outcome.unwrap_or_default(), outcome.err().unwrap_or_default().as_bytes()];
        fields.splice(width..width, new.map(<[u8]>::to_vec));
        want.push(fields);
    }
    let mut written = reference(&out, delimiter);
    for row in &mut written {
        if style.escape_formulas && row[width].starts_with(b"'") {
            row[width].remove(0);
        }
    }
    assert_eq!(written, want);
}
