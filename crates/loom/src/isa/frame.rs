//! Calling conventions: one record each, from which allocation, the prologue and the tests read.
//! The records are in their instruction set's `conventions.rs`.

use super::text::Container;
use super::{RegSet, Target};
use crate::ir::Param;

/// A calling convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abi {
    /// Its name on the command line and in headers.
    pub name: &'static str,
    /// What it is, and where it is used, in a few words.
    pub doc: &'static str,
    /// Whose calling convention it is.
    pub target: &'static Target,
    /// The container of the system where it is the usual one, if the target's usual one is another.
    pub container: Option<Container>,
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
    /// Bytes below the stack pointer that a function without calls may use: its red zone. A program that
    /// touches more is refused.
    pub red_zone: u32,
    /// Bytes of a page, where the system adds pages to a stack one by one, when the one below the last is
    /// touched. There no function may touch more than a page below what it, or its caller, touched
    /// before, so that frames larger than a page are touched on their way down. None: a stack is there as
    /// a whole, or grows as far down as anyone touches it.
    pub page: Option<u32>,
    /// Whether code names no address, though its processor has no operands at a distance from the
    /// instruction pointer: it asks where it is, and its tables lie beside it.
    pub position_independent: bool,
}

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

    /// Whether functions are called alike by both conventions.
    #[must_use]
    pub fn is_called_as(&self, other: &Self) -> bool {
        let Self { name, doc, container, page, position_independent, .. } = *other;
        *other == Self { name, doc, container, page, position_independent, ..*self }
    }

    /// The usual calling convention of a target.
    #[must_use]
    pub const fn usual(target: &'static Target) -> &'static Self {
        target.conventions[0]
    }

    /// The calling conventions of a target, the usual one first.
    pub fn of(target: &'static Target) -> impl Iterator<Item = &'static Self> {
        target.conventions.iter().copied()
    }
}
