//! Processors by the names that people give them.

use super::features::{AVX2, BMI2, BSWAP, CMOV, GFNI, VBMI, X86_64 as COMPLETE};
use crate::isa::Architecture::{X86, X86_64, X86Real};
use crate::isa::Features;
use crate::isa::registry::Model;

/// Those of each mode in the order of their age.
pub const ALL: [Model; 12] = [
    Model::new("386", X86, Features::NONE, "Intel 386: 32-bit code without bswap"),
    Model::new("486", X86, BSWAP, "Intel 486"),
    Model::new("pentium", X86, BSWAP, "Intel Pentium: two pipes, in order"),
    Model::new("pentiumpro", X86, BSWAP.or(CMOV), "Intel Pentium Pro, II, III: out of order"),
    Model::new("pentium4", X86, COMPLETE, "Intel Pentium 4: SSE2"),
    Model::new("x86", X86, BMI2.or(AVX2), "32-bit programs on processors with AVX2 and BMI2"),
    Model::new("x86-gfni", X86, GFNI.or(AVX2), "32-bit programs on processors with GFNI"),
    Model::new("386-real", X86Real, Features::NONE, "386 or later in real mode: DOS"),
    Model::new("x86-64", X86_64, Features::NONE, "every processor with 64 bits"),
    Model::new("x86-64-v3", X86_64, BMI2.or(AVX2), "64-bit processors with AVX2 and BMI2"),
    Model::new("x86-64-gfni", X86_64, GFNI.or(AVX2), "64-bit processors with AVX2 and GFNI"),
    Model::new("x86-64-v4", X86_64, VBMI.or(GFNI), "with AVX-512 VBMI and GFNI"),
];
