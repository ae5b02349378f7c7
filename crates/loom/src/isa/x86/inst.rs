//! The instructions of x86 that kernels are made of, on virtual or physical registers.

use super::costs::{Form, Kind};
use super::gpr;
use super::vector::{self, Bitwise, Set, Shape, VectorSource};
use super::{ADDRESS_16, GENERAL, LEGACY, Mode, VECTOR_0, VECTORS_16, WITH_HIGH_BYTE};
use crate::ir::Bytes;
use crate::isa::costs::{Class, IssueClass};
use crate::isa::{Effect, Isa, Operand, Reg, RegSet, Role, Slot, Span};

/// Width of an operation; results of 32 bits clear the upper half of their register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 8 bits: the rest of the register stays.
    Byte,
    /// 16 bits: the rest of the register stays.
    Word,
    /// 32 bits.
    Dword,
    /// 64 bits.
    Qword,
}

/// Two-operand arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alu {
    /// `xor`.
    Xor,
    /// `and`.
    And,
    /// `or`.
    Or,
    /// `add`.
    Add,
}

/// Shifts and rotations by constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shift {
    /// `shl`.
    Left,
    /// `shr`.
    Right,
    /// `rol`.
    Rotate,
}

/// Where a place in memory counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A register.
    Reg(Reg),
    /// The kernel's tables, by their address (32-bit code).
    Tables,
}

/// A place in memory: `[base + index * scale + disp]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mem {
    /// The base.
    pub base: Base,
    /// A register, and 1, 2, 4 or 8.
    pub index: Option<(Reg, u8)>,
    /// Bytes.
    pub disp: i32,
    /// The region of an ordered access.
    pub ordered: Option<u32>,
    /// The segment register, where pointers have segments.
    pub segment: Option<u8>,
}

/// The second operand of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A register.
    Reg(Reg),
    /// A place in memory that nothing writes, of the operation's width.
    Mem(Mem),
    /// A number, extended with its sign.
    Imm(i32),
}

