//! What the processor has, found out once. A value of a witness type proves it: only detection
//! makes one, so that no kernel is called where it would be an illegal instruction.

use super::found::Found;
use super::system;
use crate::kernels::cpu::{Feature, Vendor};

/// A processor for which this build has assembly: every AArch64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baseline(());

impl Baseline {
    /// What it is called as a feature.
    pub(crate) const FEATURE: Feature = Feature::AArch64;

    pub(crate) fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

/// A processor with FEAT_SHA3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sha3(());

impl Sha3 {
    pub(crate) fn detect() -> Option<Self> {
        (found() & SHA3 != 0).then_some(Self(()))
    }
}

/// What an AArch64 may have, in the order of the bits of [`of_model`].
pub(crate) const FEATURES: [Feature; 2] = [Feature::AArch64, Feature::Sha3];

static FOUND: Found = Found::new();

/// Every AArch64 has this one.
const BASELINE: u8 = 1;
const SHA3: u8 = 1 << 1;
/// Not for kernels: a bit of the processor's state.
const DIT: u8 = 1 << 7;

/// How many models of processors are told apart.
pub(crate) const MODELS: usize = 1 << 2;

/// Which of [`MODELS`] this one is.
#[inline(always)]
pub(crate) fn model() -> usize {
    usize::from(found()) % MODELS
}

/// What a model has of [`FEATURES`], a bit for each; and its maker, as far as the system tells.
#[inline(always)]
pub(crate) const fn of_model(model: usize) -> (usize, Vendor) {
    let is_apple = cfg!(target_vendor = "apple") != cfg!(cipherloom_other_vendor);
    let vendor = match (is_apple, model & SHA3 as usize) {
        (true, _) => Vendor::Apple,
        (false, 0) => Vendor::OlderArm,
        (false, _) => Vendor::Arm,
    };
    (model, vendor)
}

/// Who made it. A call would be of a further page, on the way to a kernel.
#[inline(always)]
pub(crate) fn vendor() -> Vendor {
    of_model(model()).1
}

/// Whether it can be told to take the same time for all data.
#[inline]
pub(super) fn has_dit() -> bool {
    found() & DIT != 0
}

#[inline]
fn found() -> u8 {
    FOUND.once(detect)
}

fn detect() -> u8 {
    // What the compiler was told to take for granted, the processor has.
    let has_sha3 = cfg!(target_feature = "sha3") || system::has_sha3();
    let has_dit = cfg!(target_feature = "dit") || system::has_dit();
    BASELINE | if has_sha3 { SHA3 } else { 0 } | if has_dit { DIT } else { 0 }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    /// The standard library asks the same questions.
    #[test]
    fn the_standard_library_finds_the_same() {
        assert_eq!(Sha3::detect().is_some(), std::arch::is_aarch64_feature_detected!("sha3"));
        assert_eq!(has_dit(), std::arch::is_aarch64_feature_detected!("dit"));
        assert_eq!(detect(), found(), "found again, and kept");
        assert_eq!(usize::from(detect() & !DIT), of_model(model()).0);
    }
}
