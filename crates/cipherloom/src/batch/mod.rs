//! Many records in one call, each with its own key, IV and data.
//!
//! A column of a database, payment messages, packets: each record is too short for a bulk kernel,
//! but many of them fill its lanes, one key per lane. A [`Batch`] says what to do with every
//! record; the records are [`Record`]s, each with slices of its own, or [`Flat`] buffers with a
//! [`Span`] per record. Every record gets its own result, and an error in one does not touch the
//! others. Nothing is allocated.
//!
//! ```
//! use cipherloom::batch::{Batch, Record};
//! use cipherloom::{Algorithm, Padding};
//!
//! let mut first = *b"8 bytes.16 bytes";
//! let mut second = *b"another.";
//! let mut records = [
//!     Record::new(&[0x13; 24], &[0; 8], &mut first),
//!     Record::new(&[0x37; 24], &[1; 8], &mut second),
//! ];
//! let mut results = [Ok(0); 2];
//! let batch = Batch::cbc(Algorithm::TdesEde3, Padding::None);
//! batch.encrypt(&mut records, &mut results)?;
//! assert_eq!(results, [Ok(16), Ok(8)]);
//! # Ok::<(), cipherloom::Error>(())
//! ```

mod groups;
mod paddings;
mod pieces;
mod planner;
mod queue;
mod rows;
mod scheduler;
mod serve;
mod source;
mod streams;

pub use source::{Flat, Keys, Outcome, Record, Span};

use crate::backend::{Backend, Family, Policy};
use crate::dispatch::{Choice, Kernels};
use crate::error::Error;
use crate::kernels::{Direction, scrubbed};
use crate::keys::{Algorithm, BlockKey};
use crate::padding::Padding;
use queue::{KEY_FRAMES, Queue, Transform, Work};
use source::Source;

/// What to do with every record of a batch. A small value without keys.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    cipher: Cipher,
    choice: Choice,
}

#[derive(Clone, Copy, Debug)]
enum Cipher {
    Ecb(Algorithm, Padding),
    Cbc(Algorithm, Padding),
    Ctr(Algorithm),
    Rc4,
}

impl Batch {
    /// ECB; records have no IV.
    #[must_use]
    pub fn ecb(algorithm: Algorithm, padding: Padding) -> Self {
        Self::new(Cipher::Ecb(algorithm, padding))
    }

    /// CBC.
    #[must_use]
    pub fn cbc(algorithm: Algorithm, padding: Padding) -> Self {
        Self::new(Cipher::Cbc(algorithm, padding))
    }

    /// CTR with a 64-bit big-endian counter; a record's IV is its first counter.
    #[must_use]
    pub fn ctr(algorithm: Algorithm) -> Self {
        Self::new(Cipher::Ctr(algorithm))
    }

    /// RC4 with keys of 1 to 256 bytes; records have no IV.
    #[must_use]
    pub fn rc4() -> Self {
        Self::new(Cipher::Rc4)
    }

    fn new(cipher: Cipher) -> Self {
        Self { cipher, choice: Choice::default() }
    }

