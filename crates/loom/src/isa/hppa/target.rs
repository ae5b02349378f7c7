//! PA-RISC 2.0 as data.

use super::conventions::{HPPA, HPPA_PIC, HPPA64};
use super::{costs, register, text};
use crate::ir::Requirements;
use crate::isa::{Choices, Features, Model, Target, Usual};

/// PA-RISC 2.0 with 64-bit registers, and addresses of 32 or 64 bits.
pub static PA_RISC: Target = Target {
    name: "pa-risc-2.0",
    word: 4,
    register,
    segment: |_| unreachable!("its pointers have no segments"),
    // A line of the instruction cache.
    entry: 64,
    flags: "",
    stack: "above the stack pointer",
    landing: Err("this instruction set has no landing pads"),
    conventions: &[&HPPA, &HPPA_PIC, &HPPA64],
    formats: &text::FORMATS,
    missing: &[],
    elsewhere: "it is for another processor",
    body: None,
    costs: &costs::ALL,
    old_costs: &[],
    features: &[],
    here: || None,
    model_here: || None,
    complete: |features| features,
    serves,
    // All rounds of a pass over one block are written out.
    usual: Usual {
        costs: costs::ALL[0],
        choices: Choices::default,
        unroll: 500,
        hoist: 4,
        ordered: true,
        // How far ahead an instruction goes, and how many subkeys stay in registers, decides what else
        // has room there.
        ways: &[(0, 24), (3, 16), (4, 8), (5, 8), (5, 16), (8, 8)],
    },
    processors: &PROCESSORS,
};

fn serves(asked: &Requirements) -> Result<&'static [Features], &'static str> {
    match asked {
        Requirements { byte_tables: true, .. } => {
            Err("looks up inside vectors, which PA-RISC has not")
        }
        Requirements { vectors: Some(_), .. } => Err("has vectors, which PA-RISC has not"),
        Requirements { bit_deposit: true, .. } => {
            Err("moves bits under masks, for which PA-RISC has no instruction")
        }
        Requirements { products: true, .. } => {
            Err("has products with matrices of bits, for which PA-RISC has no instruction")
        }
        Requirements { spaced_tables: true, .. } => {
            Err("has spaced tables, where PA-RISC cuts out any field in one instruction")
        }
        Requirements { rare_loads: true, .. } => {
            Err("loads by a branch, where PA-RISC skips an instruction")
        }
        Requirements { paired_stores: true, .. } => Err(
            "stores two entries at once, lowest byte first, which PA-RISC's order of bytes is not",
        ),
        _ => Ok(&[Features::NONE]),
    }
}

/// Processors by the names that people give them, in the order of their age.
static PROCESSORS: [Model; 1] = [Model {
    name: "pa8000",
    target: &PA_RISC,
    features: Features::NONE,
    doc: "HP PA-8000 to PA-8900: PA-RISC 2.0",
}];
