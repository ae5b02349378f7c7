//! Every way in which a key object can come to its kernel: a test of kernels runs all of them.

use std::io::Write as _;
use std::sync::Once;

use cipherloom::batch::Batch;
use cipherloom::{Algorithm, Backend, BlockCipher as _, BlockKey, Family, Policy, Rc4};

/// Who chooses the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The library, for speed.
    Fastest,
    /// The library, among the constant-time backends.
    ConstantTime,
    /// The test.
    Forced(Backend),
}

impl Way {
    /// All ways for the block ciphers.
    pub fn des() -> Vec<Self> {
        Self::of(Family::Des)
    }

    /// All ways for RC4.
    pub fn rc4() -> Vec<Self> {
        Self::of(Family::Rc4)
    }

    fn of(family: Family) -> Vec<Self> {
        tell();
        let own = Backend::all().iter().filter(|backend| backend.family() == family);
        let forced = own.map(|&backend| Self::Forced(backend));
        [Self::Fastest, Self::ConstantTime].into_iter().chain(forced).collect()
    }

    /// A key that goes this way.
    ///
    /// # Panics
    /// If the key has not the cipher's length, or the backend does not serve it.
    pub fn key(self, algorithm: Algorithm, key: &[u8]) -> BlockKey {
        let key = BlockKey::new(algorithm, key).expect("the key has the cipher's length");
        match self {
            Self::Fastest => key,
            Self::ConstantTime => key.with_policy(Policy::ConstantTime),
            Self::Forced(backend) => backend.force(key).expect("a backend for block ciphers"),
        }
    }

    /// An RC4 stream that goes this way.
    ///
    /// # Panics
    /// If the key has not 1 to 256 bytes, or the backend is not RC4's.
    pub fn stream(self, key: &[u8]) -> Rc4 {
        let stream = match self {
            Self::Fastest => Rc4::from_slice(key),
            Self::ConstantTime => Rc4::with_policy(key, Policy::ConstantTime),
            Self::Forced(backend) => backend.force_rc4(key),
        };
        stream.expect("a key of 1 to 256 bytes and a backend for RC4")
    }

    /// A batch that goes this way.
    ///
    /// # Panics
    /// If the backend does not serve the batch's cipher.
    pub fn batch(self, batch: Batch) -> Batch {
        match self {
            Self::Fastest => batch,
            Self::ConstantTime => batch.with_policy(Policy::ConstantTime),
            Self::Forced(backend) => batch.with_backend(backend).expect("a backend of the cipher"),
        }
    }
}

/// Says once per process which backends its tests run. Written past the test harness, which would
/// keep it back.
fn tell() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let names: Vec<_> = Backend::all().iter().map(|backend| backend.name()).collect();
        let line = format!("backends under test here: {}\n", names.join(", "));
        std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written");
    });
}
