//! Processors that do instructions in the order of the program: clocks of each form of instruction,
//! and what makes the next one wait; each figure with its source.

/// An issue class: forms of instructions that take alike, as the makers' manuals list them. Its number is
/// the instruction set's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IssueClass(pub u8);

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
    pub form: IssueClass,
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
    pub fn of(&self, form: IssueClass) -> &Clocks {
        let row = self.forms.iter().find(|row| row.form == form);
        row.unwrap_or_else(|| panic!("no clocks of {form:?}"))
    }
}
