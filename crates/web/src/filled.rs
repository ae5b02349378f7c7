//! What a form gives to a preset.

use std::num::NonZeroU32;

use cipherloom_formats::Cipher;
use cipherloom_formats::derivation::Digest;
use cipherloom_formats::key_file::KeyFile;
use cipherloom_formats::preset::{Fill, Given, Preset, Secret, SecretKind, Text};

use crate::form::Form;

/// See above.
pub(crate) struct Filled {
    cipher: Option<Cipher>,
    /// None where the preset needs none, or has the key file.
    secret: Option<Vec<u8>>,
    key_file: Option<KeyFile>,
    iv: Option<Vec<u8>>,
    salt: Option<Vec<u8>>,
    text: Option<Text>,
    fill: Option<Fill>,
    digest: Option<Digest>,
    count: Option<NonZeroU32>,
}

impl Filled {
    pub(crate) fn new(form: &Form, preset: &Preset) -> Result<Self, String> {
        let key_file = form.key_file()?;
        let has_secret = key_file.is_none() && preset.secret != SecretKind::None;
        Ok(Self {
            cipher: form.cipher()?,
            secret: has_secret.then(|| form.secret_for(preset)).transpose()?,
            key_file,
            iv: form.iv()?,
            salt: form.salt()?,
            text: form.encoding().map(Text::As),
            fill: form.fill()?,
            digest: form.digest()?,
            count: form.count()?,
        })
    }

    pub(crate) fn given(&self) -> Given<'_> {
        Given {
            secret: match (&self.key_file, &self.secret) {
                (Some(file), _) => Secret::KeyFile(file),
                (None, Some(secret)) => Secret::Bytes(secret),
                (None, None) => Secret::None,
            },
            cipher: self.cipher.as_ref(),
            iv: self.iv.as_deref(),
            salt: self.salt.as_deref(),
            text: self.text,
            fill: self.fill,
            charset: None,
            digest: self.digest,
            count: self.count,
        }
    }
}
