//! x86: its instructions, and how the IR becomes them, in 64-bit mode, in 32-bit mode and in real mode.
//!
//! What the modes differ in is data: [`Mode`] has it, and registers that an instruction cannot name
//! are not among those that it allows.
//!
//! | file | subject |
//! |---|---|
//! | `inst.rs`, `operand.rs`, `vector.rs` | the instructions that kernels are made of, their operands, shapes of vectors |
//! | `isa.rs`, `kind.rs` | how the shared steps see them; their scheduling classes |
//! | `mode.rs` | what the modes differ in |
//! | `lower/` | instruction selection |
//! | `encode/`, `assemble.rs` | entry, exit, loops, in the forms that assemblers choose; bytes |
//! | `text/`, `object/` | dialects of assemblers; object files |
//! | `leaks/` | taint analysis of machine code: where its time tells of secrets |
//! | `timing.rs`, `clocks/` | what finished instructions cost; exact clocks where they are done in order |
//! | `probes.rs` | what `loom calibrate` measures |
//! | `target.rs`, `conventions.rs`, `costs/`, `features.rs` | data |

mod assemble;
mod clocks;
pub mod conventions;
pub mod costs;
mod encode;
pub mod features;
mod inst;
mod isa;
mod kind;
pub mod leaks;
mod lower;
mod mode;
mod object;
mod operand;
mod probes;
mod target;
mod text;
mod timing;
mod vector;

pub use assemble::{Assembled, is_call, is_landing, names_tables};
pub use inst::{Alu, Inst, Shift};
pub use mode::{Mode, TABLES, X86};
pub use operand::{Base, Mem, Source, VectorSource, Width};
pub use target::{X86_32, X86_64, X86_REAL};
pub use vector::{Bitwise, Set, Shape};

use super::RegSet;

/// Numbers of the general registers, as the processor encodes them.
pub mod gpr {
    /// `rax`, return value.
    pub const RAX: u8 = 0;
    /// `rcx`.
    pub const RCX: u8 = 1;
    /// `rdx`.
    pub const RDX: u8 = 2;
    /// `rbx`.
    pub const RBX: u8 = 3;
    /// `rsp`, the stack.
    pub const RSP: u8 = 4;
    /// `rbp`.
    pub const RBP: u8 = 5;
    /// `rsi`.
    pub const RSI: u8 = 6;
    /// `rdi`.
    pub const RDI: u8 = 7;
}

/// Numbers of the segment registers, as the processor encodes them.
pub mod segments {
    /// `es`.
    pub const ES: u8 = 0;
    /// `ds`.
    pub const DS: u8 = 3;
    /// `fs`.
    pub const FS: u8 = 4;
    /// `gs`.
    pub const GS: u8 = 5;

    /// Its name.
    ///
    /// # Panics
    /// If it is none of these.
    #[must_use]
    pub const fn name(segment: u8) -> &'static str {
        match segment {
            ES => "es",
            DS => "ds",
            FS => "fs",
            GS => "gs",
            _ => panic!("pointers have no such segment"),
        }
    }
}

/// All general registers of 64-bit mode but the stack pointer.
pub const GENERAL: RegSet = RegSet(0xffff & !(1 << gpr::RSP));
/// The same of 32-bit mode.
pub const GENERAL_8: RegSet = RegSet(0xff & !(1 << gpr::RSP));
/// Registers whose second byte has a name: `ah`, `ch`, `dh`, `bh`. In 32-bit mode the others' lowest
/// byte has none either.
pub const WITH_HIGH_BYTE: RegSet = RegSet(0b1111);
/// Registers of which an address of 16 bits can be made: `bx`, `bp`, `si`, `di`.
pub const ADDRESS_16: RegSet = RegSet(0b1110_1000);
/// Registers that an instruction without a REX prefix can name, which one with `ah` must be.
pub const LEGACY: RegSet = RegSet(0b1110_1111);

/// The classes of registers, by their numbers: words.
pub const WORDS: u8 = 0;
/// Vectors.
pub const VECTORS: u8 = 1;

/// The first register for vectors; its number as the processor encodes it is 0.
pub const VECTOR_0: u8 = 16;
/// Registers for vectors of 32-bit mode.
pub const VECTORS_8: RegSet = RegSet(0xff << VECTOR_0);
/// Registers for vectors that every instruction for vectors can name.
pub const VECTORS_16: RegSet = RegSet(0xffff << VECTOR_0);
/// Registers for vectors of AVX-512.
pub const VECTORS_32: RegSet = RegSet(0xffff_ffff << VECTOR_0);
