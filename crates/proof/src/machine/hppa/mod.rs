//! PA-RISC 2.0, with addresses of 32 or of 64 bits: decoding, and what each instruction does to a state.
//!
//! Only what occurs in kernels is decoded; all else is refused. Numbers in memory have their highest byte first, and
//! the stack grows upwards. Of that the rules know nothing: `transfers.rs` turns it around.

mod decode;
mod general;
mod text;
mod transfers;

use crate::isa::Convention;

pub use crate::machine::fields::hppa::Instruction;
pub(super) use decode::decode;

/// The number of the pointer to the stack.
pub const SP: usize = 30;
/// The register that has the return address.
pub const LINK: usize = 2;
/// Where it stands, of each register, whether all its bits are what is said of it: unknown as long as the caller's
/// argument is in it, whose upper half may be anything.
pub const WHOLE: usize = 32;

/// That of 32 bits, of Linux: registers have 64, of which a kernel gives back all.
pub(super) const HPPA: Convention = Convention {
    registers: WHOLE + 32,
    stack_pointer: SP,
    stack_name: "sp",
    name: "hppa",
    keeps: "r2-r18, r27, r30, no space register; r30 is always a multiple of 64",
    word: 8,
    offset: 4,
    pointer: 4,
    segments: 0..0,
    given: ",\n         each at a multiple of the widest access to it; as the stack grows upwards, below is above",
    arguments: &[26, 25, 24, 23],
    saved: &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 27],
    saved_vectors: 0..0,
    vectors: (0, 64),
    stack: 4088,
    // The frame's marker and room for four arguments.
    return_bytes: 48,
    number: |register| register as u16,
};

/// That of 64 bits, of Linux and HP-UX.
pub(super) const HPPA64: Convention = Convention {
    name: "hppa64",
    keeps: "r2-r18, r27, r30, no space register; r30 is always a multiple of 16",
    offset: 8,
    pointer: 8,
    arguments: &[26, 25, 24, 23, 22, 21, 20, 19],
    // The frame's marker; arguments lie beside their registers' room.
    return_bytes: 16,
    ..HPPA
};
