//! A whole value: pasted, a line of a column, or a small file.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::looks;
use cipherloom_formats::preset::{Charset, Given, Outcome, Preset, Secret, SecretKind, Text};
use serde_json::json;

use crate::form::{Form, Way};
use crate::sampler::Sampler;
use crate::session::{Answer, Reply};
use crate::stream::Stream;

/// Opens a value. The report has its `status`, that `words` say, what the plaintext `looks` like, and it as
/// `text`, if it is text.
pub(crate) fn open(form: &Form, value: &[u8]) -> Answer {
    match form.way()? {
        Way::Preset(preset) => by_preset(form, preset, value),
        Way::OpenSsl | Way::Raw => by_cipher(form, value),
    }
}

fn by_preset(form: &Form, preset: &'static Preset, value: &[u8]) -> Answer {
    let cipher = form.cipher()?;
    let secret = form.secret_for(preset)?;
    let (iv, salt) = (form.iv()?, form.salt()?);
    let key_file = form.key_file()?;
    let given = Given {
        secret: match &key_file {
            Some(file) => Secret::KeyFile(file),
            None if preset.secret == SecretKind::None => Secret::None,
            None => Secret::Bytes(&secret),
        },
        cipher: cipher.as_ref(),
        iv: iv.as_deref(),
        salt: salt.as_deref(),
        text: form.encoding().map(Text::As),
        fill: form.fill()?,
        digest: form.digest()?,
        count: form.count()?,
        ..Given::default()
    };
    let outcome = preset.open_file(&given, value).map_err(|error| error.to_string())?;
    let (bytes, text) = match &outcome {
        Outcome::Decrypted(plaintext) => {
            (plaintext.bytes.to_vec(), preset.read_text(None, &plaintext.bytes))
        }
        Outcome::PassedThrough(_) => {
            let bytes = preset.passed_through(&given, value).into_owned();
            let text = preset.read_text(None, &bytes).or_else(|| Charset::Utf8.read(&bytes));
            (bytes, text)
        }
        _ => Default::default(),
    };
    Ok(reply(bytes, outcome.status(), &outcome.to_string(), text.as_deref().map(String::as_str)))
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
    words.extend(stream.finish(&mut plaintext)?.iter().map(|it| format!("salvaged, but {it}")));
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
