//! Extensions of x86, beyond the baseline: x86-64, or the 386, which lacks some of what every x86-64
//! has.

use crate::isa::features::{Feature, Features};

/// `bswap`, from the 486 on.
pub const BSWAP: Features = Features::bit(0);
/// `cmov`, from the Pentium Pro on.
pub const CMOV: Features = Features::bit(1);
/// SSE2: vectors of 128 bits, from the Pentium 4 on.
pub const SSE2: Features = Features::bit(2);
/// BMI2: `rorx`, `pext`.
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