/// An instruction. Where the processor writes its result over its first source, both are named
/// here, and allocation gives them one register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are those of the form in each variant's line")]
pub enum Inst {
    /// `dst = a op b`, over `a`.
    Alu { op: Alu, width: Width, dst: Reg, a: Reg, b: Source },
    /// `dst = a shifted by`, over `a`.
    Shift { op: Shift, width: Width, dst: Reg, a: Reg, by: u8 },
    /// `dst = not a`, over `a`.
    Not { width: Width, dst: Reg, a: Reg },
    /// `dst` = the bytes of `a` reversed, over `a`.
    Bswap { width: Width, dst: Reg, a: Reg },
    /// `dst = a` rotated right, no flags (BMI2).
    Rorx { width: Width, dst: Reg, a: Reg, by: u8 },
    /// `dst = a` shifted right by the number in `by`, no flags (BMI2).
    Shrx { dst: Reg, a: Reg, by: Reg },
    /// `dst` = the bits of `a` that the mask selects, together (`pext`) or, from its low end,
    /// apart (`pdep`) (BMI2).
    Bits { apart: bool, dst: Reg, a: Reg, mask: Source },
    /// `dst` = a constant, by the shortest form.
    Imm { dst: Reg, value: u64 },
    /// `dst = src`; a copy of 32 bits clears the upper half.
    Copy { width: Width, dst: Reg, src: Reg },
    /// `dst` = 1, 2, 4 or 8 bytes of memory, zeros above.
    Load { bytes: u8, dst: Reg, mem: Mem },
    /// 1, 2, 4 or 8 bytes to memory.
    Store { bytes: u8, mem: Mem, src: Reg },
    /// `dst` = 0, by an XOR with itself.
    Zero { dst: Reg },
    /// `dst = a` with the lowest or second byte of `src` as its lowest byte, over `a`.
    MoveByte { dst: Reg, a: Reg, src: Reg, high: bool },
    /// `dst` = the lowest byte of `src`.
    LowByte { dst: Reg, src: Reg },
    /// `dst` = the second byte of `src`.
    HighByte { dst: Reg, src: Reg },
    /// `dst` = the lowest two bytes of `src`.
    LowWord { dst: Reg, src: Reg },
    /// `dst` = an address.
    Lea { dst: Reg, mem: Mem },
    /// `dst` = the address of the kernel's tables.
    Tables { dst: Reg },
    /// `dst` = the argument of this number, from the stack.
    Argument { number: u8, dst: Reg },
    /// `dst = then` if `a = b`, else `otherwise`, over `otherwise`: by a branch to code out of
    /// line, or by a conditional move.
    SelectEq { width: Width, dst: Reg, otherwise: Reg, a: Reg, b: Reg, then: Reg, branch: bool },
    /// A register to a spill slot.
    Spill { slot: Slot, src: Reg },
    /// A spill slot to a register.
    Reload { dst: Reg, slot: Slot },
    /// `dst = a op b` on vectors; with SSE2 over `a`.
    Bitwise { op: Bitwise, shape: Shape, dst: Reg, a: Reg, b: VectorSource },
    /// `dst` = bit `4 a + 2 b + c` of a table, for each bit, over `a` (AVX-512).
    Ternary { table: u8, shape: Shape, dst: Reg, a: Reg, b: Reg, c: VectorSource },
    /// `dst` = each 64 bits of `a` shifted; with SSE2 over `a`.
    ShiftParts { left: bool, shape: Shape, dst: Reg, a: Reg, by: u8 },
    /// `dst` = a vector from memory, at any address.
    LoadVector { shape: Shape, dst: Reg, mem: Mem },
    /// A vector to memory, at any address.
    StoreVector { shape: Shape, mem: Mem, src: Reg },
    /// `dst` = 4 or 8 bytes of memory, over and over (AVX2, AVX-512).
    Repeat { bytes: u8, shape: Shape, dst: Reg, mem: Mem },
    /// `dst` = a general register in each `bytes` bytes, 4 or 8; 32 bits in 8 bytes with zeros above.
    Splat { bytes: u8, shape: Shape, dst: Reg, src: Reg },
    /// `dst` = all bits set.
    Ones { shape: Shape, dst: Reg },
    /// `dst` = a general register as the lowest bits of a vector, zeros above.
    ToVector { width: Width, shape: Shape, dst: Reg, src: Reg },
    /// `dst` = the lowest bits of a vector.
    FromVector { width: Width, shape: Shape, dst: Reg, src: Reg },
    /// `dst` = 4 or 8 bytes of memory as the lowest of a vector, zeros above.
    LoadLow { bytes: u8, shape: Shape, dst: Reg, mem: Mem },
    /// `dst` = what [`Bytes`] says of `a` and `b`; with SSE2 over `a`.
    Bytes { op: Bytes, shape: Shape, dst: Reg, a: Reg, b: VectorSource },
    /// `dst` = bytes of `low` and `high` by the numbers in `index`, over `index` (AVX-512 VBMI).
    PickTwo { shape: Shape, dst: Reg, index: Reg, low: Reg, high: VectorSource },
    /// The lowest 8 bytes of a vector to memory.
    StoreLow { shape: Shape, mem: Mem, src: Reg },
}

/// The processor in 64-bit or 32-bit mode, to the generic steps.
#[derive(Clone, Copy, Debug)]
pub struct X86<const BITS: u32>;

/// In 64-bit mode.
pub type X86_64 = X86<64>;
/// In 32-bit mode.
pub type X86_32 = X86<32>;
/// Real mode, with 32-bit registers.
pub type X86_16 = X86<16>;

fn operand(reg: Reg, role: Role, allowed: RegSet) -> Operand {
    Operand { reg, role, allowed }
}

fn reads(reg: Reg) -> Operand {
    operand(reg, Role::Use, GENERAL)
}

fn writes(reg: Reg) -> Operand {
    operand(reg, Role::Define, GENERAL)
}

fn reads_vector(reg: Reg, shape: Shape) -> Operand {
    operand(reg, Role::Use, shape.registers())
}

fn writes_vector(reg: Reg, shape: Shape) -> Operand {
    operand(reg, Role::Define, shape.registers())
}

