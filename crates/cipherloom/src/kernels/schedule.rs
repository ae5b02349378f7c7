//! The form in which table kernels have their subkeys.

use super::masked::Masked;
use super::passes::Shape;

/// Words of one pass: a pass boundary of two, and 14 differences. Another boundary follows the last pass.
pub(super) const PASS: usize = 16;
/// Words of a pass boundary.
pub(super) const BOUNDARY: usize = 2;

/// Words with six bits in each byte, which are looked up in tables of 64 entries.
pub(crate) type Words<const N: usize> = Masked<0x3f3f_3f3f_3f3f_3f3f, N>;

/// Subkeys of all passes in the order of encryption, as the differences that the rounds add.
///
/// A pass boundary lies before, between and after the passes: first what is to be added to the half that
/// is nearer to it (used in the round next to it), then what is for the other one. For each pass
/// follow the differences of subkeys two rounds apart. Decryption is the same list walked
/// backwards. The table kernels in assembly read the same list.
#[expect(clippy::large_enum_variant, reason = "there is no allocator to box it")]
pub(crate) enum Schedule {
    /// DES.
    One(Words<{ PASS + BOUNDARY }>),
    /// Triple-DES.
    Three(Words<{ 3 * PASS + BOUNDARY }>),
}

impl Schedule {
    /// Room for a schedule.
    #[inline]
    pub(crate) const fn blank(shape: Shape) -> Self {
        match shape {
            Shape::Single => Self::One(Words::ZERO),
            Shape::Ede | Shape::Eee => Self::Three(Words::ZERO),
        }
    }

    /// Its words.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u64] {
        match self {
            Self::One(words) => words.words(),
            Self::Three(words) => words.words(),
        }
    }
}

impl Clone for Schedule {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::One(words) => Self::One(words.clone()),
            Self::Three(words) => Self::Three(words.clone()),
        }
    }

    /// Copies words from place to place where there is room for them.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::One(own), Self::One(words)) => own.clone_from(words),
            (Self::Three(own), Self::Three(words)) => own.clone_from(words),
            (own, other) => *own = other.clone(),
        }
    }
}

/// Where bit `bit` (from 0) of 48 stands in the expanded form, which has a byte for each group of six.
pub(super) const fn group_shift(bit: usize) -> usize {
    8 * (7 - bit / 6) + 5 - bit % 6
}
