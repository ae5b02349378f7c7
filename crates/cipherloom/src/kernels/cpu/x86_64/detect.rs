//! What the processor has, found out once. A value of a witness type proves it: only detection
//! makes one, so that no kernel is called where it would be an illegal instruction.
#![allow(unsafe_code, reason = "asks which registers the operating system saves")]

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv, CpuidResult};

use super::found::Found;
use crate::kernels::cpu::{Feature, Vendor};

/// A processor for which this build has assembly: every x86-64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Baseline(());

impl Baseline {
    /// What it is called as a feature.
    pub(crate) const FEATURE: Feature = Feature::X64;

    pub(crate) fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

/// A processor with BMI1 and BMI2, whose `pext` and `pdep` are instructions like others: the kernels permute
/// with them, and AMD's before Zen 3 take hundreds of cycles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bmi2(());

impl Bmi2 {
    pub(crate) fn detect() -> Option<Self> {
        has(BMI2).then_some(Self(()))
    }
}

/// A processor that has GFNI beside BMI2, and SSSE3: bytes shuffled, and products with matrices of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gfni(());

impl Gfni {
    pub(crate) fn detect() -> Option<Self> {
        has(GFNI).then_some(Self(()))
    }

    /// It has BMI2 too.
    pub(crate) fn bmi2(self) -> Bmi2 {
        Bmi2(())
    }
}

/// A processor with AVX2, and an operating system that saves its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// What it is called as a feature.
    pub(crate) const FEATURE: Feature = Feature::Avx2;

    pub(crate) fn detect() -> Option<Self> {
        has(AVX2).then_some(Self(()))
    }
}

/// A processor with AVX-512 F, BW, DQ and VL, and an operating system that saves its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        has(AVX512).then_some(Self(()))
    }

    /// It has AVX2 too.
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

/// A processor that has AVX-512's VBMI and GFNI beside these: bytes picked from anywhere in two
/// vectors, and products with matrices of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vbmi(());

impl Vbmi {
    pub(crate) fn detect() -> Option<Self> {
        has(VBMI).then_some(Self(()))
    }

    /// It has these too.
    pub(crate) fn avx512(self) -> Avx512 {
        Avx512(())
    }
}

/// What an x86-64 may have, in the order of the bits of [`of_model`].
pub(crate) const FEATURES: [Feature; 6] =
    [Feature::X64, Feature::Bmi2, Feature::Avx2, Feature::Avx512, Feature::Vbmi, Feature::Gfni];

static FOUND: Found = Found::new();

/// Every x86-64 has this one, so that what was found is never zero.
const BASELINE: u8 = 1;
const BMI2: u8 = 1 << 1;
const AVX2: u8 = 1 << 2;
const AVX512: u8 = 1 << 3;
const VBMI: u8 = 1 << 4;
const GFNI: u8 = 1 << 5;
/// Not features: that Intel made it, and that it is of AMD's family with Zen 3 and Zen 4.
const INTEL: u8 = 1 << 6;
const ZEN_3_AND_4: u8 = 1 << 7;

/// How many models of processors are told apart.
pub(crate) const MODELS: usize = 1 << 7;

/// Which of [`MODELS`] this one is: what was found, without [`BASELINE`].
#[inline(always)]
pub(crate) fn model() -> usize {
    usize::from(found() >> 1) % MODELS
}

/// What a model has of [`FEATURES`], a bit for each, and who made it.
#[inline(always)]
pub(crate) const fn of_model(model: usize) -> (usize, Vendor) {
    let found = (model << 1) as u8 | BASELINE;
    let vendor = match (found & INTEL, found & AVX512, found & ZEN_3_AND_4) {
        (0, 0, _) => Vendor::Zen,
        (0, _, 0) => Vendor::Amd,
        (0, ..) => Vendor::Zen4,
        _ => Vendor::Intel,
    };
    ((found & !(INTEL | ZEN_3_AND_4)) as usize, vendor)
}

