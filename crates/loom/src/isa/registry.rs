//! What there is: targets, and by them features, processors, calling conventions, costs.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Isa;
use super::aarch64::{self, AArch64};
use super::costs::Cpu;
use super::features::{Feature, Features};
use super::frame::Abi;
use super::hppa::{self, Hppa};
use super::target::{Model, Target};
#[cfg(test)]
use super::toy::{self, Toy};
use super::x86::{self, X86};

/// Makes the registry of its lines: an instruction set, and a target of it.
macro_rules! registry {
    ($($(#[$only:meta])? $isa:ty: $target:path;)+) => {
        /// Every target; the kernels of the first one have plain names.
        pub static TARGETS: &[&Target] = &[$($(#[$only])? &$target),+];

        /// Does something with the instruction set of a target.
        ///
        /// # Panics
        /// If the target is not in the registry.
        pub fn with<W: WithIsa>(target: &'static Target, what: W) -> W::Out {
            $($(#[$only])? {
                if target == &$target {
                    return what.with::<$isa>();
                }
            })+
            panic!("{target} has no line in the registry")
        }
    };
}

registry! {
    X86: x86::X86_64;
    X86: x86::X86_32;
    X86: x86::X86_REAL;
    Hppa: hppa::PA_RISC;
    AArch64: aarch64::AARCH64;
    #[cfg(test)]
    Toy: toy::TOY;
}

/// Something to be done with an instruction set, whichever it is.
pub trait WithIsa {
    /// What comes of it.
    type Out;

    /// Does it.
    fn with<T: Isa>(self) -> Self::Out;
}

/// The target whose kernels have plain names.
#[must_use]
pub fn plain() -> &'static Target {
    TARGETS[0]
}

/// Every target.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    TARGETS.iter().copied()
}

/// The calling conventions; of each target the usual one first.
pub fn conventions() -> impl Iterator<Item = &'static Abi> {
    targets().flat_map(|target| target.conventions).copied()
}

/// The costs of all processors, each once.
pub fn costs() -> impl Iterator<Item = &'static Cpu> {
    let all = targets().flat_map(|target| target.costs).chain(old()).copied();
    let mut seen = Vec::new();
    all.filter(move |cpu| {
        let new = !seen.contains(&cpu.name);
        seen.push(cpu.name);
        new
    })
}

fn old() -> impl Iterator<Item = &'static &'static Cpu> {
    targets().flat_map(|target| target.old_costs)
}

/// The costs of a processor of the past, by its name.
#[must_use]
pub fn old_costs(name: &str) -> Option<&'static Cpu> {
    old().copied().find(|cpu| cpu.name == name)
}

/// The features of all instruction sets, each once.
pub fn features() -> impl Iterator<Item = &'static Feature> {
    let first = |(n, target): (usize, &&'static Target)| {
        let before = &TARGETS[..n];
        !before.iter().any(|other| std::ptr::eq(other.features, target.features))
    };
    let all = TARGETS.iter().enumerate().filter(move |pair| first((pair.0, pair.1)));
    all.flat_map(|(_, target)| target.features)
}

/// The processors; those of one target in the order of their age.
pub fn models() -> impl Iterator<Item = &'static Model> {
    targets().flat_map(|target| target.processors)
}

impl Model {
    /// A processor by its name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        models().find(|model| model.name == name)
    }
}

impl Features {
    /// With one more, by its name; none if it is unknown.
    #[must_use]
    pub fn with(self, name: &str) -> Option<Self> {
        features().find(|one| one.name == name).map(|one| self.or(one.set))
    }

    /// The names of those that are set; one that includes another stands for both.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let here = || features().filter(|one| self.include(one.set));
        let covered =
            |one: &Feature| here().any(|other| other.set != one.set && other.set.include(one.set));
        here().filter(|one| !covered(one)).map(|one| one.name).collect()
    }
}

impl Cpu {
    /// A processor by name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        costs().find(|cpu| cpu.name == name)
    }
}

impl Abi {
    /// A calling convention by its name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        conventions().find(|abi| abi.name == name)
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

/// Costs are named, not spelt out.
impl Serialize for &'static Cpu {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for &'static Cpu {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || serde::de::Error::custom(format!("no costs of a processor `{name}`"));
        Cpu::by_name(&name).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_and_are_unique() {
        for model in models() {
            assert_eq!(Model::by_name(model.name), Some(model));
        }
        let names: Vec<_> = targets().map(|target| target.name).collect();
        assert!(names.iter().all(|name| names.iter().filter(|n| n == &name).count() == 1));
    }

    #[test]
    fn what_a_target_lists_is_its_own() {
        for target in targets() {
            assert!(!target.conventions.is_empty() && !target.costs.is_empty(), "{target}");
            assert!(target.conventions.iter().all(|abi| abi.target == target), "{target}");
            assert!(target.processors.iter().all(|model| model.target == target), "{target}");
        }
    }

    #[test]
    fn features_share_neither_bits_nor_names() {
        let all: Vec<_> = features().collect();
        for (n, one) in all.iter().enumerate() {
            assert_eq!(Features::NONE.with(one.name), Some(one.set));
            let own = all[..n].iter().fold(Features::NONE, |sum, other| sum.or(other.set));
            assert!(!own.include(one.set), "{}: another's bits", one.name);
            assert!(all[..n].iter().all(|other| other.name != one.name), "{} twice", one.name);
        }
    }
}
