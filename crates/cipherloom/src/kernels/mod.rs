//! Kernels: the ciphers on raw blocks, with nothing above them. Portable ones are safe Rust;
//! `asm/` has those in assembly, `cpu/` knows what the processor has.
//!
//! | file | subject |
//! |---|---|
//! | `table.rs`, `bitslice/`, `rc4.rs`, `rc4_scan.rs`, `libdes.rs` | the kernels, by strategy; libdes' functions |
//! | `rc4_state.rs` | a stream's state, whatever its kernel |
//! | `passes.rs` | the DES passes of a cipher: how many, which way, under which keys |
//! | `key_schedule.rs`, `schedule.rs`, `key.rs` | from a key to subkeys; these as table kernels have them; a key as kernels take it |
//! | `blocks.rs`, `mask.rs` | operations on blocks; blocks that a mask keeps or wipes |
//! | `masked.rs` | words of secrets that are safe to look up with |
//! | `scratch.rs`, `wipe.rs`, `scrub.rs` | buffers that are wiped after use, how, and the stack below a call |
//! | `fips.rs` | the numbers of FIPS 46-3 |
//!
//! A block is a `u64` in big-endian reading, so that bit 1 of FIPS 46-3 is the most significant.
//! Kernels know no backends, key types, modes, errors or policies: those build on them.

pub(crate) mod asm;
pub(crate) mod bitslice;
mod blocks;
pub(crate) mod cpu;
mod fips;
mod key;
mod key_rows;
mod key_schedule;
pub mod libdes;
mod mask;
mod masked;
mod passes;
pub(crate) mod rc4;
pub(crate) mod rc4_scan;
pub(crate) mod rc4_state;
mod schedule;
mod scratch;
mod scrub;
mod table;
mod wipe;

pub use asm::{kernels_in_memory, tables_in_memory};
pub use blocks::{COPIED, copy};
pub(crate) use blocks::{Xor, unchain, xor, xor_blocks};
pub(crate) use key::Key;
pub(crate) use mask::mask;
pub use passes::Direction;
pub(crate) use passes::{Passes, Shape};
pub(crate) use schedule::Schedule;
pub(crate) use scratch::{shifted, with_scratch};
pub use scrub::leaving_nothing;
pub(crate) use scrub::scrubbed;
pub(crate) use wipe::wipe;
