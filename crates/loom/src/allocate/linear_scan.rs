//! Allocation, a line at a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::flat::{Flat, Listing};
use super::moves::parallel;
use crate::isa::frame::Abi;
use crate::isa::program::{Allocated, Out, Place};
use crate::isa::{Code, Isa, LoopCarried, Operand, Reg, RegSet, Role, Slot, Slots};

/// What allocation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// All registers, of every class.
    pub registers: RegSet,
    /// How many words have a register around a loop, at the most. (Of registers of other classes a
    /// quarter is left to the body.)
    pub words: usize,
    /// Whether what is in a slot already gives up its register earlier: that costs one access where
    /// others cost two, which counts where no second instruction hides it.
    pub prefer_spilled_victims: bool,
}

/// Gives registers to the values of `code`, whose parameters lie where `abi` puts them. Tries
/// every number of homes up to the budget's, or every other one, and takes the one that adds least.
///
/// # Panics
/// If an instruction needs more registers than there are, or parameters do.
#[must_use]
pub fn allocate<T: Isa>(
    isa: T,
    code: &[Code<T::Inst>],
    params: &[Reg],
    abi: &Abi,
    budget: Budget,
) -> Allocated<T::Inst> {
    let listing = Listing::new(isa, code);
    // Where there are few, each one counts.
    let step = if budget.words < 8 { 1 } else { 2 };
    (0..=budget.words)
        .rev()
        .step_by(step)
        .map(|words| Scan::new(isa, &listing, params, abi, Budget { words, ..budget }).run())
        .min_by_key(|allocated| (allocated.spill_cost, allocated.slots))
        .expect("there is at least one budget")
}

/// How many times as far away a value seems that is in a slot already.
const STORED: usize = 4;

/// Within how many lines a value is wanted briefly.
const BRIEF: usize = 3;

/// How many lines ahead a value's readers decide on its register.
const HORIZON: usize = 24;

struct Scan<'a, T: Isa> {
    isa: T,
    listing: &'a Listing<T::Inst>,
    budget: Budget,
    /// What each register holds.
    holds: BTreeMap<u8, Reg>,
    /// The slot that has a value's own copy.
    slot: BTreeMap<Reg, Slot>,
    slots: Slots,
    out: Vec<Out<T::Inst>>,
    written: RegSet,
    spill_cost: u32,
    depth: u32,
    /// Registers that are better left alone outside the budget: given up last.
    saved: RegSet,
    /// After which line of the output each register was named last.
    named: BTreeMap<u8, usize>,
    /// The open repetitions.
    open: Vec<Open<T::Inst>>,
}

/// A repetition whose body is being allocated.
struct Open<I> {
    count: Reg,
    count_home: Place,
    homes: Vec<(LoopCarried, Place)>,
    /// Values from outside, and the registers in which the body finds them.
    outside: Vec<(Reg, u8)>,
    /// Values from outside whose slots the body reads; they are stored before it.
    stored: BTreeSet<Reg>,
    /// What stood in registers before the body began, to store from.
    before: BTreeMap<Reg, u8>,
    /// What was written before the body.
    prefix: Vec<Out<I>>,
}

impl<'a, T: Isa> Scan<'a, T> {
    fn new(
        isa: T,
        listing: &'a Listing<T::Inst>,
        params: &[Reg],
        abi: &Abi,
        budget: Budget,
    ) -> Self {
        let room = abi.arguments.len();
        assert!(params.len() <= room, "{} has registers for {room} parameters", abi.name);
        let holds = abi.arguments.iter().copied().zip(params.iter().copied()).collect();
        Self {
            isa,
            listing,
            budget,
            holds,
            slot: BTreeMap::new(),
            slots: Slots::default(),
            out: Vec::new(),
            written: RegSet::EMPTY,
            spill_cost: 0,
            depth: 0,
            saved: abi.saved,
            named: BTreeMap::new(),
            open: Vec::new(),
        }
    }

    fn run(mut self) -> Allocated<T::Inst> {
        self.drop_dead(0);
        for (at, line) in self.listing.lines.iter().enumerate() {
            match line {
                Flat::Inst(inst) => self.inst(at, inst),
                Flat::Comment(text) => self.out.push(Out::Comment(text.clone())),
                Flat::Begin { count, carried, end } => self.begin(at, *count, carried, *end),
                Flat::End { .. } => self.end(at),
            }
        }
        Allocated {
            lines: self.out,
            slots: self.slots,
            written: self.written,
            spill_cost: self.spill_cost,
        }
    }

    /// The register that holds a value.
    fn register(&self, value: Reg) -> Option<u8> {
        self.holds.iter().find(|(_, held)| **held == value).map(|(register, _)| *register)
    }

