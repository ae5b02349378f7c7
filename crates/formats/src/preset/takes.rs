//! What a row takes from the caller: what it ignores would be given in vain.

use super::row::{Charset, Ciphers, Container, Fill, Inner, IvFrom, KeyFrom, Preset};
use crate::cipher::Cipher;
use crate::derivation::Digest;

impl Preset {
    /// Whether the caller gives the IV; with `cipher`, or else with any that the row has.
    #[must_use]
    pub fn takes_iv(&self, cipher: Option<&Cipher>) -> bool {
        matches!(self.iv, IvFrom::Given | IvFrom::GivenZeroPadded)
            && self.has(cipher, |cipher| cipher.iv_len() > 0)
    }

    /// Whether the last block is filled in a way that programs choose; with `cipher`, or else with any that the
    /// row has.
    #[must_use]
    pub fn takes_fill(&self, cipher: Option<&Cipher>) -> bool {
        let is_free = matches!(self.inner, Inner::None | Inner::Salt(_))
            && !matches!(self.fill, Fill::Stars | Fill::Mcrypt)
            && !matches!(self.charset, Charset::Der | Charset::Pin);
        is_free && self.has(cipher, Cipher::is_padded)
    }

    fn has(&self, cipher: Option<&Cipher>, what: impl Fn(&Cipher) -> bool) -> bool {
        match (cipher, self.ciphers) {
            (Some(cipher), _) => what(cipher),
            (None, Ciphers::Rc4 { .. } | Ciphers::CfmxCompat) => false,
            (None, Ciphers::Of(names)) => {
                names.iter().any(|name| Cipher::find(name).is_some_and(|cipher| what(&cipher)))
            }
            (None, Ciphers::Any | Ciphers::Named | Ciphers::Aes256Cbc) => true,
        }
    }

    /// Whether the caller gives the salt (DUKPT: the KSN), as the value does not have it.
    #[must_use]
    pub fn takes_salt(&self) -> bool {
        let is_salted = matches!(
            self.key,
            KeyFrom::OpenSsl(_)
                | KeyFrom::BytesToKey(..)
                | KeyFrom::Pbkdf1(..)
                | KeyFrom::JasyptHalves(_)
                | KeyFrom::Pkcs12(_)
                | KeyFrom::PasswordDeriveBytes(..)
                | KeyFrom::Dukpt(_)
        );
        is_salted && self.container == Container::None
    }

    /// Whether there is a derivation with a digest that programs choose.
    #[must_use]
    pub fn takes_digest(&self) -> bool {
        self.key.with(Some(Digest::Md5), None) != self.key.with(Some(Digest::Sha1), None)
    }

    /// Whether there is a derivation with a count that programs choose.
    #[must_use]
    pub fn takes_count(&self) -> bool {
        let with = |count| self.key.with(None, Some(count));
        with(1) != with(2)
    }

    /// The cipher that the caller must name for a value of `bytes`, no longer written as text: a stream, where
    /// the ciphertext has no whole blocks and the usual cipher takes nothing else; any, where the row does
    /// not say.
    #[must_use]
    pub fn cipher_for(&self, bytes: &[u8]) -> Option<&'static str> {
        let parts = self.container.split(bytes).ok()?;
        let has_blocks = parts.ciphertext.len().is_multiple_of(8);
        let is_padded = |name: &str| Cipher::find(name).is_some_and(|cipher| cipher.is_padded());
        match self.ciphers {
            Ciphers::Any => Some(if has_blocks { "des3" } else { "rc4" }),
            Ciphers::Of([first, others @ ..]) if !has_blocks && is_padded(first) => {
                others.iter().copied().find(|name| !is_padded(name))
            }
            _ => None,
        }
    }

    /// The ciphers that the caller may choose from, by name; empty where the row leaves no choice, and `None`
    /// where any will do.
    #[must_use]
    pub fn choice(&self) -> Option<&'static [&'static str]> {
        match self.ciphers {
            Ciphers::Any => None,
            Ciphers::Of(names) if names.len() > 1 => Some(names),
            Ciphers::Of(_)
            | Ciphers::Named
            | Ciphers::Rc4 { .. }
            | Ciphers::CfmxCompat
            | Ciphers::Aes256Cbc => Some(&[]),
        }
    }
}
