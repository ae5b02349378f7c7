//! What is wrong, in the command's words, and which field of the page helps.

use cipherloom::Error as CipherError;
use cipherloom_formats::Cipher;
use cipherloom_formats::derivation::search;
use cipherloom_formats::encoding::StreamError;
use cipherloom_formats::salted::{self, Start};

/// The page's name for salvage.
const SALVAGE: &str = "\u{201c}Keep what can be kept\u{201d} opens the rest";

pub(crate) const COUNT: &str = "the count is no number from 1 to 4294967295";
pub(crate) const MARK: &str = "it begins with a byte order mark (U+FEFF), which nobody types: leave that out, or \
     write the bytes in hex";
pub(crate) const NO_UU: &str = "a file in uuencoding is not read here: decode it first";
pub(crate) const ONLY_WHOLE: &str =
    "this format is one of values, which are opened whole, up to 256 MiB";
pub(crate) const HEADER_CONTRADICTS: &str = "the data starts with Salted__ and a salt, but the form says \
     that there is none, or another; leave that field empty";
pub(crate) const HEADER_LEFT_OUT: &str = "the data starts with Salted__, the header of data encrypted with \
     a password; the header was left out";

/// What the user gave, for the words of an error.
#[derive(Clone, Copy)]
pub(crate) enum Secret {
    Key,
    Password,
}

impl Secret {
    /// What the library's error means for a message.
    pub(crate) fn explain(self, cipher: &Cipher, error: CipherError) -> String {
        let name = &cipher.name;
        match (error, self) {
            (CipherError::Padding, Self::Key) => {
                format!("wrong padding: the key is wrong, or the data is damaged; {SALVAGE}")
            }
            (CipherError::Padding, Self::Password) => format!(
                "wrong padding: the password is wrong, or the data is damaged, or its key was derived \
                 in another way than the form says; {SALVAGE}"
            ),
            (CipherError::NotWholeBlocks { len: 0 } | CipherError::TooShort { len: 0, .. }, _) => {
                "there is no ciphertext in the input: it is empty or truncated".to_owned()
            }
            (CipherError::NotWholeBlocks { len }, _) => format!(
                "the ciphertext has {len} bytes, which is no multiple of 8: it is truncated, or not \
                 of {name}; {SALVAGE}"
            ),
            (CipherError::TooShort { len, min }, _) => {
                format!("the input has {len} bytes, and {name} needs at least {min}")
            }
            (CipherError::SelfTest, _) => {
                "the ciphers failed their self-test: this machine or this \
                 page computes wrongly; nothing can be trusted to it"
                    .to_owned()
            }
            (other, _) => other.to_string(),
        }
    }
}

/// What a search for the derivation says.
pub(crate) fn of_search(error: &search::Error, cipher: &Cipher) -> String {
    match error {
        search::Error::Cipher(error) => Secret::Password.explain(cipher, *error),
        search::Error::NoneFits(_) => format!("{error}; {SALVAGE}"),
        _ => format!("{error}; choose the digest, and PBKDF2 if it was used"),
    }
}

/// What is wrong with the text of a file.
pub(crate) fn of_text(error: &StreamError) -> String {
    match error {
        StreamError::NoBase64 | StreamError::NotBase64 | StreamError::HexDigit { .. } => {
            format!("{error}; it may be written in another way")
        }
        StreamError::Base64Damaged { .. } => format!("{error}; {SALVAGE}"),
        _ => error.to_string(),
    }
}

/// What is wrong with a header.
pub(crate) fn of_header(error: salted::Error) -> String {
    let advice = match error {
        salted::Error::NoHeader(Start::Base64) => " (it is base64 of such a file: choose base64)",
        salted::Error::NoHeader(Start::Damaged) => {
            " (the header is damaged: \u{201c}Keep what can be kept\u{201d} takes the salt behind it all \
             the same)"
        }
        salted::Error::NoHeader(Start::Other) => {
            " (if the file was made with -nosalt or -S, say so; with -K, choose a cipher and a key)"
        }
        _ => "",
    };
    format!("{error}{advice}")
}
