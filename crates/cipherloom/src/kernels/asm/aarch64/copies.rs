//! How blocks that do not fill a vector get in and out.
#![allow(unsafe_code, reason = "promises that all is written")]

use super::blocks::Copies;
use crate::kernels::cpu::processor::Sha3;

// SAFETY: the trait's own way writes all.
unsafe impl Copies for Sha3 {}
