//! What 64-bit code, 32-bit code and that of real mode differ in.

use iced_x86::{Code, MemoryOperand, Register};

use super::gpr::{RBP, RBX, RDI, RSI};
use super::operand::{Base, Mem, Width};
use super::segments::DS;
use super::{
    ADDRESS_16, GENERAL, GENERAL_8, VECTORS_8, VECTORS_16, VECTORS_32, WITH_HIGH_BYTE, features,
};
use crate::isa::{Features, RegSet};

/// Alignment of a kernel's entry, in bytes: a cache line, so that its lines are the same wherever it is
/// put.
pub(super) const ENTRY: u32 = 64;

/// Where the tables are thought to be, before addresses are known, but in real mode.
pub const TABLES: u64 = 0x4000_0000;

/// How wide the words and addresses of a program are.
///
/// Code of real mode is 32-bit code with prefixes, in segments of 64 KB: a pointer is an offset, in the
/// segment of `ds`, or of a segment register of its own where the calling convention says so. The tables
/// lie in the segment of the code and are reached by `cs`, so that nothing is asked of `ss`, and of `ds`
/// but to be where pointers without segments lead. Addresses have 16 bits: they need no prefix, and all
/// linkers of the time can fill them in. Only the stack is reached by `esp`, which they cannot name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// 32 bits in segments of 16: as [`Bits32`](Self::Bits32), but addresses, branches and the entry.
    Real,
    /// 32 bits: eight registers, bytes in four of them, no distances from the instruction pointer.
    Bits32,
    /// 64 bits.
    Bits64,
}

