//! A value taken apart.

use std::borrow::Cow;

use crate::cipher::Cipher;
use crate::derivation::Digest;
use crate::preset::row::{KeyFrom, PasswordAs};

/// A value taken apart.
#[derive(Default)]
pub(in crate::preset) struct Parts<'a> {
    pub(in crate::preset) salt: Option<Cow<'a, [u8]>>,
    pub(in crate::preset) iv: Option<Cow<'a, [u8]>>,
    /// The number of MySQL's key.
    pub(in crate::preset) number: Option<u8>,
    /// What a container names that says more than rows do.
    pub(in crate::preset) named: Option<Named>,
    pub(in crate::preset) ciphertext: Cow<'a, [u8]>,
}

/// What a container names.
pub(in crate::preset) struct Named {
    pub(in crate::preset) cipher: Cipher,
    pub(in crate::preset) key: KeyFrom,
    pub(in crate::preset) password: PasswordAs,
    pub(in crate::preset) trailer: Option<Trailer>,
}

/// What stands behind a plaintext.
#[derive(Clone, Copy)]
pub(in crate::preset) struct Trailer {
    pub(in crate::preset) digest: Digest,
    /// Whether it can only be right where the plaintext has whole blocks.
    pub(in crate::preset) is_behind_blocks: bool,
}

impl Trailer {
    /// Whether it can be right behind a plaintext of `len` bytes.
    pub(in crate::preset) fn is_readable(self, len: u64) -> bool {
        !self.is_behind_blocks || len.is_multiple_of(8)
    }
}