    /// The same under a [`Policy`]; constant time ends the service of a backend that is not.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.choice.set_policy(policy);
        self
    }

    /// The same, served by `backend` alone.
    ///
    /// # Errors
    /// [`Error::Backend`] if the backend is of the other cipher family, or not constant-time where
    /// the policy asks for that.
    pub fn with_backend(mut self, backend: Backend) -> Result<Self, Error> {
        let family = if matches!(self.cipher, Cipher::Rc4) { Family::Rc4 } else { Family::Des };
        self.choice.force(backend, family)?;
        Ok(self)
    }

    /// Encrypts every record in place, with its padding, and puts what became of record n into
    /// `results[n]`.
    ///
    /// Per record: [`Error::KeyLength`], [`Error::IvLength`], [`Error::NotWholeBlocks`],
    /// [`Error::OutputTooSmall`] (no room for the padding); such a record is unchanged.
    ///
    /// # Errors
    /// [`Error::Count`] if `results` has another length than `records`, [`Error::SelfTest`]; no
    /// record has changed then.
    pub fn encrypt(
        &self,
        records: &mut [Record<'_>],
        results: &mut [Outcome],
    ) -> Result<(), Error> {
        self.run_records(Direction::Encrypt, records, results)
    }

    /// Decrypts every record in place, removes its padding, and puts what became of record n into
    /// `results[n]`.
    ///
    /// Per record: [`Error::KeyLength`], [`Error::IvLength`], [`Error::NotWholeBlocks`],
    /// [`Error::TooShort`]: the record is unchanged. [`Error::Padding`]: it is zeros, and took the same
    /// time as others.
    ///
    /// # Errors
    /// [`Error::Count`], [`Error::SelfTest`]; no record has changed then.
    pub fn decrypt(
        &self,
        records: &mut [Record<'_>],
        results: &mut [Outcome],
    ) -> Result<(), Error> {
        self.run_records(Direction::Decrypt, records, results)
    }

    /// [`encrypt`](Self::encrypt) for flat buffers. Per record also [`Error::Overlap`].
    ///
    /// # Errors
    /// [`Error::Count`] if keys, IVs or results do not fit the number of spans,
    /// [`Error::SelfTest`]; nothing has changed then.
    pub fn encrypt_flat(&self, flat: Flat<'_>, results: &mut [Outcome]) -> Result<(), Error> {
        self.run_flat(Direction::Encrypt, flat, results)
    }

    /// [`decrypt`](Self::decrypt) for flat buffers. Per record also [`Error::Overlap`].
    ///
    /// # Errors
    /// As [`encrypt_flat`](Self::encrypt_flat).
    pub fn decrypt_flat(&self, flat: Flat<'_>, results: &mut [Outcome]) -> Result<(), Error> {
        self.run_flat(Direction::Decrypt, flat, results)
    }

    fn iv_len(&self) -> usize {
        match self.cipher {
            Cipher::Cbc(..) | Cipher::Ctr(_) => 8,
            Cipher::Ecb(..) | Cipher::Rc4 => 0,
        }
    }

    fn run_records(
        &self,
        direction: Direction,
        records: &mut [Record<'_>],
        results: &mut [Outcome],
    ) -> Result<(), Error> {
        self.run(direction, Source::Records(records), results)
    }

    fn run_flat(
        &self,
        direction: Direction,
        flat: Flat<'_>,
        results: &mut [Outcome],
    ) -> Result<(), Error> {
        self.run(direction, Source::flat(flat, self.iv_len())?, results)
    }

    fn run(
        &self,
        direction: Direction,
        mut source: Source<'_, '_>,
        mut results: &mut [Outcome],
    ) -> Result<(), Error> {
        if results.len() != source.count() {
            return Err(Error::Count { got: results.len(), want: source.count() });
        }
        let (algorithm, padding, there, back) = match self.cipher {
            Cipher::Ecb(algorithm, padding) => {
                (algorithm, padding, Work::EcbEncrypt, Work::EcbDecrypt)
            }
            Cipher::Cbc(algorithm, padding) => {
                (algorithm, padding, Work::CbcEncrypt, Work::CbcDecrypt)
            }
            Cipher::Ctr(algorithm) => (algorithm, Padding::None, Work::Ctr, Work::Ctr),
            Cipher::Rc4 => {
                return scrubbed(12 << 10, || streams::run(self.choice, source, results));
            }
        };
        let work = match direction {
            Direction::Encrypt => there,
            Direction::Decrypt => back,
        };
        let kernels = Kernels::pick(algorithm.shape(), self.choice, usize::MAX)?;
        let transform = Transform { work, algorithm, padding, choice: self.choice };
        // A key, on its way more than once.
        let served = |source: Source<'_, '_>, results: &mut [Outcome]| {
            let mut queue = Queue::new(transform, source, results);
            scrubbed(6 * size_of::<BlockKey>() + KEY_FRAMES, || {
                serve::run(transform, kernels, &mut queue);
            });
        };
        if !transform.removes_padding() {
            served(source, results);
            return Ok(());
        }
        while source.count() > 0 {
            let count = paddings::window(&source);
            let mut window = source.take(count);
            let (now, behind) = results.split_at_mut(count);
            served(window.reborrow(), &mut *now);
            paddings::take_off(padding, window, now);
            results = behind;
        }
        Ok(())
    }
}
