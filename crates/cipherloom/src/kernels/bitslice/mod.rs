//! Strategy `bitslice`: a register holds one bit of many blocks, the S-boxes are Boolean circuits.
//!
//! Constant time: no address and no branch depends on a secret.
//!
//! | file | subject |
//! |---|---|
//! | `kernel.rs` | the kernel trait: what a kernel of some width does |
//! | `portable.rs`, `portable/`, `sboxes.rs` | kernels in portable Rust |
//! | `word.rs` | what an S-box circuit computes with |
//! | `rotating.rs` | keys as slices at moving positions |
//! | `message.rs` | a message's blocks under one key, in every mode |
//! | `counters.rs` | CTR's counters as slices |
//! | `lanes.rs` | a key for each lane |

mod counters;
pub(super) mod kernel;
mod lanes;
mod message;
mod portable;
pub(super) mod rotating;
mod sboxes;
mod word;

pub(crate) use kernel::{Kernel, MOST_LANES, Width};
pub(crate) use lanes::{Keys, Lanes, with_lanes};
pub(crate) use message::{Operation, run};
pub(crate) use portable::{Narrow, Portable, Wide};

#[cfg(test)]
mod tests;
