//! What the caller gives, and what can be wrong with that.

use std::fmt;
use std::num::NonZeroU32;

use zeroize::Zeroizing;

use super::row::{Charset, Fill, PasswordAs, Preset, SecretKind, Text};
use crate::cipher::Cipher;
use crate::derivation::Digest;
use crate::encoding::{Encoding, ValueError};
use crate::key_file::KeyFile;

/// What a program does not fix. What the row fixes is ignored here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// The password or the key, as bytes ([`Preset::read_secret`]).
    pub secret: Secret<'a>,
    /// The cipher, where it may be one of several.
    pub cipher: Option<&'a Cipher>,
    /// The IV, where no other place has it. To encrypt: where the container shall have it.
    pub iv: Option<&'a [u8]>,
    /// The salt, where the container does not have it; DUKPT's KSN. To encrypt: for the container. It must
    /// be a new random one for each value.
    pub salt: Option<&'a [u8]>,
    /// How the value is written, where that is not as usual.
    pub text: Option<Text>,
    /// How the last block is filled, where that is not as usual.
    pub fill: Option<Fill>,
    /// What the plaintext is, where that is not as usual.
    pub charset: Option<Charset>,
    /// Another digest than the usual one, where the derivation has one that programs choose.
    pub digest: Option<Digest>,
    /// Another count than the usual one, where the derivation has one that programs choose.
    pub count: Option<NonZeroU32>,
}

/// A password or a key.
#[derive(Clone, Copy, Default)]
pub enum Secret<'a> {
    /// None is needed.
    #[default]
    None,
    /// A password or a key: the row knows which.
    Bytes(&'a [u8]),
    /// MySQL's key file.
    KeyFile(&'a KeyFile),
}

/// Why a preset cannot work with what the caller gave, whatever the value is.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The preset needs a password or a key, or another kind than this.
    Secret,
    /// The password is to be written as UTF-16, and is no UTF-8.
    Password,
    /// The key has another length.
    KeyLength {
        /// Bytes given.
        got: usize,
        /// Bytes needed, at least.
        want: usize,
    },
    /// The IV is missing, or has another length.
    IvLength {
        /// Bytes given.
        got: usize,
        /// Bytes needed.
        want: usize,
    },
    /// The salt is missing, or has another length.
    SaltLength {
        /// Bytes given.
        got: usize,
        /// Bytes needed.
        want: usize,
    },
    /// DUKPT's KSN is missing, or has another length.
    KsnLength {
        /// Bytes given.
        got: usize,
        /// Bytes needed.
        want: usize,
    },
    /// The preset does not know this cipher, or it takes any and none was given.
    Cipher,
    /// To encrypt: the plaintext is longer than the container can say, or no whole blocks where nothing
    /// fills the last one.
    Plaintext,
    /// To encrypt: this preset only opens.
    OnlyOpened,
    /// The library refused.
    Library(cipherloom::Error),
}

impl<'a> Given<'a> {
    /// A password or a key, and nothing else.
    #[must_use]
    pub fn secret(secret: &'a [u8]) -> Self {
        Self { secret: Secret::Bytes(secret), ..Self::default() }
    }
}

impl Preset {
    /// The bytes of a secret as people write it for this preset: a password as it is, a key in base64, in
    /// hex or as characters.
    ///
    /// # Errors
    /// The text is none of that.
    pub fn read_secret(&self, text: &[u8]) -> Result<Zeroizing<Vec<u8>>, ValueError> {
        let encoding = match self.secret {
            SecretKind::Key(encoding, _) => encoding,
            SecretKind::None | SecretKind::Password(_) => Encoding::Text,
        };
        let mut bytes = Zeroizing::new(Vec::with_capacity(text.len() + 3));
        encoding.decode_pasted(text, &mut bytes)?;
        Ok(bytes)
    }
}

impl<'a> From<&'a [u8]> for Secret<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl PasswordAs {
    /// The bytes that the derivation takes.
    pub(super) fn bytes(self, password: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(2 * password.len() + 2));
        if self == Self::Bytes {
            bytes.extend_from_slice(password);
            return Ok(bytes);
        }
        let text = std::str::from_utf8(password).map_err(|_| Error::Password)?;
        for unit in text.encode_utf16() {
            bytes.extend(match self {
                Self::Utf16BeNul => unit.to_be_bytes(),
                _ => unit.to_le_bytes(),
            });
        }
        if self == Self::Utf16BeNul {
            bytes.extend([0, 0]);
        }
        Ok(bytes)
    }
}

impl fmt::Debug for Secret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Bytes(_) => "Bytes(..)",
            Self::KeyFile(_) => "KeyFile(..)",
        })
    }
}

impl From<cipherloom::Error> for Error {
    fn from(error: cipherloom::Error) -> Self {
        Self::Library(error)
    }
}

fn wrong_length(f: &mut fmt::Formatter<'_>, what: &str, got: usize, want: usize) -> fmt::Result {
    match got {
        0 => write!(f, "the {what} is missing; it has {want} bytes"),
        _ => write!(f, "the {what} has {got} bytes in place of {want}"),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Secret => {
                f.write_str("a password or a key is missing, or this preset takes another kind")
            }
            Self::Password => f.write_str("the password is no UTF-8 text"),
            Self::KeyLength { got, want } => wrong_length(f, "key", got, want),
            Self::IvLength { got, want } => wrong_length(f, "IV", got, want),
            Self::SaltLength { got, want } => wrong_length(f, "salt", got, want),
            Self::KsnLength { got, want } => wrong_length(f, "KSN", got, want),
            Self::Cipher => f.write_str("this preset needs another cipher"),
            Self::Plaintext => f.write_str("a plaintext of this length cannot be written so"),
            Self::OnlyOpened => f.write_str("this preset opens values and makes none"),
            Self::Library(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
