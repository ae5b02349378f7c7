//! The backends for little work.

use crate::backend::Backend;
use crate::kernels::bitslice::Width;

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
    /// So many, and fewer, take no call of slices. More of them, up to the narrow slices' lanes, take one group.
    pub(crate) little: usize,
    /// Whose group that is.
    pub(crate) group: Width,
}

impl Few {
    /// One for everything.
    #[inline]
    pub(super) const fn only(backend: Backend) -> Self {
        let [single, interleaved] = [backend; 2];
        Self { single, interleaved, from: usize::MAX, little: usize::MAX, group: Width::Wide }
    }

    #[inline]
    pub(crate) fn of(self, blocks: usize) -> Backend {
        if blocks < self.from { self.single } else { self.interleaved }
    }
}
