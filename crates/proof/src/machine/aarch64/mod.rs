//! AArch64: decoding, and what each instruction does to a state.
//!
//! Only what occurs in kernels is decoded; all else is refused.

mod decode;

mod general;
mod links;
mod text;
mod transfers;
mod vectors;

use crate::isa::Convention;

pub use crate::machine::fields::aarch64::Instruction;
pub(super) use decode::decode;

/// The number of the pointer to the stack. As an operand 31 is that, or zero.
pub const SP: usize = 31;
/// The register that some systems keep for themselves.
const PLATFORM: usize = 18;
/// The link register, which has the return address.
const LINK: usize = 30;
/// Where the places begin of what the caller had in the low 64 bits of vectors.
const HALVES: usize = 32;
/// Bits of a vector register.
pub const VECTOR: usize = 128;

/// AAPCS64. Behind the general registers and sp stand the low halves of vectors, as long as they are the
/// caller's: a kernel keeps those of v8 to v15.
pub(super) const CONVENTION: Convention = Convention {
    registers: HALVES + 32,
    stack_pointer: SP,
    stack_name: "sp",
    name: "aapcs64",
    keeps: "x18-x30, sp, d8-d15, FPCR, FPSR; sp is always a multiple of 16",
    word: 8,
    offset: 8,
    pointer: 8,
    segments: 0..0,
    given: "",
    arguments: &[0, 1, 2, 3],
    saved: &[18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 40, 41, 42, 43, 44, 45, 46, 47],
    saved_vectors: 0..0,
    vectors: (32, VECTOR),
    stack: 4088,
    return_bytes: 0,
    // x0 to x30, sp, then v0 to v31 from 64 on.
    number: |register| if register < HALVES { register } else { register + 32 } as u16,
};
