//! Scheduling classes of x86.

use crate::isa::costs::{Class, Row};

/// Scheduling classes of x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SchedulingClass {
    /// A load, from address to result.
    Load = Class::LOAD.0,
    /// A store.
    Store = Class::STORE.0,
    /// Arithmetic, logic, immediate moves on general registers.
    Logic,
    /// Shifts and rotations by a constant.
    Shift,
    /// A copy of a register, which renaming may do.
    Copy,
    /// The lowest byte with zeros above into another register, which renaming may do.
    Low,
    /// The same over the register that it comes from; a halfword with zeros above.
    Extend,
    /// A byte with zeros above from `ah` and its like.
    High,
    /// A reversal of bytes.
    Swap,
    /// An address.
    Address,
    /// Bits moved together or apart by a mask (`pext`, `pdep`).
    Bits,
    /// A compare and branch that is not taken, or a conditional move.
    Select,
    /// Logic on vectors of up to 256 bits.
    Vector,
    /// Shifts in vectors of up to 256 bits.
    VectorShift,
    /// Logic on vectors of 512 bits; on a processor that has none, as on narrower ones.
    Wide,
    /// Tables of three inputs on vectors of up to 256 bits.
    Ternary,
    /// The same on 512 bits.
    WideTernary,
    /// Shifts in vectors of 512 bits.
    WideShift,
    /// A general register to a vector.
    Splat,
    /// The lowest bits of a vector to a general register.
    FromVector,
    /// Bytes or words to other places within 16 bytes, in vectors of up to 256 bits.
    Shuffle,
    /// The same in 512 bits.
    WideShuffle,
    /// Parts of a vector to other places in it, beyond 16 bytes; a comparison into a mask.
    Across,
    /// Bytes picked from anywhere in a vector.
    Pick,
    /// Bytes picked from anywhere in two vectors.
    PickTwo,
    /// Products with matrices of bits.
    Matrix,
    /// Sums of differences of bytes.
    Distance,
    /// Bytes with the signs of others.
    Sign,
}

impl SchedulingClass {
    /// Every class.
    pub const ALL: [Self; 28] = [
        Self::Load,
        Self::Store,
        Self::Logic,
        Self::Shift,
        Self::Copy,
        Self::Low,
        Self::Extend,
        Self::High,
        Self::Swap,
        Self::Address,
        Self::Bits,
        Self::Select,
        Self::Vector,
        Self::VectorShift,
        Self::Wide,
        Self::Ternary,
        Self::WideTernary,
        Self::WideShift,
        Self::Splat,
        Self::FromVector,
        Self::Shuffle,
        Self::WideShuffle,
        Self::Across,
        Self::Pick,
        Self::PickTwo,
        Self::Matrix,
        Self::Distance,
        Self::Sign,
    ];

    /// Its number.
    #[must_use]
    pub const fn class(self) -> Class {
        Class(self as u8)
    }
}

pub(super) const fn row(kind: SchedulingClass, latency: u32, ports: u16) -> Row {
    Row { class: kind.class(), latency, ports, times: 1 }
}
