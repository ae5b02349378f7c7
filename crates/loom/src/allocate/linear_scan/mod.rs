//! Linear scan: allocation, a line at a time.
//!
//! `registers.rs` says which register a value gets and which one gives way, `loops.rs` what happens where
//! a loop begins and ends, `held.rs` what each register holds.

mod held;
mod loops;
mod registers;

use std::collections::{BTreeMap, BTreeSet};

use super::flat::{Flat, Listing};
use crate::isa::frame::Abi;
use crate::isa::program::{Allocated, Location, Out};
use crate::isa::{Isa, LoopCarried, Node, Operand, Reg, RegSet, Role, Slot, Slots};
use held::Held;

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
/// every number of registers around loops up to the budget's, or every other one, and takes the one that adds least.
///
/// # Panics
/// If an instruction needs more registers than there are, or parameters do.
#[must_use]
pub fn allocate<T: Isa>(
    isa: T,
    code: &[Node<T::Inst>],
    params: &[Reg],
    abi: &Abi,
    budget: Budget,
) -> Allocated<T::Inst> {
    let listing = Listing::new(isa, code);
    // Where there are few, each one counts.
    let step = if budget.words < 8 { 1 } else { 2 };
    let (mut best, mut least): (Option<Allocated<T::Inst>>, _) = (None, u32::MAX);
    // Budgets of so many words, or more, give the code of one that was tried.
    let mut tried = usize::MAX;
    for words in (0..=budget.words).rev().step_by(step) {
        if words >= tried {
            continue;
        }
        let scan = Scan::new(isa, &listing, params, abi, Budget { words, ..budget });
        let Some((allocated, unused)) = scan.run(least) else { continue };
        tried = words - unused;
        least = allocated.spill_cost;
        let added = |allocated: &Allocated<T::Inst>| (allocated.spill_cost, allocated.slots);
        if best.as_ref().is_none_or(|best| added(&allocated) < added(best)) {
            best = Some(allocated);
        }
    }
    best.expect("there is at least one budget")
}

struct Scan<'a, T: Isa> {
    isa: T,
    listing: &'a Listing<T::Inst>,
    budget: Budget,
    holds: Held,
    /// Whether something may be held that nothing reads: a loop has begun.
    holds_dead: bool,
    /// How much of the budget for words no loop had a use for.
    unused: usize,
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
    /// The open loops.
    open: Vec<Open<T::Inst>>,
}

/// A loop whose body is being allocated.
struct Open<I> {
    count: Reg,
    count_location: Location,
    assigned: Vec<(LoopCarried, Location)>,
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
        let holds = Held::new(abi.arguments.iter().copied().zip(params.iter().copied()));
        Self {
            isa,
            listing,
            budget,
            holds,
            holds_dead: true,
            unused: budget.words,
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

    /// Gives the code, and how much of the budget for words it had no use for; nothing if it adds more than
    /// is allowed.
    fn run(mut self, allowed: u32) -> Option<(Allocated<T::Inst>, usize)> {
        self.drop_dead(0);
        for (at, line) in self.listing.lines.iter().enumerate() {
            match line {
                Flat::Inst(inst) => self.inst(at, inst),
                Flat::Comment(text) => self.out.push(Out::Comment(text.clone())),
                Flat::Begin { count, carried, end } => self.begin(at, *count, carried, *end),
                Flat::End { .. } => self.end(at),
            }
            if self.spill_cost > allowed {
                return None;
            }
        }
        let allocated = Allocated {
            lines: self.out,
            slots: self.slots,
            written: self.written,
            spill_cost: self.spill_cost,
        };
        Some((allocated, self.unused))
    }

    /// The register that holds a value.
    fn register(&self, value: Reg) -> Option<u8> {
        self.holds.iter().find(|(_, held)| *held == value).map(|(register, _)| register)
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

    /// Forgets values that nothing from line `at` on reads.
    fn drop_dead(&mut self, at: usize) {
        let listing = self.listing;
        self.holds.retain(|value| listing.next_read(value, at).is_some());
        self.holds_dead = false;
    }

    /// The same behind an instruction: values that it does not name are wanted as before.
    fn drop_dead_of(&mut self, at: usize, operands: &[Operand]) {
        if self.holds_dead {
            return self.drop_dead(at);
        }
        for operand in operands {
            if let Some(register) = self.register(operand.reg)
                && self.listing.next_read(operand.reg, at).is_none()
            {
                self.holds.remove(register);
            }
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
        // What no result may lie over, and then what is a result already.
        let mut kept = RegSet::EMPTY;
        for (n, operand) in operands.iter().enumerate() {
            if operand.role != Role::Define {
                let register = self.fetch(at, operand, locked);
                registers[n] = Some(register);
                locked = locked.or(RegSet::one(register));
                if operand.role == Role::Apart {
                    kept = kept.or(RegSet::one(register));
                }
            }
        }
        // A tied source that lives on is copied first.
        for (n, operand) in operands.iter().enumerate() {
            if operand.role == Role::Tied && !dies(operand.reg) {
                let from = registers[n].expect("a source has a register");
                let wish = self.wish(operands[n + 1].reg, at + 1);
                let register = self.free(at + 1, operand.allowed, wish, [locked; 2], false);
                self.add(self.isa.copy(Reg::Physical(register), Reg::Physical(from)));
                locked = locked.or(RegSet::one(register));
                if self.budget.prefer_spilled_victims && self.may_move(operand.reg, register) {
                    // What is copied can go on: the instruction does not wait for the copy then.
                    self.holds.remove(from);
                    self.holds.insert(register, operand.reg);
                } else {
                    registers[n] = Some(register);
                }
            }
        }
        self.drop_dead_of(at + 1, &operands);
        for (n, operand) in operands.iter().enumerate() {
            if operand.role != Role::Define {
                continue;
            }
            let register = match operands.get(n.wrapping_sub(1)) {
                Some(source) if source.role == Role::Tied => registers[n - 1].expect("set above"),
                _ => {
                    let hint = self.hint(operand.reg).filter(|register| {
                        operand.allowed.without(kept).contains(*register)
                            && !self.holds.registers().contains(*register)
                    });
                    let wish = self.wish(operand.reg, at + 1);
                    let briefly = self.is_brief(operand.reg, at);
                    hint.unwrap_or_else(|| {
                        self.free(at + 1, operand.allowed, wish, [kept, locked], briefly)
                    })
                }
            };
            registers[n] = Some(register);
            kept = kept.or(RegSet::one(register));
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
        self.drop_dead_of(at + 1, &operands);
    }
}
