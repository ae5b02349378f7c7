//! A whole value, pasted or a small file, and columns of them.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::looks;
use cipherloom_formats::preset::{Charset, Outcome, Preset};
use serde_json::{Value, json};

use crate::filled::Filled;
use crate::form::{Form, Way};
use crate::sampler::Sampler;
use crate::session::{Answer, Reply};
use crate::stream::Stream;

/// Bytes of a plaintext that are read as text here; of longer ones the page shows the start.
const SHOWN: usize = 1 << 20;

/// Opens a value. The report has its `status`, that `words` say, what the plaintext `looks` like, and it as
/// `text`, if it is text.
pub(crate) fn open(form: &Form, value: &[u8]) -> Answer {
    match form.way()? {
        Way::Preset(preset) => by_preset(preset, &Filled::new(form, preset)?, value),
        Way::OpenSsl | Way::Raw => by_cipher(form, value),
    }
}

/// Opens a value in each line, and says of each what became of it: its `status`, the `words` and the `plaintext`,
/// in hex if it is no text. What all values share is derived once.
pub(crate) fn column(form: &Form, text: &[u8]) -> Answer {
    let filled = match form.way()? {
        Way::Preset(preset) => Some((preset, Filled::new(form, preset)?)),
        Way::OpenSsl | Way::Raw => None,
    };
    let mut opener = filled.as_ref().map(|(preset, filled)| preset.opener(filled.given()));
    let rows = text.split(|&byte| byte == b'\n').map(|value| {
        let reply = match (&filled, &mut opener) {
            (Some((preset, filled)), Some(opener)) => match opener.open(value) {
                // It may be written in another way than most are.
                Ok(Outcome::Damaged(_)) => by_preset(preset, filled, value),
                Ok(outcome) => Ok(told(preset, filled, value, outcome)),
                Err(error) => Err(error.to_string()),
            },
            _ => by_cipher(form, value),
        };
        let Reply { bytes, report } = match reply {
            Ok(reply) => reply,
            Err(words) => return json!({ "status": "not opened", "words": words, "plaintext": "" }),
        };
        let plaintext = report["text"].as_str().map_or_else(|| hex(&bytes), str::to_owned);
        json!({ "status": report["status"], "words": report["words"], "plaintext": plaintext })
    });
    Ok(Value::Array(rows.collect()).into())
}

fn hex(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    // Only text in UTF-8 can be refused, and this is none.
    let _ = Encoding::Hex.encode(bytes, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn by_preset(preset: &Preset, filled: &Filled, value: &[u8]) -> Answer {
    let outcome = preset.open_file(&filled.given(), value).map_err(|error| error.to_string())?;
    Ok(told(preset, filled, value, outcome))
}

/// What became of a value.
fn told(preset: &Preset, filled: &Filled, value: &[u8], mut outcome: Outcome) -> Reply {
    let (words, status) = (outcome.to_string(), outcome.status());
    let is_short = |bytes: &[u8]| bytes.len() <= SHOWN;
    let (bytes, text) = match &mut outcome {
        Outcome::Decrypted(plaintext) => {
            let bytes = std::mem::take(&mut *plaintext.bytes);
            let text = is_short(&bytes).then(|| preset.read_text(None, &bytes)).flatten();
            (bytes, text)
        }
        Outcome::PassedThrough(_) => {
            let bytes = preset.passed_through(&filled.given(), value).into_owned();
            let text = preset.read_text(None, &bytes).or_else(|| Charset::Utf8.read(&bytes));
            (bytes, text)
        }
        _ => Default::default(),
    };
    reply(bytes, status, &words, text.as_deref().map(String::as_str))
}

/// By `openssl enc`, or under a key: as a file would be opened, in one piece.
fn by_cipher(form: &Form, value: &[u8]) -> Answer {
    let mut bytes = Vec::new();
    let encoding = form.encoding().unwrap_or_else(|| looks_written(value));
    encoding.decode_pasted(value, &mut bytes).map_err(|error| error.to_string())?;
    let mut sampler = Sampler::default();
    sampler.feed(&bytes)?;
    let (mut stream, notes) = Stream::begin(form, sampler.finish()?, None)?;
    let mut plaintext = Vec::with_capacity(bytes.len() + 64);
    stream.update(&bytes, &mut plaintext)?;
    let mut words = notes;
    words.extend(stream.finish(&mut plaintext)?);
    let read = looks::is_text(&plaintext).then(|| Charset::Utf8.read(&plaintext)).flatten();
    let text = read.as_deref().map(String::as_str);
    Ok(reply(plaintext, "decrypted", &words.join("; "), text))
}

/// How a value is written that says nothing of that: as hex, or else as base64, if it is one of them.
fn looks_written(value: &[u8]) -> Encoding {
    let is_one = |encoding: &Encoding| encoding.decode_pasted(value, &mut Vec::new()).is_ok();
    [Encoding::Hex, Encoding::Base64].into_iter().find(is_one).unwrap_or(Encoding::Text)
}

fn reply(bytes: Vec<u8>, status: &str, words: &str, text: Option<&str>) -> Reply {
    let looks = looks::like_what(&bytes).map(|looks| looks.to_string());
    let report = json!({
        "status": status,
        "words": words,
        "looks": looks,
        "text": text,
    });
    Reply { bytes, report }
}
