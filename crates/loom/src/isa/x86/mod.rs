//! x86: its instructions, and how the IR becomes them, in 64-bit mode, in 32-bit mode and in real mode.
//!
//! What the modes differ in is data: [`Mode`] has it, and registers that an instruction cannot name
//! are not among those that it allows.
//!
//! | file | subject |
//! |---|---|
//! | `inst.rs` | the instructions that kernels are made of |
//! | `mode.rs` | what the modes differ in |
//! | `choices.rs` | what lowering may do in several ways |
//! | `lower.rs` | from operations to instructions |
//! | `vector.rs`, `vectors.rs` | the same for vectors: their shapes, operations to instructions |
//! | `encode.rs`, `encode_vector.rs`, `encode_bytes.rs`, `forms.rs` | entry, exit, loops and bytes, in the forms that assemblers choose |
//! | `make.rs` | all steps one after the other, by a plan |

mod choices;
pub mod conventions;
pub mod costs;
mod encode;
mod encode_bytes;
mod encode_vector;
mod forms;
mod inst;
mod lower;
mod make;
mod mode;
mod vector;
mod vectors;

pub use choices::{Choices, Extract, Sums};
pub use encode::{
    Assembled, ENTRY, Line, Program, Role, TABLES, is_call, is_landing, names_tables, program,
};
pub use inst::{Alu, Base, Inst, Mem, Shift, Source, Width, X86, X86_16, X86_32, X86_64};
pub use lower::{Lowered, lower};
pub use make::{Made, Plan, budget, make, usable};
pub use mode::Mode;
pub use vector::{Bitwise, Set, Shape, VectorSource};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::RegSet;

/// Numbers of the general registers, as the processor encodes them.
pub mod gpr {
    /// `rax`, return value.
    pub const RAX: u8 = 0;
    /// `rcx`.
    pub const RCX: u8 = 1;
    /// `rdx`.
    pub const RDX: u8 = 2;
    /// `rbx`.
    pub const RBX: u8 = 3;
    /// `rsp`, the stack.
    pub const RSP: u8 = 4;
    /// `rbp`.
    pub const RBP: u8 = 5;
    /// `rsi`.
    pub const RSI: u8 = 6;
    /// `rdi`.
    pub const RDI: u8 = 7;
}

/// Numbers of the segment registers, as the processor encodes them.
pub mod segments {
    /// `es`.
    pub const ES: u8 = 0;
    /// `ds`.
    pub const DS: u8 = 3;
    /// `fs`.
    pub const FS: u8 = 4;
    /// `gs`.
    pub const GS: u8 = 5;

    /// Its name.
    ///
    /// # Panics
    /// If it is none of these.
    #[must_use]
    pub const fn name(segment: u8) -> &'static str {
        match segment {
            ES => "es",
            DS => "ds",
            FS => "fs",
            GS => "gs",
            _ => panic!("pointers have no such segment"),
        }
    }
}

/// All general registers of 64-bit mode but the stack pointer.
pub const GENERAL: RegSet = RegSet(0xffff & !(1 << gpr::RSP));
/// The same of 32-bit mode.
pub const GENERAL_8: RegSet = RegSet(0xff & !(1 << gpr::RSP));
/// Registers whose second byte has a name: `ah`, `ch`, `dh`, `bh`. In 32-bit mode the others' lowest
/// byte has none either.
pub const WITH_HIGH_BYTE: RegSet = RegSet(0b1111);
/// Registers of which an address of 16 bits can be made: `bx`, `bp`, `si`, `di`.
pub const ADDRESS_16: RegSet = RegSet(0b1110_1000);
/// Registers that an instruction without a REX prefix can name, which one with `ah` must be.
pub const LEGACY: RegSet = RegSet(0b1110_1111);

/// The first register for vectors; its number as the processor encodes it is 0.
pub const VECTOR_0: u8 = 16;
/// Registers for vectors of 32-bit mode.
pub const VECTORS_8: RegSet = RegSet(0xff << VECTOR_0);
/// Registers for vectors that every instruction for vectors can name.
pub const VECTORS_16: RegSet = RegSet(0xffff << VECTOR_0);
/// Registers for vectors of AVX-512.
pub const VECTORS_32: RegSet = RegSet(0xffff_ffff << VECTOR_0);

