//! What finished instructions read, write and cost, for those who follow a call.

use super::costs::{Bus, Class, InOrder};

/// What a line is to who follows a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// An instruction.
    Do,
    /// The top of a loop, by the number of its label.
    Top(usize),
    /// Another label.
    Label(usize),
    /// A branch back to a top, as often as its loop is done.
    Again(usize),
    /// A branch around a loop, if it is done no time.
    Around(usize),
    /// A return.
    Return,
}

/// One instruction.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// What it does beside loads and stores; none: it only loads or stores, or is done together
    /// with the branch behind it.
    pub class: Option<Class>,
    /// Whether it loads.
    pub loads: bool,
    /// Whether it stores.
    pub stores: bool,
    /// Registers that addresses are made of.
    pub address: Vec<Resource>,
    /// Other places that it reads.
    pub reads: Vec<Resource>,
    /// Places that it writes.
    pub writes: Vec<Resource>,
    /// Whether it is done together with the branch behind it, and takes no place of its own.
    pub fused: bool,
    /// Places of which it reads the whole, beside addresses.
    pub whole: Vec<Resource>,
    /// Whether it writes a part of a register.
    pub part: bool,
    /// Whether it clears a register by an XOR with itself.
    pub clears: bool,
}

/// Where a value is that others wait for, by number: a register, whole, or flags, by the instruction
/// set's numbers; a slot on the stack. State and data in memory are not here: what is loaded from there
/// was stored long before, or elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource(usize);

impl Resource {
    const SLOT_0: usize = 256;

    /// A register, or the like.
    #[must_use]
    pub const fn register(number: u8) -> Self {
        Self(number as usize)
    }

    /// A slot by its displacement; `known` has those that were met before.
    pub fn slot(displacement: i64, known: &mut Vec<i64>) -> Self {
        let n = known.iter().position(|slot| *slot == displacement).unwrap_or_else(|| {
            known.push(displacement);
            known.len() - 1
        });
        Self(Self::SLOT_0 + n)
    }

    /// Whether it is a slot.
    #[must_use]
    pub const fn is_slot(self) -> bool {
        self.0 >= Self::SLOT_0
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> usize {
        self.0
    }
}

/// Exact sums for a program's lines, in the order in which they are done, on processors that do
/// instructions in order.
pub trait InOrderSums {
    /// The clocks.
    fn clocks(&self, lines: &[usize], costs: &InOrder) -> u32;

    /// The prefixes.
    fn prefixes(&self, lines: &[usize]) -> u32;

    /// The clocks for which the bus is busy, code and data, where there is no cache.
    fn bus(&self, lines: &[usize], costs: &Bus) -> f64;
}
