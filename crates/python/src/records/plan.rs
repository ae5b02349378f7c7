//! What is to be done with values: the options, checked and put together.

use std::num::NonZeroU32;

use cipherloom::{Direction, Padding};
use cipherloom_formats::Cipher;
use cipherloom_formats::derivation::Digest;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::key_file::KeyFile;
use cipherloom_formats::preset::{
    Charset, Container, Fill, Given, Preset, Secret, SecretKind, Text,
};
use pyo3::prelude::*;
use zeroize::Zeroizing;

use crate::fault;
use crate::names;

/// What is to be done with values.
pub(super) struct Plan {
    pub(super) what: What,
    /// How values that are text are written; none: as the preset says.
    pub(super) encoding: Option<Encoding>,
}

/// What the caller chose, as words.
#[derive(Clone, Copy, Default)]
pub(super) struct Options<'a> {
    pub(super) preset: Option<&'a str>,
    pub(super) cipher: Option<&'a str>,
    pub(super) padding: Option<&'a str>,
    pub(super) encoding: Option<&'a str>,
    pub(super) digest: Option<&'a str>,
    pub(super) count: Option<u32>,
    pub(super) charset: Option<&'a str>,
    pub(super) key_file: Option<&'a [u8]>,
    pub(super) iv_prefix: bool,
}

pub(super) enum What {
    Cipher(CipherPlan),
    Preset(Box<PresetPlan>),
}

pub(super) struct CipherPlan {
    pub(super) cipher: Cipher,
    pub(super) padding: Padding,
    pub(super) direction: Direction,
    /// Whether IVs stand before the data.
    pub(super) iv_prefix: bool,
}

pub(super) struct PresetPlan {
    pub(super) preset: &'static Preset,
    pub(super) direction: Direction,
    cipher: Option<Cipher>,
    fill: Option<Fill>,
    pub(super) charset: Option<Charset>,
    digest: Option<Digest>,
    count: Option<NonZeroU32>,
    key_file: Option<KeyFile>,
}

/// What a value has itself, or all have: the secret, IV and salt, as bytes.
#[derive(Clone, Copy, Default)]
pub(super) struct Own<'a> {
    pub(super) secret: Option<&'a [u8]>,
    pub(super) iv: Option<&'a [u8]>,
    pub(super) salt: Option<&'a [u8]>,
}

impl PresetPlan {
    pub(super) fn given<'a>(&'a self, own: Own<'a>, text: Option<Text>) -> Given<'a> {
        let file = self.key_file.as_ref().map_or(Secret::None, Secret::KeyFile);
        Given {
            secret: own.secret.map_or(file, Secret::Bytes),
            cipher: self.cipher.as_ref(),
            iv: own.iv,
            salt: own.salt,
            text,
            fill: self.fill,
            charset: self.charset,
            digest: self.digest,
            count: self.count,
        }
    }

    /// A new value with this plaintext, which is bytes or text; salt and IV that it has for itself are random unless
    /// they are given.
    pub(super) fn seal(
        &self,
        own: Own<'_>,
        text: Option<Text>,
        (plaintext, is_text): (&[u8], bool),
    ) -> Result<Vec<u8>, fault::SealError> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(fault::SealError::Random)?;
        let (salt, iv) = random.split_at(16);
        let (salt_len, iv_len) = self.preset.own_lens();
        // A key's GUID.
        let is_known = self.preset.container == Container::SqlServerKey;
        let own = Own {
            secret: own.secret,
            salt: own.salt.or(salt.get(..salt_len).filter(|_| salt_len > 0 && !is_known)),
            iv: own.iv.or(iv.get(..iv_len).filter(|_| iv_len > 0)),
        };
        let charset = self.charset.unwrap_or(self.preset.charset);
        let written = match std::str::from_utf8(plaintext) {
            Ok(text) if is_text => charset.write(text),
            _ => Zeroizing::new(plaintext.to_vec()),
        };
        self.preset.seal(&self.given(own, text), &written).map_err(fault::SealError::Preset)
    }

    /// Whether new values are text.
    pub(super) fn seals_text(&self, encoding: Option<Encoding>) -> bool {
        match encoding {
            Some(encoding) => encoding != Encoding::Text,
            None => self.preset.text != Text::As(Encoding::Text),
        }
    }

    /// Whether the secret is in a key file.
    pub(super) fn has_key_file(&self) -> bool {
        self.key_file.is_some()
    }

    /// The bytes of a secret that is text.
    pub(super) fn read_secret(&self, text: &[u8]) -> Result<Zeroizing<Vec<u8>>, String> {
        self.preset.read_secret(text).map_err(|error| format!("the key: {error}"))
    }
}

