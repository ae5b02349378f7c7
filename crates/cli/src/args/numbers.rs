//! Numbers as OpenSSL's command line takes them.

use std::num::NonZeroUsize;

/// A positive number in decimal, hex (`0x`) or octal (`0`).
pub(crate) fn positive(text: &str) -> Result<u32, String> {
    let (digits, radix) = match text {
        _ if text.starts_with("0x") || text.starts_with("0X") => (&text[2..], 16),
        _ if text.starts_with('0') && text.len() > 1 => (&text[1..], 8),
        _ => (text, 10),
    };
    match u32::from_str_radix(digits, radix) {
        Ok(number) if number > 0 && i32::try_from(number).is_ok() && !digits.starts_with('+') => {
            Ok(number)
        }
        _ => Err("a number from 1 to 2147483647 is needed".to_owned()),
    }
}

/// More threads than any machine has that these ciphers could keep busy; each one takes memory.
const MOST_THREADS: u32 = 1024;

/// `-T`: how many threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    positive(text)
        .ok()
        .filter(|&count| count <= MOST_THREADS)
        .and_then(|count| NonZeroUsize::new(count as usize))
        .ok_or_else(|| format!("a number from 1 to {MOST_THREADS} is needed"))
}

/// Bytes of salt, as many as OpenSSL has room for.
pub(super) fn salt_len(text: &str) -> Result<usize, String> {
    match positive(text) {
        Ok(len @ 1..=16) => Ok(len as usize),
        _ => Err("a number from 1 to 16 is needed; OpenSSL takes 16 for any larger one".to_owned()),
    }
}

/// A buffer size: a number that may be 0, with a `k` for KiB if wanted.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1024),
        None => (text, 1),
    };
    match digits.parse::<u32>() {
        Ok(number) => Ok(u64::from(number) * unit),
        Err(_) => Err("a number of bytes is needed, or of KiB with a k behind".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As OpenSSL 3.0 reads `-iter`.
    #[test]
    fn numbers_are_openssls() {
        assert_eq!(positive("10"), Ok(10));
        assert_eq!(positive("0x10"), Ok(16));
        assert_eq!(positive("010"), Ok(8));
        for bad in ["0", "-5", "5x", "", "0x", "4294967296", "+1", "08"] {
            assert!(positive(bad).is_err(), "{bad}");
        }
        assert_eq!(salt_len("0x10"), Ok(16));
        assert!(salt_len("17").is_err());
        assert_eq!(size("1k"), Ok(1024));
        assert!(size("1m").is_err());
    }
}
