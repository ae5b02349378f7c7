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
pub(super) mod rotating;
mod sboxes;
pub(super) mod seam;
mod word;

use super::{Direction, Key, x86_64};
pub(super) use lanes::with_lanes;
pub(crate) use lanes::{Keys, Lanes};
pub(crate) use message::Job;
pub(super) use message::run;
use portable::{Narrow, Portable, Wide};
use seam::Kernel;

/// The most lanes that any kernel has.
pub(crate) const MOST_LANES: usize = 512;

/// The kernels for one kind of processor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edition {
    /// In portable Rust.
    Portable,
    /// In assembly.
    X64(x86_64::Bitslice),
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
            (Self::X64(kernels), _) => kernels.lanes(width),
        }
    }

    /// Does all of a job by one width.
    pub(crate) fn run(self, width: Width, key: &Key<'_>, job: Job<'_>) {
        match (self, width) {
            (Self::Portable, Width::Wide) => run::<Wide>(Portable, key, job),
            (Self::Portable, Width::Narrow) => run::<Narrow>(Portable, key, job),
            (Self::X64(kernels), _) => kernels.run(width, key, job),
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
                with_lanes::<Wide>(Portable, keys, direction, work);
            }
            (Self::Portable, Width::Narrow) => {
                with_lanes::<Narrow>(Portable, keys, direction, work);
            }
            (Self::X64(kernels), _) => kernels.with_lanes(width, keys, direction, work),
        }
    }
}

#[cfg(test)]
mod tests;
