//! What stands around a plaintext, inside the encryption, and what a plaintext is.

use der::asn1::AnyRef;
use der::{Decode, Tag};
use zeroize::Zeroizing;

use super::container::Trailer;
use super::given::Error;
use super::outcome::Fault;
use super::row::{Charset, Inner, Preset};
use crate::looks::{self, Looks};

/// The first bytes of SQL Server's message.
pub(super) const SQLSERVER: [u8; 4] = [0x0d, 0xf0, 0xad, 0xba];

/// Text of so few characters is to be of one alphabet.
const SHORT: usize = 3;

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
    (!trailer.is_readable(at as u64) || **trailer.digest.hash(&[plaintext]) == *found)
        .then_some(plaintext)
}

/// The PIN of a field that has the hex digits 0, the length, 4 to 12 decimal digits, and F.
fn pin(field: &[u8]) -> Option<Zeroizing<String>> {
    let mut digits = Zeroizing::new(Vec::with_capacity(2 * field.len()));
    digits.extend(field.iter().flat_map(|byte| [byte >> 4, byte & 15]));
    let [0, len @ 4..=12, digits @ ..] = &digits[..] else { return None };
    let (pin, fill) = digits.split_at_checked(usize::from(*len))?;
    let is_pin = pin.iter().all(|&digit| digit < 10) && fill.iter().all(|&digit| digit == 15);
    let mut text = Zeroizing::new(String::with_capacity(pin.len()));
    text.extend(pin.iter().map(|digit| char::from(b'0' + digit)));
    is_pin.then_some(text)
}

/// Text of which nobody says whether it is in UTF-8 or, as SQL Server's nvarchar, in UTF-16: whichever it looks
/// like.
fn likely_text(bytes: &[u8]) -> Option<Zeroizing<String>> {
    if looks::is_text(bytes) {
        return Charset::Utf8.read(bytes);
    }
    let text = Charset::Utf16Le.read(bytes)?;
    if !looks::is_text(text.as_bytes()) {
        return None;
    }
    // Noise is hardly ever half of one alphabet's: Latin, Greek, Cyrillic, Hebrew, Arabic.
    let page = |c: char| u32::from(c) >> 8;
    let all = text.chars().count();
    let most = (0..=6).map(|own| text.chars().filter(|&c| page(c) == 0 || page(c) == own).count());
    let usual = most.max().unwrap_or_default();
    (usual == all || all > SHORT && 2 * usual >= all).then_some(text)
}

/// Bytes of a plaintext that are looked at.
pub(super) const START: usize = 4096;

/// What a plaintext looks like at its start, where it is one of `charset`.
pub(super) fn looks_like(charset: Charset, plaintext: &[u8]) -> Option<Looks> {
    let start = &plaintext[..plaintext.len().min(START)];
    let is_cut = plaintext.len() > START;
    let is_text = match charset {
        // Of noise, most is UTF-16, but of no alphabet.
        Charset::Bytes | Charset::Utf16Le => {
            likely_text(start).is_some()
                || is_cut && (looks::is_text(start) || likely_text(&start[..START - 2]).is_some())
        }
        Charset::Utf8 | Charset::Der | Charset::Pin => false,
    };
    if is_text { Some(Looks::Text) } else { looks::surely_like_what(start) }
}

impl Preset {
    /// A plaintext as text, never with a loss; `None` where it is none, or not said to be. `charset` is what the
    /// caller says. Where neither the caller nor the row says what it is, UTF-8 and UTF-16 (low byte first)
    /// are told apart by each value: a column may have both.
    #[must_use]
    pub fn read_text(
        &self,
        charset: Option<Charset>,
        plaintext: &[u8],
    ) -> Option<Zeroizing<String>> {
        match (charset, self.charset) {
            (Some(charset), _) => charset.read(plaintext),
            (None, Charset::Bytes) => likely_text(plaintext),
            (None, charset) => charset.read(plaintext),
        }
    }
}

impl Charset {
    /// Whether a plaintext is of this kind, where the kind is known.
    pub(super) fn holds(self, plaintext: &[u8]) -> bool {
        match self {
            Self::Bytes => false,
            Self::Utf8 | Self::Utf16Le | Self::Pin => self.read(plaintext).is_some(),
            Self::Der => {
                AnyRef::from_der(plaintext).is_ok_and(|any| any.header().tag() == Tag::Sequence)
            }
        }
    }

    /// The plaintext as text (of a PIN's field the PIN), or `None` where it is none of this kind or where the kind is not known.
    #[must_use]
    pub fn read(self, plaintext: &[u8]) -> Option<Zeroizing<String>> {
        match self {
            Self::Bytes | Self::Der => None,
            Self::Pin => pin(plaintext),
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
