//! What instructions cost on one processor. The data are in each instruction set's `costs/`, a file
//! for each processor.

mod in_order;

pub use in_order::{Bus, Clocks, InOrder, IssueClass, Pairing, Penalty};

/// A scheduling class: instructions that cost alike. Its number is the instruction set's own, but for
/// those that every one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class(pub u8);

impl Class {
    /// A load, from address to result.
    pub const LOAD: Self = Self(0);
    /// A store.
    pub const STORE: Self = Self(1);
}

/// One row: cycles from source to result, and the ports that can do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What.
    pub class: Class,
    /// Cycles.
    pub latency: u32,
    /// Bit n: port n can do it; none: no port is needed.
    pub ports: u16,
    /// For how many cycles one of them is taken.
    pub times: u32,
}

impl Row {
    /// The same, but a port is taken for so many cycles.
    #[must_use]
    pub const fn times(self, times: u32) -> Self {
        Self { times, ..self }
    }
}

/// A processor's costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// Its name on the command line and in headers.
    pub name: &'static str,
    /// What it stands for, and where its numbers come from.
    pub doc: &'static str,
    /// Operations a cycle that can be renamed, a load with its arithmetic counting once.
    pub width: u32,
    /// A row for every class.
    pub rows: &'static [Row],
    /// In which order instructions are done.
    pub pipeline: Pipeline,
}

/// In which order a processor does instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipeline {
    /// As their sources are there and the ports of their rows are free; with what else uses of registers
    /// wait for.
    OutOfOrder(&'static [Wait]),
    /// In the order of the program: the clocks of a line follow from its instructions.
    InOrder(&'static InOrder),
}

/// What a use of a register waits for beyond its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Which use.
    pub of: Use,
    /// Clocks.
    pub clocks: u32,
    /// Who says so.
    pub source: &'static str,
}

/// A use of a register that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Of the whole, after a byte of it was written.
    Whole {
        /// Whether the register was cleared by `xor` with itself before.
        cleared: bool,
    },
    /// As an address of a load, of what instructions of a class made.
    Address(Class),
}

impl Cpu {
    /// The costs of a processor that does instructions in order; none of others.
    #[must_use]
    pub const fn in_order(&self) -> Option<&'static InOrder> {
        match self.pipeline {
            Pipeline::InOrder(costs) => Some(costs),
            Pipeline::OutOfOrder(_) => None,
        }
    }

    /// What a use of a whole register waits for after a part of it was written.
    #[must_use]
    pub fn partial(&self, cleared: bool) -> u32 {
        match self.pipeline {
            Pipeline::InOrder(costs) => costs.partial.clocks,
            Pipeline::OutOfOrder(waits) => wait(waits, Use::Whole { cleared }),
        }
    }

    /// What a load waits for, if instructions of a class made its address.
    #[must_use]
    pub fn address(&self, class: Class) -> u32 {
        match self.pipeline {
            Pipeline::InOrder(_) => 0,
            Pipeline::OutOfOrder(waits) => wait(waits, Use::Address(class)),
        }
    }

    /// The row of a class.
    ///
    /// # Panics
    /// If the processor's file has none: `tests` see to it that it has.
    #[must_use]
    pub fn row(&self, class: Class) -> &Row {
        let row = self.rows.iter().find(|row| row.class == class);
        row.unwrap_or_else(|| panic!("{} has no costs for {class:?}", self.name))
    }
}

/// What a use waits for.
fn wait(waits: &[Wait], of: Use) -> u32 {
    waits.iter().find(|wait| wait.of == of).map_or(0, |wait| wait.clocks)
}
