//! What a row takes from the caller: what it ignores would be given in vain.

use super::row::{Ciphers, Container, IvFrom, KeyFrom, Preset};
use crate::derivation::Digest;

impl Preset {
    /// Whether the caller gives the IV.
    #[must_use]
    pub fn takes_iv(&self) -> bool {
        matches!(self.iv, IvFrom::Given | IvFrom::GivenZeroPadded)
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
