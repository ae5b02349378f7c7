//! Loops: which values have a register around one, and how they come to it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{Open, Scan};
use crate::allocate::moves::parallel;
use crate::isa::program::{Location, Out};
use crate::isa::{Isa, LoopCarried, Reg, RegSet};

impl<T: Isa> Scan<'_, T> {
    fn move_all(&mut self, moves: &[(Location, Location)], idle: RegSet) {
        let mut added = Vec::new();
        let slots = &mut self.slots;
        let new_slot = |class| slots.one_more(class);
        parallel(self.isa, moves, idle, new_slot, |inst| added.push(inst));
        added.into_iter().for_each(|inst| self.add(inst));
    }

    pub(super) fn begin(&mut self, at: usize, count: Reg, carried: &[LoopCarried], end: usize) {
        let listing = self.listing;
        // What goes around, and what is only read: most read first.
        let mut around: Vec<(Reg, Reg)> =
            carried.iter().map(|carried| (carried.first, carried.inside)).collect();
        let mut live: Vec<Reg> =
            self.holds.iter().map(|(_, value)| value).chain(self.slot.keys().copied()).collect();
        live.sort_unstable();
        live.dedup();
        let read_inside = |value: &Reg| listing.reads_between(*value, at, end) > 0;
        around.extend(live.iter().filter(|value| read_inside(value)).map(|value| (*value, *value)));
        around.push((count, count));
        let reads = |inside: Reg| listing.reads_between(inside, at, end);
        around.sort_by_key(|(_, inside)| {
            (Reverse((reads(*inside) + usize::from(*inside != count)).min(64)), *inside)
        });
        let mut left = self.budget.registers;
        let mut room: Vec<usize> = T::CLASSES
            .iter()
            .map(|class| left.and(class.registers).len())
            .map(|registers| registers - registers / 4)
            .collect();
        room[0] = self.budget.words;
        let mut locations = BTreeMap::new();
        let mut moves = Vec::new();
        for (first, inside) in &around {
            let class = self.class(*inside);
            let from = match self.register(*first) {
                Some(register) => Location::Register(register),
                None => Location::Slot(self.slot[first]),
            };
            let wish = left.and(self.wish(*inside, at + 1));
            let wish = if wish.is_empty() { left.and(self.registers(*inside)) } else { wish };
            let room = &mut room[usize::from(class)];
            let to = if *room > 0 && !wish.is_empty() {
                *room -= 1;
                // Stay where it is, if that is as good.
                let stay = match from {
                    Location::Register(register) if wish.contains(register) => Some(register),
                    _ => None,
                };
                let any = wish.iter().min_by_key(|&register| listing.demand(register));
                Location::Register(stay.or(any).expect("the wish is not empty"))
            } else if first == inside && self.slot.contains_key(first) {
                Location::Slot(self.slot[first])
            } else {
                Location::Slot(self.slots.one_more(class))
            };
            if let Location::Register(register) = to {
                left = left.without(RegSet::one(register));
            }
            locations.insert(*inside, to);
            moves.push((from, to));
        }
        self.unused = self.unused.min(room[0]);
        // What lives on behind the loop and is not read inside waits in a slot.
        for value in live {
            let lives = listing.next_read(value, end + 1).is_some();
            let needed = lives && !around.iter().any(|(_, inside)| *inside == value);
            if needed && !self.slot.contains_key(&value) {
                let from = self.register(value).expect("a live value is somewhere");
                let slot = self.slots.one_more(self.isa.class(from));
                self.add(self.isa.spill(slot, Reg::Physical(from)));
                self.slot.insert(value, slot);
            }
        }
        let before: BTreeMap<Reg, u8> =
            self.holds.iter().map(|(register, value)| (value, register)).collect();
        let prefix = std::mem::take(&mut self.out);
        let idle = self.budget.registers.without(self.holds.registers());
        self.move_all(&moves, idle);
        self.holds.clear();
        self.holds_dead = true;
        let mut outside = Vec::new();
        for (first, inside) in &around {
            match locations[inside] {
                Location::Register(register) => {
                    if *inside == count {
                        // It changes in its register: a copy in a slot would be an old one.
                        self.slot.remove(&count);
                    }
                    self.holds.insert(register, *inside);
                    self.written = self.written.or(RegSet::one(register));
                    if first == inside && *inside != count {
                        outside.push((*inside, register));
                    }
                }
                Location::Slot(slot) => {
                    self.slot.insert(*inside, slot);
                }
            }
        }
        let assigned = carried
            .iter()
            .map(|carried| (*carried, locations[&carried.inside]))
            .collect::<Vec<_>>();
        self.out.push(Out::Begin(count, locations[&count], assigned.clone()));
        self.depth += 1;
        self.open.push(Open {
            count,
            count_location: locations[&count],
            assigned,
            outside,
            stored: BTreeSet::new(),
            before,
            prefix,
        });
    }

    pub(super) fn end(&mut self, at: usize) {
        let open = self.open.last().expect("a loop is open");
        let (count, count_location) = (open.count, open.count_location);
        let mut moves: Vec<(Location, Location)> = Vec::new();
        let here = |value: Reg| match self.register(value) {
            Some(register) => Location::Register(register),
            None => Location::Slot(self.slot[&value]),
        };
        for (carried, location) in &open.assigned {
            moves.push((here(carried.next), *location));
        }
        for (value, register) in &open.outside {
            moves.push((here(*value), Location::Register(*register)));
        }
        moves.push((here(count), count_location));
        let taken = moves.iter().flat_map(|(from, to)| [*from, *to]).fold(
            RegSet::EMPTY,
            |set, location| match location {
                Location::Register(register) => set.or(RegSet::one(register)),
                Location::Slot(_) => set,
            },
        );
        let idle = self.budget.registers.without(taken);
        self.move_all(&moves, idle);
        self.out.push(Out::End(count_location));
        self.depth -= 1;
        let open = self.open.pop().expect("a loop is open");
        // Values that the body fetches from slots are put there before it, once.
        let body = std::mem::replace(&mut self.out, open.prefix);
        let mut stored: Vec<_> = open.stored.into_iter().collect();
        stored.sort_unstable();
        for value in stored {
            let slot = self.slot[&value];
            let from = open.before.get(&value).copied();
            let from = from.expect("a value with a register around the loop had one before it");
            self.add(self.isa.spill(slot, Reg::Physical(from)));
        }
        self.out.extend(body);
        self.holds.clear();
        for (carried, location) in &open.assigned {
            match location {
                Location::Register(register) => {
                    self.holds.insert(*register, carried.after);
                }
                Location::Slot(slot) => {
                    self.slot.insert(carried.after, *slot);
                }
            }
        }
        for (value, register) in open.outside {
            self.holds.insert(register, value);
        }
        self.drop_dead(at + 1);
    }
}
