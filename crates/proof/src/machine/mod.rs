//! A machine: its state, how it runs from branch to branch, and the calling convention. What instructions do
//! is in `x86/`.

mod convention;
mod run;
mod state;
mod unwind;
mod x86;

pub use state::{Flag, Leaks, MASKS, Machine, RSP, SAVED, State, Stop, VECTOR};
pub use unwind::{Frame, Frames};
pub use x86::form;
