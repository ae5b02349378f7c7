//! What kernels in assembly do for programs that hold libdes' words.

/// A block, or its halves.
pub type Words = [u32; 2];

/// The sixteen pairs of subkey words, K1 first.
pub type Schedule = [Words; 16];

/// What transforms single blocks.
pub(crate) struct Functions {
    /// The last argument says whether to encrypt.
    pub(crate) encrypt1: fn(&mut Words, &Schedule, bool),
    pub(crate) encrypt2: fn(&mut Words, &Schedule, bool),
    pub(crate) encrypt3: fn(&mut Words, [&Schedule; 3]),
    pub(crate) decrypt3: fn(&mut Words, [&Schedule; 3]),
}
