//! The backends for little work.

use crate::backend::Backend;

/// Fewer blocks than this are little work on every processor that has look-ups.
pub(crate) const FEW: usize = 4;

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
    /// One for everything.
    #[inline]
    pub(super) const fn only(backend: Backend) -> Self {
        Self { single: backend, interleaved: backend, from: usize::MAX, little: usize::MAX }
    }

    #[inline]
    pub(crate) fn of(self, blocks: usize) -> Backend {
        if blocks < self.from { self.single } else { self.interleaved }
    }
}
