//! NIST's worked examples of TDEA with intermediate values: `vectors/nist-examples`.
//!
//! The files are text taken out of a printed document: rules of dashes fall where pages end, also
//! inside of values, and some tables have lost their columns ([`modes`] says how they are mended).

pub mod cmac;
pub mod modes;

/// The lines that say something, with their numbers from 1; rules, page ends and blank lines are
/// left out.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let rule = |line: &str| line.chars().all(|c| "-=*#".contains(c));
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !rule(line))
        .collect()
}

/// The hexadecimal digits of a line that holds nothing else, without the spaces.
fn digits(line: &str) -> Option<String> {
    let digits: String = line.split_whitespace().collect();
    (!digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit())).then_some(digits)
}

/// The bytes of hexadecimal digits.
fn bytes(place: &str, digits: &str) -> Vec<u8> {
    hex::decode(digits).unwrap_or_else(|error| panic!("{place}: {digits}: {error}"))
}

/// The block of 16 hexadecimal digits.
fn block(place: &str, digits: &str) -> [u8; 8] {
    let bytes = bytes(place, digits);
    bytes.try_into().unwrap_or_else(|_| panic!("{place}: not 8 bytes: {digits}"))
}
