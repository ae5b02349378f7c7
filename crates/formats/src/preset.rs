//! Presets: each is a way in which a program wrote data, as a row of data.
//!
//! A row has what the program fixes. The caller gives the rest; for `openssl enc` that is the cipher.

use std::fmt;

use cipherloom::{Direction, Padding};
use zeroize::Zeroizing;

use crate::cipher::Cipher;
use crate::derivation::{DEFAULT_COUNT, Derivation, Digest, KeyIv, Method};
use crate::engine::{Engine, HEADROOM, Setup};
use crate::salted;

/// One way of writing data.
#[derive(Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The program that writes so, and since when or until when.
    pub written_by: &'static str,
    /// What stands around the ciphertext.
    pub container: Container,
    /// From a password and the container's salt to key and IV.
    pub derivation: Derivation,
    /// How ECB and CBC fill the last block. A wrong key breaks it, nearly always.
    pub padding: Padding,
}

/// What stands around a ciphertext.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// `Salted__` and a salt before it: [`salted`].
    Salted,
}

/// Every preset. A search for the right one tries them in this order.
pub static PRESETS: [Preset; 4] = [
    // The defaults and their end are in OpenSSL's changelog.
    Preset {
        name: "openssl-1.0",
        written_by: "openssl enc until 1.0.2, by default; CryptoJS",
        container: Container::Salted,
        derivation: Derivation { digest: Digest::Md5, method: Method::BytesToKey },
        padding: Padding::Pkcs7,
    },
    Preset {
        name: "openssl-1.1",
        written_by: "openssl enc since 1.1.0 (2016), by default",
        container: Container::Salted,
        derivation: Derivation { digest: Digest::Sha256, method: Method::BytesToKey },
        padding: Padding::Pkcs7,
    },
    Preset {
        name: "openssl-sha1",
        written_by: "openssl enc -md sha1",
        container: Container::Salted,
        derivation: Derivation { digest: Digest::Sha1, method: Method::BytesToKey },
        padding: Padding::Pkcs7,
    },
    Preset {
        name: "openssl-pbkdf2",
        written_by: "openssl enc -pbkdf2, since 1.1.1 (2018)",
        container: Container::Salted,
        derivation: Derivation { digest: Digest::Sha256, method: Method::Pbkdf2(DEFAULT_COUNT) },
        padding: Padding::Pkcs7,
    },
];

/// The digests to try if PBKDF2 and its count are known, but not the digest.
const PBKDF2_DIGESTS: [Digest; 4] = [Digest::Sha256, Digest::Sha1, Digest::Sha512, Digest::Md5];

/// The derivations to try on data of `openssl enc`: with `count` PBKDF2 with this count, otherwise those
/// of the presets.
#[must_use]
pub fn derivations(count: Option<u32>) -> Vec<Derivation> {
    let Some(count) = count else {
        return PRESETS.iter().map(|preset| preset.derivation).collect();
    };
    let method = Method::Pbkdf2(count);
    PBKDF2_DIGESTS.iter().map(|&digest| Derivation { digest, method }).collect()
}

/// Why a preset cannot open data.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The container is not there, or damaged.
    Container(salted::Error),
    /// The library refused: wrong padding, a length that no ciphertext has.
    Cipher(cipherloom::Error),
}

impl Preset {
    /// The preset of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Decrypts a whole message, container and all.
    ///
    /// # Errors
    /// Another container; another password or preset, or damage, where the padding shows it.
    pub fn open(
        &self,
        cipher: &Cipher,
        password: &[u8],
        data: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let (salt, ciphertext) = match self.container {
            Container::Salted => {
                let salt = salted::parse(data, salted::SALT_LEN).map_err(Error::Container)?;
                let header = salted::MAGIC.len() + salt.len();
                (salt, &data[header..])
            }
        };
        let KeyIv { key, iv } = self.derivation.derive(cipher, password, &salt);
        let (direction, padding) = (Direction::Decrypt, self.padding);
        let setup = Setup { cipher, direction, padding, key: &key, iv: &iv };
        let mut plaintext = Zeroizing::new(Vec::with_capacity(HEADROOM + ciphertext.len()));
        let mut engine = Engine::new(&setup)?;
        engine.update(ciphertext, &mut plaintext)?;
        engine.finish(&mut plaintext)?;
        Ok(plaintext)
    }
}

impl From<cipherloom::Error> for Error {
    fn from(error: cipherloom::Error) -> Self {
        Self::Cipher(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(error) => error.fmt(f),
            Self::Cipher(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
