//! Extensions of instruction sets. Each instruction set has a table of its own; what a bit means, only
//! that table says; `registry.rs` leads from bits to names and back.

/// Features that a kernel may need, or a processor has, beyond the baseline of its instruction set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Features(u64);

/// One feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its usual name.
    pub name: &'static str,
    /// It, and all that it includes.
    pub set: Features,
}

impl Features {
    /// The baseline.
    pub const NONE: Self = Self(0);

    /// A feature by its bit, of which no two instruction sets have the same.
    #[must_use]
    pub const fn bit(number: u8) -> Self {
        Self(1 << number)
    }

    /// Whether all that `other` asks for is here.
    #[must_use]
    pub const fn include(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether something is in both.
    #[must_use]
    pub const fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
