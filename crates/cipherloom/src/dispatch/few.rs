//! The backends for little work.

use super::available::{available, column};
use crate::backend::{Backend, Policy};
use crate::kernels::Shape;

/// What a key object costs.
pub(super) fn schedule(shape: Shape) -> usize {
    [230, 400][column(shape)]
}

/// The backends for little work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few {
    /// For a chain, and blocks that are not enough to be interleaved.
    pub(crate) single: Backend,
    /// For blocks interleaved together.
    pub(crate) interleaved: Backend,
}

impl Few {
    /// How many blocks are worth interleaving by another backend than one of them gets.
    pub(crate) const INTERLEAVED: usize = 4;

    #[inline]
    pub(super) fn fastest(shape: Shape, policy: Policy) -> Self {
        let available = available();
        Self {
            single: available.chain(shape, policy),
            interleaved: available.blocks(shape, policy),
        }
    }

    /// One for everything.
    #[inline]
    pub(super) fn only(backend: Backend) -> Self {
        Self { single: backend, interleaved: backend }
    }

    #[inline]
    pub(super) fn of(self, blocks: usize) -> Backend {
        if blocks < Self::INTERLEAVED { self.single } else { self.interleaved }
    }
}
