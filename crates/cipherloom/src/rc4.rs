//! RC4: a key's stream, applied piece by piece.

use core::fmt;

use zeroize::ZeroizeOnDrop;

use crate::backend::{Backend, Family, Policy};
use crate::dispatch::{Choice, StreamKernels, available, selftest};
use crate::error::Error;
use crate::kernels::rc4_state::State;
use crate::kernels::{copy, rc4, scrubbed};

/// One RC4 keystream at one position (RFC 6229 for vectors; key set-up KSA, output PRGA).
///
/// Encryption and decryption are the same. A key must never serve two messages, and the first
/// bytes of the stream leak it: protocols that drop them call [`skip`](Self::skip). Wiped on drop.
#[derive(Clone)]
pub struct Rc4 {
    state: State,
    kernels: StreamKernels,
    backend: Backend,
}

impl Rc4 {
    /// Fewest key bytes.
    pub const MIN_KEY_LEN: usize = 1;
    /// Most key bytes; longer keys would not be used whole.
    pub const MAX_KEY_LEN: usize = 256;

    /// The stream of a key of 1 to 256 bytes, at its start.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::SelfTest`].
    pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
        Self::with_policy(key, Policy::Fastest)
    }

    /// The same under a [`Policy`], which is needed before the key is touched: the key set-up
    /// looks up at secret addresses too.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::SelfTest`].
    pub fn with_policy(key: &[u8], policy: Policy) -> Result<Self, Error> {
        let mut choice = Choice::default();
        choice.set_policy(policy);
        Self::with_choice(key, choice)
    }

    /// The same, served by `backend` alone.
    ///
    /// # Errors
    /// [`Error::Backend`] if the backend is not RC4's, [`Error::KeyLength`], [`Error::SelfTest`].
    pub fn with_backend(key: &[u8], backend: Backend) -> Result<Self, Error> {
        let mut choice = Choice::default();
        choice.force(backend, Family::Rc4)?;
        Self::with_choice(key, choice)
    }

    pub(crate) fn with_choice(key: &[u8], choice: Choice) -> Result<Self, Error> {
        Self::check_key(key)?;
        let backend = Self::pick(choice)?;
        let kernels = StreamKernels::of(backend).ok_or(Error::Backend(backend))?;
        // It is moved before it is where it stays.
        scrubbed(2 * size_of::<Self>() + 1024, || {
            let mut made = Self { state: State::blank(), kernels, backend };
            kernels.set_up(&mut made.state, key);
            Ok(made)
        })
    }

    /// # Errors
    /// [`Error::KeyLength`].
    pub(crate) fn check_key(key: &[u8]) -> Result<(), Error> {
        let (min, max) = (Self::MIN_KEY_LEN, Self::MAX_KEY_LEN);
        match key.len() {
            got if got < min || got > max => Err(Error::KeyLength { got, min, max }),
            _ => Ok(()),
        }
    }

    /// The backend that serves a stream under `choice`.
    ///
    /// # Errors
    /// [`Error::SelfTest`].
    #[inline(always)]
    pub(crate) fn pick(choice: Choice) -> Result<Backend, Error> {
        choice.pick(available().stream(choice.policy()))
    }

    /// Makes S of a key of 1 to 256 bytes, a word an entry, where it stays; for the C face.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::SelfTest`]; nothing has changed then.
    #[doc(hidden)]
    pub fn set_up_words(key: &[u8], s: &mut [u32; 256]) -> Result<(), Error> {
        Self::check_key(key)?;
        if !selftest::is_usable(Backend::Rc4Loop) {
            return Err(Error::SelfTest);
        }
        rc4::set_up(key, s);
        Ok(())
    }

    /// XORs the next bytes of the keystream of S, i and j into `data`, in place; for the C face.
    /// Of S's words the lowest bytes count.
    ///
    /// # Errors
    /// [`Error::SelfTest`]; nothing has changed then.
    #[doc(hidden)]
    pub fn apply_words(
        s: &mut [u32; 256],
        i: &mut u8,
        j: &mut u8,
        data: &mut [u8],
    ) -> Result<(), Error> {
        if !selftest::is_usable(Backend::Rc4Loop) {
            return Err(Error::SelfTest);
        }
        rc4::apply(s, i, j, data);
        Ok(())
    }

    /// A stream at the place that S, i and j say, as RC4 is printed; for the C face. Entries of S
    /// need not be a permutation. Kernels in assembly begin where i is a multiple of 8.
    ///
    /// # Errors
    /// [`Error::SelfTest`].
    #[doc(hidden)]
    pub fn resume(s: &[u8; 256], i: u8, j: u8) -> Result<Self, Error> {
        let backend = Self::pick(Choice::default())?;
        let asm = StreamKernels::of(backend)
            .filter(|kernels| matches!(kernels, StreamKernels::Asm(_)) && i.is_multiple_of(8));
        let (backend, kernels) = match asm {
            Some(kernels) => (backend, kernels),
            None if selftest::is_usable(Backend::Rc4Loop) => {
                (Backend::Rc4Loop, StreamKernels::Loop)
            }
            None => return Err(Error::SelfTest),
        };
        let entry = kernels.entry().ok_or(Error::SelfTest)?;
        Ok(Self { state: State::resume(entry, s, i, j), kernels, backend })
    }

    /// S, i and j, for [`resume`](Self::resume). `None` in the middle of a group of eight bytes
    /// since it was made, where S is ahead of the stream, and in constant time.
    #[doc(hidden)]
    #[must_use]
    pub fn pause(&self) -> Option<([u8; 256], u8, u8)> {
        self.kernels.entry().and_then(|entry| self.state.pause(entry))
    }

    /// The backend that serves this stream.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// XORs the next keystream bytes into `data`. Any chunking of a message gives the same bytes.
    ///
    /// # Errors
    /// [`Error::SelfTest`]; the data has not changed then.
    pub fn apply(&mut self, data: &mut [u8]) -> Result<(), Error> {
        if !selftest::is_usable(self.backend()) {
            return Err(Error::SelfTest);
        }
        self.kernels.apply(&mut self.state, data);
        Ok(())
    }

    /// XORs the next keystream bytes into `input` on the way to the start of `output`, and returns
    /// that part of it.
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`], [`Error::SelfTest`]; `output` has not changed then.
    pub fn apply_to<'o>(
        &mut self,
        input: &[u8],
        output: &'o mut [u8],
    ) -> Result<&'o mut [u8], Error> {
        let wrong = Error::OutputTooSmall { need: input.len(), got: output.len() };
        let output = output.get_mut(..input.len()).ok_or(wrong)?;
        self.apply(&mut [])?;
        copy(output, input);
        self.apply(output)?;
        Ok(output)
    }

    /// Leaves out the next `count` bytes of the keystream ("drop-n"), which takes as long as
    /// applying them.
    ///
    /// # Errors
    /// [`Error::SelfTest`].
    pub fn skip(&mut self, mut count: u64) -> Result<(), Error> {
        scrubbed(256, || {
            let mut waste = [0; 256];
            while count > 0 {
                let piece = count.min(waste.len() as u64);
                self.apply(&mut waste[..piece as usize])?;
                count -= piece;
            }
            Ok(())
        })
    }
}

/// The state wipes itself.
impl ZeroizeOnDrop for Rc4 {}

/// Prints the name, never the state.
impl fmt::Debug for Rc4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rc4").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_goes_on_where_it_was_paused() {
        let mut whole = [0; 88];
        Rc4::from_slice(b"Key").unwrap().apply(&mut whole).unwrap();
        for backend in available().backends().iter().filter(|one| one.family() == Family::Rc4) {
            let mut stream = Rc4::with_backend(b"Key", *backend).unwrap();
            let (first, rest) = whole.split_at(40);
            let mut data = [0; 40];
            stream.apply(&mut data).unwrap();
            assert_eq!(data, first);
            let Some((s, i, j)) = stream.pause() else {
                assert!(backend.is_constant_time());
                continue;
            };
            assert_eq!(i, 40);
            let mut data = [0; 48];
            Rc4::resume(&s, i, j).unwrap().apply(&mut data).unwrap();
            assert_eq!(data, rest);
        }
    }

    #[test]
    fn a_stream_goes_on_from_any_place() {
        let mut whole = [0; 600];
        Rc4::from_slice(b"Key").unwrap().apply(&mut whole).unwrap();
        for place in (0..40).chain(240..280) {
            let mut before = Rc4::with_backend(b"Key", Backend::Rc4Loop).unwrap();
            before.apply(&mut [0; 600][..place]).unwrap();
            let (s, i, j) = before.pause().unwrap();
            assert_eq!(usize::from(i), place % 256);
            let mut stream = Rc4::resume(&s, i, j).unwrap();
            let mut data = [0; 600];
            let (first, rest) = data[place..].split_at_mut(13);
            stream.apply(first).unwrap();
            stream.apply(rest).unwrap();
            assert_eq!(data[place..], whole[place..], "from {place}");
        }
    }
}
