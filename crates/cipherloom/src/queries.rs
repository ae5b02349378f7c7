//! What programs ask of backends: which of them work here, which serves what, and to be served by one.

use crate::backend::{Backend, Policy, Status};
use crate::dispatch::{self, Sliced, selftest};
use crate::error::Error;
use crate::kernels::bitslice::Width;
use crate::keys::{Algorithm, BlockCipher};
use crate::rc4::Rc4;

impl Backend {
    /// Every backend that this processor can run; in each family those for a single chain or stream
    /// first, and those in constant time last: among them too first those for a chain, then those for
    /// much work. Which one is taken follows from what they cost: see [`detect`](Self::detect).
    #[must_use]
    pub fn all() -> &'static [Self] {
        dispatch::available().backends()
    }

    /// The backend that this processor gets for `blocks` independent blocks of `algorithm`; a chain
    /// is work of one block.
    #[must_use]
    pub fn detect(algorithm: Algorithm, blocks: usize, policy: Policy) -> Self {
        dispatch::fastest(algorithm.shape(), blocks, policy)
    }

    /// The vendor for whose processors backends are chosen here, and kernels where there are some for a vendor:
    /// `Intel`; `Arm`, which stands for every AArch64, by cost models; `AMD`, which stands for all others.
    #[must_use]
    pub fn tuned_for() -> &'static str {
        dispatch::available().vendor().name()
    }

    /// The key, served by this backend alone. Other objects are not touched.
    ///
    /// # Errors
    /// [`Error::Backend`] if the backend is of the other family, or this processor cannot run it.
    pub fn force<C: BlockCipher>(self, key: C) -> Result<C, Error> {
        key.with_backend(self)
    }

    /// A new RC4 stream, served by this backend alone.
    ///
    /// # Errors
    /// [`Error::Backend`] if the backend is not RC4's or this processor cannot run it;
    /// [`Error::KeyLength`], [`Error::SelfTest`].
    pub fn force_rc4(self, key: &[u8]) -> Result<Rc4, Error> {
        Rc4::with_backend(key, self)
    }

    /// How many blocks its kernels take at once, where that is what they are made for: for much
    /// work, and for less.
    #[doc(hidden)]
    #[must_use]
    pub fn lanes(self) -> Option<[usize; 2]> {
        let sliced = Sliced::of(self)?;
        Some([Width::Wide, Width::Narrow].map(|width| sliced.lanes(width)))
    }

    /// What is known of it so far. Runs nothing.
    #[must_use]
    pub fn status(self) -> Status {
        selftest::status(self)
    }

    /// Runs its self-test now, and keeps the result for the process: a failure takes the backend
    /// out of service, a pass after a failure does not bring it back.
    ///
    /// # Errors
    /// [`Error::SelfTest`]; [`Error::Backend`] if this processor cannot run it.
    pub fn self_test(self) -> Result<(), Error> {
        selftest::run(self)
    }
}

/// Runs every backend's self-test again and says how each came out. Takes about a millisecond.
///
/// The tests run as the iterator is read, one an item, in the order of [`Backend::all`].
pub fn self_test() -> impl Iterator<Item = (Backend, Result<(), Error>)> {
    Backend::all().iter().map(|&backend| (backend, backend.self_test()))
}
