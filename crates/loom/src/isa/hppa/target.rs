//! PA-RISC 2.0 as data.

use super::conventions::{HPPA, HPPA_PIC};
use super::costs;
use crate::ir::Requirements;
use crate::isa::{Choices, Features, Model, Target, Usual};

/// PA-RISC 2.0 with 64-bit registers and 32-bit addresses.
pub static PA_RISC: Target = Target {
    name: "pa-risc-2.0",
    word: 4,
    register,
    // A line of the instruction cache.
    entry: 64,
    flags: "",
    stack: "above the stack pointer",
    without_landing: Some("CET is a matter of x86"),
    conventions: &[&HPPA, &HPPA_PIC],
    costs: &costs::ALL,
    old_costs: &[],
    features: &[],
    complete: |features| features,
    serves,
    // All rounds of a pass over one block are written out.
    usual: Usual {
        costs: costs::ALL[0],
        choices: Choices::default,
        unroll: 500,
        hoist: 4,
        ordered: true,
    },
    processors: &PROCESSORS,
};

fn serves(asked: &Requirements) -> Result<&'static [Features], &'static str> {
    match asked {
        Requirements { byte_tables: true, .. } => {
            Err("looks up inside vectors, which PA-RISC has not")
        }
        Requirements { vectors: Some(_), .. } => Err("has vectors, which PA-RISC has not"),
        Requirements { libdes: true, .. } => Err("libdes' functions were assembly for x86"),
        Requirements { bit_deposit: true, .. } => {
            Err("moves bits under masks, for which PA-RISC has no instruction")
        }
        Requirements { products: true, .. } => {
            Err("has products with matrices of bits, for which PA-RISC has no instruction")
        }
        Requirements { paired_stores: true, .. } => Err(
            "stores two entries at once, lowest byte first, which PA-RISC's order of bytes is not",
        ),
        _ => Ok(&[Features::NONE]),
    }
}

fn register(number: u8) -> &'static str {
    const NAMES: [&str; 32] = [
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13",
        "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26",
        "r27", "r28", "r29", "r30", "r31",
    ];
    NAMES[usize::from(number)]
}

/// Processors by the names that people give them, in the order of their age.
static PROCESSORS: [Model; 1] = [Model {
    name: "pa8000",
    target: &PA_RISC,
    features: Features::NONE,
    doc: "HP PA-8000 to PA-8900: PA-RISC 2.0",
}];
