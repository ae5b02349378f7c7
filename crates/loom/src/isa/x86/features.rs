//! Extensions of x86, beyond the baseline: x86-64, or the 386, which lacks some of what every x86-64
//! has.

use crate::isa::features::{Feature, Features};

/// `bswap`, from the 486 on.
pub const BSWAP: Features = Features::bit(0);
/// `cmov`, from the Pentium Pro on.
pub const CMOV: Features = Features::bit(1);
/// SSE2: vectors of 128 bits, from the Pentium 4 on.
pub const SSE2: Features = Features::bit(2);
/// BMI1 and BMI2: `andn`, `rorx`, `pext`.
pub const BMI2: Features = Features::bit(3);
/// GFNI with SSSE3 beside BMI2: bytes shuffled, and products with matrices of bits, in vectors of 128
/// bits.
pub const GFNI: Features = Features::bit(4).or(BMI2);
/// AVX2: vectors of 256 bits.
pub const AVX2: Features = Features::bit(5);
/// AVX-512 F, BW, DQ and VL: vectors of 512 bits, and three inputs for an operation.
pub const AVX512: Features = Features::bit(6).or(AVX2);
/// AVX-512 VBMI and GFNI beside these: bytes picked from anywhere in a vector, and products with
/// matrices of bits.
pub const VBMI: Features = Features::bit(7).or(AVX512);

/// What every x86-64 has, and a 386 has not.
pub const X86_64: Features = BSWAP.or(CMOV).or(SSE2);

/// Every set of them for x86-64, the baseline first.
pub const SETS: [Features; 6] = [Features::NONE, BMI2, GFNI, AVX2, AVX512, VBMI];

/// Those that matter to kernels without vectors.
pub const WORDS: [Features; 2] = [Features::NONE, BMI2];

/// Every one.
pub const ALL: [Feature; 8] = {
    const fn feature(name: &'static str, set: Features) -> Feature {
        Feature { name, set }
    }
    [
        feature("bswap", BSWAP),
        feature("cmov", CMOV),
        feature("sse2", SSE2),
        feature("bmi2", BMI2),
        feature("gfni", GFNI),
        feature("avx2", AVX2),
        feature("avx512", AVX512),
        feature("vbmi", VBMI),
    ]
};

/// What the processor at hand has, if it is one of x86 in 64-bit mode.
#[cfg(target_arch = "x86_64")]
pub fn here() -> Option<Features> {
    use std::arch::is_x86_feature_detected as has;
    let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
    let bmi = has!("bmi1") && has!("bmi2");
    let found = [
        (BMI2, bmi),
        (GFNI, bmi && has!("ssse3") && has!("gfni")),
        (AVX2, has!("avx2")),
        (AVX512, avx512),
        (VBMI, avx512 && has!("avx512vbmi") && has!("gfni")),
    ];
    let found = found.into_iter().filter(|(_, has)| *has);
    Some(found.fold(X86_64, |all, (set, _)| all.or(set)))
}

/// What the processor at hand has, if it is one of x86 in 64-bit mode.
#[cfg(not(target_arch = "x86_64"))]
pub fn here() -> Option<Features> {
    None
}
