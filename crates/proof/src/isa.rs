//! The instruction sets, and what a calling convention is.

use std::collections::BTreeSet;
use std::ops::Range;

/// An instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// x86 of 64 bits.
    X86_64,
    /// x86 of 32 bits.
    X86_32,
    /// x86 of 16 bits: a 386 in real mode.
    X86_16,
    /// Arm of 64 bits.
    AArch64,
    /// PA-RISC 2.0.
    Hppa,
}

impl Isa {
    /// The forms of instructions that co-simulation covers, a line each.
    pub fn coverage(self) -> &'static str {
        match self {
            Self::X86_64 => include_str!("../coverage/x86_64.txt"),
            Self::X86_32 => include_str!("../coverage/x86_32.txt"),
            Self::X86_16 => include_str!("../coverage/x86_16.txt"),
            Self::AArch64 => include_str!("../coverage/aarch64.txt"),
            Self::Hppa => include_str!("../coverage/hppa.txt"),
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
    /// Its name in loom.
    pub name: &'static str,
    /// What it keeps, for people.
    pub keeps: &'static str,
    /// Bytes of a register, and of what a push of one puts on the stack.
    pub word: usize,
    /// Bytes of an address within a segment, and of a number on the stack.
    pub offset: usize,
    /// Bytes of a pointer: more where a segment lies above the offset.
    pub pointer: usize,
    /// Segment registers, by the numbers that they have among all registers; none where segments are not looked at.
    pub segments: Range<usize>,
    /// What else a statement asks for.
    pub given: &'static str,
    /// Those of arguments, the first first. More arguments lie behind the return address.
    pub arguments: &'static [usize],
    /// Those that a kernel must leave as they are.
    pub saved: &'static [usize],
    /// Vector registers whose lowest 128 bits a kernel must leave as they are.
    pub saved_vectors: Range<usize>,
    /// How many vector registers there are, and their bits.
    pub vectors: (usize, usize),
    /// Bytes below the return address that are a kernel's.
    pub stack: i64,
    /// Bytes that a call puts on the stack.
    pub return_bytes: i64,
    /// The number that DWARF gives a register.
    pub number: fn(usize) -> u16,
}
