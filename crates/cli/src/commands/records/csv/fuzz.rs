//! What the fuzz target `csv` does.

use super::fields::{CsvSplitter, Written, value};
use super::layout::{CsvLayout, Style};
use crate::commands::records::layout::Layout;
use crate::commands::records::rows::{Reader, Rows};
use crate::commands::records::source::Source;
use crate::commands::records::status::{Ending, Status};

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
    let source = Source::new(Box::new(read), piece);
    let mut reader = Reader::new(source, CsvSplitter::new(delimiter));
    let mut rows = Rows::default();
    while reader.read(&mut rows).expect("a short text can be read") {}
    let fields = |row| Written::new(row, delimiter).map(|field| value(field).to_vec()).collect();
    let table: Table = rows.iter().map(|row| fields(row.text)).collect();
    assert_eq!(table, reference(text, delimiter));

    let Some(width) = table.first().map(Vec::len) else { return };
    let null = (flags & 16 == 16).then_some("1");
    let style = Style { delimiter, has_header: false, escape_formulas: flags & 1 == 1, null };
    let data = usize::from(*column) % width;
    let line_end = [&b"\n"[..], b"\r\n", b"\r"][usize::from((flags >> 1) & 3) % 3];
    let has_status = flags & 8 == 8;
    let layout =
        CsvLayout { style, line_end, width, data, key: None, iv: None, salt: None, has_status };
    let mut out = Vec::new();
    let mut want = Table::new();
    for (row, mut fields) in rows.iter().zip(table) {
        let read = layout.fields(row.text);
        let outcome = read.as_ref().map(|fields| fields.data.as_deref()).map_err(String::as_str);
        let ending = Ending { status: Status::Decrypted, result: outcome };
        layout.write(row.text, ending, &mut out);
        let is_null = outcome == Ok(None);
        assert!(outcome.is_err() || is_null || outcome == Ok(Some(&*fields[data])));
        assert!(!is_null || null.is_some_and(|null| null.as_bytes() == fields[data]));
        fields.resize(fields.len().max(width), Vec::new());
        let status = has_status.then_some(&b"decrypted"[..]);
        let error = outcome.err().unwrap_or_default().as_bytes();
        let result = outcome.map_or(&b""[..], |result| result.unwrap_or(b"1"));
        let new = [Some(result), status, Some(error)];
        fields.splice(width..width, new.into_iter().flatten().map(<[u8]>::to_vec));
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
