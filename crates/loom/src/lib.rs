//! `loom`: each cipher kernel described once, made into machine code for many processors.
//!
//! The steps, one folder each; nothing points back:
//!
//! | step | folder |
//! |---|---|
//! | each strategy, once for every target | [`ciphers`] |
//! | the form it is described in, with an interpreter that says what it means | [`ir`] |
//! | instructions of one processor, calling conventions, costs | [`isa`] |
//! | order | [`schedule`] |
//! | registers and spills, and a checker that trusts neither | [`allocate`] |
//! | text for assemblers, a file per dialect, and object files | [`emit`] |
//! | machine code in memory, called and timed; the search for the fastest | [`tune`] |
//!
//! Beside them: [`edition`] and [`record`], what a finished kernel is called and what is known of it;
//! [`library`], what the library takes in; [`stats`], what can be said of a kernel without running
//! it; [`leaks`], where machine code tells of secrets by its time. The command `loom` is made of
//! these.

pub mod allocate;
pub mod ciphers;
pub mod edition;
pub mod emit;
pub mod ir;
pub mod isa;
pub mod leaks;
pub mod library;
pub mod pipeline;
pub mod record;
pub mod schedule;
pub mod stats;

pub mod tune;
