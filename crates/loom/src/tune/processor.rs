//! The processor that this process runs on.

use crate::isa::Features;
use crate::isa::x86::features;
use crate::isa::x86::{X86_32, X86_64};
use crate::variant::KernelVariant;

/// What is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processor {
    /// What it calls itself, with the numbers of its model, as makers give several one name.
    pub name: String,
    /// The same as the name of a directory.
    pub directory: String,
    /// What kernels may use.
    pub features: Features,
}

impl Processor {
    /// Asks the processor.
    #[must_use]
    pub fn detect() -> Self {
        let name = name();
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
        let directory = words.collect::<Vec<_>>().join("-").to_lowercase();
        Self { name, directory, features: features() }
    }

    /// Whether it runs a kernel.
    #[must_use]
    pub fn runs(&self, variant: &KernelVariant) -> bool {
        [&X86_64, &X86_32].contains(&variant.target) && self.has(variant.features)
    }

    /// Whether it runs kernels for x86 that need some features.
    #[must_use]
    pub fn has(&self, features: Features) -> bool {
        cfg!(target_arch = "x86_64") && self.features.include(features)
    }
}

fn name() -> String {
    let processor = cipherloom_measure::Processor::detect();
    let brand = processor.label();
    match cipherloom_measure::model() {
        Some((family, model)) => format!("{brand} (family {family}, model {model})"),
        None => brand.to_owned(),
    }
}

#[cfg(target_arch = "x86_64")]
fn features() -> Features {
    use std::arch::is_x86_feature_detected as has;
    let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
    let found = [
        (features::BMI2, has!("bmi2")),
        (features::GFNI, has!("bmi2") && has!("ssse3") && has!("gfni")),
        (features::AVX2, has!("avx2")),
        (features::AVX512, avx512),
        (features::VBMI, avx512 && has!("avx512vbmi") && has!("gfni")),
    ];
    let found = found.into_iter().filter(|(_, has)| *has);
    found.fold(features::X86_64, |all, (set, _)| all.or(set))
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Features {
    Features::default()
}
