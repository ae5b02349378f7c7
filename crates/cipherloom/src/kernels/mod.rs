//! Kernels: the ciphers on raw blocks, with nothing above them. Portable ones are safe Rust;
//! `x86_64` has those in assembly.
//!
//! A block is a `u64` in big-endian reading, so that bit 1 of FIPS 46-3 is the most significant.
//! Kernels know no key types, modes, errors or policies: those build on them.

pub(crate) mod bitslice;
mod fips;
pub mod libdes;
mod masked;
pub(crate) mod rc4;
pub(crate) mod rc4_scan;
mod scrub;
pub(crate) mod table;
// Assembly needs its processor, a container that `x86_64/assembly.rs` is written for, and a
// compiler that takes it: Miri does not, and `--cfg cipherloom_portable` asks to do without.
#[cfg_attr(
    not(all(
        target_arch = "x86_64",
        target_pointer_width = "64",
        any(
            target_os = "android",
            target_os = "dragonfly",
            target_os = "freebsd",
            target_os = "illumos",
            target_os = "linux",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "solaris",
        ),
        not(any(miri, cipherloom_portable)),
    )),
    path = "x86_64/absent.rs"
)]
pub(crate) mod x86_64;

use masked::Masked;
pub(crate) use scrub::scrubbed;
use zeroize::{Zeroize, ZeroizeOnDrop, optimization_barrier};

/// Bytes written or copied at a time: for more, some systems' `memset` and `memcpy` turn to string
/// instructions, which take a hundred cycles to begin.
pub(crate) const AT_A_TIME: usize = 1024;

/// Wipes blocks by wide stores: bulk work would feel [`Zeroize`]'s store per byte.
pub(crate) fn wipe<T: Copy + Default>(blocks: &mut [T]) {
    for some in blocks.chunks_mut(AT_A_TIME / size_of::<T>()) {
        some.fill(T::default());
        optimization_barrier(some);
    }
}

/// From so many blocks on wider vectors are worth asking for.
const WIDE: usize = 32;

/// ANDs `mask` into every block, in the same time for every mask.
#[inline]
pub(crate) fn mask(blocks: &mut [[u8; 8]], mask: u64) {
    if blocks.len() < WIDE || !x86_64::mask(blocks, mask) {
        and_each(blocks, mask);
    }
}

/// The same by vectors that every processor of the target has, or its caller's.
#[inline(always)]
fn and_each(blocks: &mut [[u8; 8]], mask: u64) {
    for block in blocks {
        *block = (u64::from_ne_bytes(*block) & mask).to_ne_bytes();
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
    fn drop(&mut self) {
        self.keys.zeroize();
    }
}

impl ZeroizeOnDrop for Passes {}

/// A key as kernels of any form may like it.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) passes: &'a Passes,
    /// The same for tables, with DESX's whitening in it.
    pub(crate) schedule: &'a table::Schedule,
    /// DESX: XORed into every block before and after encryption.
    pub(crate) whitening: Option<&'a [u64; 2]>,
}

impl Key<'_> {
    /// What is XORed in before and after the rounds.
    fn whitening(&self, direction: Direction) -> Option<[u64; 2]> {
        let &[before, after] = self.whitening?;
        Some(match direction {
            Direction::Encrypt => [before, after],
            Direction::Decrypt => [after, before],
        })
    }
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
    const fn reversed(self, pass: usize) -> bool {
        matches!(self, Self::Ede) && pass == 1
    }
}

/// Which way blocks go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

#[cfg(test)]
mod tests;
