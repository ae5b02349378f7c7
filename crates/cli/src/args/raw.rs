//! Keys, IVs and salts of another length than the cipher's: what they mean is the user's choice.

use std::ops::RangeInclusive;

use cipherloom_formats::encoding::ValueError;
use cipherloom_formats::key_text::{self, Fit};
use cipherloom_formats::{Cipher, Kind};
use clap::Args;
use zeroize::Zeroizing;

use crate::errors::{Error, Result};

/// The choice. Without one, another length is an error.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RawArgs {
    /// RC4: use -K as it is, 1 to 256 bytes (OpenSSL would pad or cut it to 16)
    #[arg(long, conflicts_with = "pad_like_openssl")]
    pub(crate) key_as_given: bool,

    /// Pad keys, IVs and -S with zeros, or cut them, to the right length, as OpenSSL does
    #[arg(long)]
    pub(crate) pad_like_openssl: bool,
}

impl RawArgs {
    fn fit(self) -> Fit {
        match (self.key_as_given, self.pad_like_openssl) {
            (true, _) => Fit::AsGiven,
            (_, true) => Fit::LikeOpenssl,
            _ => Fit::Exact,
        }
    }

    /// Reads `len` bytes in hex; `what` names the value in errors.
    ///
    /// # Errors
    /// Bad usage: no hex, and another length that the user did not choose.
    pub(crate) fn bytes(self, what: &str, text: &[u8], len: usize) -> Result<Zeroizing<Vec<u8>>> {
        let wrong = |error| wrong(what, &error, &(len..=len), len);
        key_text::bytes(text, len, self.fit()).map_err(wrong)
    }

    /// Reads `-K`.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes). RC4 takes keys of many lengths, but OpenSSL's command gives it
    /// one: there, each meaning has its flag.
    pub(crate) fn key(self, cipher: &Cipher, text: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let (name, len) = (&cipher.name, cipher.derived_key_len());
        let is_rc4 = matches!(cipher.kind, Kind::Rc4(_));
        if self.key_as_given && !is_rc4 {
            return Err(Error::usage(format!(
                "--key-as-given is for RC4, and {name} has keys of {len} bytes only; leave it out"
            )));
        }
        let lengths = match is_rc4 {
            true => cipherloom::Rc4::MIN_KEY_LEN..=cipherloom::Rc4::MAX_KEY_LEN,
            false => len..=len,
        };
        let wrong = |error| wrong(&format!("-K for {name}"), &error, &lengths, len);
        key_text::key(cipher, text, self.fit()).map_err(wrong)
    }
}

/// What is wrong with the text of a value, here named `what`; OpenSSL would make `openssl_len` bytes of
/// it.
fn wrong(
    what: &str,
    error: &key_text::Error,
    lengths: &RangeInclusive<usize>,
    openssl_len: usize,
) -> Error {
    let range = match (*lengths.start(), *lengths.end()) {
        (low, high) if low == high => format!("{low} bytes ({} hex digits)", low * 2),
        (low, high) => format!("{low} to {high} bytes ({} to {} hex digits)", low * 2, high * 2),
    };
    let as_openssl = |digits: usize| match digits < openssl_len * 2 {
        true => format!("OpenSSL fills it up with zeros to {openssl_len} bytes"),
        false => format!("OpenSSL uses its first {openssl_len} bytes only"),
    };
    let flag = "--pad-like-openssl does so too";
    Error::usage(match error {
        key_text::Error::Hex(ValueError::OddDigits { count }) => {
            format!("{what} has an {error}; {range} are needed; {} ({flag})", as_openssl(*count))
        }
        key_text::Error::Length { got, .. } => {
            let which = if got < lengths.start() { "short" } else { "long" };
            format!(
                "{what} is too {which}: it has {got} bytes, and {range} are needed; {} ({flag})",
                as_openssl(2 * got)
            )
        }
        key_text::Error::TwoMeanings { got } => {
            let s = if *got == 1 { "" } else { "s" };
            let do_what = if *got < openssl_len { "fills it up with zeros" } else { "cuts it" };
            format!(
                "{what} has {got} byte{s}, which has two meanings: openssl enc {do_what} to \
                 {openssl_len} bytes (add --pad-like-openssl), other programs use it as it is (add \
                 --key-as-given)"
            )
        }
        error => {
            format!("{what}: {error}; write 0 to 9 and A to F only, without 0x, spaces or colons")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, len: usize) -> String {
        let args = RawArgs { key_as_given: false, pad_like_openssl: false };
        args.bytes("-K", text.as_bytes(), len).unwrap_err().to_string()
    }

    #[test]
    fn wrong_lengths_say_what_openssl_would_do_and_no_digit() {
        assert!(error("0A0B", 8).contains("too short: it has 2 bytes"));
        assert!(
            error("0A0B", 8)
                .contains("OpenSSL fills it up with zeros to 8 bytes (--pad-like-openssl")
        );
        assert!(error("0A0B0C", 2).contains("too long"));
        assert!(error("0A0B0C", 2).contains("OpenSSL uses its first 2 bytes only"));
        assert!(error("ABC", 2).contains("odd number"));
        assert!(error("ABC", 2).contains("OpenSSL fills it up with zeros to 2 bytes"));
        assert!(error("ABCDE", 2).contains("OpenSSL uses its first 2 bytes only"));
        let rc4 = Cipher::find("rc4").unwrap();
        let args = RawArgs { key_as_given: true, pad_like_openssl: false };
        let none = args.key(&rc4, b"").unwrap_err().to_string();
        assert!(none.contains("OpenSSL fills it up with zeros to 16 bytes"), "{none}");
        for text in ["ABCABC", "ABCAB", "ABCABCABCABCABCABC"] {
            assert!(!error(text, 8).to_uppercase().contains("ABCAB"), "{text}");
        }
    }

    #[test]
    fn bad_digits_are_named_with_their_place() {
        assert!(error("0x00", 2).contains("character 2 (x)"));
        assert!(error("00 0", 2).contains("character 3 ( )"));
        assert!(error("00\u{e9}0", 2).contains("character 3 (\\u{c3})"));
    }
}
