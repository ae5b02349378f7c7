//! The examples of the modes: ECB, CBC, CFB, OFB, CTR, and TDEA's inner blocks.
//!
//! Where a table lost its columns, its fields have no values, and the values stand one to a line
//! beside the result, in the order of the fields. They are put back: the result comes before them
//! or behind them, whichever gives every field a value of its own width.

use super::{block, bytes, digits, lines};

/// The mode of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Electronic codebook.
    Ecb,
    /// Cipher block chaining.
    Cbc,
    /// Cipher feedback with segments of so many bits: 1, 8 or 64.
    Cfb(usize),
    /// Output feedback.
    Ofb,
    /// Counter mode.
    Ctr,
}

/// One worked example.
#[derive(Clone, Debug)]
pub struct Example {
    /// `file:line`, for messages.
    pub place: String,
    /// The mode.
    pub mode: Mode,
    /// Whether the example encrypts; else it decrypts.
    pub encrypts: bool,
    /// KEY1, KEY2, KEY3.
    pub keys: [[u8; 8]; 3],
    /// The initialization vector, in CTR the first counter; ECB has none.
    pub iv: Option<[u8; 8]>,
    /// The plaintext.
    pub plaintext: Vec<u8>,
    /// The ciphertext.
    pub ciphertext: Vec<u8>,
    /// The steps, one for each block or segment.
    pub steps: Vec<Step>,
}

/// The intermediate values of one block or segment, as the example names them; a CFB-1 segment is
/// one binary digit, every other value is in hexadecimal.
#[derive(Clone, Debug, Default)]
pub struct Step {
    fields: Vec<(String, String)>,
}

impl Step {
    /// The 8-byte value of a field such as `InputBlock`, if the step has it.
    ///
    /// # Panics
    /// If it is something else.
    pub fn block(&self, name: &str) -> Option<[u8; 8]> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| block(name, value))
    }
}

/// The files; `TDES_ModesA_All.txt` repeats the others, except for what `TDES_Core.txt` adds.
const FILES: [&str; 7] = [
    "TDES_CBC.txt",
    "TDES_CFB.txt",
    "TDES_CTR.txt",
    "TDES_Core.txt",
    "TDES_ECB.txt",
    "TDES_ModesA_All.txt",
    "TDES_OFB.txt",
];

/// The names of fields, in both spellings; longer ones first where one begins another.
const FIELDS: [&str; 12] = [
    "TDES_Core: BlockIn",
    "TDES_Core: BlockOut",
    "DES: BlockOut1",
    "DES: BlockOut2",
    "InputBlock",
    "OutputBlock",
    "Text-In",
    "Text-Out",
    "Blockin",
    "Blockout",
    "Plaintext",
    "Ciphertext",
];

/// All examples of the modes.
///
/// # Panics
/// If a file is missing or has another form.
pub fn read() -> Vec<Example> {
    let mut examples = Vec::new();
    for file in FILES {
        let text = crate::vector_text(&format!("nist-examples/{file}"));
        let lines = lines(&text);
        let starts: Vec<usize> =
            (0..lines.len()).filter(|&n| title(lines[n].1).is_some()).collect();
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        for (&start, end) in starts.iter().zip(ends) {
            let place = format!("vectors/nist-examples/{file}:{}", lines[start].0);
            let lines: Vec<&str> = lines[start..end].iter().map(|&(_, line)| line).collect();
            examples.push(example(place, &lines));
        }
    }
    examples
}

/// `CBC-TDES (Encryption)`: the name of the mode, and whether it encrypts.
fn title(line: &str) -> Option<(&str, bool)> {
    let (mode, rest) = line.split_once("-TDES")?;
    let (_, direction) = rest.split_once(" (")?;
    match direction {
        "Encryption)" => Some((mode, true)),
        "Decryption)" => Some((mode, false)),
        _ => None,
    }
}

/// What has been read of an example.
#[derive(Default)]
struct Draft<'a> {
    /// `NAME is`, and the lines of digits that follow it.
    values: Vec<(&'a str, Vec<String>)>,
    segment: Option<usize>,
    steps: Vec<Step>,
}

impl Draft<'_> {
    fn value(&self, place: &str, name: &str) -> &[String] {
        let value = self.values.iter().find(|(label, _)| *label == name);
        value.map(|(_, lines)| &lines[..]).unwrap_or_else(|| panic!("{place}: no `{name} is`"))
    }
}

