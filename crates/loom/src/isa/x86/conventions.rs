//! Calling conventions of x86.

use super::gpr::{RAX, RBP, RBX, RCX, RDI, RDX, RSI};
use super::segments::{DS, ES, FS, GS};
use super::{VECTOR_0, VECTORS_8, VECTORS_32};
use super::{X86_32, X86_64, X86_REAL};
use crate::isa::RegSet;
use crate::isa::frame::Abi;
use crate::isa::text::Container;

/// System V, x86-64: Linux, macOS, BSD; and `extern "sysv64"` everywhere, so on Windows, too. There a
/// handler of exceptions may overwrite what lies below the stack pointer: the 128 bytes that this
/// convention gives elsewhere are not used.
pub static SYSV64: Abi = Abi {
    name: "sysv64",
    doc: "System V, x86-64: Linux, BSD, macOS",
    target: &X86_64,
    container: None,
    arguments: &[RDI, RSI, RDX, RCX, 8, 9],
    clobbered: RegSet::of(&[RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11]).or(VECTORS_32),
    saved: RegSet::of(&[RBX, RBP, 12, 13, 14, 15]),
    return_address: 8,
    argument: 8,
    pointer: 8,
    segments: &[],
    stack_alignment: 16,
    red_zone: 0,
    page: None,
    position_independent: false,
};

/// A page of Windows: "x64 prolog and epilog" and "_chkstk routine" in Microsoft's documentation.
const WINDOWS_PAGE: u32 = 4096;

/// Windows, x86-64.
pub static WIN64: Abi = Abi {
    name: "win64",
    doc: "Windows, x86-64",
    target: &X86_64,
    container: Some(Container::Coff),
    arguments: &[RCX, RDX, 8, 9],
    clobbered: RegSet::of(&[RAX, RCX, RDX, 8, 9, 10, 11])
        .or(VECTORS_32.without(RegSet(0b11_1111_1111 << (VECTOR_0 + 6)))),
    saved: RegSet::of(&[RBX, RBP, RSI, RDI, 12, 13, 14, 15])
        .or(RegSet(0b11_1111_1111 << (VECTOR_0 + 6))),
    return_address: 8,
    argument: 8,
    pointer: 8,
    segments: &[],
    stack_alignment: 16,
    red_zone: 0,
    page: Some(WINDOWS_PAGE),
    position_independent: false,
};

/// System V, i386: Linux, BSD.
pub static CDECL: Abi = Abi {
    name: "cdecl",
    doc: "C of 32-bit x86: Linux, BSD",
    target: &X86_32,
    container: None,
    arguments: &[],
    clobbered: RegSet::of(&[RAX, RCX, RDX]).or(VECTORS_8),
    saved: RegSet::of(&[RBX, RBP, RSI, RDI]),
    return_address: 4,
    argument: 4,
    pointer: 4,
    segments: &[],
    // What the published ABI asks for; compilers keep 16, which nothing here relies on.
    stack_alignment: 4,
    red_zone: 0,
    page: None,
    position_independent: false,
};

/// The same for shared libraries: no address in the code that a loader would have to write.
pub static CDECL_PIC: Abi = Abi {
    name: "cdecl-pic",
    doc: "C of 32-bit x86, position-independent: shared libraries",
    position_independent: true,
    ..CDECL
};

/// Windows for 32 bits, its C functions: as [`CDECL`], with underscores before names, which are the
/// container's business.
pub static WIN32: Abi = Abi {
    name: "win32",
    doc: "C of 32-bit Windows",
    container: Some(Container::Coff),
    page: Some(WINDOWS_PAGE),
    ..CDECL
};

/// C of 16 bits in real mode, a function that is called near: the small and tiny models, and near
/// functions of others. Pointers are offsets in the segment of `ds`; numbers have 16 bits. Upper
/// halves of the registers that it gives back are given back, too.
pub static NEAR16: Abi = Abi {
    name: "near16",
    doc: "C of 16 bits, a near function",
    target: &X86_REAL,
    container: None,
    arguments: &[],
    clobbered: RegSet::of(&[RAX, RCX, RDX]),
    saved: RegSet::of(&[RBX, RBP, RSI, RDI]),
    return_address: 2,
    argument: 2,
    pointer: 2,
    segments: &[],
    stack_alignment: 2,
    red_zone: 0,
    page: None,
    position_independent: false,
};

/// C of 16 bits in real mode, a function that is called far: the medium, large and huge models, and far
/// functions of others. Pointers are far whatever the model: an offset, and above it a segment. The
/// tables lie in the segment of the code, as with [`NEAR16`].
pub static FAR16: Abi = Abi {
    name: "far16",
    doc: "C of 16 bits, a far function with far pointers",
    return_address: 4,
    pointer: 4,
    segments: &[DS, ES, FS, GS],
    ..NEAR16
};
