//! AArch64 as data.

use super::conventions::AAPCS64;
use super::features::{self, BSL, ONCE, SHA3};
use super::{ENTRY, WORD, costs, register, text};
use crate::ir::Requirements;
use crate::isa::{Choices, Features, Landing, Model, Sums, Target, Usual};

/// AArch64 with addresses of 64 bits, its words in memory lowest byte first.
pub static AARCH64: Target = Target {
    name: "aarch64",
    word: WORD,
    register,
    segment: |_| unreachable!("its pointers have no segments"),
    entry: ENTRY,
    flags: "flags",
    stack: "below the stack pointer",
    landing: Ok(Landing {
        doc: "bti c, a landing pad of branch target identification; others pass over it",
        needs: Features::NONE,
        without: "every processor passes over it",
    }),
    conventions: &[&AAPCS64],
    formats: &text::FORMATS,
    missing: &[],
    elsewhere: "it is for another processor",
    body: Some(&text::BODY),
    costs: &costs::ALL,
    old_costs: &[],
    features: &features::ALL,
    // In emulators only.
    here: || None,
    model_here: || None,
    complete: |features| features,
    serves,
    usual: Usual {
        costs: costs::ALL[0],
        choices: || Choices { sums: Sums::as_they_come(), ..Choices::default() },
        unroll: 0,
        hoist: 0,
        ordered: true,
        ways: &[],
    },
    processors: &PROCESSORS,
};

fn serves(asked: &Requirements) -> Result<&'static [Features], &'static str> {
    static XOR_THREE: [Features; 2] = [SHA3, SHA3.or(ONCE)];
    match asked {
        Requirements { rare_loads: true, byte_entries: false, .. } => {
            Err("has words for entries at displacements from an index, where AArch64 has bytes")
        }
        Requirements { products: true, .. } => {
            Err("has products with matrices of bits, for which AArch64 has no instruction")
        }
        Requirements { bit_deposit: true, .. } => {
            Err("moves bits under masks, for which the baseline of AArch64 has no instruction")
        }
        Requirements { spaced_tables: true, .. } => {
            Err("has spaced tables, where AArch64 cuts out any field in one instruction")
        }
        Requirements { ternary_logic: true, .. } => {
            Err("has operations of any three inputs, which AArch64 has not")
        }
        Requirements { interleaving: true, .. } => {
            Err("has words of two vectors in turns, where AArch64 exchanges every second one")
        }
        Requirements { vectors: Some(256 | 512), .. } => {
            Err("has vectors of 256 or 512 bits, and AArch64's have 128")
        }
        Requirements { byte_tables: true, vectors: Some(128), .. } => Ok(&[Features::NONE]),
        Requirements { byte_tables: true, .. } => {
            Err("looks up inside vectors in a way that is another processor's")
        }
        Requirements { xor_three: true, .. } => Ok(&XOR_THREE),
        Requirements { xor_rotated: true, .. } => Ok(&[SHA3]),
        Requirements { cheap_select: true, .. } => Ok(&[BSL]),
        Requirements { vectors: Some(128), .. } => Ok(&[Features::NONE, SHA3]),
        _ => Ok(&[Features::NONE]),
    }
}

/// Processors by the names that people give them, in the order of their age.
static PROCESSORS: [Model; 6] = [
    model("aarch64", Features::NONE, "every processor with AArch64"),
    model("cortex-a72", Features::NONE, "Arm Cortex-A72: Raspberry Pi 4, AWS Graviton"),
    model("neoverse-n1", BSL, "Arm Neoverse N1: AWS Graviton2, Ampere Altra"),
    model("neoverse-v1", SHA3.or(ONCE), "Arm Neoverse V1 with FEAT_SHA3: AWS Graviton3"),
    model("apple-m1", SHA3, "Apple M1 and later"),
    model("neoverse-v2", SHA3.or(ONCE), "Arm Neoverse V2 with FEAT_SHA3: AWS Graviton4"),
];

const fn model(name: &'static str, features: Features, doc: &'static str) -> Model {
    Model { name, target: &AARCH64, features, doc }
}