    fn add(&mut self, inst: T::Inst) {
        for operand in self.isa.operands(&inst) {
            if let (Reg::Physical(register), Role::Define) = (operand.reg, operand.role) {
                self.written = self.written.or(RegSet::one(register));
            }
        }
        self.spill_cost += if self.depth > 0 { 16 } else { 1 };
        self.out.push(Out::Inst(inst, None));
    }

    fn move_all(&mut self, moves: &[(Place, Place)], idle: RegSet) {
        let mut added = Vec::new();
        let slots = &mut self.slots;
        let new_slot = |class| slots.one_more(class);
        parallel(self.isa, moves, idle, new_slot, |inst| added.push(inst));
        added.into_iter().for_each(|inst| self.add(inst));
    }

    /// Forgets values that nothing from line `at` on reads.
    fn drop_dead(&mut self, at: usize) {
        let listing = self.listing;
        self.holds.retain(|_, value| listing.next_read(*value, at).is_some());
    }

    /// Makes a register of `allowed` free, without those in `locked`; for what is wanted `briefly`, one
    /// that was not in use for long, so that less has to come after something else.
    fn free(
        &mut self,
        at: usize,
        allowed: RegSet,
        wish: RegSet,
        locked: RegSet,
        briefly: bool,
    ) -> u8 {
        let usable = allowed.and(self.budget.registers).without(locked);
        let idle = |register: &u8| !self.holds.contains_key(register);
        let scarce = |register: u8| {
            // Take what fits the wish, what few others wish for, and what needs no saving.
            let fits = wish.contains(register);
            let saved = self.saved.contains(register) && !self.written.contains(register);
            let demand = self.listing.demand(register);
            // What others wish for is left again at once.
            let brief = briefly.then(|| (Reverse(demand), self.named.get(&register)));
            (!fits, brief, demand, saved, register)
        };
        if let Some(register) = usable.iter().filter(idle).min_by_key(|&r| scarce(r)) {
            return register;
        }
        let furthest = usable.iter().max_by_key(|register| {
            let value = self.holds[register];
            let next = self.listing.next_read(value, at).unwrap_or(usize::MAX);
            let stored = self.budget.prefer_spilled_victims && self.slot.contains_key(&value);
            next.saturating_sub(at).saturating_mul(if stored { STORED } else { 1 })
        });
        let register = furthest.expect("an instruction names fewer registers than there are");
        // A register that the instruction cannot name keeps the value cheaper than a slot.
        let class = T::CLASSES[usize::from(self.isa.class(register))].registers;
        let class = class.and(self.budget.registers);
        let elsewhere = class.without(usable).without(locked);
        match elsewhere.iter().filter(idle).min_by_key(|&r| scarce(r)) {
            Some(to) => {
                let value = self.holds.remove(&register).expect("what is emptied holds a value");
                self.add(self.isa.copy(Reg::Physical(to), Reg::Physical(register)));
                self.holds.insert(to, value);
            }
            None => self.evict(register),
        }
        register
    }

    /// Empties a register; its value is kept in a slot.
    fn evict(&mut self, register: u8) {
        let value = self.holds.remove(&register).expect("only what holds a value is emptied");
        if self.slot.contains_key(&value) {
            return;
        }
        let slot = self.slots.one_more(self.isa.class(register));
        self.slot.insert(value, slot);
        if self.is_outside(value) {
            // The store goes before the repetition: its value does not change inside.
            return;
        }
        self.add(self.isa.spill(slot, Reg::Physical(register)));
    }

    /// Whether a value comes from outside the innermost open repetition.
    fn is_outside(&mut self, value: Reg) -> bool {
        let Some(open) = self.open.last_mut() else { return false };
        if open.outside.iter().any(|(outside, _)| *outside == value) {
            open.stored.insert(value);
            return true;
        }
        false
    }

