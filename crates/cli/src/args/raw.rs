//! Keys, IVs and salts of another length than the cipher's: what they mean is the user's choice.

use clap::Args;
use zeroize::Zeroizing;

use crate::ciphers::{Cipher, Kind};
use crate::errors::{Error, Result};
use crate::hex;

/// The choice. Without one, another length is an error.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RawArgs {
    /// RC4: take -K as it is, of 1 to 256 bytes (OpenSSL would fill or cut it to 16)
    #[arg(long, conflicts_with = "pad_like_openssl")]
    pub(crate) key_as_given: bool,

    /// Fill keys, IVs and -S up with zeros, or cut them, to the right length, as OpenSSL does
    #[arg(long)]
    pub(crate) pad_like_openssl: bool,
}

impl RawArgs {
    /// Reads `len` bytes in hex; `what` names the value in errors.
    ///
    /// # Errors
    /// Bad usage: no hex, and another length that the user did not choose.
    pub(crate) fn bytes(self, what: &str, text: &[u8], len: usize) -> Result<Zeroizing<Vec<u8>>> {
        match self.pad_like_openssl {
            true => hex::padded(what, text, len),
            false => hex::parse(what, text, len..=len, Some(len)),
        }
    }

    /// Reads `-K`.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes). RC4 takes keys of many lengths, but OpenSSL's command gives it
    /// one: there, each meaning has its flag.
    pub(crate) fn key(self, cipher: &Cipher, text: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let (name, len) = (&cipher.name, cipher.derived_key_len());
        let what = format!("-K for {name}");
        let is_rc4 = matches!(cipher.kind, Kind::Rc4(_));
        if self.key_as_given && !is_rc4 {
            return Err(Error::usage(format!(
                "--key-as-given is for RC4, and {name} has keys of {len} bytes only; leave it out"
            )));
        }
        if !is_rc4 || self.pad_like_openssl {
            return self.bytes(&what, text, len);
        }
        let lengths = cipherloom::Rc4::MIN_KEY_LEN..=cipherloom::Rc4::MAX_KEY_LEN;
        let key = hex::parse(&what, text, lengths, Some(len))?;
        if key.len() == len || self.key_as_given {
            return Ok(key);
        }
        let (got, do_what) = match key.len() {
            1 => ("1 byte".to_owned(), "fills it up with zeros"),
            got if got < len => (format!("{got} bytes"), "fills it up with zeros"),
            got => (format!("{got} bytes"), "cuts it"),
        };
        Err(Error::usage(format!(
            "{what} has {got}, which has two meanings: openssl enc {do_what} to {len} bytes (add \
             --pad-like-openssl), other programs use it as it is (add --key-as-given)"
        )))
    }
}