fn tied_vector(from: Reg, to: Reg, shape: Shape) -> Vec<Operand> {
    vec![operand(from, Role::Tied, shape.registers()), writes_vector(to, shape)]
}

fn tied(from: Reg, to: Reg) -> [Operand; 2] {
    [operand(from, Role::Tied, GENERAL), writes(to)]
}

impl Inst {
    /// The shape of the vectors that it is about.
    #[must_use]
    pub fn shape(&self) -> Option<Shape> {
        match self {
            Self::Bitwise { shape, .. }
            | Self::Ternary { shape, .. }
            | Self::ShiftParts { shape, .. }
            | Self::LoadVector { shape, .. }
            | Self::StoreVector { shape, .. }
            | Self::Repeat { shape, .. }
            | Self::Splat { shape, .. }
            | Self::Ones { shape, .. }
            | Self::ToVector { shape, .. }
            | Self::FromVector { shape, .. }
            | Self::LoadLow { shape, .. }
            | Self::Bytes { shape, .. }
            | Self::PickTwo { shape, .. }
            | Self::StoreLow { shape, .. } => Some(*shape),
            _ => None,
        }
    }
}

impl<const BITS: u32> X86<BITS> {
    const MODE: Mode = match BITS {
        16 => Mode::Real,
        32 => Mode::Bits32,
        _ => Mode::Bits64,
    };
    /// The registers that an address is made of.
    const ADDRESS: RegSet = match Self::MODE {
        Mode::Real => ADDRESS_16,
        Mode::Bits32 | Mode::Bits64 => GENERAL,
    };
    /// The registers whose lowest byte has a name.
    const WITH_LOW_BYTE: RegSet = match Self::MODE {
        Mode::Bits64 => GENERAL,
        Mode::Real | Mode::Bits32 => WITH_HIGH_BYTE,
    };

    /// Whether it is a register for vectors.
    fn holds_vector(reg: Reg) -> bool {
        matches!(reg, Reg::Physical(register) if register >= VECTOR_0)
    }
}

impl Mem {
    /// What an access of so many bytes does to memory that others may touch.
    fn effect(&self, bytes: u16, effect: impl Fn(Span) -> Effect) -> Effect {
        let Some(region) = self.ordered else { return Effect::None };
        // Which place an index leads to is not known. (Words are few, and keep their order, which
        // the plans of kernels without vectors rest on.)
        let known = self.index.is_none() && bytes > 8;
        let base = match self.base {
            Base::Reg(base) => Some(base),
            Base::Tables => None,
        };
        let at = base.filter(|_| known).map(|base| (base, self.disp));
        effect(Span { region, at, bytes })
    }

    /// Its registers, which may be those of `named`.
    pub(super) fn operands(&self, named: RegSet) -> impl Iterator<Item = Operand> {
        let base = match self.base {
            Base::Reg(base) => Some(base),
            Base::Tables => None,
        };
        [base, self.index.map(|(index, _)| index)]
            .into_iter()
            .flatten()
            .map(move |reg| operand(reg, Role::Use, named))
    }

    pub(super) fn rename(&self, registers: &mut impl Iterator<Item = Reg>) -> Self {
        let mut next = || registers.next().expect("a register for every operand");
        let base = match self.base {
            Base::Reg(_) => Base::Reg(next()),
            Base::Tables => Base::Tables,
        };
        Self { base, index: self.index.map(|(_, scale)| (next(), scale)), ..*self }
    }
}

