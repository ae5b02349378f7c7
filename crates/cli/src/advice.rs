//! What a user of this command may do about what is wrong with the data: the options that help.

use cipherloom_formats::derivation::search;
use cipherloom_formats::encoding::{StreamError, hex};
use cipherloom_formats::salted::{self, Start, Unexpected};

use crate::errors::{Error, Result};

impl From<StreamError> for Error {
    fn from(error: StreamError) -> Self {
        let advice = match error {
            StreamError::NoBase64 => {
                "; without -a it is taken as binary, and of damaged text dec --salvage keeps what can \
                 be kept"
            }
            StreamError::NotBase64 => "; without -a it is binary",
            StreamError::Base64Damaged { .. } => "; dec --salvage keeps what can be kept",
            _ => "",
        };
        Self::failure(format!("{error}{advice}"))
    }
}

impl From<salted::Error> for Error {
    fn from(error: salted::Error) -> Self {
        let advice = match error {
            salted::Error::NoHeader(Start::Base64) => " (it is base64 of such a file: add -a)",
            salted::Error::NoHeader(Start::Damaged) => {
                " (the header is damaged: --salvage takes the salt behind it all the same)"
            }
            salted::Error::NoHeader(Start::Other) => {
                " (if the file was made with -nosalt, -S or -K, give the same option; if it is \
                 base64, add -a)"
            }
            _ => "",
        };
        Self::failure(format!("{error}{advice}"))
    }
}

impl From<search::Error> for Error {
    fn from(error: search::Error) -> Self {
        let advice = match error {
            search::Error::Cipher(error) => return Self::Cipher(error),
            search::Error::NoneFits(_) => "dec --salvage keeps what can be kept",
            _ => return Self::failure(format!("{error}; nothing was written: say which by -md")),
        };
        Self::failure(format!("{error}; nothing was written; {advice}"))
    }
}

/// What to tell the user when a header with the salt `found` is there although an option says that
/// there is none, and is left out.
///
/// # Errors
/// A failure that names both meanings, and how to choose one: where the options contradict the header,
/// and with `as_openssl`, as OpenSSL decrypts it as a part of the data.
pub(crate) fn header_left_out(
    unexpected: Unexpected<'_>,
    found: &[u8],
    as_openssl: bool,
) -> Result<String> {
    let (is, choose) = match unexpected {
        Unexpected::GivenSalt(given) if given != found => (
            format!(
                "starts with Salted__ and the salt {}, but -S gives {}",
                *hex::upper(found),
                *hex::upper(given)
            ),
            "leave -S out if the header's salt is the right one",
        ),
        Unexpected::GivenSalt(_) => (
            "starts with the Salted__ header that OpenSSL up to 1.1.1 wrote with -S too".to_owned(),
            "leave -S out: the salt is in the header",
        ),
        Unexpected::NoSalt => (
            "starts with Salted__ and a salt, but -nosalt says that there is none".to_owned(),
            "leave -nosalt out",
        ),
        Unexpected::Key => (
            "starts with Salted__, the header of data encrypted with a password".to_owned(),
            "use dec, which leaves the header out",
        ),
    };
    if as_openssl || !unexpected.explains(found) {
        return Err(Error::failure(format!(
            "the input {is}; {choose}, or add --header-is-data to decrypt the header with the rest, \
             as OpenSSL 3 would; nothing was written"
        )));
    }
    Ok(format!("the input {is}; the header was left out"))
}
