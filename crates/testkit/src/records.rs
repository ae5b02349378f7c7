//! Records of `NAME = value` lines: the form of CAVP's `.rsp` files and of our own vector files.

/// One record: the lines between two blank ones.
#[derive(Clone, Debug)]
pub struct Record {
    /// The file, relative to `vectors/`.
    pub file: String,
    /// The number of its first line, from 1.
    pub line: usize,
    /// What the last `[...]` line said.
    pub part: String,
    fields: Vec<(String, String)>,
}

impl Record {
    /// The value of a field as it stands there, if it is there.
    pub fn find(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The value of a field as it stands there.
    ///
    /// # Panics
    /// If the record lacks it.
    pub fn text(&self, name: &str) -> &str {
        self.find(name).unwrap_or_else(|| panic!("{}: no field {name}", self.place()))
    }

    /// The value of a field of hexadecimal digits.
    ///
    /// # Panics
    /// If the record lacks it, or it is something else.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let text = self.text(name);
        hex::decode(text).unwrap_or_else(|error| panic!("{}: {name}: {error}", self.place()))
    }

    /// The value of a field of 16 hexadecimal digits.
    ///
    /// # Panics
    /// If the record lacks it, or it is something else.
    pub fn block(&self, name: &str) -> [u8; 8] {
        let bytes = self.bytes(name);
        bytes.try_into().unwrap_or_else(|_| panic!("{}: {name} is not 8 bytes", self.place()))
    }

    /// The value of a field that is a decimal number.
    ///
    /// # Panics
    /// If the record lacks it, or it is something else.
    pub fn number(&self, name: &str) -> usize {
        let text = self.text(name);
        text.parse().unwrap_or_else(|error| panic!("{}: {name}: {error}", self.place()))
    }

    /// Where the record stands: `file:line`.
    pub fn place(&self) -> String {
        format!("vectors/{}:{}", self.file, self.line)
    }
}

/// The records of a file below `vectors/`.
///
/// # Panics
/// If the file cannot be read or has a line that is no part of the form.
pub fn read(file: &str) -> Vec<Record> {
    parse(file, &crate::vector_text(file))
}

/// The records of a text; `file` is the name to give them.
///
/// # Panics
/// If a line is no part of the form.
pub fn parse(file: &str, text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut part = String::new();
    let mut open = false;
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            open = false;
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            part = name.to_string();
            open = false;
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            panic!("vectors/{file}:{number}: neither `NAME = value` nor `[part]`: {line}");
        };
        if !open {
            let fields = Vec::new();
            records.push(Record { file: file.into(), line: number, part: part.clone(), fields });
            open = true;
        }
        let fields = &mut records.last_mut().expect("one was just opened").fields;
        fields.push((name.trim().to_string(), value.trim().to_string()));
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_what_stands_between_blank_lines() {
        let records = parse("x", "# c\n[A]\nK = 01\nP =\n\n\n[B]\r\nK = 0203\r\n# c\nN = 12\n");
        assert_eq!(records.len(), 2);
        assert_eq!((records[0].part.as_str(), records[1].part.as_str()), ("A", "B"));
        assert!(records[0].bytes("P").is_empty());
        assert_eq!((records[1].bytes("K"), records[1].number("N")), (vec![2, 3], 12));
        assert_eq!(records[1].place(), "vectors/x:8");
    }

    #[test]
    #[should_panic(expected = "vectors/x:2: neither")]
    fn a_line_of_another_form_is_an_error() {
        parse("x", "K = 01\nnonsense\n");
    }
}
