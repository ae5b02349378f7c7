//! An AArch64: what it has (`detect.rs`), by the operating system's word (`system/`), and its data-independent
//! timing (`dit.rs`). Portable loops need no other vectors than all have.

mod detect;
mod dit;
#[path = "../found.rs"]
mod found;
#[cfg_attr(any(target_os = "linux", target_os = "android"), path = "system/auxiliary.rs")]
#[cfg_attr(target_vendor = "apple", path = "system/apple.rs")]
mod system;

use core::mem::MaybeUninit;

use crate::kernels::cpu::work::{Plain, Work};

pub(crate) use detect::{Baseline, FEATURES, MODELS, Sha3, model, of_model, vendor};
pub(crate) use dit::Steady;

/// Does work: there are no wider vectors to compile it for.
#[inline]
pub(crate) fn widely(work: impl Work) {
    work.run(Plain);
}

/// Leaves wiping to a portable loop.
pub(crate) fn zero(_: &mut [MaybeUninit<u64>]) -> bool {
    false
}
