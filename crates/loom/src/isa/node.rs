//! Code on virtual registers, between lowering and allocation.

use super::Reg;

/// A piece of code: straight lines and counted loops.
#[derive(Clone, Debug)]
pub enum Node<I> {
    /// An instruction.
    Inst(I),
    /// A comment for people, with the strategy's words.
    Comment(String),
    /// A loop.
    Loop(Loop<I>),
}

impl<I> Node<I> {
    /// How many instructions there are in a body, those of loops once.
    pub fn instructions(body: &[Self]) -> usize {
        let each = |item: &Self| match item {
            Self::Inst(_) => 1,
            Self::Comment(_) => 0,
            Self::Loop(inner) => Self::instructions(&inner.body),
        };
        body.iter().map(each).sum()
    }
}

/// A counted loop on virtual registers; the count is above zero when it is entered, and a jump around
/// it is emitted where it may not be.
#[derive(Clone, Debug)]
pub struct Loop<I> {
    /// Counts down to zero; a register of its own.
    pub count: Reg,
    /// What goes around.
    pub carried: Vec<LoopCarried>,
    /// What is repeated.
    pub body: Vec<Node<I>>,
}

/// A loop-carried value: before the loop, at the start of the body, at its end, after the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopCarried {
    /// Its value before the first time.
    pub first: Reg,
    /// Its name inside.
    pub inside: Reg,
    /// Its value at the end of the body.
    pub next: Reg,
    /// Its name after the last time.
    pub after: Reg,
}
