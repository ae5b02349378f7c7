//! What detection found, kept for all later calls.

use core::sync::atomic::{AtomicU8, Ordering};

/// What a processor has, a bit each; zero before somebody looked.
#[derive(Debug)]
pub(crate) struct Found(AtomicU8);

impl Found {
    pub(crate) const fn new() -> Self {
        Self(AtomicU8::new(0))
    }

    /// What `detect` found, which is not zero. Two threads may look at the same time: both find the same.
    #[inline]
    pub(crate) fn once(&self, detect: fn() -> u8) -> u8 {
        #[cold]
        fn look(kept: &AtomicU8, detect: fn() -> u8) -> u8 {
            let found = detect();
            kept.store(found, Ordering::Relaxed);
            found
        }
        match self.0.load(Ordering::Relaxed) {
            0 => look(&self.0, detect),
            found => found,
        }
    }
}
