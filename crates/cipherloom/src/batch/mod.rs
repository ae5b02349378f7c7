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

mod chains;
mod group;
mod independent;
mod source;
mod streams;

pub use source::{Flat, Keys, Record, Span};

use crate::backend::{Backend, Family, Policy};
use crate::dispatch::Choice;
use crate::error::Error;
use crate::kernels::Direction;
use crate::keys::Algorithm;
use crate::padding::Padding;
use source::{Checked, Source};

/// What becomes of one record: the length in bytes of its result, which starts where its input
/// started, or why there is none.
pub type Outcome = Result<usize, Error>;

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
        self.run(Direction::Encrypt, records, results)
    }

    /// Decrypts every record in place, removes its padding, and puts what became of record n into
    /// `results[n]`.
    ///
    /// Per record: [`Error::KeyLength`], [`Error::IvLength`], [`Error::NotWholeBlocks`],
    /// [`Error::TooShort`]: the record is unchanged. [`Error::Padding`]: it is zeros.
    ///
    /// # Errors
    /// [`Error::Count`], [`Error::SelfTest`]; no record has changed then.
    pub fn decrypt(
        &self,
        records: &mut [Record<'_>],
        results: &mut [Outcome],
    ) -> Result<(), Error> {
        self.run(Direction::Decrypt, records, results)
    }

    /// [`encrypt`](Self::encrypt) for flat buffers. Per record also [`Error::Overlap`].
    ///
    /// # Errors
    /// [`Error::Count`] if keys, IVs or results do not fit the number of spans,
    /// [`Error::SelfTest`]; nothing has changed then.
    pub fn encrypt_flat(&self, flat: Flat<'_>, results: &mut [Outcome]) -> Result<(), Error> {
        self.run(Direction::Encrypt, &mut Checked::new(flat, self.iv_len())?, results)
    }

    /// [`decrypt`](Self::decrypt) for flat buffers. Per record also [`Error::Overlap`].
    ///
    /// # Errors
    /// As [`encrypt_flat`](Self::encrypt_flat).
    pub fn decrypt_flat(&self, flat: Flat<'_>, results: &mut [Outcome]) -> Result<(), Error> {
        self.run(Direction::Decrypt, &mut Checked::new(flat, self.iv_len())?, results)
    }

    fn iv_len(&self) -> usize {
        match self.cipher {
            Cipher::Cbc(..) | Cipher::Ctr(_) => 8,
            Cipher::Ecb(..) | Cipher::Rc4 => 0,
        }
    }

    fn run<S: Source + ?Sized>(
        &self,
        direction: Direction,
        records: &mut S,
        results: &mut [Outcome],
    ) -> Result<(), Error> {
        if results.len() != records.count() {
            return Err(Error::Count { got: results.len(), want: records.count() });
        }
        let (algorithm, padding) = match self.cipher {
            Cipher::Ecb(algorithm, padding) | Cipher::Cbc(algorithm, padding) => {
                (algorithm, padding)
            }
            Cipher::Ctr(algorithm) => (algorithm, Padding::None),
            Cipher::Rc4 => return streams::run(self.choice, records, results),
        };
        let kernels = group::Kernels::pick(algorithm, self.choice)?;
        for (n, result) in results.iter_mut().enumerate() {
            *result = self.prepare(direction, algorithm, padding, records, n);
        }
        match (self.cipher, direction) {
            (Cipher::Cbc(..), Direction::Encrypt) => chains::run(&kernels, records, results),
            (Cipher::Cbc(..), _) => independent::cbc_decrypt(&kernels, records, results),
            (Cipher::Ctr(_), _) => independent::ctr(&kernels, records, results),
            _ => independent::ecb(&kernels, direction, records, results),
        }
        if direction == Direction::Decrypt && padding.is_removed() {
            for (n, result) in results.iter_mut().enumerate() {
                if let Ok(len) = *result {
                    *result = remove_padding(padding, &mut records.data(n)[..len]);
                }
            }
        }
        Ok(())
    }

    /// Judges one record before anything is computed, pads it for encryption, and returns how many
    /// bytes are to be transformed.
    fn prepare<S: Source + ?Sized>(
        &self,
        direction: Direction,
        algorithm: Algorithm,
        padding: Padding,
        records: &mut S,
        n: usize,
    ) -> Outcome {
        let len = records.check_span(n)?;
        algorithm.read_key(records.key(n))?;
        let (got, want) = (records.iv(n).len(), self.iv_len());
        if got != want {
            return Err(Error::IvLength { got, want });
        }
        if matches!(self.cipher, Cipher::Ctr(_)) {
            return Ok(len);
        }
        match direction {
            Direction::Encrypt => {
                let need = padding.padded_len(len)?;
                let data = records.data(n);
                let got = data.len();
                let data = data.get_mut(..need).ok_or(Error::OutputTooSmall { need, got })?;
                padding.fill(data, len);
                Ok(need)
            }
            Direction::Decrypt if !len.is_multiple_of(8) => Err(Error::NotWholeBlocks { len }),
            Direction::Decrypt if len == 0 && padding.is_never_empty() => {
                Err(Error::TooShort { len, min: 8 })
            }
            Direction::Decrypt => Ok(len),
        }
    }
}

fn remove_padding(padding: Padding, data: &mut [u8]) -> Outcome {
    let Some(last) = data.last_chunk::<8>() else { return Ok(0) };
    match padding.own_bytes(last) {
        Ok(own) => Ok(data.len() - 8 + own),
        Err(error) => {
            data.fill(0);
            Err(error)
        }
    }
}