/// Extensions that a kernel may need, beyond the baseline: x86-64, or the 386, which lacks some of
/// what every x86-64 has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    /// `bswap`, from the 486 on.
    pub bswap: bool,
    /// `cmov`, from the Pentium Pro on.
    pub cmov: bool,
    /// SSE2: vectors of 128 bits, from the Pentium 4 on.
    pub sse2: bool,
    /// BMI2: `rorx`.
    pub bmi2: bool,
    /// GFNI with SSSE3 beside BMI2: bytes shuffled, and products with matrices of bits, in vectors of
    /// 128 bits.
    pub gfni: bool,
    /// AVX2: vectors of 256 bits.
    pub avx2: bool,
    /// AVX-512 F, BW, DQ and VL: vectors of 512 bits, and three inputs for an operation.
    pub avx512: bool,
    /// AVX-512 VBMI and GFNI beside these: bytes picked from anywhere in a vector, and products with
    /// matrices of bits.
    pub vbmi: bool,
}

impl Features {
    /// Every set of them for x86-64, the baseline first.
    pub const ALL: [Self; 6] =
        [Self::NONE, Self::BMI2, Self::GFNI, Self::AVX2, Self::AVX512, Self::VBMI];

    /// Those that matter to kernels without vectors.
    pub const WORDS: [Self; 2] = [Self::NONE, Self::BMI2];

    /// The baseline.
    pub const NONE: Self = Self {
        bswap: false,
        cmov: false,
        sse2: false,
        bmi2: false,
        gfni: false,
        avx2: false,
        avx512: false,
        vbmi: false,
    };
    /// What every x86-64 has, and a 386 has not.
    pub const X86_64: Self = Self { bswap: true, cmov: true, sse2: true, ..Self::NONE };
    /// The 486.
    pub const BSWAP: Self = Self { bswap: true, ..Self::NONE };
    /// The Pentium 4: its vectors, without what else came since the 386.
    pub const SSE2: Self = Self { sse2: true, ..Self::NONE };
    /// With BMI2.
    pub const BMI2: Self = Self { bmi2: true, ..Self::NONE };
    /// With GFNI and BMI2.
    pub const GFNI: Self = Self { gfni: true, ..Self::BMI2 };
    /// With AVX2.
    pub const AVX2: Self = Self { avx2: true, ..Self::NONE };
    /// With AVX-512.
    pub const AVX512: Self = Self { avx512: true, ..Self::NONE };
    /// With AVX-512, its VBMI, and GFNI.
    pub const VBMI: Self = Self { vbmi: true, ..Self::AVX512 };

    /// With one more, by its name; none if it is unknown.
    #[must_use]
    pub fn with(self, name: &str) -> Option<Self> {
        match name {
            "bswap" => Some(Self { bswap: true, ..self }),
            "cmov" => Some(Self { cmov: true, ..self }),
            "sse2" => Some(Self { sse2: true, ..self }),
            "bmi2" => Some(Self { bmi2: true, ..self }),
            "gfni" => Some(Self { bmi2: true, gfni: true, ..self }),
            "avx2" => Some(Self { avx2: true, ..self }),
            "avx512" => Some(Self { avx512: true, ..self }),
            "vbmi" => Some(Self { avx512: true, vbmi: true, ..self }),
            _ => None,
        }
    }

    /// Whether all that `other` asks for is here.
    #[must_use]
    pub const fn include(self, other: Self) -> bool {
        (self.bswap || !other.bswap)
            && (self.cmov || !other.cmov)
            && (self.sse2 || !other.sse2)
            && (self.bmi2 || !other.bmi2)
            && (self.gfni || !other.gfni)
            && (self.avx2 || self.avx512 || !other.avx2)
            && (self.avx512 || !other.avx512)
            && (self.vbmi || !other.vbmi)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            bswap: self.bswap || other.bswap,
            cmov: self.cmov || other.cmov,
            sse2: self.sse2 || other.sse2,
            bmi2: self.bmi2 || other.bmi2,
            gfni: self.gfni || other.gfni,
            avx2: self.avx2 || other.avx2,
            avx512: self.avx512 || other.avx512,
            vbmi: self.vbmi || other.vbmi,
        }
    }

    /// The names of those that are set; one that includes another stands for both.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let all = [
            (self.bswap, "bswap"),
            (self.cmov, "cmov"),
            (self.sse2, "sse2"),
            (self.bmi2 && !self.gfni, "bmi2"),
            (self.gfni, "gfni"),
            (self.avx2, "avx2"),
            (self.avx512 && !self.vbmi, "avx512"),
            (self.vbmi, "vbmi"),
        ];
        all.into_iter().filter(|(set, _)| *set).map(|(_, name)| name).collect()
    }
}

impl Serialize for Features {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Features {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let known = names.iter().try_fold(Self::NONE, |all, name| all.with(name));
        let exact = known.filter(|features| features.names() == names);
        exact.ok_or_else(|| serde::de::Error::custom(format!("unknown features {names:?}")))
    }
}
