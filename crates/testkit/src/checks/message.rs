//! One message: every backend and every face give what the specification says.

use cipherloom::{Algorithm, Direction, Error};

use crate::faces::Call;
use crate::oracle::{Case, SpecKey};
use crate::ways::Way;

/// A message and all that is done with it.
#[derive(Clone, Debug)]
pub struct Message {
    /// The cipher.
    pub algorithm: Algorithm,
    /// Its key.
    pub key: Vec<u8>,
    /// The mode.
    pub case: Case,
    /// Bytes before the message in a buffer.
    pub shift: usize,
    /// Lengths of the pieces for incremental use.
    pub chunks: Vec<usize>,
    /// Taken as a plaintext, and then as a ciphertext.
    pub data: Vec<u8>,
}

impl Message {
    /// Encrypts the data, decrypts the result, and decrypts the data.
    ///
    /// # Panics
    /// If anything differs from the specification, or breaks a promise of the documentation.
    pub fn check(&self) {
        self.check_ways(&Way::des());
    }

    /// The same by some backends only.
    ///
    /// # Panics
    /// As [`check`](Self::check).
    pub fn check_ways(&self, ways: &[Way]) {
        let spec = SpecKey::new(self.algorithm, &self.key);
        let ciphertext = self.case.encrypt(&spec, &self.data);
        let plaintext = self.case.decrypt(&spec, &self.data);
        for &way in ways {
            let encrypted = self.run(way, Direction::Encrypt, &self.data);
            assert_eq!(encrypted, ciphertext, "encryption, {way:?}, {self:?}");
            let decrypted = self.run(way, Direction::Decrypt, &self.data);
            assert_eq!(decrypted, plaintext, "decryption, {way:?}, {self:?}");
            if let Ok(ciphertext) = &ciphertext {
                let back = self.run(way, Direction::Decrypt, ciphertext);
                assert_eq!(back, self.round_trip(ciphertext), "round trip, {way:?}, {self:?}");
            }
        }
    }

    /// What comes back: the message, unless its own zeros look like a padding.
    fn round_trip(&self, ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
        let zeros = self.case.kind.pads() && self.case.padding == cipherloom::Padding::Zero;
        let may_lose_zeros = zeros && self.data.last() == Some(&0);
        if may_lose_zeros {
            return self.case.decrypt(&SpecKey::new(self.algorithm, &self.key), ciphertext);
        }
        Ok(self.data.clone())
    }

    fn run(&self, way: Way, direction: Direction, input: &[u8]) -> Result<Vec<u8>, Error> {
        let key = way.key(self.algorithm, &self.key);
        let (mode, shift, chunks) = (self.case.mode(), self.shift, &self.chunks[..]);
        Call { direction, mode, key: &key, shift, chunks }.run(input)
    }
}
