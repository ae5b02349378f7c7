//! From backends and an amount of work to the kernels that do it.
//!
//! | file | subject |
//! |---|---|
//! | `available.rs` | the backends that this processor can run |
//! | `lookups.rs`, `sliced.rs`, `rc4.rs` | the kernels behind backends |
//! | `selftest/` | known answers before first use |
//! | `choice.rs` | what one object may use, and what serves it when a self-test failed |
//! | `few.rs` | the backends for little work |
//! | `load.rs` | pieces of work for lanes, and what lanes cost for all of them |
//! | `planner.rs` | from costs to decisions: which kernel does how much |
//! | `kernels.rs` | the kernels for a piece of work |

mod available;
mod choice;
mod few;
mod kernels;
mod load;
mod lookups;
mod planner;
mod rc4;
pub(crate) mod selftest;
mod sliced;
#[cfg(test)]
mod tests;

pub(crate) use available::available;
pub(crate) use choice::Choice;
pub(crate) use few::FEW;
pub(crate) use kernels::{Kernels, fastest};
pub(crate) use load::{LONGEST_PIECE, Load, parts, parts_of};
pub(crate) use lookups::LookUps;
pub(crate) use planner::Planner;
pub(crate) use rc4::StreamKernels;
pub(crate) use sliced::Sliced;
