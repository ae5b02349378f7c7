//! The targets of x86 as data: 64-bit code, 32-bit code, real mode.

use super::conventions::{CDECL, CDECL_PIC, FAR16, NEAR16, SYSV64, WIN32, WIN64};
use super::features::{AVX2, BMI2, BSWAP, CMOV, GFNI, VBMI, X86_64 as COMPLETE};
use super::mode::ENTRY;
use super::text::formats;
use super::{Mode, costs, features, segments};
use crate::ir::Requirements;
use crate::isa::{Choices, Features, Landing, Model, Sums, Target, Usual};

/// x86 with 64-bit registers and addresses.
pub static X86_64: Target = Target {
    name: "x86-64",
    word: Mode::Bits64.bytes(),
    conventions: &[&SYSV64, &WIN64],
    formats: formats::BITS_64,
    missing: formats::MISSING_64,
    body: Some(&formats::BODY),
    complete: |features| Mode::Bits64.complete(features),
    processors: &PROCESSORS_64,
    ..COMMON
};

/// x86 with 32-bit registers and addresses, from the 386 on.
pub static X86_32: Target = Target {
    name: "x86",
    word: Mode::Bits32.bytes(),
    register: |number| Mode::Bits32.name(number),
    conventions: &[&CDECL, &CDECL_PIC, &WIN32],
    landing: Ok(landing(
        "endbr32, a landing pad of Intel's CET; others from the Pentium Pro on pass over it",
    )),
    old_costs: &costs::OLD,
    formats: formats::BITS_32,
    missing: formats::MISSING_32,
    complete: |features| Mode::Bits32.complete(features),
    serves: serves_32,
    processors: &PROCESSORS_32,
    ..COMMON
};

/// x86 in real mode, from the 386 on: 32-bit registers by prefixes, segments of 64 KB. All processors of
/// the past have it, too.
pub static X86_REAL: Target = Target {
    name: "x86-real",
    word: Mode::Real.bytes(),
    register: |number| Mode::Real.name(number),
    landing: Err("real mode has no CET"),
    // In emulators only.
    here: || None,
    model_here: || None,
    conventions: &[&NEAR16, &FAR16],
    old_costs: &costs::OLD,
    formats: formats::REAL_MODE,
    missing: formats::MISSING_REAL,
    elsewhere: "it has no segments of 16 bits, or none that DOS knew",
    complete: |features| Mode::Real.complete(features),
    serves: serves_real,
    // Rounds and passes are written out. By the costs of the 386, which does one instruction after the
    // other, there is little better than few instructions in their natural order, and words loaded
    // before they are XORed.
    usual: Usual { costs: costs::OLD[0], choices: plain_loads, unroll: 8000, ..USUAL },
    processors: &PROCESSORS_REAL,
    ..COMMON
};

/// What they have in common.
const COMMON: Target = Target {
    name: "",
    word: 0,
    register: |number| Mode::Bits64.name(number),
    segment: segments::name,
    entry: ENTRY,
    flags: "flags",
    stack: "below the return address",
    landing: Ok(landing("endbr64, a landing pad of Intel's CET; others pass over it")),
    conventions: &[],
    formats: &[],
    missing: &[],
    elsewhere: "it is for another processor",
    body: None,
    costs: &costs::ALL,
    old_costs: &[],
    features: &features::ALL,
    here: features::here,
    model_here: costs::here,
    complete: |features| features,
    serves: serves_64,
    usual: USUAL,
    processors: &[],
};

/// The first processor with `cmov` is also the first that passes over instructions of a later meaning.
const fn landing(doc: &'static str) -> Landing {
    let without = "`endbr32` is an illegal instruction before the Pentium Pro";
    Landing { doc, needs: features::CMOV, without }
}

const USUAL: Usual = Usual {
    costs: costs::GENERIC,
    choices: Choices::default,
    unroll: 0,
    hoist: 0,
    ordered: false,
    ways: &[],
};

fn plain_loads() -> Choices {
    Choices { sums: Sums::dealt(1), memory_operands: false, ..Choices::default() }
}

type Served = Result<&'static [Features], &'static str>;

const NO_SELECT: &str =
    "chooses bits from two vectors, which AVX-512 alone can, and it can do more";

const NO_RARE_LOADS: &str = "loads by a branch, where a choice costs nothing";

const NOT_OF_BYTES: &str = "has its entries at displacements from one pointer, which is not measured here for entries of a byte";

const NO_TABLES: &str =
    "looks up in 64 bytes by vectors of 128 bits, of which this processor has no look-up";

