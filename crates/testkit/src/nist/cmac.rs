//! The examples of CMAC: `TDES_CMAC.txt`.

use super::{block, bytes, digits, lines};

/// One sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// `file:line`, for messages.
    pub place: String,
    /// KEY1, KEY2, KEY3.
    pub keys: [[u8; 8]; 3],
    /// The message.
    pub message: Vec<u8>,
    /// The subkey K1 or K2, whichever the last block takes, with its number.
    pub subkey: (usize, [u8; 8]),
    /// The blocks that go into the cipher, and those that come out; not that of the subkeys.
    pub blocks: Vec<([u8; 8], [u8; 8])>,
    /// L, the encrypted block of zeros.
    pub l: [u8; 8],
    /// The tag.
    pub tag: [u8; 8],
}

/// All samples.
///
/// # Panics
/// If the file is missing or has another form.
pub fn read() -> Vec<Sample> {
    let file = "vectors/nist-examples/TDES_CMAC.txt";
    let text = crate::vector_text("nist-examples/TDES_CMAC.txt");
    let mut samples = Vec::new();
    let mut keys = Values::default();
    let mut open: Option<(usize, Values)> = None;
    for (number, line) in lines(&text) {
        let begins_keys = line == "CMAC-TDES (Generation)";
        if begins_keys || line.starts_with("Sample #") {
            samples.extend(open.take().map(|(line, values)| sample(file, line, &keys, &values)));
            if begins_keys {
                keys = Values::default();
            } else {
                open = Some((number, Values::default()));
            }
            continue;
        }
        match &mut open {
            Some((_, values)) => values.read(line),
            None => keys.read(line),
        }
    }
    samples.extend(open.map(|(line, values)| sample(file, line, &keys, &values)));
    samples
}

/// Labels and the digits that follow each, on its line or below.
#[derive(Default)]
struct Values(Vec<(String, String)>);

impl Values {
    fn read(&mut self, line: &str) {
        if let Some(more) = digits(line) {
            if let Some((_, value)) = self.0.last_mut() {
                value.push_str(&more);
            }
            return;
        }
        // `inBlock = ...`, `K1: ...`, `L ...`, or a label alone.
        let (label, value) = line
            .split_once(" = ")
            .or_else(|| line.split_once(": "))
            .or_else(|| line.strip_prefix("L ").map(|value| ("L", value)))
            .unwrap_or((line, ""));
        // A lone L has lost its value to the line below "Full Blocks".
        if line != "L" {
            self.0.push((label.to_string(), digits(value).unwrap_or_default()));
        }
    }

    fn all<'a>(&'a self, label: &str) -> Vec<&'a str> {
        let of_label = self.0.iter().filter(|(name, _)| name == label);
        of_label.map(|(_, value)| value.as_str()).collect()
    }

    fn one<'a>(&'a self, place: &str, label: &str) -> &'a str {
        self.all(label).first().copied().unwrap_or_else(|| panic!("{place}: no {label}"))
    }
}

fn sample(file: &str, line: usize, keys: &Values, values: &Values) -> Sample {
    let place = format!("{file}:{line}");
    let blocks = |label| -> Vec<[u8; 8]> {
        values.all(label).into_iter().map(|value| block(&place, value)).collect()
    };
    let (ins, outs) = (blocks("inBlock"), blocks("outBlock"));
    assert_eq!(ins.len(), outs.len(), "{place}: as many blocks in as out");
    // L stands behind its letter, or alone under "Full Blocks".
    let l = [values.all("L"), values.all("Full Blocks")]
        .into_iter()
        .flatten()
        .find(|value| !value.is_empty())
        .unwrap_or_else(|| panic!("{place}: no L"));
    let subkey = match (&values.all("K1")[..], &values.all("K2")[..]) {
        ([k1], []) => (1, block(&place, k1)),
        ([], [k2]) => (2, block(&place, k2)),
        _ => panic!("{place}: one of K1 and K2"),
    };
    Sample {
        keys: ["Key1 is", "Key2 is", "Key3 is"].map(|name| block(&place, keys.one(&place, name))),
        message: bytes(&place, values.one(&place, "Plaintext is")),
        subkey,
        blocks: ins.into_iter().zip(outs).collect(),
        l: block(&place, l),
        tag: block(&place, values.one(&place, "Tag is")),
        place,
    }
}
