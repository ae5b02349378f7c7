//! The machine as data.

use crate::ir::Requirements;
use crate::isa::costs::{Class, Cpu, Pipeline, Row};
use crate::isa::frame::Abi;
use crate::isa::{Choices, Features, Model, RegSet, Target, Usual};

/// All registers: nothing has a part of its own, as the stack is elsewhere.
pub(super) const ALL: RegSet = RegSet(0xffff);

/// Scheduling classes, beside loads and stores.
pub(super) const COMPUTES: Class = Class(2);

/// A machine that does two things at a time.
pub(super) static COSTS: Cpu = Cpu {
    name: "toy",
    doc: "a made-up machine: one computes, one loads or stores",
    width: 2,
    rows: &[
        Row { class: Class::LOAD, latency: 3, ports: 0b10, times: 1 },
        Row { class: Class::STORE, latency: 1, ports: 0b10, times: 1 },
        Row { class: COMPUTES, latency: 1, ports: 0b01, times: 1 },
    ],
    pipeline: Pipeline::OutOfOrder(&[]),
};

/// The first four registers have arguments, and a function may change all.
pub(super) static ABI: Abi = Abi {
    name: "toy",
    doc: "the made-up machine's only one",
    target: &TOY,
    container: None,
    arguments: &[0, 1, 2, 3],
    clobbered: ALL,
    saved: RegSet::EMPTY,
    return_address: 0,
    argument: 8,
    pointer: 8,
    segments: &[],
    stack_alignment: 8,
    red_zone: 0,
    page: None,
    position_independent: false,
};

/// What stands in the registry.
pub static TOY: Target = Target {
    name: "toy",
    word: 8,
    register: |_| "r",
    segment: |_| "",
    entry: 8,
    flags: "",
    stack: "in a memory of its own",
    landing: Err("nothing branches by a register"),
    conventions: &[&ABI],
    formats: &[],
    missing: &[],
    elsewhere: "it has no assembler",
    body: None,
    costs: &[&COSTS],
    old_costs: &[],
    features: &[],
    here: || None,
    model_here: || None,
    complete: |features| features,
    serves,
    usual: Usual {
        costs: &COSTS,
        choices: Choices::default,
        unroll: 0,
        hoist: 0,
        ordered: true,
        ways: &[],
    },
    processors: &[Model {
        name: "toy",
        target: &TOY,
        features: Features::NONE,
        doc: "the made-up machine",
    }],
};

fn serves(asked: &Requirements) -> Result<&'static [Features], &'static str> {
    match asked {
        Requirements { vectors: Some(_), .. } => Err("has vectors, which the machine has not"),
        Requirements { selection: true, .. } => {
            Err("chooses between words, for which the machine has no instruction")
        }
        Requirements { bit_deposit: true, .. } | Requirements { products: true, .. } => {
            Err("moves bits as the machine cannot")
        }
        _ => Ok(&[Features::NONE]),
    }
}