fn serves_64(asked: &Requirements) -> Served {
    Ok(match asked {
        Requirements { bit_select: true, .. } => return Err(NO_SELECT),
        Requirements { rare_loads: true, byte_entries: true, .. } => return Err(NOT_OF_BYTES),
        Requirements { products: true, .. } => &[features::GFNI],
        Requirements { inserted_bytes: true, .. } => &[features::AVX2],
        Requirements { byte_tables: true, vectors: Some(512), .. } => &[features::VBMI],
        Requirements { byte_tables: true, vectors: Some(256), .. } => &[features::AVX2],
        Requirements { byte_tables: true, .. } => return Err(NO_TABLES),
        // Processors with BMI2 have large caches.
        Requirements { bit_deposit: true, .. } | Requirements { large_tables: true, .. } => {
            &[features::BMI2]
        }
        Requirements { ternary_logic: true, .. } => &[features::AVX512],
        Requirements { vectors: Some(256), .. } => &[features::AVX2],
        Requirements { vectors: Some(_), .. } => &[Features::NONE],
        _ => &features::WORDS,
    })
}

fn serves_32(asked: &Requirements) -> Served {
    const NOT_AVX512: &str = "has vectors of AVX-512, which are not made for 32-bit programs";
    Ok(match asked {
        Requirements { bit_select: true, .. } => return Err(NO_SELECT),
        Requirements { rare_loads: true, .. } => return Err(NO_RARE_LOADS),
        Requirements { byte_tables: true, .. } => {
            return Err("looks up inside registers that 32-bit code has too few of");
        }
        Requirements { ternary_logic: true, .. } | Requirements { vectors: Some(512), .. } => {
            return Err(NOT_AVX512);
        }
        Requirements { wide_words: true, .. } => return Err("has words of 64 bits"),
        Requirements { inserted_bytes: true, .. } => {
            return Err("wants as many registers as 64-bit code has");
        }
        Requirements { products: true, .. } => &[features::GFNI],
        Requirements { vectors: Some(256), .. } => &[features::AVX2],
        Requirements { vectors: Some(_), .. } => &[features::SSE2],
        Requirements { byte_reversal: true, .. } => {
            &[Features::NONE, features::BSWAP, features::BMI2]
        }
        Requirements { rotation: true, .. } => &features::WORDS,
        _ => &[Features::NONE],
    })
}

/// One block at a time: code and tables have 64 KB between them and their program.
fn serves_real(asked: &Requirements) -> Served {
    let fits = Requirements { rotation: true, byte_reversal: true, ..Requirements::default() };
    match *asked == fits {
        true => Ok(&[Features::NONE]),
        false => Err(
            "is not made for real mode, where there is DES, one block at a time, with 2 KB of tables",
        ),
    }
}

impl Mode {
    /// The mode of a target.
    ///
    /// # Panics
    /// If it is not one of x86.
    #[must_use]
    pub fn of(target: &'static Target) -> Self {
        let modes = [(&X86_64, Self::Bits64), (&X86_32, Self::Bits32), (&X86_REAL, Self::Real)];
        let found = modes.into_iter().find(|(one, _)| *one == target);
        found.unwrap_or_else(|| panic!("{target} is no x86")).1
    }
}

// Processors by the names that people give them.

const fn model(
    target: &'static Target,
    name: &'static str,
    features: Features,
    doc: &'static str,
) -> Model {
    Model { name, target, features, doc }
}

/// Those of 32-bit code.
static PROCESSORS_32: [Model; 7] = [
    model(&X86_32, "386", Features::NONE, "Intel 386: 32-bit code without bswap"),
    model(&X86_32, "486", BSWAP, "Intel 486"),
    model(&X86_32, "pentium", BSWAP, "Intel Pentium: two pipes, in order"),
    model(&X86_32, "pentiumpro", BSWAP.or(CMOV), "Intel Pentium Pro, II, III: out of order"),
    model(&X86_32, "pentium4", COMPLETE, "Intel Pentium 4: SSE2"),
    model(&X86_32, "x86", BMI2.or(AVX2), "32-bit programs on processors with AVX2 and BMI2"),
    model(&X86_32, "x86-gfni", GFNI.or(AVX2), "32-bit programs on processors with GFNI"),
];

/// Those of real mode.
static PROCESSORS_REAL: [Model; 1] =
    [model(&X86_REAL, "386-real", Features::NONE, "386 or later in real mode: DOS")];

/// Those of 64-bit code.
static PROCESSORS_64: [Model; 4] = [
    model(&X86_64, "x86-64", Features::NONE, "every processor with 64 bits"),
    model(&X86_64, "x86-64-v3", BMI2.or(AVX2), "64-bit processors with AVX2 and BMI2"),
    model(&X86_64, "x86-64-gfni", GFNI.or(AVX2), "64-bit processors with AVX2 and GFNI"),
    model(&X86_64, "x86-64-v4", VBMI.or(GFNI), "with AVX-512 VBMI and GFNI"),
];
