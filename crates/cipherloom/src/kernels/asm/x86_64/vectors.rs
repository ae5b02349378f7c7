//! Vectors, as kernels want them to lie in memory.

/// 128 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub(crate) struct Vector128(pub(crate) [u64; 2]);

/// 256 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub(crate) struct Vector256(pub(crate) [u64; 4]);

/// 512 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Vector512(pub(crate) [u64; 8]);
