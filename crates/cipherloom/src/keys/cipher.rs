//! Keys: what a cipher is, and the object that holds one key of it.

mod block_key;
mod fault;
mod typed;

pub use block_key::BlockKey;
pub use fault::{KeyFault, Parity, des_faults, fix_parity};
pub use typed::{Des, Desx, TdesEde2, TdesEde3, TdesEee2, TdesEee3};

use zeroize::Zeroize;

use crate::backend::{Backend, Policy};
use crate::error::Error;
use crate::kernels::{Direction, Shape};

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
    const ZERO: Self = Self { keys: [0; 3], whitening: [0; 2] };
}

impl Drop for KeyParts {
    fn drop(&mut self) {
        self.keys.zeroize();
        self.whitening.zeroize();
    }
}

mod sealed {
    pub trait Sealed {}
}

/// What all block-cipher keys can do: [`Des`], [`TdesEde2`], [`TdesEde3`], [`TdesEee2`],
/// [`TdesEee3`], [`Desx`], and [`BlockKey`], which is any of them.
///
/// The trait cannot be implemented outside this crate.
pub trait BlockCipher: sealed::Sealed + Clone {
    /// The key without its type.
    fn as_block_key(&self) -> &BlockKey;

    #[doc(hidden)]
    fn as_block_key_mut(&mut self) -> &mut BlockKey;

    /// Which cipher the key is for.
    fn algorithm(&self) -> Algorithm {
        self.as_block_key().algorithm
    }

    /// The same key under a [`Policy`]; it holds for this object and what is made from it.
    ///
    /// [`Policy::ConstantTime`] also ends the service of a [forced](Self::with_backend) backend
    /// that is not constant-time.
    #[must_use]
    fn with_policy(mut self, policy: Policy) -> Self {
        self.set_policy(policy);
        self
    }

    /// What [`with_policy`](Self::with_policy) does, in place.
    fn set_policy(&mut self, policy: Policy) {
        self.as_block_key_mut().choice.set_policy(policy);
    }

    /// The same key, served by `backend` alone, whatever the amount of work; what
    /// [`Backend::force`] does.
    ///
    /// # Errors
    /// [`Error::Backend`] if the backend is RC4's or the processor cannot run it, or if the key
    /// asks for constant time and the backend is not.
    fn with_backend(mut self, backend: Backend) -> Result<Self, Error> {
        self.set_backend(backend)?;
        Ok(self)
    }

    /// What [`with_backend`](Self::with_backend) does, in place.
    ///
    /// # Errors
    /// [`Error::Backend`]; the key has not changed then.
    fn set_backend(&mut self, backend: Backend) -> Result<(), Error> {
        self.as_block_key_mut().choice.force(backend, crate::backend::Family::Des)
    }

    /// Encrypts one block.
    ///
    /// # Errors
    /// [`Error::SelfTest`] if no backend works.
    fn encrypt_block(&self, block: &mut [u8; 8]) -> Result<(), Error> {
        let chain = self.as_block_key().chain()?;
        *block = chain.encrypt(u64::from_be_bytes(*block)).to_be_bytes();
        Ok(())
    }

    /// Decrypts one block.
    ///
    /// # Errors
    /// [`Error::SelfTest`] if no backend works.
    fn decrypt_block(&self, block: &mut [u8; 8]) -> Result<(), Error> {
        let chain = self.as_block_key().chain()?;
        *block = chain.decrypt(u64::from_be_bytes(*block)).to_be_bytes();
        Ok(())
    }

    /// Encrypts independent blocks, each on its own (what ECB does), by the backend that is
    /// fastest for their number.
    ///
    /// # Errors
    /// [`Error::SelfTest`] if no backend works; no block has changed then.
    fn encrypt_blocks(&self, blocks: &mut [[u8; 8]]) -> Result<(), Error> {
        self.as_block_key().bulk(blocks.len())?.crypt(Direction::Encrypt, blocks);
        Ok(())
    }

    /// Decrypts independent blocks; the inverse of [`encrypt_blocks`](Self::encrypt_blocks).
    ///
    /// # Errors
    /// [`Error::SelfTest`] if no backend works; no block has changed then.
    fn decrypt_blocks(&self, blocks: &mut [[u8; 8]]) -> Result<(), Error> {
        self.as_block_key().bulk(blocks.len())?.crypt(Direction::Decrypt, blocks);
        Ok(())
    }
}
