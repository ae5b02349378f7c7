//! Loops: which values have a register around one, and how they come to it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{Open, Scan};
use crate::allocate::moves::parallel;
use crate::isa::program::{Out, Place};
use crate::isa::{Isa, LoopCarried, Reg, RegSet};

impl<T: Isa> Scan<'_, T> {
    fn move_all(&mut self, moves: &[(Place, Place)], idle: RegSet) {
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
            carried.iter().map(|home| (home.first, home.inside)).collect();
        let mut live: Vec<Reg> = self.holds.values().chain(self.slot.keys()).copied().collect();
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
        let mut places = BTreeMap::new();
        let mut moves = Vec::new();
        for (first, inside) in &around {
            let class = self.class(*inside);
            let from = match self.register(*first) {
                Some(register) => Place::Register(register),
                None => Place::Slot(self.slot[first]),
            };
            let wish = left.and(self.wish(*inside, at + 1));
            let wish = if wish.is_empty() { left.and(self.registers(*inside)) } else { wish };
            let room = &mut room[usize::from(class)];
            let to = if *room > 0 && !wish.is_empty() {
                *room -= 1;
                // Stay where it is, if that is as good.
                let stay = match from {
                    Place::Register(register) if wish.contains(register) => Some(register),
                    _ => None,
                };
                let any = wish.iter().min_by_key(|&register| listing.demand(register));
                Place::Register(stay.or(any).expect("the wish is not empty"))
            } else if first == inside && self.slot.contains_key(first) {
                Place::Slot(self.slot[first])
            } else {
                Place::Slot(self.slots.one_more(class))
            };
            if let Place::Register(register) = to {
                left = left.without(RegSet::one(register));
            }
            places.insert(*inside, to);
            moves.push((from, to));
        }
        // What lives on behind the repetition and is not read inside waits in a slot.
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
            self.holds.iter().map(|(register, value)| (*value, *register)).collect();
        let prefix = std::mem::take(&mut self.out);
        let idle = self.budget.registers.without(
            self.holds.keys().fold(RegSet::EMPTY, |set, register| set.or(RegSet::one(*register))),
        );
        self.move_all(&moves, idle);
        self.holds.clear();
        let mut outside = Vec::new();
        for (first, inside) in &around {
            match places[inside] {
                Place::Register(register) => {
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
                Place::Slot(slot) => {
                    self.slot.insert(*inside, slot);
                }
            }
        }
        let homes = carried.iter().map(|home| (*home, places[&home.inside])).collect::<Vec<_>>();
        self.out.push(Out::Begin(count, places[&count], homes.clone()));
        self.depth += 1;
        self.open.push(Open {
            count,
            count_home: places[&count],
            homes,
            outside,
            stored: BTreeSet::new(),
            before,
            prefix,
        });
    }

    pub(super) fn end(&mut self, at: usize) {
        let open = self.open.last().expect("a repetition is open");
        let (count, count_home) = (open.count, open.count_home);
        let mut moves: Vec<(Place, Place)> = Vec::new();
        let here = |value: Reg| match self.register(value) {
            Some(register) => Place::Register(register),
            None => Place::Slot(self.slot[&value]),
        };
        for (home, place) in &open.homes {
            moves.push((here(home.next), *place));
        }
        for (value, register) in &open.outside {
            moves.push((here(*value), Place::Register(*register)));
        }
        moves.push((here(count), count_home));
        let taken =
            moves.iter().flat_map(|(from, to)| [*from, *to]).fold(RegSet::EMPTY, |set, place| {
                match place {
                    Place::Register(register) => set.or(RegSet::one(register)),
                    Place::Slot(_) => set,
                }
            });
        let idle = self.budget.registers.without(taken);
        self.move_all(&moves, idle);
        self.out.push(Out::End(count_home));
        self.depth -= 1;
        let open = self.open.pop().expect("a repetition is open");
        // Values that the body fetches from slots are put there before it, once.
        let body = std::mem::replace(&mut self.out, open.prefix);
        let mut stored: Vec<_> = open.stored.into_iter().collect();
        stored.sort_unstable();
        for value in stored {
            let slot = self.slot[&value];
            let from = open.before.get(&value).copied();
            let from = from.expect("a value with a register at home had one before");
            self.add(self.isa.spill(slot, Reg::Physical(from)));
        }
        self.out.extend(body);
        self.holds.clear();
        for (home, place) in &open.homes {
            match place {
                Place::Register(register) => {
                    self.holds.insert(*register, home.after);
                }
                Place::Slot(slot) => {
                    self.slot.insert(home.after, *slot);
                }
            }
        }
        for (value, register) in open.outside {
            self.holds.insert(register, value);
        }
        self.drop_dead(at + 1);
    }
}
