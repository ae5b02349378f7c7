//! The instruction sets, and what a calling convention is.

use std::collections::BTreeSet;

/// An instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// x86 of 64 bits.
    X86_64,
    /// Arm of 64 bits.
    AArch64,
}

impl Isa {
    /// The forms of instructions that co-simulation covers, a line each.
    pub fn coverage(self) -> &'static str {
        match self {
            Self::X86_64 => include_str!("../coverage/x86_64.txt"),
            Self::AArch64 => include_str!("../coverage/aarch64.txt"),
        }
    }

    /// The forms of instructions that co-simulation covers.
    pub fn covered(self) -> BTreeSet<String> {
        self.coverage().lines().map(String::from).collect()
    }
}

/// A convention. Registers go by the numbers that instructions have for them.
#[derive(Debug)]
pub struct Convention {
    /// How many registers there are.
    pub registers: usize,
    /// Which is the pointer to the stack, and its name.
    pub stack_pointer: usize,
    /// Its name.
    pub stack_name: &'static str,
    /// Those of arguments, the first first.
    pub arguments: &'static [usize],
    /// Those that a kernel must leave as they are.
    pub saved: &'static [usize],
    /// How many vector registers there are, and their bits.
    pub vectors: (usize, usize),
    /// Bytes that a call puts on the stack.
    pub return_bytes: i64,
    /// The number that DWARF gives a register.
    pub number: fn(usize) -> u16,
}
