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
    position_independent: false,
};

/// The same for shared libraries.
pub static HPPA_PIC: Abi = Abi {
    name: "hppa-pic",
    doc: "PA-RISC, 32-bit Linux, position-independent",
    position_independent: true,
    ..HPPA
};
