//! Processors by the names that people give them.

use super::features::{AVX2, BMI2, BSWAP, CMOV, GFNI, VBMI, X86_64 as COMPLETE};
use super::{X86_32, X86_64, X86_REAL};
use crate::isa::{Features, Model, Target};

const fn model(
    target: &'static Target,
    name: &'static str,
    features: Features,
    doc: &'static str,
) -> Model {
    Model { name, target, features, doc }
}

/// Those of 32-bit code.
pub static BITS_32: [Model; 7] = [
    model(&X86_32, "386", Features::NONE, "Intel 386: 32-bit code without bswap"),
    model(&X86_32, "486", BSWAP, "Intel 486"),
    model(&X86_32, "pentium", BSWAP, "Intel Pentium: two pipes, in order"),
    model(&X86_32, "pentiumpro", BSWAP.or(CMOV), "Intel Pentium Pro, II, III: out of order"),
    model(&X86_32, "pentium4", COMPLETE, "Intel Pentium 4: SSE2"),
    model(&X86_32, "x86", BMI2.or(AVX2), "32-bit programs on processors with AVX2 and BMI2"),
    model(&X86_32, "x86-gfni", GFNI.or(AVX2), "32-bit programs on processors with GFNI"),
];

/// Those of real mode.
pub static REAL: [Model; 1] =
    [model(&X86_REAL, "386-real", Features::NONE, "386 or later in real mode: DOS")];

/// Those of 64-bit code.
pub static BITS_64: [Model; 4] = [
    model(&X86_64, "x86-64", Features::NONE, "every processor with 64 bits"),
    model(&X86_64, "x86-64-v3", BMI2.or(AVX2), "64-bit processors with AVX2 and BMI2"),
    model(&X86_64, "x86-64-gfni", GFNI.or(AVX2), "64-bit processors with AVX2 and GFNI"),
    model(&X86_64, "x86-64-v4", VBMI.or(GFNI), "with AVX-512 VBMI and GFNI"),
];
