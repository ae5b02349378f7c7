//! Calling conventions of PA-RISC.

use crate::isa::RegSet;
use crate::isa::frame::Abi;
use crate::isa::hppa::PA_RISC;

/// 32-bit Linux on PA-RISC. Registers may have 64 bits: of those that a function gives back, callers
/// ask for 32, and kernels give back all.
pub static HPPA: Abi = Abi {
    name: "hppa",
    doc: "PA-RISC, 32-bit Linux",
    target: &PA_RISC,
    container: None,
    arguments: &[26, 25, 24, 23],
    clobbered: RegSet::of(&[1, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29, 31]),
    saved: RegSet::of(&[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]),
    return_address: 0,
    argument: 4,
    pointer: 4,
    segments: &[],
    stack_alignment: 64,
    red_zone: 0,
    page: None,
    position_independent: false,
};

/// The same for shared libraries.
pub static HPPA_PIC: Abi = Abi {
    name: "hppa-pic",
    doc: "PA-RISC, 32-bit Linux, position-independent",
    position_independent: true,
    ..HPPA
};

/// 64-bit HP-UX and Linux: the 64-bit runtime architecture for PA-RISC 2.0 (HP, 1997), whose registers
/// GCC's `config/pa/pa64-regs.h` lists. A count has 64 bits; of 32-bit arguments the upper half is
/// anything. Code there names no address, which no `ldil` could hold. A function's symbol is where its
/// code begins; its descriptor is made by the linker.
pub static HPPA64: Abi = Abi {
    name: "hppa64",
    doc: "PA-RISC, 64-bit HP-UX and Linux, position-independent",
    arguments: &[26, 25, 24, 23, 22, 21, 20, 19],
    argument: 8,
    pointer: 8,
    stack_alignment: 16,
    ..HPPA_PIC
};
