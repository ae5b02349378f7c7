//! Paddings to whole 8-byte blocks.

/// The message that `pad` turns into `data` by adding 1 to 8 bytes, if there is one.
fn unpad(pad: fn(&[u8]) -> Vec<u8>, data: &[u8]) -> Option<Vec<u8>> {
    for added in 1..=8.min(data.len()) {
        let message = &data[..data.len() - added];
        if pad(message) == data {
            return Some(message.to_vec());
        }
    }
    None
}

/// PKCS#7 (RFC 5652 section 6.3): `8 - len mod 8` bytes of that value, 1 to 8 of them.
pub fn pad_pkcs7(data: &[u8]) -> Vec<u8> {
    let count = 8 - data.len() % 8;
    let mut padded = data.to_vec();
    for _ in 0..count {
        padded.push(count as u8);
    }
    padded
}

/// Removes [`pad_pkcs7`]; `None` if `data` does not end in such a padding or is not whole blocks.
pub fn unpad_pkcs7(data: &[u8]) -> Option<Vec<u8>> {
    unpad(pad_pkcs7, data)
}

/// ISO/IEC 7816-4, which is ISO/IEC 9797-1 padding method 2: a 1 bit, then as few 0 bits as fill
/// the block; in bytes 80, then 00 as needed. At least one byte is added.
pub fn pad_iso7816(data: &[u8]) -> Vec<u8> {
    let mut padded = data.to_vec();
    padded.push(0x80);
    while !padded.len().is_multiple_of(8) {
        padded.push(0);
    }
    padded
}

/// Removes [`pad_iso7816`]; `None` if the last block does not end in such a padding or `data` is
/// not whole blocks.
pub fn unpad_iso7816(data: &[u8]) -> Option<Vec<u8>> {
    unpad(pad_iso7816, data)
}

/// Zero bytes, as few as fill the block: none if it is full, none for no data.
///
/// ISO/IEC 9797-1 padding method 1 differs for empty data only: there it makes one block
/// ([`crate::mac::PaddingMethod`]).
pub fn pad_zero(data: &[u8]) -> Vec<u8> {
    let mut padded = data.to_vec();
    while !padded.len().is_multiple_of(8) {
        padded.push(0);
    }
    padded
}

/// Removes the zero bytes that [`pad_zero`] can have added: up to 7 at the end. Zeros of the
/// message itself cannot be told from them and go too. `None` if `data` is not whole blocks.
pub fn unpad_zero(data: &[u8]) -> Option<Vec<u8>> {
    if !data.len().is_multiple_of(8) {
        return None;
    }
    let mut message = data.to_vec();
    for _ in 0..7 {
        if message.last() == Some(&0) {
            message.pop();
        }
    }
    Some(message)
}
