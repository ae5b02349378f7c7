//! Code as one numbered list, and liveness: where each value is read next.

use std::collections::HashMap;

use crate::isa::{Isa, LoopCarried, Node, Reg, RegSet, Role};

/// A line of the list.
#[derive(Clone, Debug)]
pub(super) enum Flat<I> {
    Inst(I),
    Comment(String),
    Begin { count: Reg, carried: Vec<LoopCarried>, end: usize },
    End { begin: usize },
}

/// The list with, for each value, where it is read, in ascending order. Values are numbers here:
/// allocation asks for them more often than for anything else.
#[derive(Debug)]
pub(super) struct Listing<I> {
    pub(super) lines: Vec<Flat<I>>,
    reads: Vec<Vec<usize>>,
    /// Where a value is defined; parameters are nowhere.
    defined: Vec<Option<usize>>,
    /// What is written over a value.
    tied: Vec<Option<Reg>>,
    /// Where a value would best be, for all its readers.
    wishes: Vec<Option<RegSet>>,
    /// A value's class, if an instruction names it.
    classes: Vec<Option<u8>>,
    /// How many operands can be in few registers, for each register that they can be in.
    demand: [u32; RegSet::MOST],
    /// The innermost loop around each line.
    around: Vec<Option<(usize, usize)>>,
}

impl<I: Clone> Listing<I> {
    pub(super) fn new<T: Isa<Inst = I>>(isa: T, code: &[Node<I>]) -> Self {
        let mut lines = Vec::new();
        flatten(code, &mut lines);
        let mut listing = Self {
            lines,
            reads: Vec::new(),
            defined: Vec::new(),
            tied: Vec::new(),
            wishes: Vec::new(),
            classes: Vec::new(),
            demand: [0; RegSet::MOST],
            around: Vec::new(),
        };
        let mut open = Vec::new();
        for (at, line) in listing.lines.iter().enumerate() {
            listing.around.push(open.last().copied());
            match line {
                Flat::Begin { end, .. } => open.push((at, *end)),
                Flat::End { .. } => {
                    open.pop();
                }
                _ => {}
            }
        }
        listing.index(isa);
        listing
    }

    fn index<T: Isa<Inst = I>>(&mut self, isa: T) {
        let mut ties = Vec::new();
        let mut sets: HashMap<RegSet, u32> = HashMap::new();
        for (at, line) in self.lines.iter().enumerate() {
            match line {
                Flat::Inst(inst) => {
                    let operands = isa.operands(inst);
                    for (n, operand) in operands.iter().enumerate() {
                        match operand.role {
                            Role::Define => {
                                *entry(&mut self.defined, operand.reg) = Some(at);
                            }
                            Role::Use | Role::Apart => entry(&mut self.reads, operand.reg).push(at),
                            Role::Tied => {
                                entry(&mut self.reads, operand.reg).push(at);
                                *entry(&mut self.tied, operand.reg) = Some(operands[n + 1].reg);
                                ties.push((operand.reg, operands[n + 1].reg));
                            }
                        }
                        *sets.entry(operand.allowed).or_default() += 1;
                        let class =
                            operand.allowed.iter().next().map(|register| isa.class(register));
                        *entry(&mut self.classes, operand.reg) = class;
                        narrow(entry(&mut self.wishes, operand.reg), operand.allowed);
                    }
                    if let Some((reg, preferred)) = isa.prefers(inst) {
                        *sets.entry(preferred).or_default() += 1;
                        narrow(entry(&mut self.wishes, reg), preferred);
                    }
                }
                Flat::Begin { count, carried, .. } => {
                    entry(&mut self.reads, *count).push(at);
                    for carried in carried {
                        entry(&mut self.reads, carried.first).push(at);
                        *entry(&mut self.defined, carried.inside) = Some(at);
                    }
                }
                Flat::End { begin } => {
                    if let Flat::Begin { count, carried, .. } = &self.lines[*begin] {
                        entry(&mut self.reads, *count).push(at);
                        for carried in carried {
                            entry(&mut self.reads, carried.next).push(at);
                            *entry(&mut self.defined, carried.after) = Some(at);
                            ties.push((carried.inside, carried.next));
                        }
                    }
                }
                Flat::Comment(_) => {}
            }
        }
        let keys: Vec<RegSet> = sets.keys().copied().collect();
        let widest = |set: RegSet| {
            keys.iter().filter(|key| !key.and(set).is_empty()).copied().fold(set, RegSet::or)
        };
        for (set, count) in sets.into_iter().filter(|(set, _)| *set != widest(*set)) {
            for register in set.iter() {
                self.demand[usize::from(register)] += count;
            }
        }
        self.spread_classes();
        // A result over its source wants to be where the result is wanted.
        for (from, to) in ties.into_iter().rev() {
            let Some(wanted) = self.wish(to) else { continue };
            narrow(entry(&mut self.wishes, from), wanted);
        }
    }

