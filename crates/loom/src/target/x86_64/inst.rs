//! The instructions of x86-64 that kernels are made of, on virtual or physical registers.

use super::{GENERAL, LEGACY, WITH_HIGH_BYTE};
use crate::target::cpu::Kind;
use crate::target::{Effect, Isa, Operand, Reg, RegSet, Role};

/// Width of an operation; results of 32 bits clear the upper half of their register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 8 bits: the rest of the register stays.
    Byte,
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

/// A place in memory: `[base + index * scale + disp]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mem {
    /// The base register.
    pub base: Reg,
    /// A register, and 1, 2, 4 or 8.
    pub index: Option<(Reg, u8)>,
    /// Bytes.
    pub disp: i32,
    /// The region of an ordered access.
    pub ordered: Option<u32>,
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
    /// `dst = then` if `a = b`, else `otherwise`, over `otherwise`: by a branch to code out of
    /// line, or by a conditional move.
    SelectEq { width: Width, dst: Reg, otherwise: Reg, a: Reg, b: Reg, then: Reg, branch: bool },
    /// A register to a spill slot.
    Spill { slot: u32, src: Reg },
    /// A spill slot to a register.
    Reload { dst: Reg, slot: u32 },
}

/// The processor, to the generic steps.
#[derive(Clone, Copy, Debug)]
pub struct X86_64;

fn operand(reg: Reg, role: Role, allowed: RegSet) -> Operand {
    Operand { reg, role, allowed }
}

fn reads(reg: Reg) -> Operand {
    operand(reg, Role::Use, GENERAL)
}

fn writes(reg: Reg) -> Operand {
    operand(reg, Role::Define, GENERAL)
}

fn tied(from: Reg, to: Reg) -> [Operand; 2] {
    [operand(from, Role::Tied, GENERAL), writes(to)]
}

impl Mem {
    fn operands(&self) -> impl Iterator<Item = Operand> {
        [Some(self.base), self.index.map(|(index, _)| index)].into_iter().flatten().map(reads)
    }

    fn rename(&self, registers: &mut impl Iterator<Item = Reg>) -> Self {
        let mut next = || registers.next().expect("a register for every operand");
        let base = next();
        Self { base, index: self.index.map(|(_, scale)| (next(), scale)), ..*self }
    }
}

/// What an instruction costs: its kind, and whether a load comes before it.
#[must_use]
pub fn kind(inst: &Inst) -> (Kind, bool) {
    match inst {
        Inst::Alu { b, .. } => (Kind::Logic, matches!(b, Source::Mem(_))),
        Inst::Not { .. } | Inst::Imm { .. } => (Kind::Logic, false),
        Inst::Shift { .. } | Inst::Rorx { .. } | Inst::Shrx { .. } => (Kind::Shift, false),
        Inst::Bits { mask, .. } => (Kind::Bits, matches!(mask, Source::Mem(_))),
        Inst::Bswap { .. } => (Kind::Swap, false),
        Inst::Copy { .. } => (Kind::Copy, false),
        Inst::Load { .. } | Inst::Reload { .. } => (Kind::Load, false),
        Inst::Store { .. } | Inst::Spill { .. } => (Kind::Store, false),
        Inst::LowByte { .. } | Inst::LowWord { .. } => (Kind::Low, false),
        Inst::HighByte { .. } => (Kind::High, false),
        Inst::Lea { .. } | Inst::Tables { .. } => (Kind::Address, false),
        Inst::SelectEq { .. } => (Kind::Select, false),
    }
}

impl Isa for X86_64 {
    type Inst = Inst;

    fn operands(inst: &Inst) -> Vec<Operand> {
        match inst {
            Inst::Alu { dst, a, b, .. } => {
                let mut operands = tied(*a, *dst).to_vec();
                match b {
                    Source::Reg(b) => operands.push(reads(*b)),
                    Source::Mem(mem) => operands.extend(mem.operands()),
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
                    Source::Mem(mem) => operands.extend(mem.operands()),
                    Source::Imm(_) => {}
                }
                operands.push(writes(*dst));
                operands
            }
            Inst::Imm { dst, .. } | Inst::Tables { dst } | Inst::Reload { dst, .. } => {
                vec![writes(*dst)]
            }
            Inst::Copy { dst, src, .. }
            | Inst::LowByte { dst, src }
            | Inst::LowWord { dst, src } => vec![reads(*src), writes(*dst)],
            Inst::HighByte { dst, src } => {
                vec![operand(*src, Role::Use, WITH_HIGH_BYTE), operand(*dst, Role::Define, LEGACY)]
            }
            Inst::Load { dst, mem, .. } | Inst::Lea { dst, mem } => {
                mem.operands().chain([writes(*dst)]).collect()
            }
            Inst::Store { mem, src, .. } => mem.operands().chain([reads(*src)]).collect(),
            Inst::SelectEq { dst, otherwise, a, b, then, .. } => {
                let mut operands = tied(*otherwise, *dst).to_vec();
                operands.extend([reads(*a), reads(*b), reads(*then)]);
                operands
            }
            Inst::Spill { src, .. } => vec![reads(*src)],
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
            Inst::Tables { .. } => Inst::Tables { dst: next() },
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
        }
    }

    fn exchanged(inst: &Inst) -> Option<Inst> {
        match *inst {
            Inst::Alu { op, width, dst, a, b: Source::Reg(b) } => {
                Some(Inst::Alu { op, width, dst, a: b, b: Source::Reg(a) })
            }
            _ => None,
        }
    }

    fn effect(inst: &Inst) -> Effect {
        match inst {
            Inst::Load { mem, .. } => mem.ordered.map_or(Effect::None, Effect::Read),
            Inst::Store { mem, .. } => mem.ordered.map_or(Effect::None, Effect::Write),
            _ => Effect::None,
        }
    }

    fn copy(to: Reg, from: Reg) -> Inst {
        Inst::Copy { width: Width::Qword, dst: to, src: from }
    }

    fn spill(slot: u32, from: Reg) -> Inst {
        Inst::Spill { slot, src: from }
    }

    fn slot(inst: &Inst) -> Option<u32> {
        match inst {
            Inst::Spill { slot, .. } | Inst::Reload { slot, .. } => Some(*slot),
            _ => None,
        }
    }

    fn reload(to: Reg, slot: u32) -> Inst {
        Inst::Reload { dst: to, slot }
    }
}
