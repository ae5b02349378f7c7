//! A preset with all that the options give it.

use std::ffi::OsStr;
use std::num::NonZeroU32;

use cipherloom_formats::Cipher;
use cipherloom_formats::derivation::Digest;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{
    Charset, Error as PresetError, Fault, Fill, Given, Outcome, Preset, SecretKind, Text,
};
use zeroize::Zeroizing;

use super::secret::{Held, Source};
use crate::args::key::PaddingName;
use crate::ciphers::explain_unknown;
use crate::errors::{Error, Result};

/// The options that count, of whatever command.
pub(crate) struct Options<'a> {
    pub(crate) preset: &'static Preset,
    pub(crate) cipher: Option<&'a str>,
    /// In hex, with the option's name.
    pub(crate) iv: Option<(&'static str, &'a OsStr)>,
    /// The same.
    pub(crate) salt: Option<(&'static str, &'a OsStr)>,
    pub(crate) text: Option<Encoding>,
    pub(crate) padding: Option<PaddingName>,
    pub(crate) digest: Option<&'a str>,
    pub(crate) count: Option<u32>,
    pub(crate) charset: Option<Charset>,
    /// Of each record's own secret.
    pub(crate) key_encoding: Option<Encoding>,
}

/// A preset, ready to open values.
pub(crate) struct Opening {
    pub(crate) preset: &'static Preset,
    secret: Held,
    cipher: Option<Cipher>,
    iv: Option<Zeroizing<Vec<u8>>>,
    salt: Option<Zeroizing<Vec<u8>>>,
    text: Option<Text>,
    fill: Option<Fill>,
    digest: Option<Digest>,
    count: Option<NonZeroU32>,
    charset: Option<Charset>,
    key_encoding: Option<Encoding>,
}

/// What a record has itself, in place of what all have.
#[derive(Clone, Copy, Default)]
pub(crate) struct Own<'a> {
    pub(crate) secret: Option<&'a [u8]>,
    pub(crate) iv: Option<&'a [u8]>,
    pub(crate) salt: Option<&'a [u8]>,
}

impl Opening {
    /// Checks the options; without a source of the secret, each record has its own.
    ///
    /// # Errors
    /// Bad usage: what the preset does not take, or another form than it takes. What [`Source`] meets.
    pub(crate) fn new(options: &Options<'_>, source: Option<Source<'_>>) -> Result<Self> {
        let preset = options.preset;
        let name = preset.name;
        for (is_given, is_taken, option, what) in [
            (options.iv.is_some(), preset.takes_iv(), "--iv", "its IV"),
            (options.salt.is_some(), preset.takes_salt(), "-S", "its salt, if it has one"),
            (options.digest.is_some(), preset.takes_digest(), "-md", "its digest"),
            (options.count.is_some(), preset.takes_count(), "-iter", "its count"),
        ] {
            if is_given && !is_taken {
                return Err(Error::usage(format!(
                    "preset {name} has {what} by itself; leave {option} out"
                )));
            }
        }
        Ok(Self {
            cipher: cipher(preset, options.cipher)?,
            iv: options.iv.map(hex).transpose()?,
            salt: options.salt.map(hex).transpose()?,
            text: options.text.map(Text::As),
            fill: options.padding.map(fill).transpose()?,
            digest: options.digest.map(digest).transpose()?,
            count: options.count.and_then(NonZeroU32::new),
            charset: options.charset,
            key_encoding: options.key_encoding,
            secret: source.map_or(Ok(Held::None), |source| source.held(preset))?,
            preset,
        })
    }

    /// Opens a value; `own` stands in place of what all values have.
    ///
    /// # Errors
    /// What was given cannot be used.
    pub(crate) fn open(
        &self,
        own: Own<'_>,
        value: &[u8],
    ) -> std::result::Result<Outcome, PresetError> {
        self.preset.open(&self.given(own), value)
    }