/// Who made it. A call would be of a further page, on the way to a kernel.
#[inline(always)]
pub(crate) fn vendor() -> Vendor {
    of_model(model()).1
}

/// Whether Intel made it.
#[inline]
pub(crate) fn is_intel() -> bool {
    has(INTEL)
}

#[inline]
fn has(bit: u8) -> bool {
    found() & bit != 0
}

#[inline]
fn found() -> u8 {
    FOUND.once(detect)
}

fn detect() -> u8 {
    // For tests: as on the other vendor's processors, so that one machine runs the kernels of both.
    let is_intel = is_from(&__cpuid(0), &[b"GenuineIntel"]) != cfg!(cipherloom_other_vendor);
    let is_amd = is_from(&__cpuid(0), &AMD);
    let is_zen = !is_intel && is_amd && family(__cpuid(1).eax) == ZEN_3;
    BASELINE
        | if is_intel { INTEL } else { 0 }
        | if is_zen { ZEN_3_AND_4 } else { 0 }
        | if last_leaf() >= 7 { extended() } else { 0 }
}

/// The highest leaf that the processor answers.
fn last_leaf() -> u32 {
    __cpuid(0).eax
}

/// Features that leaf 7 knows of.
fn extended() -> u8 {
    let bit = |register: u32, bit: u32| register >> bit & 1 == 1;
    let (basic, extended) = (__cpuid(1), __cpuid_count(7, 0));
    let avx = bit(basic.ecx, 28) && bit(basic.ecx, 27) && saves(XMM | YMM);
    let mut found = 0;
    let bmi = bit(extended.ebx, BMI1_BIT) && bit(extended.ebx, BMI2_BIT);
    if bmi && !permutes_slowly(&__cpuid(0), basic.eax) {
        found |= BMI2;
        if bit(extended.ecx, GFNI_BIT) && bit(basic.ecx, SSSE3_BIT) {
            found |= GFNI;
        }
    }
    if bit(extended.ebx, 5) && avx {
        found |= AVX2;
    }
    let avx512 = [AVX512_F, AVX512_DQ, AVX512_BW, AVX512_VL];
    let has_all = avx512.into_iter().all(|n| bit(extended.ebx, n));
    if has_all && found & AVX2 != 0 && saves(MASKS_AND_ZMM) {
        found |= AVX512;
        if bit(extended.ecx, AVX512_VBMI) && bit(extended.ecx, GFNI_BIT) {
            found |= VBMI;
        }
    }
    found
}

/// Whether this is one of AMD's (or Hygon's) before Zen 3.
fn permutes_slowly(vendor: &CpuidResult, signature: u32) -> bool {
    is_from(vendor, &AMD) && family(signature) < ZEN_3
}

/// AMD, and Hygon, who makes some of its older ones.
const AMD: [&[u8; 12]; 2] = [b"AuthenticAMD", b"HygonGenuine"];

/// AMD's family with Zen 3 and Zen 4.
const ZEN_3: u32 = 0x19;

/// The family, by EAX of leaf 1.
fn family(signature: u32) -> u32 {
    match signature >> 8 & 0xf {
        0xf => 0xf + (signature >> 20 & 0xff),
        family => family,
    }
}

/// Whether leaf 0 has one of these names.
fn is_from(vendor: &CpuidResult, names: &[&[u8; 12]]) -> bool {
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    names.iter().any(|one| one.as_slice() == name.as_flattened())
}

/// A bit of ECX of leaf 1.
const SSSE3_BIT: u32 = 9;
/// Bits of EBX of leaf 7.
const BMI1_BIT: u32 = 3;
const BMI2_BIT: u32 = 8;
const AVX512_F: u32 = 16;
const AVX512_DQ: u32 = 17;
const AVX512_BW: u32 = 30;
const AVX512_VL: u32 = 31;
/// Bits of its ECX.
const AVX512_VBMI: u32 = 1;
const GFNI_BIT: u32 = 8;

