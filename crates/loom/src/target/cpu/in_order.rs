//! Processors that do instructions in the order of the program: clocks of each form of instruction,
//! and what makes the next one wait.

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
    pub const ALL: [Self; 20] = [
        Self::Move,
        Self::Load,
        Self::Store,
        Self::Alu,
        Self::AluLoad,
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
}

/// What a processor costs that does instructions in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InOrder {
    /// A row for every form that the processor has.
    pub forms: &'static [Clocks],
    /// Clocks that must pass between a register's result and an address made of it.
    pub address: u32,
    /// Clocks that must pass between a part of a register and a use of the whole.
    pub partial: u32,
    /// Clocks more for an address with an index beside a base, or with a scaled one.
    pub index: u32,
    /// Clocks more for a prefix that changes the size of operands.
    pub prefix: u32,
    /// Clocks more for the first byte of two-byte operations (0F), but for branches.
    pub escape: u32,
    /// Clocks more for a constant beside a displacement.
    pub constant_and_displacement: u32,
    /// Clocks more for a branch that is taken.
    pub taken: u32,
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
}

/// A row for a processor with one pipe.
pub(super) const fn single(form: Form, clocks: u32) -> Clocks {
    Clocks { form, clocks, pairing: Pairing::Alone }
}

/// A row for a processor with two.
pub(super) const fn paired(form: Form, clocks: u32, pairing: Pairing) -> Clocks {
    Clocks { form, clocks, pairing }
}
