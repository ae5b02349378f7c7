//! The one key object behind all typed keys.

use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::algorithm::{Algorithm, KeyParts};
use super::fault::{self, Parity};
use crate::dispatch::Choice;
use crate::error::{Error, KeyFault};
use crate::kernels::{Key, Passes, Schedule, scrubbed};

/// A key of any of the block ciphers, for programs that learn at run time which one.
///
/// It holds the schedule for chains and the key bytes from which bulk kernels work (about 450
/// bytes), and is wiped on drop.
pub struct BlockKey {
    pub(crate) algorithm: Algorithm,
    pub(crate) choice: Choice,
    pub(crate) passes: Passes,
    pub(crate) schedule: Schedule,
    /// DESX: XORed into every input and every output block, and in the schedule already; zero for
    /// the others.
    pub(crate) whitening: [u64; 2],
}

impl BlockKey {
    /// A key of `algorithm`. Parity bits are ignored, and every key of the right length is taken,
    /// also a weak one, as the standards' own test vectors need.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(algorithm: Algorithm, key: &[u8]) -> Result<Self, Error> {
        if key.len() != algorithm.key_len() {
            return Err(algorithm.wrong_length(key));
        }
        Self::make(algorithm, || {
            Ok(Self::of(algorithm, &algorithm.read_key(key)?, Choice::default()))
        })
    }

    /// Has a key made, and wipes what that leaves behind.
    #[inline(always)]
    pub(super) fn make<R>(algorithm: Algorithm, make: impl FnOnce() -> R) -> R {
        // A schedule, on its way more than once.
        scrubbed(if algorithm.shape().passes() == 1 { 1152 } else { 1664 }, make)
    }

    /// A copy, in whose making nothing is wiped.
    #[inline(always)]
    pub(crate) fn copy(&self) -> Self {
        Self {
            algorithm: self.algorithm,
            choice: self.choice,
            passes: self.passes.clone(),
            schedule: self.schedule.clone(),
            whitening: self.whitening,
        }
    }

    /// A key from its parts, whose backends are chosen so.
    #[inline(always)]
    pub(crate) fn of(algorithm: Algorithm, parts: &KeyParts, choice: Choice) -> Self {
        let mut key = Self::blank(algorithm);
        key.choice = choice;
        key.passes.keys = parts.keys;
        key.whitening = parts.whitening;
        key.make_schedule();
        key
    }

    /// Room for a key, which [`set`](Self::set) makes one: so it can be brought to its place while
    /// there is no secret in it. For the C face.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn blank(algorithm: Algorithm) -> Self {
        let shape = algorithm.shape();
        Self {
            algorithm,
            choice: Choice::default(),
            passes: Passes { keys: [0; 3], shape },
            schedule: Schedule::blank(shape),
            whitening: [0; 2],
        }
    }

    /// Takes another key of the same cipher, made where it stays.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    #[doc(hidden)]
    pub fn set(&mut self, key: &[u8]) -> Result<(), Error> {
        self.take(key)
    }

    /// The same, for this crate: no program knows it, so that it can be a part of what calls it.
    #[inline(always)]
    pub(super) fn take(&mut self, key: &[u8]) -> Result<(), Error> {
        self.algorithm.read_key_to(key, &mut self.passes.keys, &mut self.whitening)?;
        self.make_schedule();
        Ok(())
    }

    /// Becomes the DES key that comes first in `bundle`, and is served as that is.
    pub(crate) fn set_first_of(&mut self, bundle: &Self) {
        self.choice = bundle.choice;
        self.passes.keys[0] = bundle.passes.keys[0];
        self.make_schedule();
    }

    #[inline(always)]
    fn make_schedule(&mut self) {
        let whitening = (self.algorithm == Algorithm::Desx).then_some(&self.whitening);
        self.schedule.fill(&self.passes, whitening);
    }

    /// A key of `algorithm` that is none of those [`Self::fault`] names.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::Key`].
    pub fn new_checked(algorithm: Algorithm, key: &[u8], parity: Parity) -> Result<Self, Error> {
        match Self::fault(algorithm, key, parity)? {
            Some(fault) => Err(Error::Key(fault)),
            None => Self::new(algorithm, key),
        }
    }

    /// What is wrong with a key: weak, semi-weak or degenerate and, if asked, of wrong parity.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn fault(
        algorithm: Algorithm,
        key: &[u8],
        parity: Parity,
    ) -> Result<Option<KeyFault>, Error> {
        let mut parts = KeyParts::ZERO;
        algorithm.read_key_to(key, &mut parts.keys, &mut parts.whitening)?;
        Ok(fault::find(algorithm, &parts.keys, parity))
    }

    /// The key as kernels take it.
    #[inline]
    pub(crate) fn for_kernels(&self) -> Key<'_> {
        let whitening = (self.algorithm == Algorithm::Desx).then_some(&self.whitening);
        Key { passes: &self.passes, schedule: &self.schedule, whitening }
    }
}

impl Clone for BlockKey {
    fn clone(&self) -> Self {
        Self::make(self.algorithm, || self.copy())
    }

    /// Copies from place to place, so that nothing of the key stays elsewhere.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.algorithm = other.algorithm;
        self.choice = other.choice;
        self.passes.clone_from(&other.passes);
        self.schedule.clone_from(&other.schedule);
        self.whitening.copy_from_slice(&other.whitening);
    }
}

impl Drop for BlockKey {
    #[inline]
    fn drop(&mut self) {
        // `passes` and `schedule` wipe themselves.
        self.whitening.zeroize();
    }
}

impl ZeroizeOnDrop for BlockKey {}

/// Prints the cipher's name, never the key.
impl fmt::Debug for BlockKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.algorithm.name()).finish_non_exhaustive()
    }
}
