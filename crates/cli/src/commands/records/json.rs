//! Records as JSON objects, one a line.

use std::io::{BufRead, BufReader};

use serde_json::{Map, Value};
use zeroize::Zeroizing;

use super::plan::Columns;
use super::source::{Field, Fields, Layout, Reader, Source, failure};
use crate::errors::Result;

/// Reads lines.
pub(super) struct JsonReader {
    source: BufReader<Source>,
    line: u64,
}

/// A line, and its number from 1.
#[derive(Debug, Default)]
pub(super) struct JsonRow {
    text: Vec<u8>,
    line: u64,
}

/// Knows the names of the fields.
pub(super) struct JsonLayout(pub(super) Columns);

impl JsonReader {
    pub(super) fn new(source: BufReader<Source>) -> Self {
        Self { source, line: 0 }
    }
}

impl Reader for JsonReader {
    type Row = JsonRow;

    fn read(&mut self, row: &mut JsonRow) -> Result<Option<usize>> {
        loop {
            self.source.get_mut().begin_record();
            row.text.clear();
            let count = self.source.read_until(b'\n', &mut row.text);
            if count.map_err(|error| failure(&error))? == 0 {
                return Ok(None);
            }
            self.line += 1;
            row.line = self.line;
            if !row.text.trim_ascii().is_empty() {
                return Ok(Some(row.text.len()));
            }
        }
    }

    fn total(&self) -> u64 {
        self.source.get_ref().total()
    }
}

impl JsonLayout {
    /// The object of a line, without the names that are to be added.
    fn parse(&self, row: &JsonRow) -> std::result::Result<Map<String, Value>, String> {
        let object = match serde_json::from_slice(&row.text) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return Err("the line is JSON but no object".into()),
            Err(error) => return Err(format!("the line is no JSON object: {error}")),
        };
        for (option, name) in
            [("--result-column", &self.0.result), ("--error-column", &self.0.error)]
        {
            if object.contains_key(name) {
                return Err(format!(
                    "the record has a field {name} already; name another with {option}"
                ));
            }
        }
        Ok(object)
    }
}

impl Layout for JsonLayout {
    type Row = JsonRow;

    fn fields<'r>(&self, row: &'r JsonRow) -> std::result::Result<Fields<'r>, String> {
        let mut object = self.parse(row)?;
        let mut field = |name: &String| match object.remove(name) {
            Some(Value::String(text)) => Ok(Field::Own(Zeroizing::new(text))),
            Some(Value::Null) => Err(format!("the field {name} is null")),
            Some(_) => Err(format!("the field {name} is no string")),
            None => Err(format!("the record has no field {name}")),
        };
        let Columns { data, key, iv, .. } = &self.0;
        Ok(Fields {
            key: key.as_ref().map(&mut field).transpose()?,
            iv: iv.as_ref().map(&mut field).transpose()?,
            data: field(data)?,
        })
    }

    /// The line stays as it is, byte for byte, but for what is added before its last brace. A line
    /// that is no such object becomes the field `line` of a new one.
    fn render<'o>(
        &self,
        rows: &[JsonRow],
        outcome: &dyn Fn(usize) -> std::result::Result<&'o [u8], &'o str>,
        out: &mut Vec<u8>,
    ) {
        for (n, row) in rows.iter().enumerate() {
            let text = row.text.trim_ascii();
            let (name, value) = match outcome(n) {
                Ok(result) => (&self.0.result, String::from_utf8_lossy(result)),
                Err(error) => (&self.0.error, error.into()),
            };
            // A row with a result has been parsed before.
            let is_object = outcome(n).is_ok() || self.parse(row).is_ok();
            if let (true, Some(body)) = (is_object, text.strip_suffix(b"}")) {
                let body = body.trim_ascii_end();
                out.extend_from_slice(body);
                if body != b"{" {
                    out.push(b',');
                }
            } else {
                out.extend_from_slice(b"{\"line\":");
                string(out, &String::from_utf8_lossy(text));
                out.push(b',');
            }
            string(out, name);
            out.push(b':');
            string(out, &value);
            out.extend_from_slice(b"}\n");
        }
    }

    fn line(&self, row: &JsonRow) -> u64 {
        row.line
    }
}

/// Appends a JSON string.
fn string(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("a string can be written to memory");
}

/// For fuzz targets: whatever the line is, what is written is one line with one JSON object.
pub(super) fn fuzz(data: &[u8]) {
    let name = |name: &str| name.to_owned();
    let layout = JsonLayout(Columns {
        data: name("d"),
        key: Some(name("k")),
        iv: None,
        result: name("r"),
        error: name("e"),
    });
    let text = data.split(|&byte| byte == b'\n').next().unwrap_or_default().to_vec();
    let row = JsonRow { text, line: 1 };
    let read = layout.fields(&row).map(|fields| fields.data.to_vec());
    let mut out = Vec::new();
    let outcome = |_| read.as_deref().map_err(String::as_str);
    layout.render(std::slice::from_ref(&row), &outcome, &mut out);
    assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
    let written: Value = serde_json::from_slice(&out).expect("what is written is JSON");
    assert_eq!(written.get("r").is_some(), read.is_ok());
}
