//! Processors that do instructions in the order of the program: clocks of each form of instruction,
//! and what makes the next one wait; each figure with its source.

use super::{Kind, Row, row};

/// Forms of instructions that take alike, as the makers' manuals list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
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

impl Form {
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
}

/// In which of two pipes an instruction may begin beside another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// In neither: it begins alone.
    Alone,
    /// In the U pipe: before another.
    First,
    /// In the V pipe: behind another.
    Second,
    /// In both.
    Either,
}

impl Pairing {
    /// Whether two may begin together, as far as their forms go.
    #[must_use]
    pub const fn with(self, second: Self) -> bool {
        matches!(self, Self::First | Self::Either) && matches!(second, Self::Second | Self::Either)
    }
}

/// One row: how long a form takes if nothing is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// What.
    pub form: Form,
    /// Clocks.
    pub clocks: u32,
    /// Where it may begin.
    pub pairing: Pairing,
    /// Who says so.
    pub source: &'static str,
}

/// Clocks more, or clocks that must pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Penalty {
    /// Clocks.
    pub clocks: u32,
    /// Who says so.
    pub source: &'static str,
}

/// What a processor costs that does instructions in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InOrder {
    /// A row for every form that the processor has.
    pub forms: &'static [Clocks],
    /// Clocks that must pass between a register's result and an address made of it.
    pub address: Penalty,
    /// Clocks that must pass between a part of a register and a use of the whole.
    pub partial: Penalty,
    /// Clocks more for an address of two registers.
    pub index: Penalty,
    /// Clocks more for an address of one register, scaled.
    pub scaled: Penalty,
    /// Clocks more for each prefix.
    pub prefix: Penalty,
    /// Clocks more for the first byte of two-byte operations (0F), but for branches.
    pub escape: Penalty,
    /// Clocks more for a constant beside a displacement.
    pub constant_and_displacement: Penalty,
    /// Clocks more for a branch that is taken.
    pub taken: Penalty,
    /// What all code and data pass through, where there is no cache.
    pub bus: Option<Bus>,
}

/// A bus without a cache before it, and memory that never makes it wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bus {
    /// How many bytes of code come at once.
    pub bytes: u32,
    /// Clocks for that, and for an access to data that lies in one word.
    pub access: u32,
    /// Who says so.
    pub source: &'static str,
}

impl InOrder {
    /// The row of a form.
    ///
    /// # Panics
    /// If the processor has none: it lacks such instructions.
    #[must_use]
    pub fn of(&self, form: Form) -> &Clocks {
        let row = self.forms.iter().find(|row| row.form == form);
        row.unwrap_or_else(|| panic!("no clocks of {form:?}"))
    }

    /// What is waited or taken more, by name.
    #[must_use]
    pub const fn penalties(&self) -> [(&'static str, Penalty); 8] {
        [
            ("address", self.address),
            ("partial", self.partial),
            ("index", self.index),
            ("scaled", self.scaled),
            ("prefix", self.prefix),
            ("escape", self.escape),
            ("constant and displacement", self.constant_and_displacement),
            ("taken", self.taken),
        ]
    }

    /// The same for bounds, by kinds of instructions: the U pipe as port 0, the V pipe as port 1.
    pub(super) const fn rows(&self) -> [Row; 10] {
        let zero = self.escape.clocks;
        [
            self.kind(Kind::Logic, Form::Alu, 0),
            self.kind(Kind::Shift, Form::Shift, 0),
            self.kind(Kind::Copy, Form::Move, 0),
            self.kind(Kind::Low, Form::Extend, zero),
            self.kind(Kind::High, Form::Extend, zero),
            // Where there is none, three rotations do it.
            if self.has(Form::Swap) {
                self.kind(Kind::Swap, Form::Swap, zero)
            } else {
                let rotate = self.kind(Kind::Shift, Form::Rotate, 0);
                row(Kind::Swap, 3 * rotate.latency, rotate.ports)
            },
            self.kind(Kind::Address, Form::Address, 0),
            self.kind(Kind::Load, Form::Load, 0),
            self.kind(Kind::Store, Form::Store, 0),
            self.kind(Kind::Select, Form::Branch, 0),
        ]
    }

    const fn has(&self, form: Form) -> bool {
        self.place(form) < self.forms.len()
    }

    /// The place of a form's row; behind the last one if there is none.
    const fn place(&self, form: Form) -> usize {
        let mut n = 0;
        while n < self.forms.len() && self.forms[n].form as u8 != form as u8 {
            n += 1;
        }
        n
    }

    const fn kind(&self, kind: Kind, form: Form, more: u32) -> Row {
        let clocks = self.forms[self.place(form)];
        let ports = match clocks.pairing {
            Pairing::Alone | Pairing::First => 0b01,
            Pairing::Second => 0b10,
            Pairing::Either => 0b11,
        };
        row(kind, clocks.clocks + more, ports)
    }
}

/// A row for a processor with one pipe.
pub(super) const fn single(form: Form, clocks: u32, source: &'static str) -> Clocks {
    Clocks { form, clocks, pairing: Pairing::Alone, source }
}

/// A row for a processor with two.
pub(super) const fn paired(
    form: Form,
    clocks: u32,
    pairing: Pairing,
    source: &'static str,
) -> Clocks {
    Clocks { form, clocks, pairing, source }
}

/// So many clocks, and who says so.
pub(super) const fn penalty(clocks: u32, source: &'static str) -> Penalty {
    Penalty { clocks, source }
}
