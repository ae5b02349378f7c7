//! From a password to key and IV. OpenSSL's ways are a [`Derivation`]; those of others are functions.

mod capi;
mod cbc_pm;
mod digest;
mod dukpt;
mod mcrypt;
mod pbkdf1;
mod pkcs12;
pub mod search;

use std::fmt;

use zeroize::Zeroizing;

use crate::cipher::Cipher;
pub use capi::crypt_derive_key;
pub use cbc_pm::crypt_cbc;
pub use digest::Digest;
pub use dukpt::{Variant, dukpt, ipek};
pub use mcrypt::{KeyMode, S2k};
pub use pbkdf1::{PasswordDeriveBytes, jasypt_halves, pbkdf1};
pub use pkcs12::{Purpose, pkcs12};

/// PBKDF2's count in `openssl enc` without `-iter` (since OpenSSL 1.1.1, which brought `-pbkdf2`, and
/// the same in LibreSSL).
pub const DEFAULT_COUNT: u32 = 10_000;

/// A way to derive key and IV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The digest.
    pub digest: Digest,
    /// What is done with it.
    pub method: Method,
}

/// The function around the digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// OpenSSL's `EVP_BytesToKey` with a count of 1: D1 = H(password, salt),
    /// Dn = H(Dn-1, password, salt), one after the other (PBKDF1's idea, made longer).
    BytesToKey,
    /// PBKDF2 with this count.
    Pbkdf2(u32),
}

/// Key and IV for a cipher.
pub struct KeyIv {
    /// As long as the cipher wants it.
    pub key: Zeroizing<Vec<u8>>,
    /// As long as the cipher wants it, which may be 0 bytes.
    pub iv: Zeroizing<Vec<u8>>,
}

impl Derivation {
    /// Derives what `cipher` needs. Without salt, `salt` is empty.
    #[must_use]
    pub fn derive(self, cipher: &Cipher, password: &[u8], salt: &[u8]) -> KeyIv {
        let key_len = cipher.derived_key_len();
        let need = key_len + cipher.iv_len();
        let bytes = match self.method {
            Method::BytesToKey => bytes_to_key(self.digest, password, salt, 1, need),
            Method::Pbkdf2(count) => {
                let mut bytes = Zeroizing::new(vec![0; need]);
                self.digest.pbkdf2(password, salt, count, &mut bytes);
                bytes
            }
        };
        KeyIv {
            key: Zeroizing::new(bytes[..key_len].to_vec()),
            iv: Zeroizing::new(bytes[key_len..].to_vec()),
        }
    }

    /// The options of `openssl enc` that ask for this derivation.
    #[must_use]
    pub fn options(self) -> String {
        match self.method {
            Method::BytesToKey => format!("-md {}", self.digest.name()),
            Method::Pbkdf2(DEFAULT_COUNT) => format!("-pbkdf2 -md {}", self.digest.name()),
            Method::Pbkdf2(count) => format!("-pbkdf2 -iter {count} -md {}", self.digest.name()),
        }
    }
}

/// OpenSSL's `EVP_BytesToKey`: each digest is hashed `count` times in all.
#[must_use]
pub fn bytes_to_key(
    digest: Digest,
    password: &[u8],
    salt: &[u8],
    count: u32,
    need: usize,
) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(need + 64));
    let mut last = Zeroizing::new(Vec::new());
    while bytes.len() < need {
        last = digest.hash(&[&last, password, salt]);
        for _ in 1..count {
            last = digest.hash(&[&last]);
        }
        bytes.extend_from_slice(&last);
    }
    bytes.truncate(need);
    bytes
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.options())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::hex;

    /// The answers are OpenSSL 3.0.19's: `openssl enc -des3 -k pw -nosalt -P` with `-md` and
    /// `-pbkdf2`, and `-S 0102030405060708`.
    #[test]
    fn derives_what_openssl_derives() {
        let cipher = Cipher::find("des3").unwrap();
        let salt = [1, 2, 3, 4, 5, 6, 7, 8];
        for (method, salt, key, iv) in [
            (
                Method::BytesToKey,
                &[][..],
                "30C952FAB122C3F9759F02A6D95C3758B246B4FEE239957B",
                "2D4FEE46E26170C4",
            ),
            (
                Method::BytesToKey,
                &salt,
                "92F2B861271D26F4C325658C3CA150CB5030E56DD136311C",
                "4E273809D48EE152",
            ),
            (
                Method::Pbkdf2(1),
                &salt,
                "FF0C84306A85C6DCDF35A041C6BCD8DECA5E72BEBAD46864",
                "C43879C196DF6CD5",
            ),
            (
                Method::Pbkdf2(10_000),
                &salt,
                "3CC1630F55CFE9601C8AD21103484C77C450475E4D314519",
                "C410862959A0AB21",
            ),
        ] {
            let derivation = Derivation { digest: Digest::Sha256, method };
            let derived = derivation.derive(&cipher, b"pw", salt);
            assert_eq!(*hex::upper(&derived.key), key);
            assert_eq!(*hex::upper(&derived.iv), iv);
        }
    }
}
