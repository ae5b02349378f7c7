//! The ways of the command mcrypt 2.6 from a password to a key, as its library mhash has them.

use zeroize::Zeroizing;

use super::digest::Digest;
use crate::encoding::hex;

type Bytes = Zeroizing<Vec<u8>>;

/// mcrypt's key modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMode {
    /// `mcrypt-sha1`, the usual one: a digest of the salt, the password, and all digests before.
    Digest(Digest),
    /// `asis`: the password, cut or with zeros behind it.
    AsIs,
    /// `hex`: the password in hex, with zeros behind it.
    Hex,
    /// `pkdes`: the password with zeros behind it, its top bits set so that each byte is odd.
    Parity,
    /// `s2k-...`: OpenPGP's ways (RFC 4880 section 3.7.1).
    S2k(S2k, Digest),
}

/// OpenPGP's ways from a string to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum S2k {
    /// The digest of the password.
    Simple,
    /// The digest of 8 bytes of salt and the password.
    Salted,
    /// The same, both repeated to 1,024 bytes: mcrypt has no other count.
    Iterated,
}

/// Bytes that an iterated derivation hashes.
const ITERATED: usize = 1024;

/// OpenPGP's salt.
const S2K_SALT: usize = 8;

impl KeyMode {
    /// The mode of this name, if it is one of these. (`scrypt`, a key by the system's `crypt`, is none.)
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Some(match &*name {
            "mcrypt-sha1" => Self::Digest(Digest::Sha1),
            // mcrypt 2.6 asks mhash for the wrong mode under this name, and files are so.
            "asis" | "mcrypt-md5" => Self::AsIs,
            "hex" => Self::Hex,
            "pkdes" => Self::Parity,
            _ => {
                let (way, digest) = name.strip_prefix("s2k-")?.split_once('-')?;
                let way = match way {
                    "simple" => S2k::Simple,
                    "salted" => S2k::Salted,
                    "isalted" => S2k::Iterated,
                    _ => return None,
                };
                let digest = match digest {
                    "md5" => Digest::Md5,
                    "sha1" => Digest::Sha1,
                    "ripemd" => Digest::Ripemd160,
                    _ => return None,
                };
                Self::S2k(way, digest)
            }
        })
    }

    /// A key of `len` bytes. `None`: mcrypt takes no such password in this mode, or the salt is too short.
    #[must_use]
    pub fn derive(self, password: &[u8], salt: &[u8], len: usize) -> Option<Bytes> {
        let mut key = Zeroizing::new(Vec::with_capacity(len + 64));
        match self {
            Self::Digest(digest) => {
                while key.len() < len {
                    let next = digest.hash(&[salt, password, &key]);
                    key.extend_from_slice(&next);
                }
            }
            Self::AsIs if password.is_empty() => return None,
            Self::AsIs => key.extend_from_slice(&password[..password.len().min(len)]),
            Self::Hex if password.len() > 2 * len => return None,
            Self::Hex => hex::decode(password, &mut key).ok()?,
            Self::Parity if password.len() > len => return None,
            Self::Parity => key.extend_from_slice(password),
            Self::S2k(way, digest) => {
                let salt: &[u8] = if way == S2k::Simple { &[] } else { salt.get(..S2K_SALT)? };
                let once = Zeroizing::new([salt, password].concat());
                let count =
                    if way == S2k::Iterated { ITERATED.max(once.len()) } else { once.len() };
                let input: Bytes =
                    Zeroizing::new(once.iter().copied().cycle().take(count).collect());
                let mut zeros = Vec::new();
                while key.len() < len {
                    key.extend_from_slice(&digest.hash(&[&zeros, &input]));
                    zeros.push(0);
                }
            }
        }
        key.resize(len, 0);
        if self == Self::Parity {
            for byte in key.iter_mut() {
                let low = *byte & 0x7f;
                *byte = low | if low.count_ones().is_multiple_of(2) { 0x80 } else { 0 };
            }
        }
        Some(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_that_a_mode_does_not_take_give_no_key() {
        let derive = |name: &str, password: &[u8], salt: &[u8]| {
            KeyMode::find(name).unwrap().derive(password, salt, 8).map(|key| key.to_vec())
        };
        assert_eq!(derive("asis", b"", b""), None);
        assert_eq!(derive("ASIS", b"longer than a key", b""), Some(b"longer t".to_vec()));
        assert_eq!(derive("mcrypt-md5", b"key", b""), Some(b"key\0\0\0\0\0".to_vec()));
        assert_eq!(derive("hex", b"0aff", b""), Some(vec![0x0a, 0xff, 0, 0, 0, 0, 0, 0]));
        for wrong in [&b"0af"[..], b"xy", b"000102030405060708"] {
            assert_eq!(derive("hex", wrong, b""), None);
        }
        // Each byte has an odd number of ones, and its low bits are the password's.
        let parity = Some(vec![b'a', b'a' | 2 | 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]);
        assert_eq!(derive("pkdes", b"ac", b""), parity);
        assert_eq!(derive("pkdes", b"ninebytes", b""), None);
        assert_eq!(derive("s2k-salted-md5", b"x", b"7 bytes"), None);
        for name in ["scrypt", "s2k-salted-sha256", "s2k-md5", ""] {
            assert_eq!(KeyMode::find(name), None, "{name}");
        }
    }
}
