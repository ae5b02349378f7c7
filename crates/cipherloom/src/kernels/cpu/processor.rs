//! A processor of which nothing is known.

use core::mem::MaybeUninit;

use super::feature::{Feature, Vendor};
use super::work::{Plain, Work};

#[path = "unsteady.rs"]
mod unsteady;

pub(crate) use unsteady::Steady;

/// What it may have.
pub(crate) const FEATURES: [Feature; 0] = [];

/// What it has of these, a bit for each, and who made it.
pub(crate) fn this() -> (usize, Vendor) {
    (0, Vendor::Amd)
}

/// Does work: there are no wider vectors to compile it for.
#[inline]
pub(crate) fn widely(work: impl Work) {
    work.run(Plain);
}

/// Leaves wiping to a portable loop.
pub(crate) fn zero(_: &mut [MaybeUninit<u64>]) -> bool {
    false
}
