//! Code after allocation, and finished programs: the forms that all instruction sets share.

use super::{Isa, LoopCarried, Reg, RegSet, Slot, Slots};

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// In a register.
    Register(u8),
    /// In a spill slot.
    Slot(Slot),
}

/// One line of allocated code.
#[derive(Clone, Debug)]
pub enum Out<I> {
    /// An instruction on physical registers, and which one of the input it is; none for copies,
    /// spills and reloads that allocation added.
    Inst(I, Option<usize>),
    /// A comment for people.
    Comment(String),
    /// A loop begins: its counter, and the location that each loop-carried value is assigned.
    Begin(Reg, Location, Vec<(LoopCarried, Location)>),
    /// It ends: the counter is one less, and if it is not zero the body is done again.
    End(Location),
}

/// Allocated code.
#[derive(Clone, Debug)]
pub struct Allocated<I> {
    /// The lines, in order.
    pub lines: Vec<Out<I>>,
    /// Spill slots.
    pub slots: Slots,
    /// Registers that are written.
    pub written: RegSet,
    /// Copies, spills and reloads that were added, those in loops counted sixteen times.
    pub spill_cost: u32,
}

/// A line of a finished program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<S> {
    /// An instruction. A branch leads to the number of a label.
    Inst(S),
    /// A place to which branches lead, by its number.
    Label(usize),
    /// What follows begins at a multiple of so many bytes; no-operations fill the gap.
    Align(u32),
    /// A comment for people.
    Comment(String),
}

/// What a label stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelKind {
    /// The top of a loop.
    Again,
    /// Behind a loop.
    Done,
    /// What is rarely done, out of line.
    Rare,
    /// Where the line goes on after it.
    Back,
    /// An address that code finds out, for want of a place that it could name.
    Here,
}

impl LabelKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Again => "again",
            Self::Done => "done",
            Self::Rare => "rare",
            Self::Back => "back",
            Self::Here => "here",
        }
    }
}

/// A finished program.
#[derive(Clone, Debug)]
pub struct Program<T: Isa> {
    /// The instruction set.
    pub isa: T,
    /// The lines, in order; the first instruction is the entry.
    pub lines: Vec<Line<T::Step>>,
    /// What each label stands for, from number 1 on.
    pub labels: Vec<LabelKind>,
    /// Bytes of stack beyond the return address.
    pub stack: u32,
    /// Registers that it writes beyond those that allocation gave it.
    pub scratch: RegSet,
    /// Instructions done for each one of the count (for a program without a count, in a call), where
    /// compile options are chosen by it.
    pub each: Option<u64>,
}

impl<T: Isa> Program<T> {
    /// The name of a label: what it stands for, numbered where there are several alike.
    ///
    /// # Panics
    /// If there is no label of this number.
    #[must_use]
    pub fn label_name(&self, number: usize) -> String {
        let kind = self.labels[number - 1];
        let alike = |labels: &[LabelKind]| labels.iter().filter(|other| **other == kind).count();
        match alike(&self.labels) {
            1 => kind.name().to_owned(),
            _ => format!("{}{}", kind.name(), alike(&self.labels[..number])),
        }
    }

    /// How many instructions it has.
    #[must_use]
    pub fn instructions(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line, Line::Inst(_))).count()
    }
}
