//! What fuzz targets call: each parser on any bytes. They panic only where something is wrong.

use crate::args;
use crate::commands::records;
use crate::hex;
use crate::io::base64::Decoder;
use crate::keying::{self, salted};

/// The `Salted__` header.
///
/// # Panics
/// If a header that was read is not the one that would be written for its salt.
pub fn salted_header(data: &[u8]) {
    for salt_len in [salted::SALT_LEN, 1, 16] {
        if let Ok(salt) = salted::parse(data, salt_len) {
            assert_eq!(data[..salted::MAGIC.len() + salt_len], salted::header(&salt));
        }
    }
}

/// Hex of options.
///
/// # Panics
/// If bytes that were read are not those that would be written.
pub fn hex(data: &[u8]) {
    if let Ok(bytes) = hex::parse("fuzz", data, 0..=256, Some(16)) {
        assert_eq!(hex::upper(&bytes).as_bytes(), data.to_ascii_uppercase());
    }
}

/// Base64 in a stream, strict and for salvage: cut anywhere, it gives the same.
///
/// # Panics
/// If it does not.
pub fn base64(data: &[u8]) {
    for salvage in [false, true] {
        let decode = |pieces: [&[u8]; 2]| {
            let (mut decoder, mut out) = (Decoder::new(salvage), Vec::new());
            let mut result = pieces.iter().try_for_each(|piece| decoder.decode(piece, &mut out));
            result = result.and_then(|()| decoder.finish(&mut out));
            result.map(|()| out).map_err(|error| error.to_string())
        };
        let cut = data.first().map_or(0, |&byte| usize::from(byte) % data.len());
        assert_eq!(decode([data, &[]]), decode([&data[..cut], &data[cut..]]));
    }
}

/// The fields and lines of `records`.
///
/// # Panics
/// If a value that was read is not the one that would be written, or a line of JSON becomes none.
pub fn records(data: &[u8]) {
    records::fuzz(data);
}

/// A command line, its words between NUL bytes.
///
/// # Panics
/// If normalising it twice is not the same as once, or a value does not arrive as it is.
pub fn arguments(data: &[u8]) {
    args::fuzz::fuzz(data);
}

/// `-md auto`, on a message made in one of the ways that it tries.
///
/// # Panics
/// If another way is found although the plaintext looks like something.
pub fn derivations(data: &[u8]) {
    keying::fuzz::fuzz(data);
}

/// The CSV of `records`, beside another reader: `reference` takes a text and a delimiter.
///
/// # Panics
/// If the two see different rows or fields, or what is written has others than what was read.
pub fn csv(data: &[u8], reference: impl Fn(&[u8], u8) -> Vec<Vec<Vec<u8>>>) {
    records::csv::fuzz(data, reference);
}