fn example(place: String, lines: &[&str]) -> Example {
    let (mode, encrypts) = title(lines[0]).expect("begins with a title");
    let mut draft = Draft::default();
    for line in &lines[1..] {
        read_line(&place, line, &mut draft);
    }
    let mode = match (mode, draft.segment) {
        ("ECB", None) => Mode::Ecb,
        ("CBC", None) => Mode::Cbc,
        ("CFB", Some(s)) => Mode::Cfb(s),
        ("OFB", None) => Mode::Ofb,
        ("CTR", None) => Mode::Ctr,
        other => panic!("{place}: unknown mode {other:?}"),
    };
    let names = if encrypts { ["Plaintext", "Ciphertext"] } else { ["Ciphertext", "Plaintext"] };
    let given = bytes(&place, &draft.value(&place, names[0]).concat());
    let result = draft.value(&place, names[1]).to_vec();
    let result = bytes(&place, &mend(&place, mode, &result, given.len(), &mut draft.steps));
    let (plaintext, ciphertext) = if encrypts { (given, result) } else { (result, given) };
    let key = |name| block(&place, &draft.value(&place, name).concat());
    Example {
        keys: ["Key1", "Key2", "Key3"].map(key),
        iv: match mode {
            Mode::Ecb => None,
            Mode::Ctr => Some(key("Initial Counter Value")),
            _ => Some(key("IV")),
        },
        mode,
        encrypts,
        plaintext,
        ciphertext,
        steps: draft.steps,
        place,
    }
}

fn read_line<'a>(place: &str, line: &'a str, draft: &mut Draft<'a>) {
    if let Some(label) = line.strip_suffix(" is") {
        draft.values.push((label, Vec::new()));
    } else if let Some(s) = line.strip_prefix("Segment Length = ") {
        draft.segment = s.parse().ok();
    } else if line.starts_with("Block #") || line.starts_with("Segment #") {
        draft.steps.push(Step::default());
    } else if let Some(digits) = digits(line) {
        let open = draft.values.last_mut().unwrap_or_else(|| panic!("{place}: digits first"));
        open.1.push(digits);
    } else if let Some(name) = FIELDS.into_iter().find(|name| is_field(name, line)) {
        let step = draft.steps.last_mut().unwrap_or_else(|| panic!("{place}: field first"));
        let value = digits(&line[name.len()..]).unwrap_or_default();
        step.fields.push((name.to_string(), value));
    } else {
        // The heading of the next example stands before its title.
        let heading = line == "Block Cipher Modes of Operation" || line.ends_with(')');
        assert!(heading, "{place}: a line of another form: {line}");
    }
}

/// Whether `line` is this field, with a value or without.
fn is_field(name: &str, line: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Gives fields without values their values from the lines of the result, and returns the result.
fn mend(
    place: &str,
    mode: Mode,
    lines: &[String],
    result_len: usize,
    steps: &mut [Step],
) -> String {
    let empty: Vec<&mut (String, String)> = steps
        .iter_mut()
        .flat_map(|step| &mut step.fields)
        .filter(|(_, value)| value.is_empty())
        .collect();
    if empty.is_empty() {
        return lines.concat();
    }
    assert_eq!(lines.len(), empty.len() + 1, "{place}: as many values as fields, and the result");
    let width = |name: &str| match mode {
        Mode::Cfb(1) if name.ends_with("text") => 1,
        Mode::Cfb(8) if name.ends_with("text") => 2,
        _ => 16,
    };
    let fits = |values: &[String], result: &str| {
        let fitting = empty.iter().zip(values).all(|(field, value)| value.len() == width(&field.0));
        fitting && result.len() == 2 * result_len
    };
    let (first, behind) = lines.split_first().expect("one at least");
    let (last, before) = lines.split_last().expect("one at least");
    let (values, result) = match (fits(behind, first), fits(before, last)) {
        (true, false) => (behind, first),
        (false, true) => (before, last),
        _ => panic!("{place}: the values fit the fields in no way, or in two"),
    };
    for (field, value) in empty.into_iter().zip(values) {
        field.1.clone_from(value);
    }
    result.clone()
}
