//! Which register a value gets, and which one gives way.

use std::cmp::Reverse;

use super::Scan;
use crate::isa::program::Location;
use crate::isa::{Isa, Operand, Reg, RegSet};

/// How many times as far away a value seems that is in a slot already.
const STORED: usize = 4;

/// Within how many lines a value is wanted briefly.
const BRIEF: usize = 3;

/// How many lines ahead a value's readers decide on its register.
const HORIZON: usize = 24;

impl<T: Isa> Scan<'_, T> {
    /// Makes a register of `allowed` free, without those in `locked`; for what is wanted `briefly`, one
    /// that was not in use for long, so that less has to come after something else. What gives way is not
    /// put into one of `read`, which the instruction that comes next reads.
    pub(super) fn free(
        &mut self,
        at: usize,
        allowed: RegSet,
        wish: RegSet,
        [locked, read]: [RegSet; 2],
        briefly: bool,
    ) -> u8 {
        let usable = allowed.and(self.budget.registers).without(locked);
        let held = self.holds.registers();
        let idle = |register: &u8| !held.contains(*register);
        let scarce = |register: u8| {
            // Take what fits the wish, what few others wish for, and what needs no saving.
            let fits = wish.contains(register);
            let saved = self.saved.contains(register) && !self.written.contains(register);
            let demand = self.listing.demand(register);
            // What others wish for is left again at once.
            let brief = briefly.then(|| (Reverse(demand), self.named.get(&register)));
            (!fits, brief, demand, saved, self.is_carried(register), register)
        };
        if let Some(register) = usable.iter().filter(idle).min_by_key(|&r| scarce(r)) {
            return register;
        }
        let furthest = usable.iter().max_by_key(|register| {
            let value = self.holds.get(*register).expect("no register is idle");
            let next = self.listing.next_read(value, at).unwrap_or(usize::MAX);
            let stored = self.budget.prefer_spilled_victims && self.slot.contains_key(&value);
            next.saturating_sub(at).saturating_mul(if stored { STORED } else { 1 })
        });
        let register = furthest.expect("an instruction names fewer registers than there are");
        // A register that the instruction cannot name keeps the value cheaper than a slot.
        let class = T::CLASSES[usize::from(self.isa.class(register))].registers;
        let class = class.and(self.budget.registers);
        let elsewhere = class.without(usable).without(locked).without(read);
        match elsewhere.iter().filter(idle).min_by_key(|&r| scarce(r)) {
            Some(to) => {
                let value = self.holds.remove(register).expect("what is emptied holds a value");
                self.add(self.isa.copy(Reg::Physical(to), Reg::Physical(register)));
                self.holds.insert(to, value);
            }
            None => self.evict(register),
        }
        register
    }

    /// Empties a register; its value is kept in a slot.
    fn evict(&mut self, register: u8) {
        let value = self.holds.remove(register).expect("only what holds a value is emptied");
        if self.slot.contains_key(&value) {
            return;
        }
        let slot = self.slots.one_more(self.isa.class(register));
        self.slot.insert(value, slot);
        if self.is_outside(value) {
            // The store goes before the loop: its value does not change inside.
            return;
        }
        self.add(self.isa.spill(slot, Reg::Physical(register)));
    }

    /// Whether a value comes from outside the innermost open loop.
    fn is_outside(&mut self, value: Reg) -> bool {
        let Some(open) = self.open.last_mut() else { return false };
        if open.outside.iter().any(|(outside, _)| *outside == value) {
            open.stored.insert(value);
            return true;
        }
        false
    }

    /// A register of `allowed` with the value in it.
    pub(super) fn fetch(&mut self, at: usize, operand: &Operand, locked: RegSet) -> u8 {
        let value = operand.reg;
        let here = self.register(value);
        if let Some(register) = here.filter(|&register| operand.allowed.contains(register)) {
            return register;
        }
        let locked = here.map_or(locked, |register| locked.or(RegSet::one(register)));
        let wish = self.wish(value, at);
        let register = self.free(at, operand.allowed, wish, [locked; 2], false);
        match here {
            Some(from) => {
                self.add(self.isa.copy(Reg::Physical(register), Reg::Physical(from)));
                // For this one instruction: the value keeps its location. Where there are few registers
                // it moves, as what it waits for may want the same.
                if self.budget.prefer_spilled_victims {
                    self.holds.remove(from);
                    self.holds.insert(register, value);
                }
            }
            None => {
                let slot = self.slot[&value];
                self.add(self.isa.reload(Reg::Physical(register), slot));
                self.holds.insert(register, value);
            }
        }
        register
    }

    /// Whether a value would be as well in another register.
    pub(super) fn may_move(&self, value: Reg, to: u8) -> bool {
        self.listing.wish(value).is_none_or(|wish| wish.contains(to))
    }

    /// Whether a value defined at a line is wanted soon, and then no more.
    pub(super) fn is_brief(&self, value: Reg, at: usize) -> bool {
        self.budget.prefer_spilled_victims
            && self.listing.ends(value).is_some_and(|end| end <= at + BRIEF)
    }

    /// Where a value would best be. What is read much later does not wait in a register that
    /// others are particular about: a copy then costs less.
    pub(super) fn wish(&self, value: Reg, at: usize) -> RegSet {
        let soon = self.listing.next_read(value, at).is_some_and(|next| next <= at + HORIZON);
        self.listing.wish(value).filter(|_| soon).unwrap_or_else(|| self.registers(value))
    }

    /// The class of a value; of one that no instruction names, that of words.
    pub(super) fn class(&self, value: Reg) -> u8 {
        self.listing.class(value).unwrap_or(0)
    }

    /// The registers that can hold a value.
    pub(super) fn registers(&self, value: Reg) -> RegSet {
        T::CLASSES[usize::from(self.class(value))].registers.and(self.budget.registers)
    }

    /// Where a new value should go: the assigned location, if it is the next one of a loop-carried value.
    pub(super) fn hint(&self, value: Reg) -> Option<u8> {
        let open = self.open.last()?;
        let found = open.assigned.iter().find(|(carried, _)| carried.next == value);
        match found {
            Some((_, Location::Register(register))) => Some(*register),
            Some((_, Location::Slot(_))) => None,
            // What is written over it may be that.
            None => self.hint(self.listing.over(value).filter(|_| T::LOOPS_IN_PLACE)?),
        }
    }

    /// Whether what goes around the innermost open loop comes to its end in this register.
    fn is_carried(&self, register: u8) -> bool {
        let is = |(_, location): &(_, Location)| *location == Location::Register(register);
        T::LOOPS_IN_PLACE && self.open.last().is_some_and(|open| open.assigned.iter().any(is))
    }
}
