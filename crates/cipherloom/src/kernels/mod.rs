//! Kernels: the ciphers on raw blocks, with nothing above them. Portable ones are safe Rust;
//! `asm/` has those in assembly, `cpu/` knows what the processor has.
//!
//! A block is a `u64` in big-endian reading, so that bit 1 of FIPS 46-3 is the most significant.
//! Kernels know no backends, key types, modes, errors or policies: those build on them.

pub(crate) mod asm;
pub(crate) mod bitslice;
mod blocks;
pub(crate) mod cpu;
mod fips;
mod key;
mod key_schedule;
pub mod libdes;
mod mask;
mod masked;
mod passes;
pub(crate) mod rc4;
pub(crate) mod rc4_scan;
mod schedule;
mod scratch;
mod scrub;
mod table;
mod wipe;

pub use asm::{kernels_in_memory, tables_in_memory};
pub(crate) use blocks::{xor, xor_blocks};
pub(crate) use key::Key;
pub(crate) use mask::mask;
pub use passes::Direction;
pub(crate) use passes::{Passes, Shape};
pub(crate) use schedule::Schedule;
pub(crate) use scratch::{shifted, with_scratch};
pub use scrub::leaving_nothing;
pub(crate) use scrub::scrubbed;
pub(crate) use wipe::wipe;
