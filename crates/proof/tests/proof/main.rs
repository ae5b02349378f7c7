//! The prover on the kernels of this very program, and what it must refuse.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod aarch64;
mod containers;
mod cosimulation;
mod decoder;
mod emitted;
mod hppa;
mod kernels;
mod made;
mod mutants;
mod processor;
mod processor_16;
mod processor_32;
mod program;
mod refusals;
mod refusals_16;
mod refusals_32;
mod trusted;
mod unproved;
