//! `loom`: each cipher kernel described once, made into machine code for many processors.
//!
//! The steps, each of which uses what stands above it (`tests/laws.rs` reads the sources and sees to it):
//!
//! | step | folder |
//! |---|---|
//! | the form in which kernels are described, with an interpreter that says what it means | [`ir`] |
//! | each strategy, once for every target | [`ciphers`] |
//! | instruction sets: instructions, lowering, calling conventions, costs; which targets there are | [`isa`] |
//! | order | [`schedule`] |
//! | registers and spills, and a checker that trusts neither | [`allocate`] |
//! | all of these, one after the other | [`pipeline`] |
//! | text for assemblers, and object files | [`emit`] |
//! | machine code in memory, called | [`exec`] |
//! | the search for the fastest plan | [`tune`] |
//! | what instructions cost on the processor at hand | [`calibrate`] |
//!
//! Beside them: [`variant`] and [`record`], what a finished kernel is called and what is known of it;
//! [`library`], what the library takes in; [`stats`], what can be said of a kernel without running it.
//! The command `loom` is made of these.

pub mod allocate;
pub mod calibrate;
pub mod ciphers;
pub mod emit;
pub mod exec;
pub mod ir;
pub mod isa;
pub mod library;
pub mod pipeline;
pub mod record;
pub mod schedule;
pub mod stats;
#[cfg(test)]
mod tests;
pub mod tune;
pub mod variant;
