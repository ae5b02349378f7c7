//! A whole value: pasted, a line of a column, or a small file.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::looks;
use cipherloom_formats::preset::{Charset, Given, Outcome, Preset, Secret, SecretKind, Text};
use serde_json::json;
use zeroize::Zeroizing;

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
    let outcome = preset.open(&given, value).map_err(|error| error.to_string())?;
    let status = match outcome {
        Outcome::Decrypted(_) => "decrypted",
        Outcome::PassedThrough(_) => "not encrypted",
        Outcome::Other(..) => "another format",
        Outcome::WrongKey => "wrong key",
        Outcome::NoKey(_) => "no such key",
        Outcome::Damaged(_) => "damaged",
    };
    let words = outcome.to_string();
    let (bytes, charset) = match &outcome {
        Outcome::Decrypted(plaintext) => (plaintext.bytes.to_vec(), preset.charset),
        Outcome::PassedThrough(_) => (value.to_vec(), Charset::Utf8),
        _ => (Vec::new(), Charset::Bytes),
    };
    Ok(reply(bytes, status, &words, charset))
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
    let charset = if looks::is_text(&plaintext) { Charset::Utf8 } else { Charset::Bytes };
    Ok(reply(plaintext, "decrypted", &words.join("; "), charset))
}

/// How a value is written that says nothing of that: as hex, or else as base64, if it is one of them.
fn looks_written(value: &[u8]) -> Encoding {
    let is_one = |encoding: &Encoding| encoding.decode_pasted(value, &mut Vec::new()).is_ok();
    [Encoding::Hex, Encoding::Base64].into_iter().find(is_one).unwrap_or(Encoding::Text)
}

fn reply(bytes: Vec<u8>, status: &str, words: &str, charset: Charset) -> Reply {
    let text = charset.read(&bytes).or_else(|| read(&bytes));
    let looks = looks::like_what(&bytes).map(|looks| looks.to_string());
    let report = json!({
        "status": status,
        "words": words,
        "looks": looks,
        "text": text.as_ref().map(|text| text.as_str()),
    });
    Reply { bytes, report }
}

/// Bytes of which the program does not say what they are, as text if they look like it.
fn read(bytes: &[u8]) -> Option<Zeroizing<String>> {
    if looks::is_text(bytes) {
        return Charset::Utf8.read(bytes);
    }
    // SQL Server encrypts nvarchar and varchar alike. Noise is hardly ever half of one alphabet's.
    let text = Charset::Utf16Le.read(bytes)?;
    let usual = text.chars().filter(|&c| c < '\u{100}').count();
    (2 * usual >= text.chars().count() && looks::is_text(text.as_bytes())).then_some(text)
}
