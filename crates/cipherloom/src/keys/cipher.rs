//! What all block-cipher keys can do.

use super::algorithm::Algorithm;
use super::block_key::BlockKey;
use crate::backend::{Backend, Family, Policy};
use crate::error::Error;
use crate::kernels::Direction;

pub(super) mod sealed {
    pub trait Sealed {}
}

/// What all block-cipher keys can do: [`Des`](crate::Des), [`TdesEde2`](crate::TdesEde2),
/// [`TdesEde3`](crate::TdesEde3), [`TdesEee2`](crate::TdesEee2), [`TdesEee3`](crate::TdesEee3),
/// [`Desx`](crate::Desx), and [`BlockKey`], which is any of them.
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
        self.as_block_key_mut().choice.force(backend, Family::Des)
    }

    /// Encrypts one block.
    ///
    /// # Errors
    /// [`Error::SelfTest`] if no backend works.
    fn encrypt_block(&self, block: &mut [u8; 8]) -> Result<(), Error> {
        self.as_block_key().one(Direction::Encrypt, block)
    }

    /// Decrypts one block.
    ///
    /// # Errors
    /// [`Error::SelfTest`] if no backend works.
    fn decrypt_block(&self, block: &mut [u8; 8]) -> Result<(), Error> {
        self.as_block_key().one(Direction::Decrypt, block)
    }

    /// Encrypts independent blocks, each on its own (what ECB does), by the backend that is
    /// fastest for their number.
    ///
    /// # Errors
    /// [`Error::SelfTest`] if no backend works; no block has changed then.
    fn encrypt_blocks(&self, blocks: &mut [[u8; 8]]) -> Result<(), Error> {
        self.as_block_key().each(Direction::Encrypt, blocks)
    }

    /// Decrypts independent blocks; the inverse of [`encrypt_blocks`](Self::encrypt_blocks).
    ///
    /// # Errors
    /// [`Error::SelfTest`] if no backend works; no block has changed then.
    fn decrypt_blocks(&self, blocks: &mut [[u8; 8]]) -> Result<(), Error> {
        self.as_block_key().each(Direction::Decrypt, blocks)
    }
}

impl sealed::Sealed for BlockKey {}

impl BlockCipher for BlockKey {
    fn as_block_key(&self) -> &BlockKey {
        self
    }

    fn as_block_key_mut(&mut self) -> &mut BlockKey {
        self
    }
}
