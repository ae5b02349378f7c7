//! The backends for little work.

use super::available::{Available, available, column};
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
    /// For blocks interleaved together, or in one vector.
    pub(crate) interleaved: Backend,
    /// So many, and more.
    pub(crate) from: usize,
    /// So many, and fewer, take no call of slices.
    pub(crate) little: usize,
}

impl Few {
    #[inline]
    pub(super) fn fastest(shape: Shape, policy: Policy) -> Self {
        Self::on(available(), shape, policy)
    }

    /// The fastest ones of some.
    #[inline]
    pub(super) fn on(available: &Available, shape: Shape, policy: Policy) -> Self {
        Self {
            single: available.chain(shape, policy),
            interleaved: available.blocks(shape, policy),
            from: available.interleaved_from(),
            little: available.little(shape, policy),
        }
    }

    /// One for everything.
    #[inline]
    pub(super) fn only(backend: Backend) -> Self {
        Self { single: backend, interleaved: backend, from: usize::MAX, little: usize::MAX }
    }

    #[inline]
    pub(super) fn of(self, blocks: usize) -> Backend {
        if blocks < self.from { self.single } else { self.interleaved }
    }
}
