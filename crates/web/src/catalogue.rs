//! What there is to choose from, and what a value may be.

use std::cmp::Reverse;

use cipherloom_formats::derivation::Digest;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{
    Ciphers, Container, Evidence, IvFrom, KeyFrom, Preset, SecretKind, Sign, Text,
};
use cipherloom_formats::recognise::{self, Guess};
use cipherloom_formats::{Cipher, salted};
use serde_json::{Value, json};

use crate::form::{OPENSSL, RAW};

/// A line of a text in lines is at least so long; columns of short values have shorter ones.
const LINE: usize = 60;

/// Lines of a column that are looked at.
const LOOKED_AT: usize = 32;

/// Presets, ciphers and digests.
pub(crate) fn describe() -> Value {
    let ciphers: Vec<_> = Cipher::names()
        .into_iter()
        .filter_map(|name| {
            let cipher = Cipher::find(&name)?;
            // Short names are other names of the same.
            let (_, most) = cipher.raw_key_len();
            (cipher.name == name)
                .then(|| json!({ "name": name, "iv": cipher.iv_len(), "key": most }))
        })
        .collect();
    let mut ways = vec![
        json!({
            "name": OPENSSL,
            "title": "openssl enc, with a password",
            "shown_by": "padding, and what the start looks like",
            "secret": "password", "iv": "none", "salt": "optional",
            "ciphers": [], "digest": true, "count": true,
        }),
        json!({
            "name": RAW,
            "title": "a cipher under a key in hex, and nothing around it",
            "shown_by": "padding, where the mode has it",
            "secret": "key in hex", "iv": "cipher's", "salt": "none",
            "ciphers": [], "digest": false, "count": false,
        }),
    ];
    ways.extend(Preset::all().filter(|preset| !is_openssl(preset)).map(preset));
    let digests: Vec<&str> = Digest::ALL.iter().map(|digest| digest.name()).collect();
    json!({ "ways": ways, "ciphers": ciphers, "digests": digests })
}

/// Those of `openssl enc`: it is a way of its own, for files too, that finds out which of them.
fn is_openssl(preset: &Preset) -> bool {
    preset.container == Container::Salted && preset.ciphers == Ciphers::Any
}

fn preset(preset: &Preset) -> Value {
    let secret = match preset.secret {
        SecretKind::None => "none",
        SecretKind::Password(_) => "password",
        SecretKind::Key(Encoding::Hex, _) => "key in hex",
        SecretKind::Key(Encoding::Base64, _) => "key in base64",
        SecretKind::Key(..) => "key as characters",
    };
    let iv = match preset.iv {
        IvFrom::GivenZeroPadded => "optional",
        _ if preset.takes_iv() => "needed",
        _ => "none",
    };
    let salt = match preset.key {
        KeyFrom::Dukpt(_) => "KSN",
        KeyFrom::PasswordDeriveBytes(..) => "needed",
        _ if preset.takes_salt() => "optional",
        _ => "none",
    };
    json!({
        "name": preset.name,
        "title": preset.written_by,
        "shown_by": preset.shown_by(),
        "is_checked": preset.evidence == Evidence::Checked,
        "secret": secret,
        "iv": iv,
        "salt": salt,
        "key_file": preset.key == KeyFrom::MySql,
        "ciphers": preset.choice().unwrap_or_default(),
        "digest": preset.takes_digest(),
        "count": preset.takes_count(),
    })
}

/// What a value, a column or the start of a file may be; likely ones first.
pub(crate) fn recognise(value: &[u8]) -> Value {
    let is_column = is_column(value);
    let guesses = if is_column { guesses_of_lines(value) } else { guesses(value) };
    json!({ "guesses": guesses, "is_column": is_column })
}

fn guesses(value: &[u8]) -> Vec<Value> {
    let mut guesses: Vec<Value> = Vec::new();
    for guess in recognise::recognise(value) {
        let guess = told(&guess);
        if !guesses.iter().any(|other| is_same(other, &guess)) {
            guesses.push(guess);
        }
    }
    // The start of a long file may end within a group of base64.
    if is_salted(value) && guesses.iter().all(|guess| guess["way"] != OPENSSL) {
        let text = if value.starts_with(&salted::MAGIC) { "bytes" } else { "base64" };
        let why = "Salted__ and a salt before the ciphertext";
        guesses.insert(0, json!({ "way": OPENSSL, "text": text, "sure": true, "why": why }));
    }
    // It finds out which of its ways it was, and others' ways are among them.
    if let Some(at) = guesses.iter().position(|guess| guess["way"] == OPENSSL) {
        guesses[..=at].rotate_right(1);
    }
    guesses
}

/// Whether two guesses are for one format.
fn is_same(one: &Value, other: &Value) -> bool {
    one["way"] == other["way"] && (!one["way"].is_null() || one["why"] == other["why"])
}

/// Of the first lines of a column: what most of them surely are comes first, then what most may be.
fn guesses_of_lines(column: &[u8]) -> Vec<Value> {
    let mut known: Vec<([usize; 2], Value)> = Vec::new();
    let lines = column.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    for guess in lines.filter(|line| !line.is_empty()).take(LOOKED_AT).flat_map(guesses) {
        let count = [usize::from(guess["sure"] == true), 1];
        match known.iter_mut().find(|(_, other)| is_same(other, &guess)) {
            Some((counts, _)) => *counts = [counts[0] + count[0], counts[1] + 1],
            None => known.push((count, guess)),
        }
    }
    // Of the same number, as found.
    known.sort_by_key(|(counts, _)| Reverse(*counts));
    known.into_iter().map(|(_, guess)| guess).collect()
}

fn is_salted(value: &[u8]) -> bool {
    value.starts_with(&salted::MAGIC) || value.trim_ascii_start().starts_with(b"U2FsdGVkX1")
}

fn told(guess: &Guess) -> Value {
    let way = guess.preset.map(|preset| if is_openssl(preset) { OPENSSL } else { preset.name });
    let text = match guess.text {
        Text::As(Encoding::Hex) => "hex",
        Text::As(Encoding::Base64) => "base64",
        Text::As(Encoding::Uu) => "uu",
        Text::As(Encoding::Text) => "bytes",
        // The preset takes it off.
        Text::Wrapped(..) => "",
    };
    json!({ "way": way, "text": text, "sure": guess.sign == Sign::Magic, "why": guess.why })
}

/// Whether a text is a value in each line, and no value that was broken into lines.
fn is_column(text: &[u8]) -> bool {
    if std::str::from_utf8(text).map_or(true, |text| text.contains('\0')) {
        return false;
    }
    let lines: Vec<&[u8]> = text.trim_ascii().split(|&byte| byte == b'\n').collect();
    let [first, middle @ .., last] = &lines[..] else { return false };
    let is_sure = |text: &[u8]| {
        let first = recognise::recognise(text).into_iter().next();
        first.is_some_and(|guess| guess.preset.is_some() && guess.sign == Sign::Magic)
    };
    // Such as a private key in PEM.
    if is_sure(text) && !is_sure(first) {
        return false;
    }
    let is_even = first.len() >= LINE && middle.iter().all(|line| line.len() == first.len());
    let is_broken = is_even && (is_salted(text) || !recognise::recognise(text).is_empty());
    !is_broken || is_sure(first) && is_sure(middle.first().unwrap_or(last))
}
