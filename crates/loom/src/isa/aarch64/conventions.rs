//! The calling convention of AArch64: one for all systems.
//!
//! What any system keeps for itself no kernel touches: x18, which macOS and Windows reserve; x29, which on
//! macOS points to a frame at any time; memory below the stack pointer. No frame is larger than a page, so that none
//! must be touched page by page on Windows.

use super::{AARCH64, RegSet, VECTOR_0};
use crate::isa::frame::Abi;

/// The procedure call standard. Of v8 to v15 the lower halves are the caller's.
pub static AAPCS64: Abi = Abi {
    name: "aapcs64",
    doc: "AArch64: Linux, BSD, macOS, Windows",
    target: &AARCH64,
    container: None,
    arguments: &[0, 1, 2, 3, 4, 5, 6, 7],
    clobbered: RegSet(0x3_ffff).or(RegSet(0xffff_00ff << VECTOR_0)),
    saved: RegSet(0x7ff8_0000).or(RegSet(0xff00 << VECTOR_0)),
    return_address: 0,
    argument: 8,
    pointer: 8,
    segments: &[],
    stack_alignment: 16,
    red_zone: 0,
    page: Some(4096),
    position_independent: false,
};