impl Plan {
    /// # Errors
    /// Words that mean nothing, or do not go together.
    pub(super) fn new(encrypt: bool, options: Options<'_>) -> PyResult<Self> {
        let find = |name: &str| {
            Cipher::find(name).ok_or_else(|| {
                fault::usage(format!("unknown cipher {name}; cipherloom.ciphers() names them all"))
            })
        };
        let cipher = options.cipher.map(find).transpose()?;
        let encoding = options.encoding.map(names::encoding).transpose()?;
        let padding = options.padding.map(names::padding).transpose()?;
        let charset = options.charset.map(names::charset).transpose()?;
        let direction = if encrypt { Direction::Encrypt } else { Direction::Decrypt };
        let what = match (options.preset, cipher) {
            (None, None) => return Err(fault::usage("give a preset or a cipher")),
            (None, Some(cipher)) => {
                let is_refused = options.digest.is_some()
                    || options.count.is_some()
                    || charset.is_some()
                    || options.key_file.is_some();
                if is_refused {
                    return Err(fault::usage(
                        "digest, count, charset and key_file are for presets; a cipher has a key",
                    ));
                }
                let padding = padding.unwrap_or(Padding::Pkcs7);
                if padding != Padding::Pkcs7 && !cipher.is_padded() {
                    return Err(fault::usage(format!(
                        "{} keeps the length of the data and takes no padding",
                        cipher.name
                    )));
                }
                What::Cipher(CipherPlan {
                    cipher,
                    padding,
                    direction,
                    iv_prefix: options.iv_prefix,
                })
            }
            (Some(_), _) if options.iv_prefix => {
                return Err(fault::usage(
                    "iv_prefix is for ciphers; a preset says where its IV is",
                ));
            }
            (Some(name), cipher) => {
                let mut plan = preset_plan(name, cipher, padding, charset, options)?;
                plan.direction = direction;
                What::Preset(Box::new(plan))
            }
        };
        Ok(Self { what, encoding })
    }
}

fn preset_plan(
    name: &str,
    cipher: Option<Cipher>,
    padding: Option<Padding>,
    charset: Option<Charset>,
    Options { digest, count, key_file, .. }: Options<'_>,
) -> PyResult<PresetPlan> {
    let preset = Preset::find(name).ok_or_else(|| {
        fault::usage(format!("unknown preset {name}; cipherloom.presets() names them all"))
    })?;
    match (preset.choice(), &cipher) {
        (None, None) => {
            return Err(fault::usage(format!("preset {name} may be in any cipher: give it")));
        }
        (Some([]), Some(_)) => {
            return Err(fault::usage(format!("preset {name} says which cipher it is")));
        }
        (Some(names), Some(cipher)) if !names.contains(&&*cipher.name) => {
            let names = names.join(", ");
            return Err(fault::usage(format!(
                "preset {name} is in {names}, not in {}",
                cipher.name
            )));
        }
        _ => {}
    }
    for (is_given, is_taken, what) in [
        (digest.is_some(), preset.takes_digest(), "digest"),
        (count.is_some(), preset.takes_count(), "count"),
    ] {
        if is_given && !is_taken {
            return Err(fault::usage(format!("preset {name} takes no {what}")));
        }
    }
    let find =
        |name| Digest::find(name).ok_or_else(|| fault::usage(format!("unknown digest {name}")));
    let fill = |padding| match padding {
        Padding::Pkcs7 => Ok(Fill::Pkcs7),
        Padding::Zero => Ok(Fill::Zeros),
        Padding::None => Ok(Fill::None),
        Padding::Iso7816 => Err(fault::usage("presets have no padding iso7816")),
    };
    Ok(PresetPlan {
        preset,
        direction: Direction::Decrypt,
        cipher,
        fill: padding.map(fill).transpose()?,
        charset,
        digest: digest.map(find).transpose()?,
        count: count.and_then(NonZeroU32::new),
        key_file: key_file.map(KeyFile::parse).transpose().map_err(fault::usage)?,
    })
}

/// What a preset's secret is called.
pub(super) fn secret_name(preset: &Preset) -> &'static str {
    match preset.secret {
        SecretKind::None => "no secret",
        SecretKind::Password(_) => "a password",
        SecretKind::Key(..) => "a key",
    }
}
