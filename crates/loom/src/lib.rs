//! `loom`: each cipher kernel described once, made into machine code for many processors.
//!
//! The steps, one folder each; nothing points back:
//!
//! | step | folder |
//! |---|---|
//! | each strategy, once for every target | [`ciphers`] |
//! | the form it is described in, with an interpreter that says what it means | [`ir`] |
//! | instructions of one processor, calling conventions, costs | [`target`] |
//! | order | [`schedule`] |
//! | registers and spills, and a checker that trusts neither | [`allocate`] |
//! | text for assemblers, a file per dialect, and object files | [`emit`] |
//! | machine code in memory, to be called and timed | [`tune`] |

pub mod allocate;
pub mod ciphers;
pub mod edition;
pub mod emit;
pub mod ir;
pub mod library;
pub mod record;
pub mod schedule;
pub mod stats;
pub mod target;
pub mod tune;
