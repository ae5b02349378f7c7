//! Issue classes of x86: what the tables of processors that do instructions in order are made of.

use super::class::{SchedulingClass, row};
use crate::isa::costs::{Clocks, InOrder, IssueClass, Pairing, Penalty, Row};

/// Issue classes of x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InOrderClass {
    /// A register or a constant to a register.
    Move,
    /// Memory to a register.
    Load,
    /// A register or a constant to memory.
    Store,
    /// Arithmetic and comparison of registers and constants.
    Alu,
    /// Arithmetic with a source in memory, and comparison with memory.
    AluLoad,
    /// An exclusive or with a source in memory: the 386's manual has another figure for it.
    XorLoad,
    /// Arithmetic in memory.
    AluStore,
    /// A shift by a constant.
    Shift,
    /// A shift by one.
    ShiftOne,
    /// A rotation by a constant.
    Rotate,
    /// A rotation by one.
    RotateOne,
    /// A part of a register with zeros above (`movzx`).
    Extend,
    /// The same from memory.
    ExtendLoad,
    /// A reversal of bytes (`bswap`).
    Swap,
    /// A complement.
    Not,
    /// An address (`lea`).
    Address,
    /// A register to the stack.
    Push,
    /// The stack to a register.
    Pop,
    /// A near return.
    Return,
    /// A conditional branch that is not taken.
    Branch,
    /// A jump without what a taken branch costs more.
    Jump,
}

impl InOrderClass {
    /// Every form.
    pub const ALL: [Self; 21] = [
        Self::Move,
        Self::Load,
        Self::Store,
        Self::Alu,
        Self::AluLoad,
        Self::XorLoad,
        Self::AluStore,
        Self::Shift,
        Self::ShiftOne,
        Self::Rotate,
        Self::RotateOne,
        Self::Extend,
        Self::ExtendLoad,
        Self::Swap,
        Self::Not,
        Self::Address,
        Self::Push,
        Self::Pop,
        Self::Return,
        Self::Branch,
        Self::Jump,
    ];

    /// Its number.
    #[must_use]
    pub const fn class(self) -> IssueClass {
        IssueClass(self as u8)
    }
}

/// The rows of an in-order processor for bounds, by scheduling classes: the U pipe as port 0, the V pipe as port 1.
pub(super) const fn rows(costs: &InOrder) -> [Row; 11] {
    let zero = costs.escape.clocks;
    [
        row_of(costs, SchedulingClass::Logic, InOrderClass::Alu, 0),
        row_of(costs, SchedulingClass::Shift, InOrderClass::Shift, 0),
        row_of(costs, SchedulingClass::Copy, InOrderClass::Move, 0),
        row_of(costs, SchedulingClass::Low, InOrderClass::Extend, zero),
        row_of(costs, SchedulingClass::Extend, InOrderClass::Extend, zero),
        row_of(costs, SchedulingClass::High, InOrderClass::Extend, zero),
        // Where there is none, three rotations do it.
        if has(costs, InOrderClass::Swap) {
            row_of(costs, SchedulingClass::Swap, InOrderClass::Swap, zero)
        } else {
            let rotate = row_of(costs, SchedulingClass::Shift, InOrderClass::Rotate, 0);
            row(SchedulingClass::Swap, 3 * rotate.latency, rotate.ports)
        },
        row_of(costs, SchedulingClass::Address, InOrderClass::Address, 0),
        row_of(costs, SchedulingClass::Load, InOrderClass::Load, 0),
        row_of(costs, SchedulingClass::Store, InOrderClass::Store, 0),
        row_of(costs, SchedulingClass::Select, InOrderClass::Branch, 0),
    ]
}

const fn has(costs: &InOrder, form: InOrderClass) -> bool {
    place(costs, form) < costs.forms.len()
}

/// The place of a form's row; behind the last one if there is none.
const fn place(costs: &InOrder, form: InOrderClass) -> usize {
    let mut n = 0;
    while n < costs.forms.len() && costs.forms[n].form.0 != form.class().0 {
        n += 1;
    }
    n
}

const fn row_of(costs: &InOrder, kind: SchedulingClass, form: InOrderClass, more: u32) -> Row {
    let clocks = costs.forms[place(costs, form)];
    let ports = match clocks.pairing {
        Pairing::Alone | Pairing::First => 0b01,
        Pairing::Second => 0b10,
        Pairing::Either => 0b11,
    };
    row(kind, clocks.clocks + more, ports)
}

/// A row for a processor with one pipe.
pub(super) const fn single(form: InOrderClass, clocks: u32, source: &'static str) -> Clocks {
    Clocks { form: form.class(), clocks, pairing: Pairing::Alone, source }
}

/// A row for a processor with two.
pub(super) const fn paired(
    form: InOrderClass,
    clocks: u32,
    pairing: Pairing,
    source: &'static str,
) -> Clocks {
    Clocks { form: form.class(), clocks, pairing, source }
}

/// So many clocks, and who says so.
pub(super) const fn penalty(clocks: u32, source: &'static str) -> Penalty {
    Penalty { clocks, source }
}
