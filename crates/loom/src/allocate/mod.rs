//! Registers for values: furthest next use (Belady 1966) on straight lines, fixed homes around
//! repetitions.
//!
//! `flat.rs` numbers the code, `walk.rs` allocates it, `moves.rs` puts several values in their
//! places at once, `settle.rs` orders the result for processors that do instructions in order, and
//! `check.rs` proves the result, and relies on nothing of theirs but the numbers.

mod check;
mod flat;
mod moves;
mod settle;
mod walk;

pub use check::{Wrong, check};
pub use settle::settle;
pub use walk::{Allocated, Budget, allocate};

use crate::isa::{Home, Reg, Slot};

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In a register.
    Register(u8),
    /// In a spill slot.
    Slot(Slot),
}

/// One line of allocated code.
#[derive(Clone, Debug)]
pub enum Out<I> {
    /// An instruction on physical registers, and which one of the input it is; none for copies,
    /// spills and reloads that allocation added.
    Inst(I, Option<usize>),
    /// A remark for people.
    Remark(String),
    /// A repetition begins: its counter, and each carried value's home.
    Begin(Reg, Place, Vec<(Home, Place)>),
    /// It ends: the counter is one less, and if it is not zero the body is done again.
    End(Place),
}
