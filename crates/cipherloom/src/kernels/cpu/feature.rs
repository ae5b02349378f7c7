//! What sets processors apart: features that kernels in assembly need, and who makes them.

/// What a processor may have, of any family for which there are kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// An x86-64, with nothing beyond what all of them have.
    X64,
    /// BMI2, with a `pext` and `pdep` that are instructions like others.
    Bmi2,
    /// GFNI in vectors of 128 bits, beside BMI2.
    Gfni,
    /// AVX2.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
    /// AVX-512's VBMI, and GFNI, beside these.
    Vbmi,
    /// An AArch64, with nothing beyond what all of them have: NEON is part of that.
    AArch64,
    /// FEAT_SHA3: XORs of three inputs.
    Sha3,
}

impl Feature {
    /// Its name, for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::X64 => "x86-64",
            Self::Bmi2 => "bmi2",
            Self::Gfni => "gfni",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Vbmi => "vbmi",
            Self::AArch64 => "aarch64",
            Self::Sha3 => "sha3",
        }
    }
}

/// Who makes a processor. What kernels cost differs more from one to the other than between the
/// generations of either.
#[cfg_attr(not(test), expect(dead_code, reason = "each family of processors has its own of them"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vendor {
    /// AMD since Zen 5, and everyone else who makes no AArch64.
    Amd,
    /// AMD's Zen 4, which does vectors of 512 bits in two halves.
    Zen4,
    /// AMD's before that, which have no AVX-512.
    Zen,
    Intel,
    /// Everyone else who makes an AArch64.
    Arm,
    /// The same without FEAT_SHA3.
    OlderArm,
    /// Apple, of what it makes itself.
    Apple,
}

impl Vendor {
    #[cfg(test)]
    pub(crate) const EVERY: [Self; 7] =
        [Self::Amd, Self::Zen4, Self::Zen, Self::Intel, Self::Arm, Self::OlderArm, Self::Apple];

    /// Its name, for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Amd => "AMD",
            Self::Zen4 => "AMD, Zen 4",
            Self::Zen => "AMD, before Zen 4",
            Self::Intel => "Intel",
            Self::Arm => "Arm",
            Self::OlderArm => "Arm, without FEAT_SHA3",
            Self::Apple => "Apple",
        }
    }
}