/// What an instruction costs: its class, and whether a load comes before it.
fn kind(inst: &Inst) -> (Kind, bool) {
    match inst {
        Inst::Alu { b, .. } => (Kind::Logic, matches!(b, Source::Mem(_))),
        Inst::Not { .. } | Inst::Imm { .. } | Inst::Zero { .. } => (Kind::Logic, false),
        Inst::Shift { .. } | Inst::Rorx { .. } | Inst::Shrx { .. } => (Kind::Shift, false),
        Inst::Bits { mask, .. } => (Kind::Bits, matches!(mask, Source::Mem(_))),
        Inst::Bswap { .. } => (Kind::Swap, false),
        Inst::Copy { .. } | Inst::MoveByte { .. } => (Kind::Copy, false),
        Inst::Load { .. } | Inst::Reload { .. } | Inst::Argument { .. } => (Kind::Load, false),
        Inst::Store { .. } | Inst::Spill { .. } => (Kind::Store, false),
        Inst::LowByte { .. } | Inst::LowWord { .. } => (Kind::Low, false),
        Inst::HighByte { .. } => (Kind::High, false),
        Inst::Lea { .. } | Inst::Tables { .. } => (Kind::Address, false),
        Inst::SelectEq { .. } => (Kind::Select, false),
        Inst::Bitwise { shape, b: source, .. } => {
            let kind = if shape.bits == 512 { Kind::Wide } else { Kind::Vector };
            (kind, !matches!(source, VectorSource::Reg(_)))
        }
        Inst::Ternary { shape, c: source, .. } => {
            let kind = if shape.bits == 512 { Kind::WideTernary } else { Kind::Ternary };
            (kind, !matches!(source, VectorSource::Reg(_)))
        }
        Inst::ShiftParts { shape, .. } if shape.bits == 512 => (Kind::WideShift, false),
        Inst::ShiftParts { .. } => (Kind::VectorShift, false),
        Inst::LoadVector { .. } | Inst::Repeat { .. } | Inst::LoadLow { .. } => (Kind::Load, false),
        Inst::StoreVector { .. } => (Kind::Store, false),
        Inst::Splat { .. } | Inst::ToVector { .. } | Inst::FromVector { .. } => {
            (Kind::Splat, false)
        }
        Inst::Ones { .. } => (Kind::Vector, false),
        Inst::Bytes { op, shape, b: source, .. } => {
            let wide = shape.bits == 512;
            let kind = match op {
                Bytes::Shuffle | Bytes::Evens | Bytes::Interleave | Bytes::InterleaveWords => {
                    if wide {
                        Kind::WideShuffle
                    } else {
                        Kind::Shuffle
                    }
                }
                Bytes::Halves => Kind::Across,
                Bytes::Pick => Kind::Pick,
                Bytes::Matrix => Kind::Matrix,
                Bytes::Distance => Kind::Distance,
                Bytes::Sign => Kind::Sign,
            };
            (kind, !matches!(source, VectorSource::Reg(_)))
        }
        Inst::PickTwo { high, .. } => (Kind::PickTwo, !matches!(high, VectorSource::Reg(_))),
        Inst::StoreLow { .. } => (Kind::Store, false),
    }
}

impl<const BITS: u32> Isa for X86<BITS> {
    type Inst = Inst;

