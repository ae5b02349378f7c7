//! Records as JSON objects, one a line.

use cipherloom_formats::encoding::Encoding;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::layout::{Field, Fields, Layout};
use super::plan::Columns;
use super::rows::Splitter;
use super::status::{Ending, Status};

/// The name under which a line that is no object is kept.
const LINE: &str = "line";
/// The same for a line that is no UTF-8 text.
const LINE_BASE64: &str = "line_base64";
/// Both.
pub(super) const KEPT: [&str; 2] = [LINE, LINE_BASE64];

/// Finds the ends of lines.
pub(super) struct JsonSplitter;

/// Knows the names of the fields.
pub(super) struct JsonLayout(pub(super) Columns);

impl Splitter for JsonSplitter {
    fn split(&mut self, text: &[u8]) -> (usize, bool) {
        memchr::memchr(b'\n', text).map_or((text.len(), false), |place| (place, true))
    }

    fn is_blank(row: &[u8]) -> bool {
        row.trim_ascii().is_empty()
    }
}

/// What stands in a line under a name.
#[derive(Clone, Copy, Debug, Default)]
enum Found<'r> {
    #[default]
    Nothing,
    /// A value as it is written.
    Value(&'r str),
    /// Programs differ in which of several values counts.
    Several,
}

/// The names that are looked for, and what stands under them. All other fields are passed over,
/// however large and deep they are.
struct Object<'c, 'r> {
    names: [Option<&'c str>; 7],
    found: [Found<'r>; 7],
}

impl JsonLayout {
    /// Goes through a line: it must be one object, without the names that are to be added. Returns
    /// what stands under the names of data, key, IV and salt.
    fn find<'r>(&self, line: &'r [u8]) -> Result<[Found<'r>; 4], String> {
        let text = std::str::from_utf8(line).map_err(|_| "the line is no UTF-8 text")?;
        let no_object = |error| format!("the line is no JSON object: {error}");
        if !text.trim_ascii_start().starts_with('{') {
            serde_json::from_str::<IgnoredAny>(text).map_err(no_object)?;
            return Err("the line is JSON but no object".into());
        }
        let columns = self.0.all();
        let names = columns.map(|(_, name)| name);
        let mut json = serde_json::Deserializer::from_str(text);
        let object = Object { names, found: Default::default() };
        let found = json.deserialize_map(object).map_err(no_object)?;
        json.end().map_err(no_object)?;
        let [data, key, iv, salt, added @ ..] = found;
        for ((option, name), found) in columns[4..].iter().zip(added) {
            if !matches!(found, Found::Nothing) {
                let name = name.unwrap_or_default();
                return Err(format!(
                    "the record has a field {name} already; name another with {option}"
                ));
            }
        }
        Ok([data, key, iv, salt])
    }
}

impl<'r> Found<'r> {
    /// The string that stands there.
    fn field(self, name: &str) -> Result<Field<'r>, String> {
        let text = match self {
            Self::Nothing => return Err(format!("the record has no field {name}")),
            Self::Several => return Err(format!("the record has more than one field {name}")),
            Self::Value("null") => return Err(format!("the field {name} is null")),
            Self::Value(text) => text,
        };
        match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            None => Err(format!("the field {name} is no string")),
            Some(inner) if !inner.contains('\\') => Ok(Field::Piece(inner.as_bytes())),
            Some(_) => match serde_json::from_str::<String>(text) {
                Ok(text) => Ok(Field::Own(text.into_bytes())),
                Err(error) => Err(format!("the field {name} is no text: {error}")),
            },
        }
    }
}

