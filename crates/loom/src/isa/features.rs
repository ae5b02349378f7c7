//! Extensions of instruction sets. Each instruction set has a table of its own; what a bit means, only
//! that table says.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::registry;

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

    /// With one more, by its name; none if it is unknown.
    #[must_use]
    pub fn with(self, name: &str) -> Option<Self> {
        registry::features().find(|one| one.name == name).map(|one| self.or(one.set))
    }

    /// The names of those that are set; one that includes another stands for both.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let here = || registry::features().filter(|one| self.include(one.set));
        let covered =
            |one: &Feature| here().any(|other| other.set != one.set && other.set.include(one.set));
        here().filter(|one| !covered(one)).map(|one| one.name).collect()
    }
}

impl fmt::Debug for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names().fmt(f)
    }
}

impl Serialize for Features {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Features {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let known = names.iter().try_fold(Self::NONE, |all, name| all.with(name));
        let exact = known.filter(|features| features.names() == names);
        exact.ok_or_else(|| serde::de::Error::custom(format!("unknown features {names:?}")))
    }
}
