//! Keys, IVs and salts in hex, of exactly the right length.

use std::ops::RangeInclusive;

use zeroize::Zeroizing;

use crate::errors::{Error, Result};

/// Reads the bytes of a hex string.
///
/// `what` names the value in errors ("-K", "-iv of des-cbc"), `lengths` says how many bytes it may
/// have. Unlike OpenSSL this never pads or cuts; where OpenSSL would, to `openssl_len` bytes, the error
/// says so.
///
/// # Errors
/// Bad usage: a character that is no hex digit, an odd number of digits, a wrong length.
pub(crate) fn parse(
    what: &str,
    text: &[u8],
    lengths: RangeInclusive<usize>,
    openssl_len: Option<usize>,
) -> Result<Zeroizing<Vec<u8>>> {
    let digits = digits(what, text)?;
    let as_openssl = openssl_len.map(|len| as_openssl(&digits, len)).unwrap_or_default();
    let range = match (*lengths.start(), *lengths.end()) {
        (low, high) if low == high => format!("{low} bytes ({} hex digits)", low * 2),
        (low, usize::MAX) => format!("{low} bytes or more"),
        (low, high) => format!("{low} to {high} bytes ({} to {} hex digits)", low * 2, high * 2),
    };
    if digits.len() % 2 != 0 {
        return Err(Error::usage(format!(
            "{what} has an odd number of hex digits, {}; {range} are needed{as_openssl}",
            digits.len()
        )));
    }
    if !lengths.contains(&(digits.len() / 2)) {
        let which = if digits.len() / 2 < *lengths.start() { "short" } else { "long" };
        return Err(Error::usage(format!(
            "{what} is too {which}: it has {} bytes, and {range} are needed{as_openssl}",
            digits.len() / 2
        )));
    }
    Ok(joined(&digits))
}

/// Reads `len` bytes as OpenSSL does: zeros are put behind a short string, a long one is cut.
///
/// # Errors
/// Bad usage: a character that is no hex digit.
pub(crate) fn padded(what: &str, text: &[u8], len: usize) -> Result<Zeroizing<Vec<u8>>> {
    let mut padded = Zeroizing::new(vec![0; len * 2]);
    for (place, &digit) in padded.iter_mut().zip(&*digits(what, text)?) {
        *place = digit;
    }
    Ok(joined(&padded))
}

fn digits(what: &str, text: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let mut digits = Zeroizing::new(Vec::with_capacity(text.len()));
    for (n, &byte) in text.iter().enumerate() {
        let digit = char::from(byte).to_digit(16).ok_or_else(|| {
            Error::usage(format!(
                "{what}: character {} ({}) is no hex digit; write 0 to 9 and A to F only, \
                 without 0x, spaces or colons",
                n + 1,
                char::from(byte).escape_default()
            ))
        })?;
        digits.push(digit as u8);
    }
    Ok(digits)
}

fn joined(digits: &[u8]) -> Zeroizing<Vec<u8>> {
    let bytes = digits.as_chunks::<2>().0.iter().map(|[high, low]| high << 4 | low);
    Zeroizing::new(bytes.collect())
}

/// What OpenSSL makes of a string of the wrong length, in words: the digits may be a key's.
fn as_openssl(digits: &[u8], need: usize) -> String {
    const FLAG: &str = "--pad-like-openssl does so too";
    match digits.len() < need * 2 {
        true => format!("; OpenSSL fills it up with zeros to {need} bytes ({FLAG})"),
        false => format!("; OpenSSL uses its first {need} bytes only ({FLAG})"),
    }
}

/// Bytes in upper-case hex, as OpenSSL prints them.
pub(crate) fn upper(bytes: &[u8]) -> Zeroizing<String> {
    Zeroizing::new(bytes.iter().map(|byte| format!("{byte:02X}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, lengths: RangeInclusive<usize>) -> String {
        let openssl_len = *lengths.start();
        parse("-K", text.as_bytes(), lengths, Some(openssl_len)).unwrap_err().to_string()
    }

    #[test]
    fn right_lengths_are_read_in_any_case() {
        assert_eq!(*parse("-iv", b"00fFA5", 3..=3, None).unwrap(), [0x00, 0xff, 0xa5]);
        assert_eq!(*parse("-K", b"01", 1..=256, Some(16)).unwrap(), [1]);
    }

    #[test]
    fn wrong_lengths_say_what_openssl_would_do_and_no_digit() {
        assert!(error("0A0B", 8..=8).contains("too short: it has 2 bytes"));
        assert!(
            error("0A0B", 8..=8)
                .contains("OpenSSL fills it up with zeros to 8 bytes (--pad-like-openssl")
        );
        assert!(error("0A0B0C", 2..=2).contains("too long"));
        assert!(error("0A0B0C", 2..=2).contains("OpenSSL uses its first 2 bytes only"));
        assert!(error("ABC", 2..=2).contains("odd number"));
        assert!(error("ABC", 2..=2).contains("OpenSSL fills it up with zeros to 2 bytes"));
        assert!(error("ABCDE", 2..=2).contains("OpenSSL uses its first 2 bytes only"));
        assert!(error("", 16..=256).contains("OpenSSL fills it up with zeros to 16 bytes"));
        let error_of_none = parse("-K", b"", 1..=256, None).unwrap_err().to_string();
        assert!(!error_of_none.contains("OpenSSL"));
        for text in ["ABCABC", "ABCAB", "ABCABCABCABCABCABC"] {
            assert!(!error(text, 8..=8).to_uppercase().contains("ABCAB"), "{text}");
        }
    }

    #[test]
    fn padding_is_openssls() {
        assert_eq!(*padded("-K", b"", 2).unwrap(), [0, 0]);
        assert_eq!(*padded("-K", b"abc", 3).unwrap(), [0xab, 0xc0, 0]);
        assert_eq!(*padded("-K", b"010203", 2).unwrap(), [1, 2]);
        assert!(padded("-K", b"0102x", 2).is_err());
    }

    #[test]
    fn bad_digits_are_named_with_their_place() {
        assert!(error("0x00", 2..=2).contains("character 2 (x)"));
        assert!(error("00 0", 2..=2).contains("character 3 ( )"));
        assert!(error("00\u{e9}0", 2..=2).contains("character 3 (\\u{c3})"));
    }
}
