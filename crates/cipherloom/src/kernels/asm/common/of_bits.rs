//! Masks of the bits of numbers, for all lanes at once.

use super::vectors::Vector128;

/// Masks of a half.
pub(super) const HALF: usize = 32;

/// Masks of a number's bits.
pub(super) trait OfBits: Sized {
    /// A mask for each slice of a half that changes nothing.
    const NOTHING: [Self; HALF];

    /// A mask for each bit, the highest first.
    fn of_bits(number: u64) -> [Self; 64];
}

impl OfBits for u32 {
    const NOTHING: [Self; HALF] = [0; HALF];

    fn of_bits(number: u64) -> [Self; 64] {
        core::array::from_fn(|n| (number >> (63 - n) & 1) as u32).map(u32::wrapping_neg)
    }
}

impl OfBits for Vector128 {
    const NOTHING: [Self; HALF] = [Self([0; 2]); HALF];

    fn of_bits(number: u64) -> [Self; 64] {
        core::array::from_fn(|n| Self([(number >> (63 - n) & 1).wrapping_neg(); 2]))
    }
}
