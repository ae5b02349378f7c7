//! Modes of operation: what to do with a message longer than a block.
//!
//! [`Mode`] says what to do and is made without a key; its methods take the key and the message.
//! One file per mode holds what it does to whole segments; `message` puts paddings, stealing and
//! buffers around that, once for one-shot and incremental use.

mod cbc;
mod cfb;
mod ctr;
mod cts;
mod ecb;
mod incremental;
mod message;
mod ofb;
mod piece;
mod state;

pub use incremental::{Decryptor, Encryptor};

use crate::padding::Padding;

/// A mode of operation with its IV or first counter and its padding.
///
/// ```
/// use cipherloom::{Mode, Padding, TdesEde3};
///
/// let key = TdesEde3::new(b"0123456789abcdefFEDCBA98");
/// let mode = Mode::cbc(*b"8 bytes!", Padding::Pkcs7);
///
/// let mut buffer = [0; 16];
/// let ciphertext = mode.encrypt(&key, b"attack at", &mut buffer)?;
/// assert_eq!(ciphertext.len(), 16);
///
/// let mut buffer = [0; 16];
/// let plaintext = mode.decrypt(&key, ciphertext, &mut buffer)?;
/// assert_eq!(plaintext, b"attack at");
/// # Ok::<(), cipherloom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    pub(crate) kind: Kind,
    pub(crate) iv: [u8; 8],
    pub(crate) padding: Padding,
}

/// The modes, without their parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Ecb,
    Cbc,
    Cs1,
    Cs2,
    Cs3,
    Cfb1,
    Cfb8,
    Cfb64,
    Ofb,
    Ctr,
}

impl Mode {
    /// Electronic codebook (SP 800-38A section 6.1): each block alone.
    #[must_use]
    pub const fn ecb(padding: Padding) -> Self {
        Self { kind: Kind::Ecb, iv: [0; 8], padding }
    }

    /// Cipher block chaining (SP 800-38A section 6.2).
    #[must_use]
    pub const fn cbc(iv: [u8; 8], padding: Padding) -> Self {
        Self { kind: Kind::Cbc, iv, padding }
    }

    /// CBC with ciphertext stealing, variant CS1 (SP 800-38A addendum): the shortened block stands
    /// before the last. Takes messages of 8 bytes and more; their length stays.
    #[must_use]
    pub const fn cbc_cs1(iv: [u8; 8]) -> Self {
        Self::unpadded(Kind::Cs1, iv)
    }

    /// Variant CS2: as CS1 where the message has whole blocks, else the shortened block stands last.
    #[must_use]
    pub const fn cbc_cs2(iv: [u8; 8]) -> Self {
        Self::unpadded(Kind::Cs2, iv)
    }

    /// Variant CS3: the last two blocks always change places (what Kerberos does).
    #[must_use]
    pub const fn cbc_cs3(iv: [u8; 8]) -> Self {
        Self::unpadded(Kind::Cs3, iv)
    }

    /// Cipher feedback with 1-bit segments (SP 800-38A section 6.3), on the bits of whole bytes,
    /// highest first. For other lengths see [`encrypt_bits`](Self::encrypt_bits).
    #[must_use]
    pub const fn cfb1(iv: [u8; 8]) -> Self {
        Self::unpadded(Kind::Cfb1, iv)
    }

    /// Cipher feedback with 8-bit segments.
    #[must_use]
    pub const fn cfb8(iv: [u8; 8]) -> Self {
        Self::unpadded(Kind::Cfb8, iv)
    }

    /// Cipher feedback with 64-bit segments; a last segment may be short.
    #[must_use]
    pub const fn cfb64(iv: [u8; 8]) -> Self {
        Self::unpadded(Kind::Cfb64, iv)
    }

    /// Output feedback (SP 800-38A section 6.4).
    #[must_use]
    pub const fn ofb(iv: [u8; 8]) -> Self {
        Self::unpadded(Kind::Ofb, iv)
    }

    /// Counter mode (SP 800-38A section 6.5) with a 64-bit big-endian counter that wraps.
    #[must_use]
    pub const fn ctr(counter: [u8; 8]) -> Self {
        Self::unpadded(Kind::Ctr, counter)
    }

    const fn unpadded(kind: Kind, iv: [u8; 8]) -> Self {
        Self { kind, iv, padding: Padding::None }
    }

    /// Whether a message's length is free, byte by byte, and its own length stays.
    #[must_use]
    pub const fn is_stream(&self) -> bool {
        self.kind.is_stream()
    }
}

impl Kind {
    pub(crate) const fn is_stream(self) -> bool {
        matches!(self, Self::Cfb1 | Self::Cfb8 | Self::Cfb64 | Self::Ofb | Self::Ctr)
    }

    pub(crate) const fn is_stealing(self) -> bool {
        matches!(self, Self::Cs1 | Self::Cs2 | Self::Cs3)
    }
}
