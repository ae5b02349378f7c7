//! A processor of which nothing is known.

use core::mem::MaybeUninit;

use super::feature::{Feature, Vendor};
use super::work::{Plain, Work};

#[path = "unsteady.rs"]
mod unsteady;

pub(crate) use unsteady::Steady;

/// What it may have.
pub(crate) const FEATURES: [Feature; 0] = [];

/// There is nothing to tell it from others.
pub(crate) const MODELS: usize = 1;

/// Which of [`MODELS`] this one is.
pub(crate) fn model() -> usize {
    0
}

/// What a model has of [`FEATURES`], a bit for each, and who made it.
pub(crate) const fn of_model(_: usize) -> (usize, Vendor) {
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
