//! What fuzz targets call: each parser on any bytes. They panic only where something is wrong.

mod derivations;
mod presets;

use crate::encoding::{self, Armor, Decoder};
use crate::{key_text, salted};

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

/// Keys in hex.
///
/// # Panics
/// If bytes that were read are not those that would be written.
pub fn hex(data: &[u8]) {
    if let Ok(bytes) = key_text::parse(data, 0..=256) {
        assert_eq!(encoding::hex::upper(&bytes).as_bytes(), data.to_ascii_uppercase());
    }
}

/// Base64 in a stream, strict and for salvage: cut anywhere, it gives the same.
///
/// # Panics
/// If it does not.
pub fn base64(data: &[u8]) {
    for salvage in [false, true] {
        let decode = |pieces: [&[u8]; 2]| {
            let base64 = Armor::Base64 { one_line: false };
            let (mut decoder, mut out) = (Decoder::new(base64, salvage), Vec::new());
            let mut result = pieces.iter().try_for_each(|piece| decoder.decode(piece, &mut out));
            result = result.and_then(|()| decoder.finish(&mut out));
            result.map(|()| out)
        };
        let cut = data.first().map_or(0, |&byte| usize::from(byte) % data.len());
        assert_eq!(decode([data, &[]]), decode([&data[..cut], &data[cut..]]));
    }
}

/// The search for a derivation, on a message made in one of the ways that it tries.
///
/// # Panics
/// If another way is found although the plaintext looks like something.
pub fn derivations(data: &[u8]) {
    derivations::fuzz(data);
}

/// Values of presets: recognised, opened and made.
///
/// # Panics
/// If something that was opened was not recognised, or what was made is not opened again.
pub fn presets(data: &[u8]) {
    presets::fuzz(data);
}
