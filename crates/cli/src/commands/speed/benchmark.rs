//! What is measured: a cipher, a direction, a backend and an amount of work, made ready to run.

use cipherloom::batch::{Batch, Flat, Keys, Span};
use cipherloom::{Backend, BlockKey, Family, Padding, Rc4};
use cipherloom_formats::{Cipher, Kind, ModeName};
use serde::Serialize;

use crate::errors::Result;

/// Which way the data go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MeasuredDirection {
    Encrypt,
    Decrypt,
    /// Both ways are the same operation: OFB, CTR, RC4.
    Either,
}

impl MeasuredDirection {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
            Self::Either => "either",
        }
    }

    /// The directions in which a cipher differs.
    pub(crate) fn of(cipher: &Cipher) -> &'static [Self] {
        match cipher.kind {
            Kind::Rc4(_) | Kind::Block(_, ModeName::Ofb | ModeName::Ctr) => &[Self::Either],
            Kind::Block(..) => &[Self::Encrypt, Self::Decrypt],
        }
    }

    pub(crate) fn inverse(self) -> Self {
        match self {
            Self::Encrypt => Self::Decrypt,
            Self::Decrypt => Self::Encrypt,
            Self::Either => Self::Either,
        }
    }
}

/// An amount of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// One message of so many bytes, under a key that is ready.
    Message(usize),
    /// So many records of so many bytes in one call, each with a key and an IV of its own.
    Records { count: usize, bytes: usize },
}

impl Load {
    /// Bytes in all.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Message(bytes) => bytes,
            Self::Records { count, bytes } => count * bytes,
        }
    }

    /// The heading of its column.
    pub(crate) fn label(self) -> String {
        match self {
            Self::Message(bytes) => size(bytes),
            Self::Records { bytes, .. } => format!("{}*keys", size(bytes)),
        }
    }
}

/// A number of bytes as people write it.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        0 => "0B".into(),
        _ if bytes.is_multiple_of(1 << 20) => format!("{}MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{}KiB", bytes >> 10),
        _ => format!("{bytes}B"),
    }
}

/// Something to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Benchmark<'a> {
    pub(crate) cipher: &'a Cipher,
    pub(crate) direction: MeasuredDirection,
    /// The backend that is forced, or none: then the library chooses.
    pub(crate) backend: Option<Backend>,
    pub(crate) load: Load,
}

/// A benchmark that is ready: transforms a buffer of [`Load::bytes`] bytes in place.
pub(crate) type Work = Box<dyn FnMut(&mut [u8]) -> Outcome<()>>;

/// What the library gives.
type Outcome<T> = std::result::Result<T, cipherloom::Error>;

/// The backends that can serve a cipher here.
pub(crate) fn backends(cipher: &Cipher) -> impl Iterator<Item = Backend> + use<> {
    let family = match cipher.kind {
        Kind::Rc4(_) => Family::Rc4,
        Kind::Block(..) => Family::Des,
    };
    Backend::all().iter().copied().filter(move |backend| backend.family() == family)
}

impl Benchmark<'_> {
    /// Whether there is such work: the library has no batch for every mode.
    pub(crate) fn exists(&self) -> bool {
        match self.load {
            Load::Message(_) => true,
            Load::Records { .. } => self.batch().is_some(),
        }
    }

    /// One line that names it.
    pub(crate) fn name(&self) -> String {
        let backend = self.backend.map_or("the chosen backend", Backend::name);
        format!("{} {} {} on {backend}", self.cipher.name, self.direction.name(), self.load.label())
    }

    /// Makes keys, and gives the call that is measured.
    ///
    /// # Errors
    /// What the library refuses.
    pub(crate) fn work(&self) -> Result<Work> {
        Ok(match self.load {
            Load::Message(_) => self.message(0)?,
            Load::Records { count, bytes } => self.records(count, bytes)?,
        })
    }

    /// One message under key and IV number `n`.
    ///
    /// # Errors
    /// What the library refuses.
    pub(crate) fn message(&self, n: usize) -> Outcome<Work> {
        let key = key(n, self.cipher.derived_key_len());
        let (algorithm, mode) = match self.cipher.kind {
            Kind::Rc4(_) => {
                let mut stream = match self.backend {
                    Some(backend) => backend.force_rc4(&key)?,
                    None => Rc4::from_slice(&key)?,
                };
                return Ok(Box::new(move |data| stream.apply(data)));
            }
            Kind::Block(algorithm, mode) => (algorithm, mode.with(iv(n), Padding::None)),
        };
        let key = BlockKey::new(algorithm, &key)?;
        let key = match self.backend {
            Some(backend) => backend.force(key)?,
            None => key,
        };
        Ok(match self.direction {
            MeasuredDirection::Decrypt => {
                Box::new(move |data| mode.decrypt_in_place(&key, data).map(|_| ()))
            }
            _ => Box::new(move |data| {
                let len = data.len();
                mode.encrypt_in_place(&key, data, len).map(|_| ())
            }),
        })
    }

    /// The cipher as a batch, if there is one.
    fn batch(&self) -> Option<Batch> {
        match self.cipher.kind {
            Kind::Rc4(_) => Some(Batch::rc4()),
            Kind::Block(algorithm, ModeName::Ecb) => Some(Batch::ecb(algorithm, Padding::None)),
            Kind::Block(algorithm, ModeName::Cbc) => Some(Batch::cbc(algorithm, Padding::None)),
            Kind::Block(algorithm, ModeName::Ctr) => Some(Batch::ctr(algorithm)),
            Kind::Block(..) => None,
        }
    }

    fn records(&self, count: usize, bytes: usize) -> Outcome<Work> {
        let batch = self.batch().ok_or(cipherloom::Error::Mode)?;
        let batch = match self.backend {
            Some(backend) => batch.with_backend(backend)?,
            None => batch,
        };
        let key_len = self.cipher.derived_key_len();
        let keys: Vec<u8> = (0..count).flat_map(|n| key(n, key_len)).collect();
        let has_iv = self.cipher.iv_len() > 0;
        let ivs: Vec<u8> = (0..count).filter(|_| has_iv).flat_map(iv).collect();
        let spans: Vec<Span> = (0..count).map(|n| Span::new(n * bytes, bytes)).collect();
        let mut results = vec![Ok(0); count];
        let decrypt = self.direction == MeasuredDirection::Decrypt;
        Ok(Box::new(move |data| {
            let flat = Flat { keys: Keys::Each(&keys), ivs: &ivs, data, spans: &spans };
            if decrypt {
                batch.decrypt_flat(flat, &mut results)?;
            } else {
                batch.encrypt_flat(flat, &mut results)?;
            }
            results.iter().find_map(|result| result.err()).map_or(Ok(()), Err)
        }))
    }
}

/// Bytes that look random and are the same every time.
pub(crate) fn filler(seed: u64, len: usize) -> Vec<u8> {
    let word = |n: u64| {
        // Multiples of the golden ratio, mixed so that neighbours share nothing.
        let x = (seed.rotate_left(32) ^ n).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
    };
    (0..len as u64).map(|n| (word(n / 8) >> (n % 8 * 8)) as u8).collect()
}

/// Key number n.
fn key(n: usize, len: usize) -> Vec<u8> {
    filler(0x6b65_7900 + n as u64, len)
}

/// IV number n.
fn iv(n: usize) -> [u8; 8] {
    *filler(0x6976_0000 + n as u64, 8).first_chunk().unwrap_or(&[0; 8])
}
