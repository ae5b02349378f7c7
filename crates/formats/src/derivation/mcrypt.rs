//! The ways of the command mcrypt 2.6 from a password to a key, as its library mhash has them.

use zeroize::Zeroizing;

use super::digest::Digest;

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
            Self::Hex => {
                crate::encoding::hex::decode(password, &mut key)
                    .ok()
                    .filter(|()| key.len() <= len)?;
            }
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