    /// A register of `allowed` with the value in it.
    fn fetch(&mut self, at: usize, operand: &Operand, locked: RegSet) -> u8 {
        let value = operand.reg;
        let here = self.register(value);
        if let Some(register) = here.filter(|&register| operand.allowed.contains(register)) {
            return register;
        }
        let locked = here.map_or(locked, |register| locked.or(RegSet::one(register)));
        let wish = self.wish(value, at);
        let register = self.free(at, operand.allowed, wish, locked, false);
        match here {
            Some(from) => {
                self.add(self.isa.copy(Reg::Physical(register), Reg::Physical(from)));
                // For this one instruction: the value keeps its place. Where there are few registers
                // it moves, as what it waits for may want the same.
                if self.budget.prefer_spilled_victims {
                    self.holds.remove(&from);
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
    fn may_move(&self, value: Reg, to: u8) -> bool {
        self.listing.wish(value).is_none_or(|wish| wish.contains(to))
    }

    /// Whether a value defined at a line is wanted soon, and then no more.
    fn is_brief(&self, value: Reg, at: usize) -> bool {
        self.budget.prefer_spilled_victims
            && self.listing.ends(value).is_some_and(|end| end <= at + BRIEF)
    }

    /// Where a value would best be. What is read much later does not wait in a register that
    /// others are particular about: a copy then costs less.
    fn wish(&self, value: Reg, at: usize) -> RegSet {
        let soon = self.listing.next_read(value, at).is_some_and(|next| next <= at + HORIZON);
        self.listing.wish(value).filter(|_| soon).unwrap_or_else(|| self.registers(value))
    }

    /// The class of a value; of one that no instruction names, that of words.
    fn class(&self, value: Reg) -> u8 {
        self.listing.class(value).unwrap_or(0)
    }

    /// The registers that can hold a value.
    fn registers(&self, value: Reg) -> RegSet {
        T::CLASSES[usize::from(self.class(value))].registers.and(self.budget.registers)
    }

    /// Where a new value should go: its home, if it is the next one of a carried value.
    fn hint(&self, value: Reg) -> Option<u8> {
        let open = self.open.last()?;
        let (_, place) = open.homes.iter().find(|(home, _)| home.next == value)?;
        match place {
            Place::Register(register) => Some(*register),
            Place::Slot(_) => None,
        }
    }

    fn inst(&mut self, at: usize, inst: &T::Inst) {
        let listing = self.listing;
        let dies = |value: Reg| listing.next_read(value, at + 1).is_none();
        let mut inst = inst.clone();
        // Write over a source that is wanted no more.
        let isa = self.isa;
        let keeps = |inst: &T::Inst| {
            isa.operands(inst)
                .iter()
                .any(|operand| operand.role == Role::Tied && !dies(operand.reg))
        };
        if keeps(&inst) {
            inst =
                self.isa.exchanged(&inst).into_iter().find(|other| !keeps(other)).unwrap_or(inst);
        }
        let operands = self.isa.operands(&inst);
        let mut registers = vec![None; operands.len()];
        let mut locked = RegSet::EMPTY;
        for (n, operand) in operands.iter().enumerate() {
            if operand.role != Role::Define {
                let register = self.fetch(at, operand, locked);
                registers[n] = Some(register);
                locked = locked.or(RegSet::one(register));
            }
        }
        // A tied source that lives on is copied first.
        for (n, operand) in operands.iter().enumerate() {
            if operand.role == Role::Tied && !dies(operand.reg) {
                let from = registers[n].expect("a source has a register");
                let wish = self.wish(operands[n + 1].reg, at + 1);
                let register = self.free(at + 1, operand.allowed, wish, locked, false);
                self.add(self.isa.copy(Reg::Physical(register), Reg::Physical(from)));
                locked = locked.or(RegSet::one(register));
                if self.budget.prefer_spilled_victims && self.may_move(operand.reg, register) {
                    // What is copied can go on: the instruction does not wait for the copy then.
                    self.holds.remove(&from);
                    self.holds.insert(register, operand.reg);
                } else {
                    registers[n] = Some(register);
                }
            }
        }
        self.drop_dead(at + 1);
        let mut defined = RegSet::EMPTY;
        for (n, operand) in operands.iter().enumerate() {
            if operand.role != Role::Define {
                continue;
            }
            let register = match operands.get(n.wrapping_sub(1)) {
                Some(source) if source.role == Role::Tied => registers[n - 1].expect("set above"),
                _ => {
                    let hint = self.hint(operand.reg).filter(|register| {
                        operand.allowed.contains(*register) && !self.holds.contains_key(register)
                    });
                    let wish = self.wish(operand.reg, at + 1);
                    let kept = RegSet::EMPTY.or(defined);
                    let briefly = self.is_brief(operand.reg, at);
                    hint.unwrap_or_else(|| self.free(at + 1, operand.allowed, wish, kept, briefly))
                }
            };
            registers[n] = Some(register);
            defined = defined.or(RegSet::one(register));
            self.written = self.written.or(RegSet::one(register));
            self.slot.remove(&operand.reg);
            self.holds.insert(register, operand.reg);
        }
        for register in registers.iter().flatten() {
            self.named.insert(*register, self.out.len());
        }
        let named: Vec<_> =
            registers.iter().map(|register| Reg::Physical(register.expect("set above"))).collect();
        self.out.push(Out::Inst(self.isa.rename(&inst, &named), Some(at)));
        self.drop_dead(at + 1);
    }

    fn begin(&mut self, at: usize, count: Reg, carried: &[LoopCarried], end: usize) {
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

    fn end(&mut self, at: usize) {
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
