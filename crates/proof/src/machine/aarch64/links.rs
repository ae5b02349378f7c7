//! What ties an instruction to where it lies: for who compares kernels in different places.

use crate::machine::fields::aarch64::{Instruction, Op};

impl Instruction {
    /// Whether it does nothing, and fills a gap.
    pub fn is_nothing(&self) -> bool {
        self.op == Op::Hint(0)
    }

    /// Where it leads, if it is a branch.
    pub fn target(&self) -> Option<u64> {
        match self.op {
            Op::Branch(target) => Some(target),
            _ => self.choice(),
        }
    }

    /// The register that gets the address of a page, and that address.
    pub fn page(&self) -> Option<(usize, u64)> {
        match self.op {
            Op::Page { rd, page } => Some((rd, page)),
            _ => None,
        }
    }

    /// The register that gets a sum of 64 bits, the one it is of, and what is added.
    pub fn sum(&self) -> Option<(usize, usize, u64)> {
        match self.op {
            Op::AddImmediate { subtract: false, wide: true, rd, rn, value, high: false } => {
                Some((rd, rn, value))
            }
            _ => None,
        }
    }
}
