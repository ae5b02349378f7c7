//! For fuzz targets: values that are recognised, opened and made.

use std::num::NonZeroU32;

use crate::cipher::Cipher;
use crate::encoding::Encoding;
use crate::preset::{Charset, Ciphers, Fill, Given, Inner, Outcome, Preset, Secret, Text};
use crate::recognise::recognise;

/// Bytes of the input that say what is done with the others: preset, cipher, length of the secret and
/// whether the value is text.
const CHOICES: usize = 3;

/// Bytes for a salt, DUKPT's number or an IV.
const SALT: [u8; 24] = [0x53; 24];

/// Recognises a value, opens it as each of the presets that it may be of and as one that was chosen, and makes a
/// value of it by that one.
///
/// # Panics
/// If something that was opened was not recognised, or what was made is not opened again.
pub(super) fn fuzz(data: &[u8]) {
    let Some((&[which, cipher, len], rest)) = data.split_first_chunk::<CHOICES>() else { return };
    let presets: Vec<_> = Preset::all().collect();
    let preset = presets[usize::from(which) % presets.len()];
    let (secret, value) = rest.split_at(rest.len().min(usize::from(len >> 1)));
    for guess in recognise(value) {
        assert!(!guess.to_string().is_empty());
        if let Some(row) = guess.preset {
            let cipher = cipher_of(row, cipher);
            let text = Some(guess.text);
            let _ = row.open(&Given { text, ..given(row, secret, cipher.as_ref()) }, value);
        }
    }
    let cipher = cipher_of(preset, cipher);
    let mut given = given(preset, secret, cipher.as_ref());
    if len & 1 == 1 {
        given.text = Some(Text::As(Encoding::Text));
        let is_opened = matches!(preset.open(&given, value), Ok(Outcome::Decrypted(_)));
        let is_recognised = value.is_empty() || preset.fits(value).is_some();
        assert!(!is_opened || is_recognised, "{}", preset.name);
    } else {
        let _ = preset.open(&given, value).map(|outcome| outcome.to_string());
    }
    let Ok(made) = preset.seal(&given, value) else { return };
    // What is no text of the kind that the row has is taken for a wrong key's, and zeros for padding.
    let is_kept = preset.charset == Charset::Bytes || preset.charset.read(value).is_some();
    if is_kept && preset.fill != Fill::Zeros {
        let opened = preset.open(&given, &made);
        let plaintext = opened.as_ref().ok().and_then(Outcome::plaintext);
        assert_eq!(plaintext, Some(value), "{}: {opened:?}", preset.name);
    }
}

fn cipher_of(preset: &Preset, choice: u8) -> Option<Cipher> {
    let choice = usize::from(choice);
    match preset.ciphers {
        Ciphers::Any => Cipher::find(&Cipher::names()[choice % Cipher::names().len()]),
        Ciphers::Of(names) => Cipher::find(names[choice % names.len()]),
        _ => None,
    }
}

/// One round, since the presets' counts would leave no time for anything else.
fn given<'a>(preset: &Preset, secret: &'a [u8], cipher: Option<&'a Cipher>) -> Given<'a> {
    let (salt, iv) = match (preset.inner, preset.ciphers) {
        _ if preset.name.starts_with("dukpt") => (10, 8),
        (Inner::Salt(len), _) => (len, 8),
        (_, Ciphers::Aes256Cbc) => (8, 16),
        _ => (8, 8),
    };
    Given {
        secret: Secret::Bytes(secret),
        cipher,
        salt: Some(&SALT[..salt]),
        iv: Some(&SALT[..iv]),
        count: NonZeroU32::new(1),
        ..Given::default()
    }
}
