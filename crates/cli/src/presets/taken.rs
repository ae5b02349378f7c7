//! Which options a preset takes: what is left over would change nothing.

use cipherloom_formats::Cipher;
use cipherloom_formats::preset::{Charset, KeyFrom, Preset, SecretKind};

use crate::args::given::Given;
use crate::errors::Result;

/// Refuses options that `preset` does not take; `is_command` knows those of the command that are not for presets
/// alone, and `cipher` is the one that was named.
///
/// # Errors
/// Bad usage: the first of them, and why.
pub(crate) fn check(
    preset: &Preset,
    cipher: Option<&str>,
    given: &Given,
    is_command: impl Fn(&str) -> bool,
) -> Result<()> {
    // The first is taken where none is named; what is wrong with a name is said elsewhere.
    let first = preset.choice().and_then(|names| names.first().copied());
    let cipher = cipher.or(first).and_then(Cipher::find);
    let is_taken = |id: &str| match id {
        "preset" | "cipher" => true,
        "iv" | "iv_column" => preset.takes_iv(cipher.as_ref()),
        "salt_hex" | "salt" | "salt_column" => preset.takes_salt(),
        "md" => preset.takes_digest(),
        "iter" => preset.takes_count(),
        "padding" | "nopad" => preset.takes_fill(cipher.as_ref()),
        "charset" => preset.charset != Charset::Der,
        "k" | "kfile" => matches!(preset.secret, SecretKind::Password(_)),
        "pass" => {
            let has_other = given.has("k") || given.has("kfile");
            matches!(preset.secret, SecretKind::Password(_)) && !has_other
        }
        "raw_key" | "key" => matches!(preset.secret, SecretKind::Key(..)),
        "key_file" => matches!(preset.secret, SecretKind::Key(..)) || preset.key == KeyFrom::MySql,
        "key_column" => preset.secret != SecretKind::None,
        "key_encoding" => {
            matches!(preset.secret, SecretKind::Key(..))
                || preset.secret != SecretKind::None && given.has("key_column")
        }
        _ => is_command(id),
    };
    given.refuse(is_taken, |id| {
        let why = match (id, preset.secret) {
            (
                "k" | "kfile" | "pass" | "raw_key" | "key" | "key_file" | "key_encoding"
                | "key_column",
                secret,
            ) => match secret {
                SecretKind::None => "it needs no key and no password",
                SecretKind::Password(_) => "it takes one password, by -k, -kfile or -pass",
                SecretKind::Key(..) => "it takes a key, by -K or --key-file",
            },
            (
                "iv" | "iv_column" | "salt_hex" | "salt" | "salt_column" | "md" | "iter"
                | "padding" | "nopad" | "charset",
                _,
            ) => "program or value have that, or there is none",
            ("encrypt", _) => "presets open values and make none",
            _ => "it is for ciphers without a preset",
        };
        format!("does nothing with preset {}: {why}; leave it out", preset.name)
    })
}
