//! What each register holds.

use crate::isa::{Reg, RegSet};

/// Registers, and the values in them. Allocation asks for them at every operand: no tree is as fast.
pub(super) struct Held {
    values: [Option<Reg>; RegSet::MOST],
    registers: RegSet,
}

impl Held {
    pub(super) fn new(values: impl Iterator<Item = (u8, Reg)>) -> Self {
        let mut held = Self { values: [None; RegSet::MOST], registers: RegSet::EMPTY };
        values.for_each(|(register, value)| held.insert(register, value));
        held
    }

    /// The registers that hold something.
    pub(super) fn registers(&self) -> RegSet {
        self.registers
    }

    /// Registers in ascending order, and what they hold.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u8, Reg)> {
        self.registers.iter().filter_map(|register| Some((register, self.get(register)?)))
    }

    pub(super) fn get(&self, register: u8) -> Option<Reg> {
        self.values[usize::from(register)]
    }

    /// Puts a value into a register, over what it holds.
    pub(super) fn insert(&mut self, register: u8, value: Reg) {
        self.values[usize::from(register)] = Some(value);
        self.registers = self.registers.or(RegSet::one(register));
    }

    /// Empties a register; gives what it held.
    pub(super) fn remove(&mut self, register: u8) -> Option<Reg> {
        self.registers = self.registers.without(RegSet::one(register));
        self.values[usize::from(register)].take()
    }

    /// Empties the registers of values that are not wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(Reg) -> bool) {
        for register in self.registers.iter() {
            if !self.get(register).is_some_and(&is_wanted) {
                self.remove(register);
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.retain(|_| false);
    }
}
