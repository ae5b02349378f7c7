//! What instructions do to memory, as far as their order matters.

use super::Reg;

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
