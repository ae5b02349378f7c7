//! What an S-box circuit computes with.

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// A word of lanes with the four operations of the circuits.
pub(super) trait Word:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
}

impl Word for u64 {}
