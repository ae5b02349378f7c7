//! What there is to choose from, and what a value may be.

use cipherloom_formats::Cipher;
use cipherloom_formats::derivation::Digest;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{
    Ciphers, Container, Evidence, IvFrom, KeyFrom, Preset, SecretKind, Sign, Text,
};
use cipherloom_formats::recognise::{Guess, recognise_start};
use serde_json::{Value, json};

use crate::form::{OPENSSL, RAW};

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
            "ciphers": [], "digest": true, "count": true, "padding": true,
        }),
        json!({
            "name": RAW,
            "title": "a cipher under a key, and nothing around it",
            "shown_by": "padding, where the mode has it",
            "secret": "key in hex", "iv": "cipher's", "salt": "none",
            "ciphers": [], "digest": false, "count": false, "padding": true,
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
        _ if preset.takes_iv(None) => "needed",
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
        "padding": preset.takes_fill(None),
        "long": preset.is_of_any_length(),
    })
}

/// What a value, a column or the start of a file of `len` bytes may be; likely ones first.
pub(crate) fn recognise(start: &[u8], len: u64) -> Value {
    let seen = recognise_start(start, Some(len));
    let mut guesses: Vec<Value> = Vec::new();
    for guess in seen.guesses.iter().map(told) {
        // The ways of OpenSSL are one here.
        let is_same = |other: &Value| !guess["way"].is_null() && other["way"] == guess["way"];
        if !guesses.iter().any(is_same) {
            guesses.push(guess);
        }
    }
    // It finds out which of its ways it was, and others' ways are among them.
    if let Some(at) = guesses.iter().position(|guess| guess["way"] == OPENSSL) {
        guesses[..=at].rotate_right(1);
    }
    json!({ "guesses": guesses, "is_column": seen.is_column })
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
