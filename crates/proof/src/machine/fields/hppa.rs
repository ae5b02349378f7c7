//! Instructions of PA-RISC, decoded.

/// An instruction, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its address.
    pub address: u64,
    /// What it is.
    pub(in crate::machine) op: Op,
}

/// Arithmetic on two registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Alu {
    /// x and y.
    And,
    /// x or y.
    Or,
    /// x or y, not both.
    Xor,
    /// x + y.
    Add,
}

/// Bytes of memory, by where they begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Address {
    /// So many bytes from the base on.
    Offset(i64),
    /// At the base, which then goes on by so many bytes.
    After(i64),
    /// So many bytes from the base on, where the base goes first.
    Before(i64),
    /// As far from the base as a register says, in bytes or, if it is scaled, in units of what is loaded.
    Index(usize, bool),
}

/// What an instruction is: on all 64 bits of registers. Register 0 is zero. Bits count from the highest, 0, on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Op {
    /// t = x op y.
    Alu { alu: Alu, t: usize, x: usize, y: usize },
    /// t = (x shifted to the left) + y.
    ShiftAdd { by: usize, t: usize, x: usize, y: usize },
    /// t = base + so many bytes.
    Offset { t: usize, base: usize, by: i64 },
    /// t = a number whose lowest 11 bits are 0.
    High { t: usize, value: i64 },
    /// t = so many bits of x, which end with bit `last`.
    Extract { t: usize, x: usize, last: usize, bits: usize },
    /// So many of the lowest bits of x, which become those of t that end with `last`. The others of t: 0, or as
    /// they were.
    Deposit { clears: bool, t: usize, x: usize, last: usize, bits: usize },
    /// t = x turned to the right.
    Turn { t: usize, x: usize, by: usize },
    /// t = the 16 bits of x with these numbers, counted from the highest on.
    Halfwords { t: usize, x: usize, order: [usize; 4] },
    /// t = each 16 bits of x shifted.
    ShiftHalfwords { left: bool, t: usize, x: usize, by: usize },
    /// t = the address of this instruction.
    Here { t: usize },
    /// So many bytes of memory into t, with zeros above.
    Load { bytes: usize, t: usize, base: usize, address: Address },
    /// The lowest bytes of x into memory.
    Store { bytes: usize, x: usize, base: usize, address: Address },
    /// The next instruction is not done where x and y differ.
    SkipUnlessEqual { x: usize, y: usize },
    /// A jump forward if x is 0. What stands behind it is then not done.
    IfZero { x: usize, target: u64 },
    /// x - 1, then a jump if the lower half of that is not 0. What stands behind is done before either way.
    Again { x: usize, target: u64 },
    /// A jump if x is not 0. What stands behind is done before either way.
    UnlessZero { x: usize, target: u64 },
    /// The return. What stands behind is done before.
    Return,
}

impl Instruction {
    /// Where it leads, if it is a branch that is not always taken.
    pub fn choice(&self) -> Option<u64> {
        match self.op {
            Op::IfZero { target, .. }
            | Op::Again { target, .. }
            | Op::UnlessZero { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Whether it leads to the next one, whatever it finds.
    pub(in crate::machine) fn is_plain(&self) -> bool {
        self.choice().is_none() && !matches!(self.op, Op::SkipUnlessEqual { .. } | Op::Return)
    }
}
