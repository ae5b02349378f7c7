//! Kernels for x86-64 in assembly, which loom makes.
//!
//! | file | subject |
//! |---|---|
//! | `kernels/x86_64/*.s` in this crate | the assembly, without a word of containers |
//! | `assembly.rs` | what this container wants around it |
//! | `generated.rs` | declarations, safe functions, records |
//! | `cpu.rs` | what the processor has |
//! | `table.rs` | DES and Triple-DES: from any number of blocks to calls |
//! | `rc4.rs` | RC4: one stream, and several woven together |
//! | `vectors.rs`, `windows.rs` | what bit-slice kernels read and write |
//! | `subkeys.rs` | the subkeys of a DES key, by vector instructions |
//! | `absent.rs` | the same names where there is no assembly |
//!
//! `unsafe` is where kernels and vector instructions are called, and nowhere else.

#[macro_use]
mod assembly;
#[allow(dead_code, reason = "TO GO as soon as bit slices are called")]
mod cpu;
// TO GO as soon as bit slices are called: cfg_attr(not(test), ...), as records are for tests.
#[allow(dead_code, reason = "records are for tests")]
mod generated;
pub(crate) mod rc4;
mod record;
mod subkeys;
mod table;
mod vectors;
#[allow(dead_code, reason = "TO GO as soon as bit slices are called")]
mod windows;

use super::Masked;
use cpu::{Avx2, Avx512};
pub(crate) use cpu::{Bmi2, X64};
use record::{Access, Extent, Param, Record};
pub(crate) use subkeys::subkeys;
pub(crate) use table::Table;
use vectors::{Vector128, Vector256, Vector512};
use windows::Windows;
