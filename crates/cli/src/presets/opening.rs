//! A preset with all that the options give it.

use std::ffi::OsStr;
use std::num::NonZeroU32;

use cipherloom_formats::Cipher;
use cipherloom_formats::derivation::Digest;
use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{
    Charset, Error as PresetError, Fill, Given, IvFrom, KeyFrom, Long, Opener, Outcome, Preset,
    SecretKind, Text,
};
use zeroize::Zeroizing;

use super::secret::{Held, Source};
use crate::args::key::PaddingName;
use crate::ciphers::explain_unknown;
use crate::errors::{Error, Result};
use crate::io::notes::Notes;

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
    pub(crate) own: OwnColumns,
}

/// What each record has itself, and which options give it.
#[derive(Clone, Copy)]
pub(crate) struct OwnColumns {
    pub(crate) iv: bool,
    pub(crate) salt: bool,
    pub(crate) iv_option: &'static str,
    pub(crate) salt_option: &'static str,
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
    /// Bad usage: what the preset misses, or another form than it takes. What [`Source`] meets.
    pub(crate) fn new(
        options: &Options<'_>,
        source: Option<Source<'_>>,
        notes: &Notes,
    ) -> Result<Self> {
        let preset = options.preset;
        let name = preset.name;
        let has_salt = options.salt.is_some() || options.own.salt;
        if matches!(preset.key, KeyFrom::Dukpt(_)) && !has_salt {
            return Err(Error::usage(format!(
                "preset {name} needs the KSN, 10 bytes in hex; give {}",
                options.own.salt_option
            )));
        }
        let opening = Self {
            cipher: cipher(preset, options.cipher)?,
            iv: options.iv.map(hex).transpose()?,
            salt: options.salt.map(hex).transpose()?,
            text: options.text.map(Text::As),
            fill: options.padding.map(fill).transpose()?,
            digest: options.digest.map(digest).transpose()?,
            count: options.count.and_then(NonZeroU32::new),
            charset: options.charset,
            key_encoding: options.key_encoding,
            secret: source.map_or(Ok(Held::None), |source| source.held(preset, notes))?,
            preset,
        };
        if preset.iv == IvFrom::Given
            && opening.takes_iv()
            && options.iv.is_none()
            && !options.own.iv
        {
            return Err(Error::usage(format!(
                "preset {name} needs the IV, 8 bytes in hex; give {}",
                options.own.iv_option
            )));
        }
        if let Some(note) = opening.iv_note().filter(|_| !options.own.iv) {
            notes.say(&format!("{name}: {note}"));
        }
        Ok(opening)
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

    /// The same for a value of which nobody said how it is written: if it is not the usual text, other ways
    /// to write bytes are tried, and the bytes themselves.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) fn open_any(&self, value: &[u8]) -> std::result::Result<Outcome, PresetError> {
        self.preset.open_file(&self.given(Own::default()), value)
    }

    /// A long value that begins so, to be opened in pieces.
    pub(crate) fn long(&self, start: &[u8]) -> Option<Long<'_>> {
        self.preset.long(self.given(Own::default()), start)
    }

    /// Opens value after value where all have the same secret, IV and salt.
    pub(crate) fn opener(&self) -> Opener<'_> {
        self.preset.opener(self.given(Own::default()))
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
        Zeroizing::new(self.preset.passed_through(&self.given(Own::default()), value).into_owned())
    }

    /// A plaintext as text, where it is some.
    pub(crate) fn text(&self, plaintext: &[u8]) -> Option<Zeroizing<String>> {
        self.preset.read_text(self.charset, plaintext)
    }

    /// What plaintexts are.
    pub(crate) fn charset(&self) -> Charset {
        self.charset.unwrap_or(self.preset.charset)
    }

    /// What else may be wrong where the key is right: other ciphers, a count, a digest.
    pub(crate) fn doubts(&self) -> String {
        let mut doubts = Vec::new();
        if let Some(names @ [first, ..]) = self.preset.choice() {
            let used = self.cipher.as_ref().map_or(*first, |cipher| &cipher.name);
            let others: Vec<_> =
                names.iter().filter(|name| **name != used).map(|name| format!("-{name}")).collect();
            doubts.push(format!("another cipher ({})", others.join(", ")));
        }
        if self.preset.takes_count() {
            doubts.push("another count (-iter)".to_owned());
        }
        if self.preset.takes_digest() {
            doubts.push("another digest (-md)".to_owned());
        }
        doubts.join(", ")
    }

    /// What the user should hear of the IV: what is not 8 bytes is made so, as the program does.
    fn iv_note(&self) -> Option<String> {
        if self.preset.iv != IvFrom::GivenZeroPadded || !self.takes_iv() {
            return None;
        }
        match self.iv.as_ref().map(|iv| iv.len()) {
            None => Some("no IV was given: zeros are taken, as that program does".to_owned()),
            Some(8) => None,
            Some(len) => Some(format!(
                "the IV is read as hex of {len} bytes, and zeros or a cut make 8 of them, as that program \
                 does"
            )),
        }
    }

    /// Whether there is an IV to be given, for the cipher that is taken.
    fn takes_iv(&self) -> bool {
        let first = self.preset.choice().and_then(|names| Cipher::find(names.first()?));
        self.preset.takes_iv(self.cipher.as_ref().or(first.as_ref()))
    }

    /// Whether neither the options nor the preset say what plaintexts are.
    pub(crate) fn is_open_to_text(&self) -> bool {
        self.charset.is_none() && self.preset.charset == Charset::Bytes
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
            "preset {} says which cipher it is; leave {name} out",
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
