//! Digests for key derivation, by OpenSSL's names.

use hmac::{Hmac, SimpleHmac};
use sha2::Digest as _;
use zeroize::Zeroizing;

/// A digest that `-md` can name.
pub(crate) struct Digest {
    /// The name used in messages; it works as the argument of `-md` too.
    pub(crate) name: &'static str,
    aliases: &'static [&'static str],
    hash: fn(&[&[u8]]) -> Zeroizing<Vec<u8>>,
    pbkdf2: fn(&[u8], &[u8], u32, &mut [u8]),
}

/// One row per digest: name, other names, type, HMAC type.
macro_rules! digests {
    ($($name:literal $aliases:expr, $type:ty, $hmac:ident;)*) => {
        static DIGESTS: &[Digest] = &[$(Digest {
            name: $name,
            aliases: &$aliases,
            hash: |parts| {
                let mut digest = <$type>::new();
                for part in parts {
                    digest.update(part);
                }
                Zeroizing::new(digest.finalize().to_vec())
            },
            pbkdf2: |password, salt, count, output| {
                pbkdf2::pbkdf2::<$hmac<$type>>(password, salt, count, output)
                    .expect("HMAC takes keys of any length");
            },
        }),*];
    };
}

digests! {
    "md5" ["ssl3-md5"], md5::Md5, Hmac;
    "sha1" ["sha-1", "ssl3-sha1"], sha1::Sha1, Hmac;
    "sha256" ["sha-256", "sha2-256"], sha2::Sha256, Hmac;
    "sha512" ["sha-512", "sha2-512"], sha2::Sha512, Hmac;
    "sha224" ["sha-224", "sha2-224"], sha2::Sha224, Hmac;
    "sha384" ["sha-384", "sha2-384"], sha2::Sha384, Hmac;
    "sha512-224" ["sha-512/224", "sha2-512/224"], sha2::Sha512_224, Hmac;
    "sha512-256" ["sha-512/256", "sha2-512/256"], sha2::Sha512_256, Hmac;
    "sha3-224" [], sha3::Sha3_224, SimpleHmac;
    "sha3-256" [], sha3::Sha3_256, SimpleHmac;
    "sha3-384" [], sha3::Sha3_384, SimpleHmac;
    "sha3-512" [], sha3::Sha3_512, SimpleHmac;
    "ripemd160" ["rmd160", "ripemd", "ripemd-160"], ripemd::Ripemd160, Hmac;
    "md4" [], md4::Md4, Hmac;
    "whirlpool" [], whirlpool::Whirlpool, Hmac;
    "sm3" [], sm3::Sm3, Hmac;
    "blake2b512" ["blake2b-512"], blake2::Blake2b512, SimpleHmac;
    "blake2s256" ["blake2s-256"], blake2::Blake2s256, SimpleHmac;
}

impl Digest {
    /// Finds a digest by name, in any case of letters.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        let name = name.to_ascii_lowercase();
        DIGESTS.iter().find(|digest| digest.name == name || digest.aliases.contains(&&*name))
    }

    /// The names of all digests.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        DIGESTS.iter().map(|digest| digest.name)
    }

    /// The digest of the parts, one after the other.
    pub(crate) fn hash(&self, parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
        (self.hash)(parts)
    }

    /// PBKDF2 (RFC 8018 section 5.2) with HMAC of this digest; fills `output`.
    pub(crate) fn pbkdf2(&self, password: &[u8], salt: &[u8], count: u32, output: &mut [u8]) {
        (self.pbkdf2)(password, salt, count, output);
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_unique() {
        let mut all: Vec<_> =
            DIGESTS.iter().flat_map(|d| d.aliases.iter().chain([&d.name])).collect();
        for name in &all {
            assert!(Digest::find(&name.to_uppercase()).is_some());
        }
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(Digest::find("auto").is_none());
    }

    #[test]
    fn digests_are_who_they_say() {
        // RFC 1321 appendix A.5, FIPS 180-4 examples: the digest of "abc".
        for (name, start) in
            [("md5", [0x90, 0x01]), ("sha1", [0xa9, 0x99]), ("sha256", [0xba, 0x78])]
        {
            assert_eq!(Digest::find(name).unwrap().hash(&[b"a", b"bc"])[..2], start, "{name}");
        }
    }

    #[test]
    fn pbkdf2_known_answer() {
        // RFC 6070: password "password", salt "salt", 2 iterations, HMAC-SHA-1.
        let mut output = [0; 4];
        Digest::find("sha1").unwrap().pbkdf2(b"password", b"salt", 2, &mut output);
        assert_eq!(output, [0xea, 0x6c, 0x01, 0x4d]);
    }
}