    fn operands(inst: &Inst) -> Vec<Operand> {
        match inst {
            Inst::Alu { width, dst, a, b, .. } => {
                let named = match width {
                    Width::Byte => Self::WITH_LOW_BYTE,
                    Width::Word | Width::Dword | Width::Qword => GENERAL,
                };
                let mut operands =
                    vec![operand(*a, Role::Tied, named), operand(*dst, Role::Define, named)];
                match b {
                    Source::Reg(b) => operands.push(operand(*b, Role::Use, named)),
                    Source::Mem(mem) => operands.extend(mem.operands(Self::ADDRESS)),
                    Source::Imm(_) => {}
                }
                operands
            }
            Inst::Shift { dst, a, .. } | Inst::Not { dst, a, .. } | Inst::Bswap { dst, a, .. } => {
                tied(*a, *dst).to_vec()
            }
            Inst::Rorx { dst, a, .. } => vec![reads(*a), writes(*dst)],
            Inst::Shrx { dst, a, by } => vec![reads(*a), reads(*by), writes(*dst)],
            Inst::Bits { dst, a, mask, .. } => {
                let mut operands = vec![reads(*a)];
                match mask {
                    Source::Reg(mask) => operands.push(reads(*mask)),
                    Source::Mem(mem) => operands.extend(mem.operands(Self::ADDRESS)),
                    Source::Imm(_) => {}
                }
                operands.push(writes(*dst));
                operands
            }
            Inst::Reload { dst, slot: Slot { vector: true, .. } } => {
                vec![writes_vector(*dst, Shape::ANY)]
            }
            Inst::Imm { dst, .. }
            | Inst::Zero { dst }
            | Inst::Tables { dst }
            | Inst::Argument { dst, .. }
            | Inst::Reload { dst, .. } => vec![writes(*dst)],
            Inst::Copy { dst, src, .. } if Self::holds_vector(*dst) || Self::holds_vector(*src) => {
                vec![reads_vector(*src, Shape::ANY), writes_vector(*dst, Shape::ANY)]
            }
            Inst::MoveByte { dst, a, src, high } => {
                // Beside `ah` and its like no prefix can stand, which others' lowest bytes need.
                let named = if *high { WITH_HIGH_BYTE } else { Self::WITH_LOW_BYTE };
                vec![
                    operand(*a, Role::Tied, named),
                    operand(*dst, Role::Define, named),
                    operand(*src, Role::Use, named),
                ]
            }
            Inst::LowByte { dst, src } => {
                vec![operand(*src, Role::Use, Self::WITH_LOW_BYTE), writes(*dst)]
            }
            Inst::Copy { dst, src, .. } | Inst::LowWord { dst, src } => {
                vec![reads(*src), writes(*dst)]
            }
            Inst::HighByte { dst, src } => {
                vec![operand(*src, Role::Use, WITH_HIGH_BYTE), operand(*dst, Role::Define, LEGACY)]
            }
            Inst::Load { dst, mem, .. } | Inst::Lea { dst, mem } => {
                mem.operands(Self::ADDRESS).chain([writes(*dst)]).collect()
            }
            Inst::Store { bytes, mem, src } => {
                let named = if *bytes == 1 { Self::WITH_LOW_BYTE } else { GENERAL };
                mem.operands(Self::ADDRESS).chain([operand(*src, Role::Use, named)]).collect()
            }
            Inst::SelectEq { dst, otherwise, a, b, then, .. } => {
                let mut operands = tied(*otherwise, *dst).to_vec();
                operands.extend([reads(*a), reads(*b), reads(*then)]);
                operands
            }
            Inst::Spill { slot: Slot { vector: false, .. }, src } => vec![reads(*src)],
            Inst::Spill { src, .. } => vec![reads_vector(*src, Shape::ANY)],
            Inst::Bitwise { shape, dst, a, b, .. } | Inst::Bytes { shape, dst, a, b, .. } => {
                let tied = shape.set == Set::Sse2;
                let mut operands = if tied {
                    tied_vector(*a, *dst, *shape)
                } else {
                    vec![reads_vector(*a, *shape)]
                };
                operands.extend(b.operands(*shape));
                if !tied {
                    operands.push(writes_vector(*dst, *shape));
                }
                operands
            }
            Inst::Ternary { shape, dst, a, b, c, .. } => {
                let mut operands = tied_vector(*a, *dst, *shape);
                operands.push(reads_vector(*b, *shape));
                operands.extend(c.operands(*shape));
                operands
            }
            Inst::ShiftParts { shape, dst, a, .. } if shape.set == Set::Sse2 => {
                tied_vector(*a, *dst, *shape)
            }
            Inst::ShiftParts { shape, dst, a, .. } => {
                vec![reads_vector(*a, *shape), writes_vector(*dst, *shape)]
            }
            Inst::LoadVector { shape, dst, mem } | Inst::Repeat { shape, dst, mem, .. } => {
                mem.operands(Self::ADDRESS).chain([writes_vector(*dst, *shape)]).collect()
            }
            Inst::StoreVector { shape, mem, src } => {
                mem.operands(Self::ADDRESS).chain([reads_vector(*src, *shape)]).collect()
            }
            Inst::Splat { shape, dst, src, .. } => vec![reads(*src), writes_vector(*dst, *shape)],
            Inst::Ones { shape, dst } => vec![writes_vector(*dst, *shape)],
            Inst::PickTwo { shape, dst, index, low, high } => {
                let mut operands = tied_vector(*index, *dst, *shape);
                operands.push(reads_vector(*low, *shape));
                operands.extend(high.operands(*shape));
                operands
            }
            // Assemblers do not agree on an encoding for the other registers.
            Inst::StoreLow { mem, src, .. } => {
                mem.operands(Self::ADDRESS).chain([operand(*src, Role::Use, VECTORS_16)]).collect()
            }
            Inst::LoadLow { mem, dst, .. } => mem
                .operands(Self::ADDRESS)
                .chain([operand(*dst, Role::Define, VECTORS_16)])
                .collect(),
            Inst::ToVector { dst, src, .. } => {
                vec![reads(*src), operand(*dst, Role::Define, VECTORS_16)]
            }
            Inst::FromVector { dst, src, .. } => {
                vec![operand(*src, Role::Use, VECTORS_16), writes(*dst)]
            }
        }
    }

