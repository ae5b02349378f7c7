//! Digests for key derivation, by OpenSSL's names.

use hmac::{Hmac, SimpleHmac};
use sha2::digest::DynDigest;
use zeroize::Zeroizing;

/// One row per digest: variant, name, other names, type, HMAC type.
macro_rules! digests {
    ($($variant:ident $name:literal $aliases:expr, $type:ty, $hmac:ident;)*) => {
        /// A digest that `openssl enc -md` can name.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Digest {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Digest {
            /// Every digest.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name used in messages; OpenSSL knows it, too.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            fn aliases(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &$aliases,)* }
            }

            /// The digest of the parts, one after the other.
            #[must_use]
            pub fn hash(self, parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
                match self { $(Self::$variant => hash::<$type>(parts),)* }
            }

            /// The same for bytes that come in pieces.
            pub(crate) fn running(self) -> Box<dyn DynDigest + Send> {
                match self { $(Self::$variant => Box::<$type>::default(),)* }
            }

            /// PBKDF2 (RFC 8018 section 5.2) with HMAC of this digest; fills `output`.
            pub fn pbkdf2(self, password: &[u8], salt: &[u8], count: u32, output: &mut [u8]) {
                match self {
                    $(Self::$variant => filled(pbkdf2::pbkdf2::<$hmac<$type>>(
                        password, salt, count, output,
                    )),)*
                }
            }
        }
    };
}

digests! {
    Md5 "md5" ["ssl3-md5"], md5::Md5, Hmac;
    Sha1 "sha1" ["sha-1", "ssl3-sha1"], sha1::Sha1, Hmac;
    Sha256 "sha256" ["sha-256", "sha2-256"], sha2::Sha256, Hmac;
    Sha512 "sha512" ["sha-512", "sha2-512"], sha2::Sha512, Hmac;
    Sha224 "sha224" ["sha-224", "sha2-224"], sha2::Sha224, Hmac;
    Sha384 "sha384" ["sha-384", "sha2-384"], sha2::Sha384, Hmac;
    Sha512_224 "sha512-224" ["sha-512/224", "sha2-512/224"], sha2::Sha512_224, Hmac;
    Sha512_256 "sha512-256" ["sha-512/256", "sha2-512/256"], sha2::Sha512_256, Hmac;
    Sha3_224 "sha3-224" [], sha3::Sha3_224, SimpleHmac;
    Sha3_256 "sha3-256" [], sha3::Sha3_256, SimpleHmac;
    Sha3_384 "sha3-384" [], sha3::Sha3_384, SimpleHmac;
    Sha3_512 "sha3-512" [], sha3::Sha3_512, SimpleHmac;
    Ripemd160 "ripemd160" ["rmd160", "ripemd", "ripemd-160"], ripemd::Ripemd160, Hmac;
    Md4 "md4" [], md4::Md4, Hmac;
    Whirlpool "whirlpool" [], whirlpool::Whirlpool, Hmac;
    Sm3 "sm3" [], sm3::Sm3, Hmac;
    Blake2b512 "blake2b512" ["blake2b-512"], blake2::Blake2b512, SimpleHmac;
    Blake2s256 "blake2s256" ["blake2s-256"], blake2::Blake2s256, SimpleHmac;
}

impl Digest {
    /// Finds a digest by name, in any case of letters.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let is = |digest: &&Self| digest.name() == name || digest.aliases().contains(&&*name);
        Self::ALL.iter().find(is).copied()
    }
}

fn filled<E: std::fmt::Debug>(result: Result<(), E>) {
    result.expect("HMAC takes keys of any length");
}

fn hash<D: sha2::Digest>(parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let mut digest = D::new();
    for part in parts {
        digest.update(part);
    }
    Zeroizing::new(digest.finalize().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_unique() {
        let all = Digest::ALL.iter().flat_map(|d| d.aliases().iter().copied().chain([d.name()]));
        let mut all: Vec<_> = all.collect();
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
        for (digest, start) in [
            (Digest::Md5, [0x90, 0x01]),
            (Digest::Sha1, [0xa9, 0x99]),
            (Digest::Sha256, [0xba, 0x78]),
        ] {
            assert_eq!(digest.hash(&[b"a", b"bc"])[..2], start, "{digest:?}");
        }
    }

    #[test]
    fn pbkdf2_known_answer() {
        // RFC 6070: password "password", salt "salt", 2 iterations, HMAC-SHA-1.
        let mut output = [0; 4];
        Digest::Sha1.pbkdf2(b"password", b"salt", 2, &mut output);
        assert_eq!(output, [0xea, 0x6c, 0x01, 0x4d]);
    }
}
