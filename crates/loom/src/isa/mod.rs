//! Instruction sets: instructions, how the IR becomes instructions, calling conventions, costs.
//!
//! What is common to all of them stands here: code on virtual registers, and what scheduling,
//! allocation and the checker must know of an instruction. Everything else about an instruction set
//! is in its own folder.
//!
//! | file | subject |
//! |---|---|
//! | `frame.rs` | what a calling convention is |
//! | `costs/` | what a processor's costs are, out of order and in order |
//! | `def_use.rs` | def-use analysis of a description, for lowering |
//! | `registry.rs` | what there is: instruction sets, processors, calling conventions, costs |

pub mod costs;
mod def_use;
pub mod frame;
pub mod hppa;
pub mod registry;
pub mod x86;

use std::fmt::{self, Debug};

/// An instruction set, with the width of the addresses that its programs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Architecture {
    /// x86 with 64-bit registers and addresses.
    X86_64,
    /// x86 with 32-bit registers and addresses, from the 386 on.
    X86,
    /// x86 in real mode, from the 386 on: 32-bit registers by prefixes, segments of 64 KB.
    X86Real,
    /// PA-RISC 2.0 with 64-bit registers and 32-bit addresses.
    PaRisc,
}

impl Architecture {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::X86_64, Self::X86, Self::X86Real, Self::PaRisc];

    /// Its name on the command line and in headers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86-64",
            Self::X86 => "x86",
            Self::X86Real => "x86-real",
            Self::PaRisc => "pa-risc-2.0",
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A register that an instruction names: virtual before allocation, the processor's after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reg {
    /// A value; its number is unlimited.
    Virtual(u32),
    /// The processor's, by a number that says its class, too.
    Physical(u8),
}

/// Registers, as bits: bit n is register n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegSet(pub u64);

impl RegSet {
    /// No register.
    pub const EMPTY: Self = Self(0);

    /// So many registers.
    #[must_use]
    pub const fn of(registers: &[u8]) -> Self {
        let mut bits = 0;
        let mut n = 0;
        while n < registers.len() {
            bits |= 1 << registers[n];
            n += 1;
        }
        Self(bits)
    }

    /// One register.
    #[must_use]
    pub const fn one(register: u8) -> Self {
        Self(1 << register)
    }

    /// Whether it holds `register`.
    #[must_use]
    pub const fn contains(self, register: u8) -> bool {
        self.0 >> register & 1 == 1
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this one only.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its registers, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |&register| self.contains(register))
    }
}

/// A place on the stack for what registers have no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// Whether it holds a vector, and not 8 bytes.
    pub vector: bool,
    /// Its number among those alike.
    pub number: u32,
}

/// How many slots there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slots {
    /// Of 8 bytes.
    pub words: u32,
    /// Of a vector each.
    pub vectors: u32,
}

impl Slots {
    /// One more.
    pub fn one_more(&mut self, vector: bool) -> Slot {
        let count = if vector { &mut self.vectors } else { &mut self.words };
        *count += 1;
        Slot { vector, number: *count - 1 }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.words == 0 && self.vectors == 0
    }
}

/// How an instruction uses a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It reads it.
    Use,
    /// It writes it, after all its reads.
    Define,
    /// It reads it and writes its result there: two values in one register. The value written is
    /// the next operand, a `Define`.
    Tied,
}

/// A register operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Which register.
    pub reg: Reg,
    /// How it is used.
    pub role: Role,
    /// Which registers the instruction can name here.
    pub allowed: RegSet,
}

/// What an instruction does to memory that others may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing, or it reads what nothing writes while the kernel runs.
    None,
    /// An ordered read.
    Read(Span),
    /// An ordered write.
    Write(Span),
}

/// What an ordered access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The region.
    pub region: u32,
    /// A register and the bytes from where it points to; none: it may be anywhere.
    pub at: Option<(Reg, i32)>,
    /// How many bytes.
    pub bytes: u16,
}

impl Span {
    /// Whether the two may touch the same byte.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let apart = match (self.at, other.at) {
            (Some((a, x)), Some((b, y))) if a == b => {
                x + i32::from(self.bytes) <= y || y + i32::from(other.bytes) <= x
            }
            _ => false,
        };
        self.region == other.region && !apart
    }
}

/// A processor's instructions, as the steps after lowering see them.
pub trait Isa: Sized {
    /// An instruction.
    type Inst: Clone + Debug;

    /// Its register operands.
    fn operands(inst: &Self::Inst) -> Vec<Operand>;

    /// The same instruction on other registers: `registers` are those of [`operands`](Self::operands), in order.
    fn rename(inst: &Self::Inst, registers: &[Reg]) -> Self::Inst;

    /// The same instruction with its sources in other orders, as far as the result is the same.
    fn exchanged(inst: &Self::Inst) -> Vec<Self::Inst>;

    /// All registers of the class that `register` belongs to.
    fn class(register: u8) -> RegSet;

    /// What it does to memory.
    fn effect(inst: &Self::Inst) -> Effect;

    /// Whether a register holds vectors.
    fn is_vector(register: u8) -> bool;

    /// Any register of a class: it is lent and given back.
    fn any(vector: bool) -> u8;

    /// What it costs: its scheduling class, and whether a load comes before it.
    fn cost(inst: &Self::Inst) -> (costs::Class, bool);

    /// The registers that it makes an address of.
    fn addresses(_inst: &Self::Inst) -> Vec<Reg> {
        Vec::new()
    }

    /// Its issue class, for processors that do instructions in order; none if there are none such.
    fn form(_inst: &Self::Inst) -> Option<costs::IssueClass> {
        None
    }

    /// Whether it writes part of a register.
    fn writes_part(_inst: &Self::Inst) -> bool {
        false
    }

    /// A copy of a register.
    fn copy(to: Reg, from: Reg) -> Self::Inst;

    /// A register to a spill slot of its class.
    fn spill(slot: Slot, from: Reg) -> Self::Inst;

    /// The slot of a spill or reload.
    fn slot(inst: &Self::Inst) -> Option<Slot>;

    /// A spill slot to a register.
    fn reload(to: Reg, slot: Slot) -> Self::Inst;
}

/// Code on virtual registers: straight lines and counted repetitions.
#[derive(Clone, Debug)]
pub enum Code<I> {
    /// An instruction.
    Inst(I),
    /// A remark for people, with the strategy's words.
    Remark(String),
    /// A repetition.
    Loop(Loop<I>),
}

/// A counted repetition on virtual registers; the count is above zero when it is entered, and a
/// jump around it is emitted where it may not be.
#[derive(Clone, Debug)]
pub struct Loop<I> {
    /// Counts down to zero; a register of its own.
    pub count: Reg,
    /// What goes around.
    pub carried: Vec<Home>,
    /// What is repeated.
    pub body: Vec<Code<I>>,
}

/// A carried value: before the loop, at the start of the body, at its end, after the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    /// Its value before the first time.
    pub first: Reg,
    /// Its name inside.
    pub inside: Reg,
    /// Its value at the end of the body.
    pub next: Reg,
    /// Its name after the last time.
    pub after: Reg,
}