    fn rename(inst: &Inst, registers: &[Reg]) -> Inst {
        let mut rest = registers.iter().copied();
        let mut next = || rest.next().expect("a register for every operand");
        match *inst {
            Inst::Alu { op, width, b, .. } => {
                let (a, dst) = (next(), next());
                let b = match b {
                    Source::Reg(_) => Source::Reg(next()),
                    Source::Mem(mem) => Source::Mem(mem.rename(&mut rest)),
                    imm @ Source::Imm(_) => imm,
                };
                Inst::Alu { op, width, dst, a, b }
            }
            Inst::Shift { op, width, by, .. } => {
                let (a, dst) = (next(), next());
                Inst::Shift { op, width, dst, a, by }
            }
            Inst::Not { width, .. } => {
                let (a, dst) = (next(), next());
                Inst::Not { width, dst, a }
            }
            Inst::Bswap { width, .. } => {
                let (a, dst) = (next(), next());
                Inst::Bswap { width, dst, a }
            }
            Inst::Shrx { .. } => {
                let (a, by, dst) = (next(), next(), next());
                Inst::Shrx { dst, a, by }
            }
            Inst::Rorx { width, by, .. } => {
                let (a, dst) = (next(), next());
                Inst::Rorx { width, dst, a, by }
            }
            Inst::Bits { apart, mask, .. } => {
                let a = next();
                let mask = match mask {
                    Source::Reg(_) => Source::Reg(next()),
                    Source::Mem(mem) => Source::Mem(mem.rename(&mut rest)),
                    imm @ Source::Imm(_) => imm,
                };
                Inst::Bits { apart, dst: rest.next().expect("a destination"), a, mask }
            }
            Inst::Imm { value, .. } => Inst::Imm { dst: next(), value },
            Inst::Zero { .. } => Inst::Zero { dst: next() },
            Inst::MoveByte { high, .. } => {
                let (a, dst, src) = (next(), next(), next());
                Inst::MoveByte { dst, a, src, high }
            }
            Inst::Tables { .. } => Inst::Tables { dst: next() },
            Inst::Argument { number, .. } => Inst::Argument { number, dst: next() },
            Inst::Reload { slot, .. } => Inst::Reload { dst: next(), slot },
            Inst::Copy { width, .. } => {
                let (src, dst) = (next(), next());
                Inst::Copy { width, dst, src }
            }
            Inst::LowByte { .. } => {
                let (src, dst) = (next(), next());
                Inst::LowByte { dst, src }
            }
            Inst::LowWord { .. } => {
                let (src, dst) = (next(), next());
                Inst::LowWord { dst, src }
            }
            Inst::HighByte { .. } => {
                let (src, dst) = (next(), next());
                Inst::HighByte { dst, src }
            }
            Inst::Load { bytes, mem, .. } => {
                let mem = mem.rename(&mut rest);
                Inst::Load { bytes, dst: rest.next().expect("a destination"), mem }
            }
            Inst::Lea { mem, .. } => {
                let mem = mem.rename(&mut rest);
                Inst::Lea { dst: rest.next().expect("a destination"), mem }
            }
            Inst::Store { bytes, mem, .. } => {
                let mem = mem.rename(&mut rest);
                Inst::Store { bytes, mem, src: rest.next().expect("a source") }
            }
            Inst::SelectEq { width, branch, .. } => {
                let (otherwise, dst, a, b, then) = (next(), next(), next(), next(), next());
                Inst::SelectEq { width, dst, otherwise, a, b, then, branch }
            }
            Inst::Spill { slot, .. } => Inst::Spill { slot, src: next() },
            Inst::Bitwise { op, shape, b, .. } => {
                let a = next();
                let dst = (shape.set == Set::Sse2).then(&mut next);
                let b = b.rename(&mut rest);
                let dst = dst.unwrap_or_else(|| rest.next().expect("a destination"));
                Inst::Bitwise { op, shape, dst, a, b }
            }
            Inst::Ternary { table, shape, c, .. } => {
                let (a, dst, b) = (next(), next(), next());
                Inst::Ternary { table, shape, dst, a, b, c: c.rename(&mut rest) }
            }
            Inst::ShiftParts { left, shape, by, .. } => {
                let (a, dst) = (next(), next());
                Inst::ShiftParts { left, shape, dst, a, by }
            }
            Inst::LoadVector { shape, mem, .. } => {
                let mem = mem.rename(&mut rest);
                Inst::LoadVector { shape, dst: rest.next().expect("a destination"), mem }
            }
            Inst::Repeat { bytes, shape, mem, .. } => {
                let mem = mem.rename(&mut rest);
                Inst::Repeat { bytes, shape, dst: rest.next().expect("a destination"), mem }
            }
            Inst::StoreVector { shape, mem, .. } => {
                let mem = mem.rename(&mut rest);
                Inst::StoreVector { shape, mem, src: rest.next().expect("a source") }
            }
            Inst::Splat { bytes, shape, .. } => {
                let (src, dst) = (next(), next());
                Inst::Splat { bytes, shape, dst, src }
            }
            Inst::Ones { shape, .. } => Inst::Ones { shape, dst: next() },
            Inst::Bytes { op, shape, b, .. } => {
                let a = next();
                let dst = (shape.set == Set::Sse2).then(&mut next);
                let b = b.rename(&mut rest);
                let dst = dst.unwrap_or_else(|| rest.next().expect("a destination"));
                Inst::Bytes { op, shape, dst, a, b }
            }
            Inst::ToVector { width, shape, .. } => {
                let (src, dst) = (next(), next());
                Inst::ToVector { width, shape, dst, src }
            }
            Inst::FromVector { width, shape, .. } => {
                let (src, dst) = (next(), next());
                Inst::FromVector { width, shape, dst, src }
            }
            Inst::LoadLow { bytes, shape, mem, .. } => {
                let mem = mem.rename(&mut rest);
                Inst::LoadLow { bytes, shape, dst: rest.next().expect("a destination"), mem }
            }
            Inst::PickTwo { shape, high, .. } => {
                let (index, dst, low) = (next(), next(), next());
                Inst::PickTwo { shape, dst, index, low, high: high.rename(&mut rest) }
            }
            Inst::StoreLow { shape, mem, .. } => {
                let mem = mem.rename(&mut rest);
                Inst::StoreLow { shape, mem, src: rest.next().expect("a source") }
            }
        }
    }

