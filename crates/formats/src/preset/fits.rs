//! What can be told by a row: without a key, whether bytes have its form; with one, whether it is right.

use super::container::Parts;
use super::outcome::Outcome;
use super::row::{Charset, Ciphers, Container, Fill, Inner, Preset};
use crate::cipher::Cipher;

const NOT_ENCRYPTED: &str = "a private key in PEM that is not encrypted: openssl reads it";

/// What speaks for a form. The greater, the more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// The length is possible.
    Length,
    /// So are the first byte and the length.
    FirstByte,
    /// A magic number.
    Magic,
}

impl Preset {
    /// What speaks for it that `bytes`, no longer written as text, are of this preset. `None`: they are not.
    #[must_use]
    pub fn fits(&self, bytes: &[u8]) -> Option<Sign> {
        let parts = self.container.split(bytes).ok()?;
        if !self.takes(&parts) {
            return None;
        }
        Some(match self.container {
            Container::Salted
            | Container::RandomIv
            | Container::SqlServer(_)
            | Container::SqlServerKey
            | Container::Pem
            | Container::Pkcs8
            | Container::Mcrypt => Sign::Magic,
            Container::MySql if is_mysqls(&parts) => Sign::FirstByte,
            Container::SqlDeveloper => Sign::FirstByte,
            Container::None | Container::Salt | Container::MySql => Sign::Length,
        })
    }

    /// What these bytes are, where a container names all and is not to be opened by this preset nor by another.
    pub(crate) fn foreign(&self, bytes: &[u8]) -> Option<&'static str> {
        if !self.container.names_all() {
            return None;
        }
        match self.container.split(bytes) {
            Err(Outcome::Other("", what)) => Some(what),
            Err(Outcome::PassedThrough(_)) => Some(NOT_ENCRYPTED),
            _ => None,
        }
    }

    /// Whether the ciphertext has as many bytes as one of its ciphers makes.
    fn takes(&self, parts: &Parts<'_>) -> bool {
        let len = parts.ciphertext.len();
        let in_blocks = |block| len > 0 && len.is_multiple_of(block);
        // Of nothing a stream makes nothing, and only the container is left.
        let in_bytes = len > 0 || self.container != Container::None;
        match self.ciphers {
            Ciphers::Aes256Cbc => in_blocks(16),
            Ciphers::Named => {
                parts.named.as_ref().is_some_and(|named| match named.cipher.is_padded() {
                    true => in_blocks(8),
                    false => in_bytes,
                })
            }
            Ciphers::Any | Ciphers::Rc4 { .. } | Ciphers::CfmxCompat => in_bytes,
            Ciphers::Of(names) => {
                let is_stream = |name: &&str| Cipher::find(name).is_some_and(|c| !c.is_padded());
                in_blocks(8) || in_bytes && names.iter().any(is_stream)
            }
        }
    }
}

impl Preset {
    /// What shows a wrong key, in words; of a cipher that has paddings, if there is a choice.
    #[must_use]
    pub fn shown_by(&self) -> &'static str {
        let is_padded = match self.ciphers {
            Ciphers::Any | Ciphers::Named | Ciphers::Aes256Cbc => true,
            Ciphers::Rc4 { .. } | Ciphers::CfmxCompat => false,
            Ciphers::Of(names) => Cipher::find(names[0]).is_some_and(|cipher| cipher.is_padded()),
        };
        let is_filled = is_padded && matches!(self.fill, Fill::Pkcs7 | Fill::Stars);
        match (self.inner, is_filled, self.charset) {
            (Inner::SqlServer, ..) => "a magic number",
            (Inner::Digest, ..) => "a digest",
            (.., Charset::Pin) => "the form of a PIN",
            (.., Charset::Der) => "the structure of a key",
            (_, true, Charset::Bytes) => "padding; 1 wrong key in 256 passes",
            (_, true, Charset::Utf8) => "padding and UTF-8 text",
            (_, true, Charset::Utf16Le) => "padding and UTF-16 text",
            (_, false, Charset::Bytes) => "nothing",
            (_, false, _) => "text; of short ones not",
        }
    }
}

/// The numbers of a key file, and that of a password.
fn is_mysqls(parts: &Parts<'_>) -> bool {
    matches!(parts.number, Some(0..=9 | 0x7f))
}
