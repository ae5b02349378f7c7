//! Calling conventions: one record each, from which allocation, the prologue and the tests read.

use super::x86::gpr::{RAX, RBP, RBX, RCX, RDI, RDX, RSI};
use super::x86::segments::{DS, ES, FS, GS};
use super::x86::{VECTOR_0, VECTORS_8, VECTORS_32};
use super::{Architecture, RegSet};
use crate::ir::Param;

/// A calling convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abi {
    /// Its name on the command line and in headers.
    pub name: &'static str,
    /// What it is, and where it is used, in a few words.
    pub doc: &'static str,
    /// Whose calling convention it is.
    pub architecture: Architecture,
    /// General registers that hold the first arguments, in order. If there are none, arguments lie on
    /// the stack, the first one next to the return address.
    pub arguments: &'static [u8],
    /// Registers that a function may change.
    pub clobbered: RegSet,
    /// Registers that a function must give back as they were, but the stack pointer. (Of vectors
    /// Windows wants the low 128 bits back.)
    pub saved: RegSet,
    /// Bytes of the return address, where a call leaves it on the stack.
    pub return_address: u32,
    /// Bytes of an argument on the stack that is a number.
    pub argument: u32,
    /// Bytes of one that is a pointer.
    pub pointer: u32,
    /// Segment registers, by the processor's numbers, that hold the upper halves of pointers, one for
    /// each in order; a function gives them back as they were. None: pointers have no segments.
    pub segments: &'static [u8],
    /// Alignment of the stack pointer before a call, in bytes.
    pub stack_alignment: u32,
    /// Bytes below the stack pointer that a function without calls may use.
    pub red_zone: u32,
    /// Whether code names no address, though its processor has no operands at a distance from the
    /// instruction pointer: it asks where it is, and its tables lie beside it.
    pub position_independent: bool,
}

const fn set(registers: &[u8]) -> RegSet {
    let mut bits = 0;
    let mut n = 0;
    while n < registers.len() {
        bits |= 1 << registers[n];
        n += 1;
    }
    RegSet(bits)
}

/// System V, x86-64: Linux, macOS, BSD; and `extern "sysv64"` everywhere.
pub const SYSV64: Abi = Abi {
    name: "sysv64",
    doc: "System V, x86-64: Linux, BSD, macOS",
    architecture: Architecture::X86_64,
    arguments: &[RDI, RSI, RDX, RCX, 8, 9],
    clobbered: set(&[RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11]).or(VECTORS_32),
    saved: set(&[RBX, RBP, 12, 13, 14, 15]),
    return_address: 8,
    argument: 8,
    pointer: 8,
    segments: &[],
    stack_alignment: 16,
    red_zone: 128,
    position_independent: false,
};

/// Windows, x86-64.
pub const WIN64: Abi = Abi {
    name: "win64",
    doc: "Windows, x86-64",
    architecture: Architecture::X86_64,
    arguments: &[RCX, RDX, 8, 9],
    clobbered: set(&[RAX, RCX, RDX, 8, 9, 10, 11])
        .or(VECTORS_32.without(RegSet(0b11_1111_1111 << (VECTOR_0 + 6)))),
    saved: set(&[RBX, RBP, RSI, RDI, 12, 13, 14, 15]).or(RegSet(0b11_1111_1111 << (VECTOR_0 + 6))),
    return_address: 8,
    argument: 8,
    pointer: 8,
    segments: &[],
    stack_alignment: 16,
    red_zone: 0,
    position_independent: false,
};

/// 32-bit Linux on PA-RISC. Registers may have 64 bits: of those that a function gives back, callers
/// ask for 32, and kernels give back all.
pub const HPPA: Abi = Abi {
    name: "hppa",
    doc: "PA-RISC, 32-bit Linux",
    architecture: Architecture::PaRisc,
    arguments: &[26, 25, 24, 23],
    clobbered: set(&[1, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29, 31]),
    saved: set(&[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]),
    return_address: 0,
    argument: 4,
    pointer: 4,
    segments: &[],
    stack_alignment: 64,
    red_zone: 0,
    position_independent: false,
};

/// The same for shared libraries.
pub const HPPA_PIC: Abi = Abi {
    name: "hppa-pic",
    doc: "PA-RISC, 32-bit Linux, position-independent",
    position_independent: true,
    ..HPPA
};

