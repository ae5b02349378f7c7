//! The derivations that `openssl enc` may have used, for a search.

use super::row::KeyFrom;
use super::table::OPENSSL;
use crate::derivation::{Derivation, Digest, Method};

/// The digests to try if PBKDF2 and its count are known, but not the digest.
const PBKDF2_DIGESTS: [Digest; 4] = [Digest::Sha256, Digest::Sha1, Digest::Sha512, Digest::Md5];

/// The derivations to try on data of `openssl enc`: with `count` PBKDF2 with this count, otherwise those
/// of the presets.
#[must_use]
pub fn derivations(count: Option<u32>) -> Vec<Derivation> {
    let Some(count) = count else {
        let used = OPENSSL.iter().filter_map(|preset| match preset.key {
            KeyFrom::OpenSsl(derivation) => Some(derivation),
            _ => None,
        });
        return used.collect();
    };
    let method = Method::Pbkdf2(count);
    PBKDF2_DIGESTS.iter().map(|&digest| Derivation { digest, method }).collect()
}
