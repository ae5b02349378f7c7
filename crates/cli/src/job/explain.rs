//! What the library says of a key or a message, in words for who gave them.

use cipherloom::{Direction, Error as CipherError, KeyFault};
use cipherloom_formats::Cipher;

use crate::errors::{Error, Result};
use crate::io::notes::Notes;

/// What the user gave, for the words of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Secret {
    Key,
    /// A password, and a key derivation that was found or asked for.
    Password,
    /// A password, and OpenSSL's default key derivation.
    DefaultDerivation,
}

impl Secret {
    /// A line that says what the library's error means for this message.
    pub(super) fn explain(self, cipher: &Cipher, direction: Direction, error: Error) -> Error {
        let Error::Cipher(cause) = error else { return error };
        let name = &cipher.name;
        let is_decryption = direction == Direction::Decrypt;
        Error::failure(match cause {
            CipherError::Padding => match self {
                Self::Key => {
                    "wrong padding: the key is wrong, or the data is damaged; dec --salvage \
                     keeps what can be kept"
                        .to_owned()
                }
                Self::Password => "wrong padding: the password is wrong, or the data is damaged, \
                     or its key was derived in another way than the options say"
                    .to_owned(),
                Self::DefaultDerivation => "wrong padding: the password is wrong, or the data is \
                     damaged, or its key was derived in another way than OpenSSL's default today; \
                     -md auto tries the others"
                    .to_owned(),
            },
            CipherError::NotWholeBlocks { len: 0 } if is_decryption => {
                "there is no ciphertext in the input: it is empty or truncated".to_owned()
            }
            CipherError::NotWholeBlocks { len } if is_decryption => format!(
                "the ciphertext has {len} bytes, which is no multiple of 8: it is truncated, or not \
                 of {name}; dec --salvage keeps its whole blocks"
            ),
            CipherError::NotWholeBlocks { len } => format!(
                "the input has {len} bytes, which is no multiple of 8, as {name} without padding \
                 needs"
            ),
            CipherError::TooShort { len: 0, .. } if is_decryption => {
                "there is no ciphertext in the input: it is empty or truncated".to_owned()
            }
            CipherError::TooShort { len, min } => {
                format!("the input has {len} bytes, and {name} needs at least {min}")
            }
            CipherError::SelfTest => "the ciphers failed their self-test: this machine or this \
                 build computes wrongly; nothing can be trusted to it"
                .to_owned(),
            other => other.to_string(),
        })
    }
}

/// Warns of keys that a careful program refuses, or refuses them.
pub(super) fn check_key(cipher: &Cipher, key: &[u8], is_strict: bool, notes: &Notes) -> Result<()> {
    let what = match cipher.fault(key) {
        None => return Ok(()),
        Some(KeyFault::Weak) => "the key is one of the 4 weak DES keys, or has one as a part",
        Some(KeyFault::SemiWeak) => {
            "the key is one of the 12 semi-weak DES keys, or has one as a part"
        }
        Some(KeyFault::Degenerate) => {
            "the key is degenerate: two of its parts that follow each other are the same"
        }
        Some(_) => "the key is not one to use",
    };
    if is_strict {
        return Err(Error::failure(format!("{what}, and --strict-keys refuses it")));
    }
    notes.say(&format!("warning: {what}"));
    Ok(())
}
