//! PBKDF1 (RFC 8018 section 5.1), and what Java and .NET made of it for longer keys.

use zeroize::Zeroizing;

use super::digest::Digest;

/// PBKDF1: the whole digest of password and salt, hashed `count` times in all.
#[must_use]
pub fn pbkdf1(digest: Digest, password: &[u8], salt: &[u8], count: u32) -> Zeroizing<Vec<u8>> {
    let mut bytes = digest.hash(&[password, salt]);
    for _ in 1..count {
        bytes = digest.hash(&[&bytes]);
    }
    bytes
}

/// `PBEWithMD5AndTripleDES` of Sun's JCE: each half of the salt is hashed `count` times with the password
/// behind it; both results are 24 bytes of key and 8 of IV. Equal halves would give equal halves of key, so
/// the first is reversed (JDKs before this was corrected reversed it wrongly: one salt in 2^32).
#[must_use]
pub fn jasypt_halves(password: &[u8], salt: [u8; 8], count: u32) -> Zeroizing<[u8; 32]> {
    let [a, b, c, d, second @ ..] = salt;
    let mut first = [a, b, c, d];
    if first == second {
        first.reverse();
    }
    let mut bytes = Zeroizing::new([0; 32]);
    for (place, half) in bytes.chunks_exact_mut(16).zip([first, second]) {
        let mut last = Zeroizing::new(half.to_vec());
        for _ in 0..count {
            last = Digest::Md5.hash(&[&last, password]);
        }
        // A count of 0 is nobody's, and leaves zeros behind the salt.
        place[..last.len()].copy_from_slice(&last);
    }
    bytes
}

/// .NET's `PasswordDeriveBytes`: PBKDF1 made longer, with the defect that programs' data depends on.
pub struct PasswordDeriveBytes {
    digest: Digest,
    base: Zeroizing<Vec<u8>>,
    /// Digests made so far, each with this number in front, in decimal (the first with nothing).
    made: u32,
    /// The digests of the last call, and how much of them it returned.
    left: Option<(Zeroizing<Vec<u8>>, usize)>,
}

impl PasswordDeriveBytes {
    /// The state after the constructor. .NET's defaults are SHA-1 and a count of 100.
    #[must_use]
    pub fn new(digest: Digest, password: &[u8], salt: &[u8], count: u32) -> Self {
        let base = pbkdf1(digest, password, salt, count.saturating_sub(1).max(1));
        Self { digest, base, made: 0, left: None }
    }

    /// The next `len` bytes, as .NET's `GetBytes` returns them. Where the last call left fewer bytes than
    /// these, .NET repeats as many from the wrong place, and goes on with a new digest.
    pub fn get_bytes(&mut self, len: usize) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(len));
        if let Some((left, used)) = self.left.take() {
            let count = left.len() - used;
            if count >= len {
                bytes.extend_from_slice(&left[used..used + len]);
                if count > len {
                    self.left = Some((left, used + len));
                }
                return bytes;
            }
            // Not from `used` on: that is the defect.
            bytes.extend_from_slice(&left[count..2 * count]);
        }
        let need = len - bytes.len();
        let mut fresh = Zeroizing::new(Vec::with_capacity(need + 64));
        while fresh.len() < need || fresh.is_empty() {
            let number = if self.made == 0 { String::new() } else { self.made.to_string() };
            fresh.extend_from_slice(&self.digest.hash(&[number.as_bytes(), &self.base]));
            self.made += 1;
        }
        bytes.extend_from_slice(&fresh[..need]);
        if fresh.len() + (len - need) > len {
            self.left = Some((fresh, need));
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::hex;

    /// 40 bytes by .NET; Mono's tests and stackoverflow 13402856 have them.
    const LONG: &str =
        "12F2497EC3EB78B0EA32AABFD8B9515FBC800BEEB6316A4DDF4EA62518341488A116DA3BBC26C685";

    fn fresh() -> PasswordDeriveBytes {
        let salt = [9, 5, 5, 5, 1, 2, 1, 2];
        PasswordDeriveBytes::new(Digest::Sha1, b"PasswordGoesHere", &salt, 100)
    }

    #[test]
    fn derives_what_dotnet_derives() {
        assert_eq!(*hex::upper(&fresh().get_bytes(40)), LONG);
    }

    #[test]
    fn a_second_call_has_its_defect() {
        // Enough is left of the first digests: the bytes that follow.
        let mut bytes = fresh();
        assert_eq!(*hex::upper(&bytes.get_bytes(24)), LONG[..48]);
        assert_eq!(*hex::upper(&bytes.get_bytes(8)), LONG[48..64]);
        assert_eq!(*hex::upper(&bytes.get_bytes(8)), LONG[64..]);
        // (So does Mono 6.8.) 4 bytes are left of 20, and .NET returns bytes 4 to 7 in place of 16 to 19.
        let mut bytes = fresh();
        assert_eq!(*hex::upper(&bytes.get_bytes(16)), LONG[..32]);
        assert_eq!(*hex::upper(&bytes.get_bytes(8)), [&LONG[8..16], &LONG[40..48]].concat());
    }

    #[test]
    fn equal_halves_of_a_salt_give_different_keys() {
        let key = jasypt_halves(b"password", [1, 2, 3, 4, 1, 2, 3, 4], 1000);
        assert_ne!(key[..16], key[16..]);
    }
}
