//! What the user filled in.

use std::num::NonZeroU32;

use cipherloom::Padding;
use cipherloom_formats::derivation::{DEFAULT_COUNT, Derivation, Digest, Method};
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::key_file::KeyFile;
use cipherloom_formats::preset::{Fill, Preset, SecretKind};
use cipherloom_formats::{Cipher, key_text};
use serde::Deserialize;

use crate::words;

/// The fields by their names on the page. An empty one is not filled in.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Form {
    /// A preset, or [`OPENSSL`], or [`RAW`].
    way: String,
    cipher: String,
    /// Password or key, and how that is written: as usual or `text`, `latin1`, `hex`, `base64`, a key as
    /// `characters`, or MySQL's `keyfile`.
    pub(crate) secret: String,
    secret_as: String,
    iv: String,
    salt: String,
    /// How value or file is written: `bytes`, `hex`, `base64`, `uu`.
    text: String,
    digest: String,
    count: String,
    /// `pkcs7`, `zero`, `none`, and for files `iso7816`.
    padding: String,
    /// A password without salt, and a file without header.
    pub(crate) nosalt: bool,
    pub(crate) pbkdf2: bool,
    pub(crate) salvage: bool,
}

/// `openssl enc` with a password.
pub(crate) const OPENSSL: &str = "openssl";
/// A cipher under a key, and nothing else.
pub(crate) const RAW: &str = "raw";

/// A form's way.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    OpenSsl,
    Raw,
    Preset(&'static Preset),
}

fn filled(field: &str) -> Option<&str> {
    Some(field.trim()).filter(|field| !field.is_empty())
}

impl Form {
    pub(crate) fn read(json: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(json).map_err(|error| format!("the form cannot be read: {error}"))
    }

    pub(crate) fn way(&self) -> Result<Way, String> {
        match &*self.way {
            OPENSSL => Ok(Way::OpenSsl),
            RAW => Ok(Way::Raw),
            name => Preset::find(name)
                .map(Way::Preset)
                .ok_or_else(|| "choose what wrote the data".to_owned()),
        }
    }

    pub(crate) fn cipher(&self) -> Result<Option<Cipher>, String> {
        let find = |name| Cipher::find(name).ok_or_else(|| format!("unknown cipher {name}"));
        filled(&self.cipher).map(find).transpose()
    }

    /// The password, as bytes.
    pub(crate) fn password(&self) -> Result<Vec<u8>, String> {
        self.secret_bytes("the password")
    }

    fn secret_bytes(&self, what: &str) -> Result<Vec<u8>, String> {
        if self.secret.starts_with('\u{feff}') {
            return Err(format!("{what}: {}", words::MARK));
        }
        let encoding = match &*self.secret_as {
            "hex" => Encoding::Hex,
            "base64" => Encoding::Base64,
            "latin1" => {
                let bytes = self.secret.chars().map(|c| u8::try_from(u32::from(c)));
                let bytes: Result<_, _> = bytes.collect();
                return bytes.map_err(|_| format!("{what} has characters that Latin-1 has not"));
            }
            _ => Encoding::Text,
        };
        let mut bytes = Vec::with_capacity(self.secret.len() + 3);
        let result = encoding.decode_pasted(self.secret.as_bytes(), &mut bytes);
        result.map_err(|error| format!("{what}: {error}"))?;
        Ok(bytes)
    }

    /// MySQL's key file, where that was given in place of a password.
    pub(crate) fn key_file(&self) -> Result<Option<KeyFile>, String> {
        let is_given = self.secret_as == "keyfile";
        let file = is_given.then(|| KeyFile::parse(self.secret.as_bytes()));
        file.transpose().map_err(|error| error.to_string())
    }

