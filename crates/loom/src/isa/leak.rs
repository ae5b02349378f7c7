//! What machine code tells of secrets by its time, whatever the processor. Where it does so, an instruction set finds in
//! its own code (`leaks`).

use std::fmt;

/// An instruction that tells of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// Where it begins, in bytes from the entry.
    pub at: usize,
    /// What shows.
    pub what: What,
    /// The instruction, for people.
    pub instruction: String,
}

/// What shows of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Which place in memory is read or written.
    Address,
    /// Which way a branch goes.
    Branch,
    /// Where a jump, a call or a return to a place that is computed goes, or something that no
    /// kernel should do.
    Unknown,
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.what {
            What::Address => "its address depends on a secret",
            What::Branch => "its way depends on a secret",
            What::Unknown => "what it does, or where it leads, is not known",
        };
        write!(f, "byte {}: `{}`: {what}", self.at, self.instruction)
    }
}