    fn exchanged(inst: &Inst) -> Vec<Inst> {
        match *inst {
            Inst::Alu { op, width, dst, a, b: Source::Reg(b) } => {
                vec![Inst::Alu { op, width, dst, a: b, b: Source::Reg(a) }]
            }
            Inst::Bitwise { op, shape, dst, a, b: VectorSource::Reg(b) }
                if op != Bitwise::AndNot =>
            {
                vec![Inst::Bitwise { op, shape, dst, a: b, b: VectorSource::Reg(a) }]
            }
            Inst::Bytes { op, shape, dst, a, b: VectorSource::Reg(b) } if op.is_symmetric() => {
                vec![Inst::Bytes { op, shape, dst, a: b, b: VectorSource::Reg(a) }]
            }
            Inst::Ternary { table, shape, dst, a, b, c } => {
                let table = vector::exchanged(table, [1, 0, 2]);
                let mut others = vec![Inst::Ternary { table, shape, dst, a: b, b: a, c }];
                if let (VectorSource::Reg(last), Inst::Ternary { table, .. }) = (c, inst) {
                    let table = vector::exchanged(*table, [2, 1, 0]);
                    let c = VectorSource::Reg(a);
                    others.push(Inst::Ternary { table, shape, dst, a: last, b, c });
                }
                others
            }
            _ => Vec::new(),
        }
    }

