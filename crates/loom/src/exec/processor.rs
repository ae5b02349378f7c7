//! The processor that this process runs on.

use crate::isa::{Features, registry};
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
        Self { name, directory, features: here().fold(Features::NONE, Features::or) }
    }

    /// Whether it runs a kernel.
    #[must_use]
    pub fn runs(&self, variant: &KernelVariant) -> bool {
        (variant.target.here)().is_some_and(|here| here.include(variant.features))
    }

    /// Whether it runs kernels that need some features.
    #[must_use]
    pub fn has(&self, features: Features) -> bool {
        here().any(|here| here.include(features))
    }
}

/// What it has of each instruction set of which it is.
fn here() -> impl Iterator<Item = Features> {
    registry::targets().filter_map(|target| (target.here)())
}

fn name() -> String {
    let processor = cipherloom_measure::Processor::detect();
    let brand = processor.label();
    match cipherloom_measure::model() {
        Some((family, model)) => format!("{brand} (family {family}, model {model})"),
        None => brand.to_owned(),
    }
}
