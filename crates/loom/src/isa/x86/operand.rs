//! Operands of instructions: registers, places in memory, numbers.

use super::GENERAL;
use super::vector::Shape;
use crate::isa::{Effect, Reg, RegSet, Role, Span};

/// What is done with each register operand.
pub(super) type Visitor<'a> = &'a mut dyn FnMut(&mut Reg, Role, RegSet);

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

/// The last operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorSource {
    /// A register.
    Reg(Reg),
    /// A vector in memory that nothing writes; with SSE2 at a multiple of 16 bytes.
    Mem(Mem),
    /// 4 or 8 bytes of memory that nothing writes, over and over.
    Repeat(Mem, u8),
}

impl Mem {
    /// What an access of so many bytes does to memory that others may touch.
    pub(super) fn effect(&self, bytes: u16, effect: impl Fn(Span) -> Effect) -> Effect {
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

    /// Visits its registers, which may be those of `named`.
    pub(super) fn visit(&mut self, named: RegSet, visit: Visitor<'_>) {
        if let Base::Reg(base) = &mut self.base {
            visit(base, Role::Use, named);
        }
        if let Some((index, _)) = &mut self.index {
            visit(index, Role::Use, named);
        }
    }

    /// Its registers.
    pub(super) fn registers(&self) -> Vec<Reg> {
        let mut registers = Vec::new();
        self.clone().visit(GENERAL, &mut |reg, _, _| registers.push(*reg));
        registers
    }
}

impl Source {
    pub(super) fn visit(&mut self, registers: RegSet, addresses: RegSet, visit: Visitor<'_>) {
        match self {
            Self::Reg(reg) => visit(reg, Role::Use, registers),
            Self::Mem(mem) => mem.visit(addresses, visit),
            Self::Imm(_) => {}
        }
    }
}

impl VectorSource {
    pub(super) fn visit(&mut self, shape: Shape, visit: Visitor<'_>) {
        match self {
            Self::Reg(reg) => visit(reg, Role::Use, shape.registers()),
            Self::Mem(mem) | Self::Repeat(mem, _) => mem.visit(GENERAL, visit),
        }
    }
}