    /// What goes around has one class under all its names, and may be an operand under one of them
    /// only; through nested loops too.
    fn spread_classes(&mut self) {
        let assigned: Vec<LoopCarried> = self
            .lines
            .iter()
            .flat_map(|line| match line {
                Flat::Begin { carried, .. } => carried.clone(),
                _ => Vec::new(),
            })
            .collect();
        loop {
            let before = self.classes.clone();
            for carried in &assigned {
                let names = [carried.first, carried.inside, carried.next, carried.after];
                let class = names.iter().find_map(|name| self.class(*name));
                for name in names {
                    *entry(&mut self.classes, name) = class;
                }
            }
            if self.classes == before {
                return;
            }
        }
    }

    /// Where `reg` is read next, from line `at` on; inside a loop that began after its
    /// definition it is wanted again at the loop's end.
    pub(super) fn next_read(&self, reg: Reg, at: usize) -> Option<usize> {
        let reads = self.reads(reg);
        let next = reads.get(reads.partition_point(|&read| read < at)).copied();
        let again = self.enclosing(at).and_then(|(begin, end)| {
            let defined = self.defined.get(number(reg)).copied().flatten();
            let before = defined.is_none_or(|defined| defined < begin);
            (before && self.reads_between(reg, begin, end) > 0).then_some(end)
        });
        match (next, again) {
            (Some(next), Some(again)) => Some(next.min(again)),
            (next, again) => next.or(again),
        }
    }

    /// Where the register of `reg` is wanted last, if nothing is written over it; loops are not
    /// followed.
    pub(super) fn ends(&self, reg: Reg) -> Option<usize> {
        self.reads(reg).last().copied().filter(|_| self.over(reg).is_none())
    }

    /// What is written over `reg`.
    pub(super) fn over(&self, reg: Reg) -> Option<Reg> {
        self.tied.get(number(reg)).copied().flatten()
    }

    /// The innermost loop around a line: its first and last lines.
    pub(super) fn enclosing(&self, at: usize) -> Option<(usize, usize)> {
        self.around.get(at).copied().flatten()
    }

    /// How many operands that are particular about their register could be in this one.
    pub(super) fn demand(&self, register: u8) -> u32 {
        self.demand[usize::from(register)]
    }

    /// How often `reg` is read between two lines.
    pub(super) fn reads_between(&self, reg: Reg, begin: usize, end: usize) -> usize {
        let reads = self.reads(reg);
        let first = reads.partition_point(|&read| read <= begin);
        reads[first..].partition_point(|&read| read < end)
    }

    /// Where a value would best be, if it is an operand.
    pub(super) fn wish(&self, reg: Reg) -> Option<RegSet> {
        self.wishes.get(number(reg)).copied().flatten()
    }

    /// A value's class, if an instruction names it.
    pub(super) fn class(&self, reg: Reg) -> Option<u8> {
        self.classes.get(number(reg)).copied().flatten()
    }

    fn reads(&self, reg: Reg) -> &[usize] {
        self.reads.get(number(reg)).map_or(&[], Vec::as_slice)
    }
}

/// # Panics
/// If it is a processor's register: there are none before allocation.
fn number(value: Reg) -> usize {
    match value {
        Reg::Virtual(number) => number as usize,
        Reg::Physical(register) => panic!("register {register} before allocation"),
    }
}

/// What a list says of a value.
fn entry<V: Default>(list: &mut Vec<V>, value: Reg) -> &mut V {
    let number = number(value);
    if list.len() <= number {
        list.resize_with(number + 1, V::default);
    }
    &mut list[number]
}

/// Narrows a wish to a set, if something is left of it.
fn narrow(wish: &mut Option<RegSet>, to: RegSet) {
    let wish = wish.get_or_insert(to);
    if !wish.and(to).is_empty() {
        *wish = wish.and(to);
    }
}

fn flatten<I: Clone>(code: &[Node<I>], lines: &mut Vec<Flat<I>>) {
    for line in code {
        match line {
            Node::Inst(inst) => lines.push(Flat::Inst(inst.clone())),
            Node::Comment(text) => lines.push(Flat::Comment(text.clone())),
            Node::Loop(body) => {
                let begin = lines.len();
                let (count, carried) = (body.count, body.carried.clone());
                lines.push(Flat::Begin { count, carried, end: 0 });
                flatten(&body.body, lines);
                let here = lines.len();
                lines.push(Flat::End { begin });
                if let Flat::Begin { end, .. } = &mut lines[begin] {
                    *end = here;
                }
            }
        }
    }
}