impl Layout for JsonLayout {
    fn fields<'r>(&self, row: &'r [u8]) -> Result<Fields<'r>, String> {
        let [data, key, iv, salt] = self.find(row)?;
        if matches!(data, Found::Value("null")) {
            return Ok(Fields::default());
        }
        Ok(Fields {
            key: self.0.key.as_ref().map(|name| key.field(name)).transpose()?,
            iv: self.0.iv.as_ref().map(|name| iv.field(name)).transpose()?,
            salt: self.0.salt.as_ref().map(|name| salt.field(name)).transpose()?,
            data: Some(data.field(&self.0.data)?),
        })
    }

    /// The line stays as it is, byte for byte, but for what is added before its last brace. A line
    /// that is no such object becomes a field of a new one.
    fn write(&self, row: &[u8], ending: Ending<'_>, out: &mut Vec<u8>) {
        let line = row.trim_ascii();
        // A row with a result is such an object.
        let is_object = ending.result.is_ok() || self.find(row).is_ok();
        if let (true, Some(body)) = (is_object, line.strip_suffix(b"}")) {
            let body = body.trim_ascii_end();
            out.extend(body);
            if body != b"{" {
                out.push(b',');
            }
        } else {
            out.push(b'{');
            if let Ok(text) = std::str::from_utf8(line) {
                pair(out, LINE, text);
            } else {
                let mut text = Vec::new();
                let encoded = Encoding::Base64.encode(line, &mut text);
                encoded.expect("base64 takes all bytes");
                pair(out, LINE_BASE64, utf8(&text));
            }
            out.push(b',');
        }
        if let Some(name) = &self.0.status {
            pair(out, name, ending.status.name());
            out.push(b',');
        }
        match ending.result {
            Ok(Some(result)) => pair(out, &self.0.result, utf8(result)),
            Ok(None) => {
                string(out, &self.0.result);
                out.extend(b":null");
            }
            Err(error) => pair(out, &self.0.error, error),
        }
        out.extend(b"}\n");
    }

    fn weight(&self) -> usize {
        0
    }
}

/// Results as text: hex, base64, or what was checked to be UTF-8.
fn utf8(text: &[u8]) -> &str {
    std::str::from_utf8(text).expect("a result is text")
}

/// Appends a name and a string.
fn pair(out: &mut Vec<u8>, name: &str, value: &str) {
    string(out, name);
    out.push(b':');
    string(out, value);
}

fn string(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("a string can be written to memory");
}

impl<'r> Visitor<'r> for Object<'_, 'r> {
    type Value = [Found<'r>; 7];

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'r>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        while let Some(which) = map.next_key_seed(Name(&self.names))? {
            let Some(which) = which else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = map.next_value::<&RawValue>()?.get();
            self.found[which] = match self.found[which] {
                Found::Nothing => Found::Value(value),
                _ => Found::Several,
            };
        }
        Ok(self.found)
    }
}

/// Which of the names a name is.
struct Name<'n>(&'n [Option<&'n str>; 7]);

impl<'r> DeserializeSeed<'r> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'r>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| *name == Some(text)))
    }
}

/// For fuzz targets: whatever the line is, what is written is one line with one JSON object, and
/// what was in the line is in it.
pub(super) fn fuzz(data: &[u8]) {
    use std::collections::HashMap;
    let name = |name: &str| name.to_owned();
    let layout = JsonLayout(Columns {
        data: name("d"),
        key: Some(name("k")),
        iv: None,
        salt: None,
        result: name("r"),
        status: Some(name("s")),
        error: name("e"),
    });
    let row = data.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let utf8 = |field: Field<'_>| String::from_utf8(field.to_vec()).expect("a field is text");
    let read = layout.fields(row).map(|fields| fields.data.map(utf8));
    let mut out = Vec::new();
    let result = read.as_ref().map(|text| text.as_deref().map(str::as_bytes));
    let result = result.map_err(String::as_str);
    layout.write(row, Ending { status: Status::Decrypted, result }, &mut out);
    assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
    let written: HashMap<String, &RawValue> =
        serde_json::from_slice(&out).expect("what is written is JSON");
    let text = |name: &str| {
        written
            .get(name)
            .map(|value| serde_json::from_str::<Option<String>>(value.get()).expect("a string"))
    };
    assert_eq!(text("s").flatten().as_deref(), Some("decrypted"));
    let text = |name: &str| text(name).map(|text| text.expect("no null"));
    match &read {
        Ok(None) => assert_eq!(written["r"].get(), "null"),
        Ok(Some(_)) | Err(_) => {
            let told = text("r").map(Some).ok_or_else(|| text("e").expect("an error"));
            assert_eq!(told, read);
        }
    }
    let line = row.trim_ascii();
    let body = line.strip_suffix(b"}").unwrap_or(line).trim_ascii_end();
    let is_kept = out.starts_with(body)
        || text(LINE).is_some_and(|text| text.as_bytes() == line)
        || text(LINE_BASE64).is_some_and(|text| {
            let mut bytes = Vec::new();
            Encoding::Base64.decode(text.as_bytes(), &mut bytes).is_ok() && bytes == line
        });
    assert!(is_kept, "something of the line is lost");
}
