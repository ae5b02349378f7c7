//! What there is: processors by the names that people give them, calling conventions, costs.

use super::Architecture;
use super::costs::Cpu;
use super::features::{Feature, Features};
use super::frame::Abi;
use super::x86::Mode;
use super::{hppa, x86};

/// The calling conventions; of each instruction set the usual one first.
pub fn conventions() -> impl Iterator<Item = &'static Abi> {
    x86::conventions::ALL.into_iter().chain(hppa::conventions::ALL)
}

/// The costs of all processors.
pub fn costs() -> impl Iterator<Item = &'static Cpu> {
    x86::costs::ALL.into_iter().chain(old_costs()).chain(hppa::costs::ALL)
}

/// The costs of processors of the past, which not all kernels of their instruction set are for.
pub fn old_costs() -> impl Iterator<Item = &'static Cpu> {
    x86::costs::OLD.into_iter()
}

/// The costs of an instruction set's other processors, the one that stands for many first.
pub fn costs_of(architecture: Architecture) -> impl Iterator<Item = &'static Cpu> {
    let all: &[&Cpu] = match architecture {
        Architecture::PaRisc => &hppa::costs::ALL,
        Architecture::X86_64 | Architecture::X86 | Architecture::X86Real => &x86::costs::ALL,
    };
    all.iter().copied()
}

/// A processor, or the first of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its name on the command line.
    pub name: &'static str,
    /// What programs for it are made of.
    pub architecture: Architecture,
    /// What it has beyond the baseline of the instruction set.
    pub features: Features,
    /// What it is.
    pub doc: &'static str,
}

/// The processors; those of one instruction set in the order of their age.
pub fn models() -> impl Iterator<Item = &'static Model> {
    x86::processors::ALL.iter().chain(&hppa::processors::ALL)
}

/// The features of all instruction sets.
pub fn features() -> impl Iterator<Item = &'static Feature> {
    x86::features::ALL.iter()
}

impl Model {
    /// A processor, in the tables.
    pub(super) const fn new(
        name: &'static str,
        architecture: Architecture,
        features: Features,
        doc: &'static str,
    ) -> Self {
        Self { name, architecture, features, doc }
    }

    /// A processor by its name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        models().find(|model| model.name == name)
    }

    /// Whether it has all of some features.
    #[must_use]
    pub fn has(&self, features: Features) -> bool {
        match self.architecture {
            Architecture::PaRisc => features == Features::NONE,
            x86 => Mode::of(x86).complete(self.features).include(features),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for model in models() {
            assert_eq!(Model::by_name(model.name), Some(model));
        }
    }
}
