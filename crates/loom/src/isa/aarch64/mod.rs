//! AArch64: its instructions, and how the IR becomes them.
//!
//! Every instruction has 4 bytes. Words are registers of 64 bits, of which an instruction may make use of
//! the lower 32; vectors have 128 bits, on every processor.
//!
//! | file | subject |
//! |---|---|
//! | `inst.rs`, `operand.rs` | the instructions that kernels are made of, their operands |
//! | `isa.rs`, `kind.rs` | how the shared steps see them; their scheduling classes |
//! | `lower/` | instruction selection |
//! | `program.rs` | entry, exit, loops |
//! | `encode.rs`, `assemble.rs` | instructions as words of code; the bytes of a program |
//! | `text/` | dialects of assemblers |
//! | `object.rs`, `unwind.rs` | object files, Windows' unwind information |
//! | `leaks/` | taint analysis of machine code: where its time tells of secrets |
//! | `timing.rs` | what finished instructions cost |
//! | `target.rs`, `conventions.rs`, `costs/`, `features.rs` | data |

mod assemble;
pub mod conventions;
pub mod costs;
mod encode;
pub mod features;
mod inst;
mod isa;
mod kind;
pub mod leaks;
mod lower;
mod object;
mod operand;
mod program;
mod target;
mod text;
mod timing;
mod unwind;

pub use inst::{AArch64, Bytes, Inst, Logic, Over, Three};
pub use operand::{At, Mem, Shift, Width};
pub use program::Step;
pub use target::AARCH64;

use super::RegSet;

/// Numbers of registers that have a part of their own.
pub mod reg {
    /// For moments: a count that lies on the stack is changed in it.
    pub const SCRATCH: u8 = 17;
    /// The system's, on macOS and Windows.
    pub const PLATFORM: u8 = 18;
    /// Points to the caller's frame, for who walks the stack.
    pub const FRAME: u8 = 29;
    /// Where a function returns to.
    pub const LINK: u8 = 30;
    /// The stack pointer where an address is named, zero elsewhere.
    pub const STACK: u8 = 31;
}

/// Bytes of a word, and of an address.
const WORD: u32 = 8;

/// Alignment of a kernel's entry in bytes: a line of the instruction cache.
const ENTRY: u32 = 64;

/// Registers for words: all but those with a part of their own. The return address lies in one of them,
/// which a function that writes it gives back as any other.
pub const GENERAL: RegSet =
    RegSet(0x7fff_ffff & !(1 << reg::SCRATCH) & !(1 << reg::PLATFORM) & !(1 << reg::FRAME));

/// The classes of registers, by their numbers: words.
pub const WORDS: u8 = 0;
/// Vectors.
pub const VECTORS: u8 = 1;

/// The first register for vectors; its number as the processor encodes it is 0.
pub const VECTOR_0: u8 = 32;
/// Registers for vectors.
pub const VECTORS_32: RegSet = RegSet(0xffff_ffff << VECTOR_0);

/// Where tables of look-ups inside registers lie: two vectors from each of the first two on, and four from each
/// of the others. One register each, and not any four that follow each other: so allocation knows of single
/// registers only.
const TABLES_OF_TWO: [u8; 2] = [VECTOR_0 + 4, VECTOR_0 + 6];
const TABLES_OF_FOUR: [u8; 4] = [VECTOR_0 + 16, VECTOR_0 + 20, VECTOR_0 + 24, VECTOR_0 + 28];
/// All of these registers.
const TABLES: RegSet = RegSet(0xffff_00f0 << VECTOR_0);

/// The name of a register.
fn register(number: u8) -> &'static str {
    const NAMES: [&str; 64] = [
        "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
        "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
        "x27", "x28", "x29", "x30", "sp", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
        "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
        "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31",
    ];
    NAMES[usize::from(number)]
}
