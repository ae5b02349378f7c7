//! Words of two widths, for strategies that can do with either.

use crate::ir::Type;

/// The words in which a kernel counts, keeps distances, or puts bytes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// 32 bits.
    Bits32,
    /// 64 bits.
    Bits64,
}

impl Word {
    /// 4 or 8.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            Self::Bits32 => 4,
            Self::Bits64 => 8,
        }
    }

    /// The type of such a word.
    #[must_use]
    pub const fn ty(self) -> Type {
        match self {
            Self::Bits32 => Type::W32,
            Self::Bits64 => Type::W64,
        }
    }

    /// The word with all bits set: -1, modulo its width.
    #[must_use]
    pub const fn ones(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }
}
