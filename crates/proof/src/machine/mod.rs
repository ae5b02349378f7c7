//! A machine: its state, how it runs from branch to branch, and the calling convention. What instructions do
//! is in `x86/`.

mod convention;
mod run;
mod state;
mod x86;

pub use convention::SAVED;
pub use state::{Flag, Leaks, MASKS, Machine, RSP, State, Stop, VECTOR};
pub use x86::form;
