//! Kernels for x86-64 in assembly, which loom makes.
//!
//! | file | subject |
//! |---|---|
//! | `kernels/x86_64/*.s` in this crate | the assembly, without a word of containers |
//! | `dialect.rs` | how it is taken in |
//! | `generated.rs` | a row for each kernel |
//! | `table.rs` | DES and Triple-DES: from any number of blocks to calls |
//! | `registers.rs` | the same by look-ups inside registers |
//! | `rc4.rs` | which layouts of S there are kernels for |
//! | `rc4_registers.rs` | RC4 with S in registers |
//! | `bitslice.rs` | DES and Triple-DES in bit slices: the kernels of each width |
//! | `copies.rs`, `vectors.rs` | what these read and write |
//! | `expand.rs` | masks of the bits of one key for all lanes |
//! | `subkeys.rs` | the subkeys of a DES key and the schedule made of them, by vector instructions |
//! | `handed_wide.rs` | tests: what kernels of more than 128 lanes are handed is what is proved of them |
//!
//! The rest is the same for every processor, in `asm/common/`.
//!
//! `unsafe` is where kernels and vector instructions are called, and nowhere else.

// What files below take for granted: the dialect, what is made of it.
#[macro_use]
mod dialect;
#[macro_use]
#[path = "../common/assembly.rs"]
mod assembly;
#[macro_use]
#[path = "../common/rc4.rs"]
mod rc4_by_layout;
#[macro_use]
#[path = "../common/rc4_layout.rs"]
mod rc4_layout;
#[macro_use]
#[path = "../common/masks.rs"]
mod masks;
#[macro_use]
#[path = "../common/widths.rs"]
mod widths;

mod bitslice;
#[path = "../common/blocks.rs"]
mod blocks;
mod copies;
mod expand;
mod generated;
#[cfg(all(test, not(windows), not(cipherloom_other_vendor)))]
#[path = "../common/handed.rs"]
mod handed;
#[cfg(all(test, not(windows), not(cipherloom_other_vendor)))]
#[path = "../common/handed_masks.rs"]
mod handed_masks;
#[cfg(all(test, not(windows), not(cipherloom_other_vendor)))]
mod handed_wide;
#[path = "../common/key_bits.rs"]
mod key_bits;
#[path = "../common/key_windows.rs"]
mod key_windows;
#[path = "../common/libdes.rs"]
mod libdes;
#[path = "../common/merged.rs"]
mod merged;
#[path = "../common/of_bits.rs"]
mod of_bits;
mod operand;
#[path = "../common/partial.rs"]
mod partial;
pub(crate) mod rc4;
pub(crate) mod rc4_registers;
mod registers;
mod subkeys;
mod table;
mod vectors;

pub(crate) use bitslice::Bitslice;
pub use generated::{kernels_in_memory, tables_in_memory};
pub(crate) use libdes::libdes_functions;
pub(crate) use rc4::Rc4;
pub(crate) use registers::Registers;
pub(crate) use subkeys::{schedule, subkeys};
pub(crate) use table::Table;
