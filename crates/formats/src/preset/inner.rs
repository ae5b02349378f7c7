//! What stands around a plaintext, inside the encryption, and what a plaintext is.

use der::asn1::AnyRef;
use der::{Decode, Tag};
use zeroize::Zeroizing;

use super::container::Trailer;
use super::given::Error;
use super::outcome::Fault;
use super::row::{Charset, Inner};

/// The first bytes of SQL Server's message.
pub(super) const SQLSERVER: [u8; 4] = [0x0d, 0xf0, 0xad, 0xba];

impl Inner {
    /// The plaintext inside a message whose key is right. `trailer` is what the container names.
    pub(super) fn strip(self, message: &[u8], trailer: Option<Trailer>) -> Result<&[u8], Fault> {
        match self {
            Self::None => Some(message),
            Self::Salt(len) => message.get(len..),
            Self::SqlServer => sqlserver(message),
            Self::Digest => trailer.and_then(|trailer| digested(message, trailer)),
        }
        .ok_or(Fault::Inner)
    }

    /// Appends the plaintext with what stands around it.
    pub(super) fn wrap(
        self,
        salt: &[u8],
        plaintext: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        match self {
            Self::None | Self::Digest => {}
            Self::Salt(want) if salt.len() == want => out.extend_from_slice(salt),
            Self::Salt(want) => return Err(Error::SaltLength { got: salt.len(), want }),
            Self::SqlServer => {
                let len = u16::try_from(plaintext.len()).map_err(|_| Error::Plaintext)?;
                out.extend(SQLSERVER);
                out.extend([0, 0]);
                out.extend(len.to_le_bytes());
            }
        }
        out.extend_from_slice(plaintext);
        Ok(())
    }
}

/// The lengths say where the plaintext is, and that there is no more.
fn sqlserver(message: &[u8]) -> Option<&[u8]> {
    let (lens, rest) = message.strip_prefix(&SQLSERVER)?.split_first_chunk::<4>()?;
    let [integrity, len] = [[lens[0], lens[1]], [lens[2], lens[3]]].map(u16::from_le_bytes);
    let plaintext = rest.get(usize::from(integrity)..)?;
    (plaintext.len() == usize::from(len)).then_some(plaintext)
}

/// What stands before a digest of it.
fn digested(message: &[u8], trailer: Trailer) -> Option<&[u8]> {
    let at = message.len().checked_sub(trailer.digest.hash(&[]).len())?;
    let (plaintext, found) = message.split_at(at);
    (!trailer.is_readable || **trailer.digest.hash(&[plaintext]) == *found).then_some(plaintext)
}

/// Whether these are the hex digits 0, the length, 4 to 12 decimal digits, and F.
fn is_pin(field: &[u8]) -> bool {
    let mut digits = Zeroizing::new(Vec::with_capacity(2 * field.len()));
    digits.extend(field.iter().flat_map(|byte| [byte >> 4, byte & 15]));
    let [0, len @ 4..=12, digits @ ..] = &digits[..] else { return false };
    let Some((pin, fill)) = digits.split_at_checked(usize::from(*len)) else { return false };
    pin.iter().all(|&digit| digit < 10) && fill.iter().all(|&digit| digit == 15)
}

impl Charset {
    /// Whether a plaintext is of this kind, where the kind is known.
    pub(super) fn holds(self, plaintext: &[u8]) -> bool {
        match self {
            Self::Bytes => false,
            Self::Utf8 | Self::Utf16Le => self.read(plaintext).is_some(),
            Self::Pin => is_pin(plaintext),
            Self::Der => {
                AnyRef::from_der(plaintext).is_ok_and(|any| any.header().tag() == Tag::Sequence)
            }
        }
    }

    /// The plaintext as text, or `None` where it is none of this kind or where the kind is not known.
    #[must_use]
    pub fn read(self, plaintext: &[u8]) -> Option<Zeroizing<String>> {
        match self {
            Self::Bytes | Self::Der | Self::Pin => None,
            Self::Utf8 => Some(Zeroizing::new(std::str::from_utf8(plaintext).ok()?.to_owned())),
            Self::Utf16Le => {
                let (pairs, []) = plaintext.as_chunks::<2>() else { return None };
                // With room for all, so that no copy is left behind.
                let mut text = Zeroizing::new(String::with_capacity(3 * pairs.len()));
                for unit in char::decode_utf16(pairs.iter().map(|pair| u16::from_le_bytes(*pair))) {
                    text.push(unit.ok()?);
                }
                Some(text)
            }
        }
    }

    /// The bytes of a text.
    #[must_use]
    pub fn write(self, text: &str) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(2 * text.len()));
        match self {
            Self::Bytes | Self::Utf8 | Self::Der | Self::Pin => {
                bytes.extend_from_slice(text.as_bytes());
            }
            Self::Utf16Le => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        }
        bytes
    }
}
