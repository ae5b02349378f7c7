//! Vectors, as kernels want them to lie in memory.

/// 128 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub(crate) struct Vector128(pub(crate) [u64; 2]);
