//! What an engine is made from.

use cipherloom::{Direction, Padding};

use crate::cipher::Cipher;

/// What is fixed before the first byte.
pub struct Setup<'a> {
    /// The cipher and its mode.
    pub cipher: &'a Cipher,
    /// Which way.
    pub direction: Direction,
    /// Counts for ECB and CBC.
    pub padding: Padding,
    /// As long as the cipher takes it.
    pub key: &'a [u8],
    /// Empty where the cipher has none.
    pub iv: &'a [u8],
}
