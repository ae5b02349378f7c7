//! The block ciphers as data, and their keys taken apart.

use zeroize::Zeroize;

use crate::error::Error;
use crate::kernels::Shape;

/// The block ciphers, each with an 8-byte block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// DES (FIPS 46-3), 8 key bytes.
    Des,
    /// TDEA keying option 2 (SP 800-67): KEY1, KEY2, KEY1; encrypt, decrypt, encrypt; 16 key bytes.
    TdesEde2,
    /// TDEA keying option 1 (SP 800-67): KEY1, KEY2, KEY3; encrypt, decrypt, encrypt; 24 key bytes.
    TdesEde3,
    /// KEY1, KEY2, KEY1; three encryptions; 16 key bytes.
    TdesEee2,
    /// KEY1, KEY2, KEY3; three encryptions; 24 key bytes.
    TdesEee3,
    /// DESX (Rivest; Kilian and Rogaway 1996): DES key, input whitening, output whitening, in
    /// OpenSSL's order; 24 key bytes.
    Desx,
}

impl Algorithm {
    /// Every block cipher.
    pub const ALL: [Self; 6] =
        [Self::Des, Self::TdesEde2, Self::TdesEde3, Self::TdesEee2, Self::TdesEee3, Self::Desx];

    /// Key length in bytes.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::Des => 8,
            Self::TdesEde2 | Self::TdesEee2 => 16,
            Self::TdesEde3 | Self::TdesEee3 | Self::Desx => 24,
        }
    }

    /// The name of the type that holds a key of it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Des => "Des",
            Self::TdesEde2 => "TdesEde2",
            Self::TdesEde3 => "TdesEde3",
            Self::TdesEee2 => "TdesEee2",
            Self::TdesEee3 => "TdesEee3",
            Self::Desx => "Desx",
        }
    }

    /// Number of DES passes, and the direction of the middle one.
    pub(crate) const fn shape(self) -> Shape {
        match self {
            Self::Des | Self::Desx => Shape::Single,
            Self::TdesEde2 | Self::TdesEde3 => Shape::Ede,
            Self::TdesEee2 | Self::TdesEee3 => Shape::Eee,
        }
    }

    pub(crate) const fn wrong_length(self, key: &[u8]) -> Error {
        let want = self.key_len();
        Error::KeyLength { got: key.len(), min: want, max: want }
    }

    /// Takes the key bytes apart, or says which length was wanted.
    #[inline]
    pub(crate) fn read_key(self, key: &[u8]) -> Result<KeyParts, Error> {
        let mut parts = KeyParts::ZERO;
        self.read_key_to(key, &mut parts.keys, &mut parts.whitening)?;
        Ok(parts)
    }

    /// The same, each part to its place; nothing has changed on error.
    #[inline]
    pub(crate) fn read_key_to(
        self,
        key: &[u8],
        keys: &mut [u64; 3],
        whitening: &mut [u64; 2],
    ) -> Result<(), Error> {
        if key.len() != self.key_len() {
            return Err(self.wrong_length(key));
        }
        let word =
            |n: usize| key.as_chunks::<8>().0.get(n).map_or(0, |bytes| u64::from_be_bytes(*bytes));
        (*keys, *whitening) = match self {
            Self::Des => ([word(0), 0, 0], [0, 0]),
            Self::Desx => ([word(0), 0, 0], [word(1), word(2)]),
            Self::TdesEde2 | Self::TdesEee2 => ([word(0), word(1), word(0)], [0, 0]),
            Self::TdesEde3 | Self::TdesEee3 => ([word(0), word(1), word(2)], [0, 0]),
        };
        Ok(())
    }
}

/// A key taken apart: the DES keys in order of encryption, and DESX's whitening of input and
/// output. Wiped on drop.
pub(crate) struct KeyParts {
    pub(crate) keys: [u64; 3],
    pub(crate) whitening: [u64; 2],
}

impl KeyParts {
    pub(super) const ZERO: Self = Self { keys: [0; 3], whitening: [0; 2] };
}

impl Drop for KeyParts {
    fn drop(&mut self) {
        self.keys.zeroize();
        self.whitening.zeroize();
    }
}
