//! x86, of 64, 32 and 16 bits: decoding, and what each instruction does to a state.

mod alignment;
mod decode;
mod general;
mod lanes;
mod operands;
mod segments;
mod shuffles;
mod vectors;

use crate::isa::Convention;

pub(super) use decode::decode;

/// General registers, by number.
pub const RSP: usize = 4;
/// Where segment registers stand behind general ones, in the order of their numbers: es, cs, ss, ds, fs, gs.
pub(super) const SEGMENTS: usize = 8;
/// Bits of a vector register.
pub const VECTOR: usize = 512;
/// Where registers of masks stand behind those of vectors.
pub const MASKS: usize = 32;

/// System V's. A call has put the return address on the stack.
pub(super) const CONVENTION: Convention = Convention {
    registers: 16,
    stack_pointer: RSP,
    stack_name: "rsp",
    name: "sysv64",
    keeps: "rbx rbp r12-r15 rsp, DF, MXCSR, x87; vectors above 128 bits are cleared",
    word: 8,
    offset: 8,
    pointer: 8,
    segments: 0..0,
    given: "",
    // rdi, rsi, rdx, rcx.
    arguments: &[7, 6, 2, 1],
    // rbx, rbp, r12 to r15.
    saved: &[3, 5, 12, 13, 14, 15],
    saved_vectors: 0..0,
    vectors: (MASKS + 8, VECTOR),
    stack: 4088,
    return_bytes: 8,
    // DWARF has an order of its own for the first 8.
    number: |register| [0, 2, 1, 3, 7, 6, 4, 5].get(register).copied().unwrap_or(register as u16),
};

/// Windows'. What a caller must leave free above the return address no kernel uses.
pub(super) const WIN64: Convention = Convention {
    name: "win64",
    keeps: "rbx rbp rsi rdi r12-r15 rsp, xmm6-xmm15, DF, MXCSR, x87; vectors above 128 bits are cleared",
    // rcx, rdx, r8, r9.
    arguments: &[1, 2, 8, 9],
    // rbx, rbp, rsi, rdi, r12 to r15.
    saved: &[3, 5, 6, 7, 12, 13, 14, 15],
    saved_vectors: 6..16,
    stack: 16376,
    ..CONVENTION
};

/// That of 32 bits, of System V and of Windows.
pub(super) const CDECL: Convention = Convention {
    registers: 8,
    stack_name: "esp",
    name: "cdecl",
    keeps: "ebx ebp esi edi esp, DF, MXCSR, x87; vectors above 128 bits are cleared",
    word: 4,
    offset: 4,
    pointer: 4,
    arguments: &[],
    // ebx, ebp, esi, edi.
    saved: &[3, 5, 6, 7],
    return_bytes: 4,
    number: |register| register as u16,
    ..CONVENTION
};

/// A near function of C in real mode. Pointers are offsets in the caller's `ds`; tables lie in the segment of the code.
pub(super) const NEAR16: Convention = Convention {
    registers: SEGMENTS + 6,
    name: "near16",
    keeps: "ebx ebp esi edi esp, all segments, DF; the upper half of esp is 0",
    offset: 2,
    pointer: 2,
    segments: SEGMENTS..SEGMENTS + 6,
    given: ",\n         none beyond the 64 KiB of its segment; pointers are offsets in that of ds",
    return_bytes: 2,
    ..CDECL
};

/// A far one, whose pointers have segments of their own.
pub(super) const FAR16: Convention = Convention {
    name: "far16",
    pointer: 4,
    given: ",\n         none beyond the 64 KiB of its segment; pointers are far: offset, segment",
    return_bytes: 4,
    ..NEAR16
};
