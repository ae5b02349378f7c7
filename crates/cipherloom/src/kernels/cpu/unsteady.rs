//! A processor that has no state in which it promises times that do not depend on data.

/// Nothing; elsewhere, that state, until it is dropped.
pub(crate) struct Steady(());

impl Steady {
    #[inline]
    pub(crate) const fn begin() -> Self {
        Self(())
    }

    /// How often the state began in this thread: there is none.
    #[cfg(test)]
    pub(crate) fn begun() -> Option<usize> {
        None
    }
}
