//! PA-RISC 2.0: its instructions, and how the IR becomes them.
//!
//! Registers have 64 bits, words in memory begin with their highest byte, and every field of bits is
//! one instruction away; addresses have 32 bits or, in wide mode, 64. No instruction here has another
//! meaning there.
//!
//! | file | subject |
//! |---|---|
//! | `inst.rs`, `isa.rs` | the instructions that kernels are made of; how the shared steps see them |
//! | `lower/` | instruction selection |
//! | `program.rs` | entry, exit, loops with their delay slots |
//! | `text/` | dialects of assemblers |
//! | `timing.rs` | what finished instructions cost |
//! | `target.rs`, `conventions.rs`, `costs/` | data |

pub mod conventions;
pub mod costs;
mod inst;
mod isa;
mod lower;
mod program;
mod target;
mod text;
mod timing;

pub use inst::{Alu, Hppa, Inst};
pub use program::Step;
pub use target::PA_RISC;

use super::RegSet;

/// Numbers of registers that have a part of their own.
pub mod reg {
    /// Zero, always.
    pub const ZERO: u8 = 0;
    /// For moments: a count that lies on the stack is changed in it.
    pub const SCRATCH: u8 = 1;
    /// Where functions return a word; any register for values would do for what it is lent for.
    pub const RESULT: u8 = 28;
    /// The stack, which grows towards higher addresses; it points behind the last frame.
    pub const STACK: u8 = 30;
}

/// Registers for values: all but zero, the one for moments, the return address, the data pointer (27)
/// and the stack.
pub const GENERAL: RegSet = RegSet(0xb7ff_fff8);

/// The only class of registers, by its number.
pub const WORDS: u8 = 0;

/// The name of a register.
fn register(number: u8) -> &'static str {
    const NAMES: [&str; 32] = [
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13",
        "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26",
        "r27", "r28", "r29", "r30", "r31",
    ];
    NAMES[usize::from(number)]
}
