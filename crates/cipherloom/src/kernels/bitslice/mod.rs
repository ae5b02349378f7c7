//! Strategy `bitslice`: a register holds one bit of many blocks, the S-boxes are Boolean circuits.
//!
//! Constant time: no address and no branch depends on a secret.
//!
//! | file | subject |
//! |---|---|
//! | `seam.rs` | what a kernel of some width does |
//! | `portable.rs`, `portable/`, `sboxes.rs` | kernels in portable Rust |
//! | `rotating.rs` | keys as slices at moving positions |
//! | `message.rs` | a message's blocks under one key, in every mode |
//! | `counters.rs` | CTR's counters as slices |
//! | `lanes.rs` | a key for each lane |

mod counters;
mod lanes;
mod message;
mod portable;
mod rotating;
mod sboxes;
mod seam;
mod word;

use super::{Direction, Passes, table};
pub(crate) use lanes::{Keys, Lanes};
pub(crate) use message::Job;
use portable::{Narrow, Portable, Wide};
use seam::Kernel as _;

/// The most lanes that any kernel has.
pub(crate) const MOST_LANES: usize = 512;

/// A key as kernels of any form may like it.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub(crate) passes: &'a Passes,
    /// The same for tables, with DESX's whitening in it.
    #[allow(dead_code, reason = "for kernels in assembly")]
    pub(crate) schedule: &'a table::Schedule,
    /// DESX: XORed into every block before and after encryption.
    pub(crate) whitening: Option<[u64; 2]>,
}

impl Key<'_> {
    /// What is XORed in before and after the rounds.
    fn whitening(&self, direction: Direction) -> Option<[u64; 2]> {
        let [before, after] = self.whitening?;
        Some(match direction {
            Direction::Encrypt => [before, after],
            Direction::Decrypt => [after, before],
        })
    }
}

/// The kernels for one kind of processor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edition {
    /// In portable Rust.
    Portable,
}

/// Every edition has a kernel for much work and one for a rest; they may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Wide,
    Narrow,
}

impl Edition {
    /// Lanes of a width.
    pub(crate) const fn lanes(self, width: Width) -> usize {
        match (self, width) {
            (Self::Portable, Width::Wide) => Wide::LANES,
            (Self::Portable, Width::Narrow) => Narrow::LANES,
        }
    }

    /// Does all of a job by one width.
    pub(crate) fn run(self, width: Width, key: &Key<'_>, job: Job<'_>) {
        match (self, width) {
            (Self::Portable, Width::Wide) => message::run::<Wide>(Portable, key, job),
            (Self::Portable, Width::Narrow) => message::run::<Narrow>(Portable, key, job),
        }
    }

    /// Calls `work` with lanes.
    pub(crate) fn with_lanes(
        self,
        width: Width,
        keys: Keys<'_>,
        direction: Direction,
        work: &mut dyn FnMut(&mut dyn Lanes),
    ) {
        match (self, width) {
            (Self::Portable, Width::Wide) => {
                lanes::with_lanes::<Wide>(Portable, keys, direction, work);
            }
            (Self::Portable, Width::Narrow) => {
                lanes::with_lanes::<Narrow>(Portable, keys, direction, work);
            }
        }
    }
}

#[cfg(test)]
mod tests;
