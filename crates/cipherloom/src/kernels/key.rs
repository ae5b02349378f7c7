//! A key, as kernels take it.

use super::passes::{Direction, Passes};
use super::schedule::Schedule;

/// A key as kernels of any form may like it.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) passes: &'a Passes,
    /// The same for tables, with DESX's whitening in it.
    pub(crate) schedule: &'a Schedule,
    /// DESX: XORed into every block before and after encryption.
    pub(crate) whitening: Option<&'a [u64; 2]>,
}

impl Key<'_> {
    /// What is XORed in before and after the rounds.
    pub(super) fn whitening(&self, direction: Direction) -> Option<[u64; 2]> {
        let &[before, after] = self.whitening?;
        Some(match direction {
            Direction::Encrypt => [before, after],
            Direction::Decrypt => [after, before],
        })
    }
}