    /// The secret for a preset, as the preset takes it.
    pub(crate) fn secret_for(&self, preset: &Preset) -> Result<Vec<u8>, String> {
        if self.secret_as != "text" && !self.secret_as.is_empty()
            || self.secret.starts_with('\u{feff}')
        {
            let is_key = matches!(preset.secret, SecretKind::Key(..));
            return self.secret_bytes(if is_key { "the key" } else { "the password" });
        }
        let secret = preset.read_secret(self.secret.as_bytes());
        Ok(secret.map_err(|error| format!("the key: {error}"))?.to_vec())
    }

    /// The key for a cipher: in hex, if nothing else was chosen.
    pub(crate) fn key(&self, cipher: &Cipher) -> Result<Vec<u8>, String> {
        let wrong = |error: key_text::Error| format!("the key for {}: {error}", cipher.name);
        if matches!(&*self.secret_as, "" | "text" | "hex") {
            let text = self.secret.trim().as_bytes();
            return Ok(key_text::key(cipher, text, key_text::Fit::AsGiven)
                .map_err(wrong)?
                .to_vec());
        }
        let key = self.secret_bytes("the key")?;
        let (least, most) = cipher.raw_key_len();
        match key.len() {
            got if (least..=most).contains(&got) => Ok(key),
            got => Err(wrong(key_text::Error::Length { got, lengths: least..=most })),
        }
    }

    pub(crate) fn iv(&self) -> Result<Option<Vec<u8>>, String> {
        self.hex("the IV", &self.iv)
    }

    pub(crate) fn salt(&self) -> Result<Option<Vec<u8>>, String> {
        self.hex("the salt", &self.salt)
    }

    fn hex(&self, what: &str, text: &str) -> Result<Option<Vec<u8>>, String> {
        let Some(text) = filled(text) else { return Ok(None) };
        let bytes = key_text::parse(text.as_bytes(), 0..=usize::MAX);
        Ok(Some(bytes.map_err(|error| format!("{what}: {error}"))?.to_vec()))
    }

    /// How the value is written, where that was chosen or seen.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        Some(match &*self.text {
            "bytes" => Encoding::Text,
            "hex" => Encoding::Hex,
            "base64" => Encoding::Base64,
            "uu" => Encoding::Uu,
            _ => return None,
        })
    }

    pub(crate) fn digest(&self) -> Result<Option<Digest>, String> {
        let find = |name| Digest::find(name).ok_or_else(|| format!("unknown digest {name}"));
        filled(&self.digest).map(find).transpose()
    }

    pub(crate) fn count(&self) -> Result<Option<NonZeroU32>, String> {
        let read = |text: &str| text.parse().map_err(|_| words::COUNT.to_owned());
        filled(&self.count).map(read).transpose()
    }

    /// PBKDF2's count, where PBKDF2 is asked for.
    pub(crate) fn pbkdf2_count(&self) -> Result<Option<u32>, String> {
        let count = self.count()?.map(NonZeroU32::get);
        Ok(count.or(self.pbkdf2.then_some(DEFAULT_COUNT)))
    }

    /// The derivation, if the user knows it: by OpenSSL's rules, a count means PBKDF2.
    pub(crate) fn derivation(&self) -> Result<Option<Derivation>, String> {
        let method = self.pbkdf2_count()?.map_or(Method::BytesToKey, Method::Pbkdf2);
        Ok(self.digest()?.map(|digest| Derivation { digest, method }))
    }

    pub(crate) fn padding(&self) -> Padding {
        match &*self.padding {
            "iso7816" => Padding::Iso7816,
            "zero" => Padding::Zero,
            "none" => Padding::None,
            _ => Padding::Pkcs7,
        }
    }

    /// The same for a preset, where it is not as usual.
    pub(crate) fn fill(&self) -> Result<Option<Fill>, String> {
        Ok(match &*self.padding {
            "" => None,
            "pkcs7" => Some(Fill::Pkcs7),
            "zero" => Some(Fill::Zeros),
            "none" => Some(Fill::None),
            _ => return Err("no preset has this padding".to_owned()),
        })
    }
}
