//! A machine: its state, how it runs from branch to branch, and the calling convention. What instructions do
//! is in a folder for each instruction set.

pub mod aarch64;
mod convention;
mod decoding;
mod fields;
pub mod hppa;
mod instruction;
mod lanes;
mod listing;
mod places;
mod run;
mod state;
mod unwind;
mod x86;

pub use crate::isa::{Convention, Isa};
pub use fields::x86::form;
pub use instruction::Instruction;
pub use state::{Flag, Leaks, Machine, State, Stop};
pub use unwind::{Frame, Frames};
pub use x86::{MASKS, RSP, VECTOR};
