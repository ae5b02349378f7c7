//! Perl's `Crypt::CBC` up to 2.16.

use zeroize::Zeroizing;

use super::digest::Digest;

/// A key of `len` bytes: MD5 of the password, then MD5 of all that there is so far, as often as needed.
#[must_use]
pub fn crypt_cbc(password: &[u8], len: usize) -> Zeroizing<Vec<u8>> {
    let mut key = Zeroizing::new(Vec::with_capacity(len + 16));
    key.extend_from_slice(&Digest::Md5.hash(&[password]));
    while key.len() < len {
        let more = Digest::Md5.hash(&[&key]);
        key.extend_from_slice(&more);
    }
    key.truncate(len);
    key
}
