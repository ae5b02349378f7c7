//! Where rows and fields of a CSV lie, and what a field says.

use memchr::{memchr, memchr3};

use crate::commands::records::layout::Field;
use crate::commands::records::rows::Splitter;

/// Finds the ends of rows.
pub(crate) struct CsvSplitter {
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

impl CsvSplitter {
    pub(crate) fn new(delimiter: u8) -> Self {
        Self { delimiter, state: State::Start }
    }
}

impl Splitter for CsvSplitter {
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
pub(crate) struct Written<'r> {
    rest: Option<&'r [u8]>,
    delimiter: u8,
}

impl<'r> Written<'r> {
    pub(crate) fn new(row: &'r [u8], delimiter: u8) -> Self {
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
pub(crate) fn is_open(field: &[u8]) -> bool {
    // Quotes inside come in pairs, so the quoted part has an even number of them if it is closed.
    field.starts_with(b"\"") && memchr::memchr_iter(b'"', &field[..closing(field)]).count() % 2 == 1
}

/// What a written field says.
pub(crate) fn value(field: &[u8]) -> Field<'_> {
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
