//! The DES passes of a cipher: how many, which way, under which keys.

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Which way blocks go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

/// Number of passes, and whether the middle one runs backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// DES: one pass.
    Single,
    /// Encrypt, decrypt, encrypt.
    Ede,
    /// Encrypt three times.
    Eee,
}

impl Shape {
    /// 1 or 3.
    pub(crate) const fn passes(self) -> usize {
        match self {
            Self::Single => 1,
            Self::Ede | Self::Eee => 3,
        }
    }

    /// Whether pass `pass` (from 0) takes its subkeys backwards when encrypting.
    pub(super) const fn reversed(self, pass: usize) -> bool {
        matches!(self, Self::Ede) && pass == 1
    }
}

/// One pass of 16 rounds or three, in the smallest form from which every kernel can work.
pub(crate) struct Passes {
    /// The 64-bit keys in the order of encryption, parity bits ignored; a single pass uses `keys[0]`.
    pub(crate) keys: [u64; 3],
    /// How many passes, and which way they run.
    pub(crate) shape: Shape,
}

impl Clone for Passes {
    #[inline]
    fn clone(&self) -> Self {
        Self { keys: self.keys, shape: self.shape }
    }

    /// Copies from place to place.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.keys.copy_from_slice(&other.keys);
        self.shape = other.shape;
    }
}

impl Drop for Passes {
    #[inline]
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

impl ZeroizeOnDrop for Passes {}