/// System V, i386: Linux, BSD.
pub const CDECL: Abi = Abi {
    name: "cdecl",
    doc: "C of 32-bit x86: Linux, BSD",
    architecture: Architecture::X86,
    arguments: &[],
    clobbered: set(&[RAX, RCX, RDX]).or(VECTORS_8),
    saved: set(&[RBX, RBP, RSI, RDI]),
    return_address: 4,
    argument: 4,
    pointer: 4,
    segments: &[],
    // What the published ABI asks for; compilers keep 16, which nothing here relies on.
    stack_alignment: 4,
    red_zone: 0,
    position_independent: false,
};

/// The same for shared libraries: no address in the code that a loader would have to write.
pub const CDECL_PIC: Abi = Abi {
    name: "cdecl-pic",
    doc: "C of 32-bit x86, position-independent: shared libraries",
    position_independent: true,
    ..CDECL
};

/// Windows for 32 bits, its C functions: as [`CDECL`], with underscores before names, which are the
/// container's business.
pub const WIN32: Abi = Abi { name: "win32", doc: "C of 32-bit Windows", ..CDECL };

/// C of 16 bits in real mode, a function that is called near: the small and tiny models, and near
/// functions of others. Pointers are offsets in the segment of `ds`; numbers have 16 bits. Upper
/// halves of the registers that it gives back are given back, too.
pub const NEAR16: Abi = Abi {
    name: "near16",
    doc: "C of 16 bits, a near function",
    architecture: Architecture::X86Real,
    arguments: &[],
    clobbered: set(&[RAX, RCX, RDX]),
    saved: set(&[RBX, RBP, RSI, RDI]),
    return_address: 2,
    argument: 2,
    pointer: 2,
    segments: &[],
    stack_alignment: 2,
    red_zone: 0,
    position_independent: false,
};

/// C of 16 bits in real mode, a function that is called far: the medium, large and huge models, and far
/// functions of others. Pointers are far whatever the model: an offset, and above it a segment. The
/// tables lie in the segment of the code, as with [`NEAR16`].
pub const FAR16: Abi = Abi {
    name: "far16",
    doc: "C of 16 bits, a far function with far pointers",
    return_address: 4,
    pointer: 4,
    segments: &[DS, ES, FS, GS],
    ..NEAR16
};

/// The calling conventions.
pub const ALL: [&Abi; 9] =
    [&SYSV64, &WIN64, &CDECL, &CDECL_PIC, &WIN32, &NEAR16, &FAR16, &HPPA, &HPPA_PIC];

impl Abi {
    /// How far above the stack pointer a function with these parameters finds an argument on the
    /// stack, when it is entered.
    #[must_use]
    pub fn argument_at(&self, params: &[Param], number: usize) -> u32 {
        let bytes = |param: &Param| match param.memory {
            Some(_) => self.pointer,
            None => self.argument,
        };
        self.return_address + params[..number].iter().map(bytes).sum::<u32>()
    }

    /// The parameters that have a segment, by their numbers, each with its segment register.
    ///
    /// # Panics
    /// If there are more pointers than segment registers.
    pub fn far<'a>(&self, params: &'a [Param]) -> impl Iterator<Item = (usize, u8)> + use<'a> {
        let segments = self.segments;
        let pointers = params.iter().enumerate().filter(|(_, param)| param.memory.is_some());
        let far = pointers.filter(move |_| !segments.is_empty()).enumerate();
        far.map(move |(n, (param, _))| (param, segments[n]))
    }

    /// A calling convention by its name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        ALL.into_iter().find(|abi| abi.name == name)
    }

    /// The calling convention of Linux on an instruction set.
    #[must_use]
    pub const fn usual(architecture: Architecture) -> &'static Self {
        match architecture {
            Architecture::X86_64 => &SYSV64,
            Architecture::X86 => &CDECL,
            Architecture::X86Real => &NEAR16,
            Architecture::PaRisc => &HPPA,
        }
    }

    /// The calling conventions of an instruction set, the usual one first.
    pub fn of(architecture: Architecture) -> impl Iterator<Item = &'static Self> {
        ALL.into_iter().filter(move |abi| abi.architecture == architecture)
    }
}