    /// The same for a value of which nobody said how it is written: if it is no such text, its bytes are
    /// taken as they are.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) fn open_any(&self, value: &[u8]) -> std::result::Result<Outcome, PresetError> {
        let given = self.given(Own::default());
        let outcome = self.preset.open(&given, value)?;
        if self.text.is_some() || !matches!(outcome, Outcome::Damaged(Fault::Text(_))) {
            return Ok(outcome);
        }
        let bytes = Given { text: Some(Text::As(Encoding::Text)), ..given };
        Ok(match self.preset.open(&bytes, value)? {
            opened @ Outcome::Decrypted(_) => opened,
            _ => outcome,
        })
    }

    fn given<'a>(&'a self, own: Own<'a>) -> Given<'a> {
        Given {
            secret: own.secret.map_or_else(|| self.secret.lend(), Into::into),
            cipher: self.cipher.as_ref(),
            iv: own.iv.or(self.iv.as_deref().map(Vec::as_slice)),
            salt: own.salt.or(self.salt.as_deref().map(Vec::as_slice)),
            text: self.text,
            fill: self.fill,
            digest: self.digest,
            count: self.count,
            charset: self.charset,
        }
    }

    /// How each record's own secret is written.
    pub(crate) fn key_encoding(&self) -> Encoding {
        match (self.key_encoding, self.preset.secret) {
            (Some(encoding), _) | (None, SecretKind::Key(encoding, _)) => encoding,
            (None, SecretKind::None | SecretKind::Password(_)) => Encoding::Text,
        }
    }

    /// Takes values, or each record's own secret, as bytes.
    #[cfg(feature = "arrow")]
    pub(crate) fn take_bytes(&mut self, values: bool, secrets: bool) {
        if values {
            self.text = Some(Text::As(Encoding::Text));
        }
        if secrets {
            self.key_encoding = Some(Encoding::Text);
        }
    }

    /// The bytes of a value that is not encrypted.
    pub(crate) fn as_it_is(&self, value: &[u8]) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(value.len() + 3));
        if let Text::As(encoding) = self.text.unwrap_or(self.preset.text)
            && encoding.decode(value, &mut bytes).is_ok()
        {
            return bytes;
        }
        Zeroizing::new(value.to_vec())
    }

    /// What plaintexts are.
    pub(crate) fn charset(&self) -> Charset {
        self.charset.unwrap_or(self.preset.charset)
    }

    /// Whether the options say what plaintexts are.
    pub(crate) fn has_charset(&self) -> bool {
        self.charset.is_some()
    }
}

fn cipher(preset: &Preset, name: Option<&str>) -> Result<Option<Cipher>> {
    let choice = preset.choice();
    let Some(name) = name else {
        return match choice {
            None => Err(Error::usage(format!(
                "preset {} may be in any cipher; add its name as a flag, for instance -des3",
                preset.name
            ))),
            Some(_) => Ok(None),
        };
    };
    let cipher = Cipher::find(name).ok_or_else(|| Error::usage(explain_unknown(name)))?;
    match choice {
        Some([]) => Err(Error::usage(format!(
            "preset {} has its cipher by itself; leave -{name} out",
            preset.name
        ))),
        Some(names) if !names.contains(&&*cipher.name) => Err(Error::usage(format!(
            "preset {} is in {}, and not in {name}",
            preset.name,
            names.join(", ")
        ))),
        _ => Ok(Some(cipher)),
    }
}

fn hex((option, text): (&'static str, &OsStr)) -> Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len()));
    let decoded = Encoding::Hex.decode(text.as_encoded_bytes(), &mut bytes);
    decoded.map_err(|error| Error::usage(format!("{option}: {error}")))?;
    Ok(bytes)
}

fn fill(padding: PaddingName) -> Result<Fill> {
    match padding {
        PaddingName::Pkcs7 => Ok(Fill::Pkcs7),
        PaddingName::Zero => Ok(Fill::Zeros),
        PaddingName::None => Ok(Fill::None),
        PaddingName::Iso7816 => Err(Error::usage("presets have no padding iso7816")),
    }
}

fn digest(name: &str) -> Result<Digest> {
    Digest::find(name).ok_or_else(|| Error::usage(format!("unknown digest {name} for -md")))
}
