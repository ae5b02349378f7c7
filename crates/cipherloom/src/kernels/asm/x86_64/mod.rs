//! Kernels for x86-64 in assembly, which loom makes.
//!
//! | file | subject |
//! |---|---|
//! | `kernels/x86_64/*.s` in this crate | the assembly, without a word of containers |
//! | `container/` | what ELF, COFF or Mach-O wants around it |
//! | `assembly.rs` | its symbol, and safe functions |
//! | `generated.rs` | a row for each kernel |
//! | `table.rs` | DES and Triple-DES: from any number of blocks to calls |
//! | `registers.rs` | the same by look-ups inside registers |
//! | `libdes.rs` | single blocks of libdes' words |
//! | `rc4.rs` | RC4: one stream, and several interleaved |
//! | `rc4_registers.rs` | RC4 with S in registers |
//! | `bitslice.rs` | DES and Triple-DES in bit slices: the kernels of each width |
//! | `blocks.rs`, `vectors.rs`, `windows.rs` | what these read and write |
//! | `partial.rs` | partial transposes: fewer blocks than lanes |
//! | `key_bits.rs`, `masks.rs`, `merged.rs` | one key for all lanes, as masks of its bits |
//! | `subkeys.rs` | the subkeys of a DES key, by vector instructions |
//!
//! `unsafe` is where kernels and vector instructions are called, and nowhere else.

#[macro_use]
mod assembly;
mod bitslice;
mod blocks;
mod generated;
mod key_bits;
mod libdes;
mod masks;
mod merged;
mod partial;
pub(crate) mod rc4;
pub(crate) mod rc4_registers;
mod registers;
mod subkeys;
mod table;
mod vectors;
mod windows;

pub(crate) use bitslice::Bitslice;
pub(crate) use libdes::libdes_functions;
pub(crate) use rc4::Rc4;
pub(crate) use registers::Registers;
pub(crate) use subkeys::subkeys;
pub(crate) use table::Table;