/// States of XCR0.
const XMM: u64 = 1 << 1;
const YMM: u64 = 1 << 2;
/// The mask registers, the upper halves of the first 16 and all of the last 16.
const MASKS_AND_ZMM: u64 = 0b111 << 5;

/// Whether the operating system saves these registers; to be asked only where it uses XSAVE
/// (bit 27 of leaf 1, OSXSAVE).
fn saves(states: u64) -> bool {
    #[target_feature(enable = "xsave")]
    fn xcr0() -> u64 {
        // SAFETY: register 0 exists wherever the instruction does.
        unsafe { _xgetbv(0) }
    }
    // SAFETY: the instruction exists where the operating system uses XSAVE, as the caller saw.
    let xcr0 = unsafe { xcr0() };
    xcr0 & states == states
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    /// The standard library asks the same questions.
    #[test]
    fn the_standard_library_finds_the_same() {
        let slow = permutes_slowly(&__cpuid(0), __cpuid(1).eax);
        let bmi = std::is_x86_feature_detected!("bmi1") && std::is_x86_feature_detected!("bmi2");
        assert_eq!(Bmi2::detect().is_some(), bmi && !slow);
        let gfni = std::is_x86_feature_detected!("gfni") && std::is_x86_feature_detected!("ssse3");
        assert_eq!(Gfni::detect().is_some(), bmi && !slow && gfni);
        assert_eq!(Avx2::detect().is_some(), std::is_x86_feature_detected!("avx2"));
        let avx512 = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl");
        assert_eq!(Avx512::detect().is_some(), avx512);
        let vbmi = avx512
            && std::is_x86_feature_detected!("avx512vbmi")
            && std::is_x86_feature_detected!("gfni");
        assert_eq!(Vbmi::detect().is_some(), vbmi);
        assert_eq!(detect(), found(), "found again, and kept");
        assert_eq!(usize::from(detect() & !(INTEL | ZEN_3_AND_4)), of_model(model()).0);
    }

    #[test]
    fn amd_s_processors_before_zen_3_are_known() {
        let word = |text: &[u8; 4]| u32::from_le_bytes(*text);
        let vendor = |[ebx, edx, ecx]: [&[u8; 4]; 3]| CpuidResult {
            eax: 13,
            ebx: word(ebx),
            ecx: word(ecx),
            edx: word(edx),
        };
        let amd = vendor([b"Auth", b"enti", b"cAMD"]);
        let intel = vendor([b"Genu", b"ineI", b"ntel"]);
        let (excavator, zen2, zen3) = (0x0066_0f51, 0x0083_0f10, 0x00a0_0f11);
        assert!(permutes_slowly(&amd, excavator) && permutes_slowly(&amd, zen2));
        assert!(!permutes_slowly(&amd, zen3));
        assert!(!permutes_slowly(&intel, 0x0005_06e3));
        assert!(!permutes_slowly(&intel, zen2));
        assert!(is_from(&intel, &[b"GenuineIntel"]) && !is_from(&amd, &[b"GenuineIntel"]));
    }

    /// Zen 3 and Zen 4 have one family, and AVX-512 sets them apart.
    #[test]
    fn amd_s_generations_are_told_apart() {
        let (zen3, zen4, zen5) = (0x00a0_0f11, 0x00a1_0f11, 0x00b0_0f21);
        assert_eq!([zen3, zen4, zen5].map(family), [ZEN_3, ZEN_3, 0x1a]);
        let vendor = |found: u8| of_model(usize::from((BASELINE | found) >> 1)).1;
        assert_eq!(vendor(AVX2 | ZEN_3_AND_4), Vendor::Zen);
        assert_eq!(vendor(AVX2 | AVX512 | ZEN_3_AND_4), Vendor::Zen4);
        assert_eq!(vendor(AVX2 | AVX512), Vendor::Amd);
        assert_eq!(vendor(AVX2), Vendor::Zen);
        assert_eq!(vendor(AVX2 | AVX512 | INTEL), Vendor::Intel);
    }
}