impl Mode {
    /// What the processor takes instructions without prefixes for: 16, 32 or 64.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Real => 16,
            Self::Bits32 => 32,
            Self::Bits64 => 64,
        }
    }

    /// Bytes of a word, which are those of an address, too.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Real | Self::Bits32 => 4,
            Self::Bits64 => 8,
        }
    }

    /// Whether it is 64-bit code.
    #[must_use]
    pub const fn is_64(self) -> bool {
        matches!(self, Self::Bits64)
    }

    /// The width of a word.
    #[must_use]
    pub const fn width(self) -> Width {
        match self {
            Self::Real | Self::Bits32 => Width::Dword,
            Self::Bits64 => Width::Qword,
        }
    }

    /// The name of a register. Those of vectors are for a header: `v0` is `xmm0`, `ymm0` or `zmm0`.
    pub(super) fn name(self, number: u8) -> &'static str {
        const WIDE: [&str; 48] = [
            "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11",
            "r12", "r13", "r14", "r15", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9",
            "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
            "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31",
        ];
        const NARROW: [&str; 8] = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];
        let number = usize::from(number);
        match (self, NARROW.get(number)) {
            (Self::Real | Self::Bits32, Some(name)) => name,
            _ => WIDE[number],
        }
    }

    /// All that a processor has in this mode that has certain features: newer ones do not come
    /// without older ones.
    #[must_use]
    pub fn complete(self, features: Features) -> Features {
        let modern = features.meet(features::BMI2.or(features::AVX2));
        match self {
            Self::Real => features,
            Self::Bits64 => features.or(features::X86_64),
            Self::Bits32 if modern || features.include(features::SSE2) => {
                features.or(features::X86_64)
            }
            Self::Bits32 if features.include(features::CMOV) => features.or(features::BSWAP),
            Self::Bits32 => features,
        }
    }

    /// The general registers but the stack pointer, and those for vectors.
    #[must_use]
    pub const fn registers(self, features: Features) -> RegSet {
        match self {
            Self::Real => GENERAL_8,
            Self::Bits32 => GENERAL_8.or(VECTORS_8),
            Self::Bits64 if features.include(features::AVX512) => GENERAL.or(VECTORS_32),
            Self::Bits64 => GENERAL.or(VECTORS_16),
        }
    }

    /// The registers that an address is made of.
    pub(super) const fn address_registers(self) -> RegSet {
        match self {
            Self::Real => ADDRESS_16,
            Self::Bits32 | Self::Bits64 => GENERAL,
        }
    }

    /// The registers whose lowest byte has a name.
    pub(super) const fn with_low_byte(self) -> RegSet {
        match self {
            Self::Bits64 => GENERAL,
            Self::Real | Self::Bits32 => WITH_HIGH_BYTE,
        }
    }

    /// The registers whose lowest byte renaming moves to another register, for nothing, on Intel's processors.
    /// The byte of one whose number ends in 4 to 7, which without a prefix may mean `ah` to `bh`, takes a
    /// cycle (measured on a Xeon, Granite Rapids, all fifteen).
    pub(super) const fn with_free_byte(self) -> RegSet {
        match self {
            Self::Bits64 => WITH_HIGH_BYTE.or(RegSet(WITH_HIGH_BYTE.0 << 8)),
            Self::Real | Self::Bits32 => WITH_HIGH_BYTE,
        }
    }

    /// The form of an instruction on words.
    pub(super) const fn code(self, bits32: Code, bits64: Code) -> Code {
        match self {
            Self::Real => match bits32 {
                Code::Je_rel32_32 => Code::Je_rel16,
                Code::Jne_rel32_32 => Code::Jne_rel16,
                Code::Jmp_rel32_32 => Code::Jmp_rel16,
                Code::Retnd => Code::Retnw,
                prefixed => prefixed,
            },
            Self::Bits32 => bits32,
            Self::Bits64 => bits64,
        }
    }

    /// A register as a word.
    pub(super) fn register(self, number: u8) -> Register {
        let first = match self {
            Self::Real | Self::Bits32 => Register::EAX,
            Self::Bits64 => Register::RAX,
        };
        first + u32::from(number)
    }

    /// Where the tables are thought to be, before addresses are known.
    #[must_use]
    pub const fn tables(self) -> u64 {
        match self {
            // Within a segment, and farther than any pointer's displacement.
            Self::Real => 0x4000,
            Self::Bits32 | Self::Bits64 => TABLES,
        }
    }

    /// Bytes of a distance to the tables, or of their address, in an instruction.
    #[must_use]
    pub const fn field(self) -> usize {
        match self {
            Self::Real => 2,
            Self::Bits32 | Self::Bits64 => 4,
        }
    }

    /// A register as a part of an address.
    ///
    /// # Panics
    /// If an address cannot be made of it.
    fn address(self, number: u8) -> Register {
        match (self, number) {
            (Self::Real, RBX) => Register::BX,
            (Self::Real, RBP) => Register::BP,
            (Self::Real, RSI) => Register::SI,
            (Self::Real, RDI) => Register::DI,
            (Self::Real, other) => panic!("register {other} is no part of an address of 16 bits"),
            (Self::Bits32 | Self::Bits64, number) => self.register(number),
        }
    }

    /// A segment register by its number.
    pub(super) fn segment(number: u8) -> Register {
        Register::ES + u32::from(number)
    }

    /// Bytes of a displacement.
    fn size(self, base: Register, disp: i64) -> u32 {
        match disp {
            0 if !matches!(base, Register::RBP | Register::R13 | Register::EBP | Register::BP) => 0,
            -128..=127 => 1,
            _ if base.is_gpr16() => 2,
            // In 64-bit code a displacement of 32 bits is extended to 8 bytes.
            _ => self.bytes(),
        }
    }

    /// A place at a distance from a register.
    pub(super) fn at(self, base: Register, disp: i64) -> MemoryOperand {
        MemoryOperand::with_base_displ_size(base, disp, self.size(base, disp))
    }

    /// A place in memory.
    pub(super) fn memory(self, mem: &Mem) -> MemoryOperand {
        let mut place = self.place(mem);
        if self == Self::Real {
            place.segment_prefix = match (mem.base, mem.segment.unwrap_or(DS)) {
                (Base::Tables, _) => Register::CS,
                // By `bp` the processor would take it for a place on the stack.
                (Base::Reg(_), DS) if place.base != Register::BP => Register::None,
                (Base::Reg(_), segment) => Self::segment(segment),
            };
        }
        place
    }

    fn place(self, mem: &Mem) -> MemoryOperand {
        let disp = i64::from(mem.disp);
        let index = mem.index.map(|(index, scale)| (self.address(index.number()), scale));
        match (mem.base, index) {
            (Base::Reg(base), None) => self.at(self.address(base.number()), disp),
            (Base::Reg(base), Some((index, scale))) => {
                assert!(self != Self::Real, "a base and an index in real mode");
                let base = self.address(base.number());
                let size = self.size(base, disp);
                MemoryOperand::with_base_index_scale_displ_size(
                    base,
                    index,
                    u32::from(scale),
                    disp,
                    size,
                )
            }
            (Base::Tables, index) => {
                assert!(!self.is_64(), "64-bit code has a register for the tables");
                let disp = self.tables() as i64 + disp;
                let size = self.field() as u32;
                match index {
                    None => MemoryOperand::with_displ(disp as u64, size),
                    // An index that counts bytes is a base: the shorter form.
                    Some((index, 1)) => MemoryOperand::with_base_displ_size(index, disp, size),
                    Some((index, scale)) => {
                        assert!(self != Self::Real, "an index that is scaled in real mode");
                        MemoryOperand::with_index_scale_displ_size(
                            index,
                            u32::from(scale),
                            disp,
                            size,
                        )
                    }
                }
            }
        }
    }
}

/// x86 in one of its modes, with certain features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct X86 {
    /// What kind of code.
    pub mode: Mode,
    /// All that its processors have.
    pub features: Features,
}
