//! Instructions of AArch64, decoded.

/// An instruction, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its address.
    pub address: u64,
    /// What it is.
    pub(in crate::machine) op: Op,
}

/// A shift or a rotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Turn {
    /// To the left.
    Left,
    /// To the right, with zeros.
    Right,
    /// To the right, in a circle.
    Rotate,
}

/// A bitwise operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Bitwise {
    /// n and m.
    And,
    /// n and not m.
    Bic,
    /// n or m.
    Orr,
    /// n or not m.
    Orn,
    /// n or m, not both.
    Eor,
    /// Where d is 1: n, else m.
    Bsl,
    /// Where m is 1: n, else d.
    Bit,
    /// Where m is 0: n, else d.
    Bif,
}

/// Whether something is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Direction {
    /// From memory.
    Load,
    /// To memory.
    Store,
}

/// What is loaded or stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Kind {
    /// The lowest byte of a general register; a load clears what lies above.
    Byte,
    /// Its lower 32 bits; a load clears what lies above.
    Word,
    /// A general register.
    Double,
    /// The lower half of a vector; a load clears the upper one.
    Half,
    /// A vector.
    Vector,
}

/// How an address is formed, from a base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Address {
    /// With an offset in units of what is loaded or stored.
    Offset(i64),
    /// The same in bytes, of another instruction.
    Unscaled(i64),
    /// With an offset, which the base keeps.
    Before(i64),
    /// As it is; then the base gets an offset.
    After(i64),
    /// With a register, shifted to the left.
    Index(usize, u32),
}

/// What an instruction is. `wide` ones are of 64 bits, others of 32; register 31 is zero if nothing else is
/// said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Op {
    /// Nothing (0), or a landing pad for calls (34).
    Hint(u32),
    /// A return to x30.
    Return,
    /// A jump.
    Branch(u64),
    /// A jump if the zero flag is set.
    BranchEqual(u64),
    /// A jump if x`rt` is not 0, or if it is.
    BranchZero { nonzero: bool, rt: usize, target: u64 },
    /// The address of a page of 4096 bytes.
    Page { rd: usize, page: u64 },
    /// A sum or a difference with 12 bits, perhaps shifted by 12. Here 31 is sp.
    AddImmediate { subtract: bool, wide: bool, rd: usize, rn: usize, value: u64, high: bool },
    /// And, or, exclusive or with a mask.
    LogicImmediate { logic: Bitwise, wide: bool, rd: usize, rn: usize, mask: u64 },
    /// 16 bits in place of all, or of 16.
    Move { keep: bool, wide: bool, rd: usize, value: u64, by: u32 },
    /// Bits from `first` to `last`, moved down by `first`; up by the width less `first` if that is more.
    Bits { wide: bool, rd: usize, rn: usize, first: usize, last: usize },
    /// From bit `first` of m on, then n.
    Extract { wide: bool, rd: usize, rn: usize, rm: usize, first: usize },
    /// And, or, exclusive or, the second operand shifted.
    Logic { logic: Bitwise, wide: bool, rd: usize, rn: usize, rm: usize, turn: Turn, by: usize },
    /// A sum.
    Add { wide: bool, rd: usize, rn: usize, rm: usize },
    /// Flags by w`rn` - w`rm`.
    Compare { rn: usize, rm: usize },
    /// x`rn` if the zero flag is set, else x`rm`.
    Select { rd: usize, rn: usize, rm: usize },
    /// A load or a store. Base 31 is sp.
    Transfer { direction: Direction, kind: Kind, rt: usize, rn: usize, address: Address },
    /// The same of two registers.
    Pair { direction: Direction, kind: Kind, rt: usize, second: usize, rn: usize, address: Address },
    /// A bitwise operation on vectors.
    Vectors { bitwise: Bitwise, rd: usize, rn: usize, rm: usize },
    /// n + m + a.
    Eor3 { rd: usize, rn: usize, rm: usize, ra: usize },
    /// n + (m and not a).
    Bcax { rd: usize, rn: usize, rm: usize, ra: usize },
    /// Not n.
    Not { rd: usize, rn: usize },
    /// A shift of each element; `insert`: what is shifted out leaves what was there.
    Shift { left: bool, insert: bool, element: usize, by: usize, rd: usize, rn: usize },
    /// The elements of n and m with even numbers, or odd ones, in turn.
    Transpose { odd: bool, element: usize, rd: usize, rn: usize, rm: usize },
    /// The elements of the lower halves of n and m, in turn.
    Zip { element: usize, rd: usize, rn: usize, rm: usize },
    /// Bytes of `count` vectors from n on (behind the last the first one), by numbers in m: 0 where there is none.
    LookUp { count: usize, rd: usize, rn: usize, rm: usize },
    /// Each byte of n to the left by the number in m's, which has a sign.
    ShiftBytes { rd: usize, rn: usize, rm: usize },
    /// Sums of each two bytes beside each other, of n, then of m.
    AddPairs { rd: usize, rn: usize, rm: usize },
    /// x`rn` in the lower half, or in both.
    Duplicate { both: bool, rd: usize, rn: usize },
    /// The lower half of n, in x`rd`.
    Lower { rd: usize, rn: usize },
    /// A constant in both halves. As bytes, or as a whole.
    Constant { rd: usize, value: u64, bytes: bool },
}

impl Instruction {
    /// Where it leads, if it is a branch that is not always taken.
    pub fn choice(&self) -> Option<u64> {
        match self.op {
            Op::BranchEqual(target) | Op::BranchZero { target, .. } => Some(target),
            _ => None,
        }
    }
}