    fn class(register: u8) -> RegSet {
        if Self::is_vector(register) { Shape::ANY.registers() } else { GENERAL }
    }

    fn is_vector(register: u8) -> bool {
        register >= VECTOR_0
    }

    fn any(vector: bool) -> u8 {
        if vector { VECTOR_0 } else { gpr::RAX }
    }

    fn effect(inst: &Inst) -> Effect {
        match inst {
            Inst::Load { bytes, mem, .. } => mem.effect((*bytes).into(), Effect::Read),
            Inst::Store { bytes, mem, .. } => mem.effect((*bytes).into(), Effect::Write),
            Inst::LoadVector { shape, mem, .. } => mem.effect(shape.bits / 8, Effect::Read),
            Inst::StoreVector { shape, mem, .. } => mem.effect(shape.bits / 8, Effect::Write),
            Inst::StoreLow { mem, .. } => mem.effect(8, Effect::Write),
            Inst::LoadLow { bytes, mem, .. } => mem.effect((*bytes).into(), Effect::Read),
            _ => Effect::None,
        }
    }

    fn addresses(inst: &Inst) -> Vec<Reg> {
        match inst {
            Inst::Alu { b: Source::Mem(mem), .. }
            | Inst::Bits { mask: Source::Mem(mem), .. }
            | Inst::Load { mem, .. }
            | Inst::Store { mem, .. }
            | Inst::Lea { mem, .. } => mem.operands(GENERAL).map(|operand| operand.reg).collect(),
            _ => Vec::new(),
        }
    }

    fn cost(inst: &Inst) -> (Class, bool) {
        let (kind, loads) = kind(inst);
        (kind.class(), loads)
    }

    fn form(inst: &Inst) -> Option<IssueClass> {
        let form = match inst {
            Inst::Alu { op: Alu::Xor, b: Source::Mem(_), .. } => Form::XorLoad,
            Inst::Alu { b: Source::Mem(_), .. } => Form::AluLoad,
            Inst::Alu { .. } | Inst::Zero { .. } => Form::Alu,
            Inst::Shift { op: Shift::Rotate, by: 1, .. } => Form::RotateOne,
            Inst::Shift { op: Shift::Rotate, .. } => Form::Rotate,
            Inst::Shift { by: 1, .. } => Form::ShiftOne,
            Inst::Shift { .. } => Form::Shift,
            Inst::Not { .. } => Form::Not,
            Inst::Bswap { .. } => Form::Swap,
            Inst::Imm { .. } | Inst::Copy { .. } | Inst::MoveByte { .. } | Inst::Tables { .. } => {
                Form::Move
            }
            Inst::Load { bytes: 1 | 2, .. } => Form::ExtendLoad,
            Inst::Load { .. } | Inst::Reload { .. } | Inst::Argument { .. } => Form::Load,
            Inst::Store { .. } | Inst::Spill { .. } => Form::Store,
            Inst::LowByte { .. } | Inst::HighByte { .. } | Inst::LowWord { .. } => Form::Extend,
            Inst::Lea { .. } => Form::Address,
            Inst::SelectEq { .. } => Form::Branch,
            _ => return None,
        };
        Some(form.class())
    }

    fn writes_part(inst: &Inst) -> bool {
        match inst {
            Inst::MoveByte { .. } => true,
            Inst::Alu { width, .. } | Inst::Shift { width, .. } => {
                matches!(width, Width::Byte | Width::Word)
            }
            _ => false,
        }
    }

    fn copy(to: Reg, from: Reg) -> Inst {
        Inst::Copy { width: Self::MODE.width(), dst: to, src: from }
    }

    fn spill(slot: Slot, from: Reg) -> Inst {
        Inst::Spill { slot, src: from }
    }

    fn slot(inst: &Inst) -> Option<Slot> {
        match inst {
            Inst::Spill { slot, .. } | Inst::Reload { slot, .. } => Some(*slot),
            _ => None,
        }
    }

    fn reload(to: Reg, slot: Slot) -> Inst {
        Inst::Reload { dst: to, slot }
    }
}
