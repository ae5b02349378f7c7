//! What there is: processors by the names that people give them, calling conventions, costs.

use super::Architecture;
use super::costs::Cpu;
use super::frame::Abi;
use super::x86::{Features, Mode};
use super::{hppa, x86};

/// The calling conventions; of each instruction set the usual one first.
pub fn conventions() -> impl Iterator<Item = &'static Abi> {
    x86::conventions::ALL.into_iter().chain(hppa::conventions::ALL)
}

/// The costs of all processors.
pub fn costs() -> impl Iterator<Item = &'static Cpu> {
    x86::costs::ALL.into_iter().chain(x86::costs::OLD).chain(hppa::costs::ALL)
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

const fn model(
    name: &'static str,
    architecture: Architecture,
    features: Features,
    doc: &'static str,
) -> Model {
    Model { name, architecture, features, doc }
}

/// The processors, those of one instruction set in the order of their age.
pub const MODELS: [Model; 13] = {
    use Architecture::{PaRisc, X86, X86_64, X86Real};
    const CMOV: Features = Features { cmov: true, ..Features::BSWAP };
    const HASWELL: Features = Features { avx2: true, ..Features::BMI2 };
    const MATRICES: Features = Features { avx2: true, ..Features::GFNI };
    const VBMI: Features = Features { gfni: true, bmi2: true, ..Features::VBMI };
    [
        model("386", X86, Features::NONE, "Intel 386: 32-bit code without bswap"),
        model("486", X86, Features::BSWAP, "Intel 486"),
        model("pentium", X86, Features::BSWAP, "Intel Pentium: two pipes, in order"),
        model("pentiumpro", X86, CMOV, "Intel Pentium Pro, II, III: out of order"),
        model("pentium4", X86, Features::X86_64, "Intel Pentium 4: SSE2"),
        model("x86", X86, HASWELL, "32-bit programs on processors with AVX2 and BMI2"),
        model("x86-gfni", X86, MATRICES, "32-bit programs on processors with GFNI"),
        model("386-real", X86Real, Features::NONE, "386 or later in real mode: DOS"),
        model("x86-64", X86_64, Features::NONE, "every processor with 64 bits"),
        model("x86-64-v3", X86_64, HASWELL, "64-bit processors with AVX2 and BMI2"),
        model("x86-64-gfni", X86_64, MATRICES, "64-bit processors with AVX2 and GFNI"),
        model("x86-64-v4", X86_64, VBMI, "with AVX-512 VBMI and GFNI"),
        model("pa8000", PaRisc, Features::NONE, "HP PA-8000 to PA-8900: PA-RISC 2.0"),
    ]
};

impl Model {
    /// A processor by its name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        MODELS.iter().find(|model| model.name == name)
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
        for model in &MODELS {
            assert_eq!(Model::by_name(model.name), Some(model));
        }
    }
}
