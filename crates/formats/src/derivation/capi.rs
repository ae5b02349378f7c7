//! `CryptDeriveKey` of Windows' CryptoAPI; .NET's `PasswordDeriveBytes.CryptDeriveKey` calls it.

use zeroize::Zeroizing;

use super::digest::Digest;

/// The block length of MD5 and SHA-1, as in HMAC.
const BLOCK: usize = 64;

/// A key of `len` bytes from the digest of a password: the digest's first bytes, or where it is shorter,
/// two digests of the digest, XORed into 64 bytes of 36 and of 5C. `parity`: the key is DES's, and each
/// byte gets odd parity.
#[must_use]
pub fn crypt_derive_key(
    digest: Digest,
    password: &[u8],
    len: usize,
    parity: bool,
) -> Zeroizing<Vec<u8>> {
    let mut key = digest.hash(&[password]);
    if key.len() < len {
        let padded = |fill: u8| {
            let mut block = Zeroizing::new([fill; BLOCK]);
            block.iter_mut().zip(&**key).for_each(|(place, byte)| *place ^= byte);
            digest.hash(&[&*block])
        };
        let (inner, outer) = (padded(0x36), padded(0x5c));
        key = Zeroizing::new([&inner[..], &outer[..]].concat());
    }
    key.truncate(len);
    if parity {
        cipherloom::fix_parity(&mut key);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::hex;

    /// .NET, as stackoverflow 13402856 and Mono's tests have it.
    #[test]
    fn derives_what_windows_derives() {
        let key = crypt_derive_key(Digest::Sha1, b"PasswordGoesHere", 24, true);
        assert_eq!(*hex::upper(&key), "97628A641949D99DCED35DB0ABCE20F21FF4DA9B46E00BCE");
        // No answer of Windows', but its rule: a digest that is long enough is only cut.
        let short = crypt_derive_key(Digest::Sha1, b"PasswordGoesHere", 8, false);
        assert_eq!(*short, Digest::Sha1.hash(&[b"PasswordGoesHere"])[..8]);
    }
}
