//! Code as one numbered list, and what allocation must know of it beforehand.

use std::collections::HashMap;

use crate::target::{Code, Home, Isa, Reg, RegSet, Role};

/// A line of the list.
#[derive(Clone, Debug)]
pub(super) enum Flat<I> {
    Inst(I),
    Remark(String),
    Begin { count: Reg, carried: Vec<Home>, end: usize },
    End { begin: usize },
}

/// The list with, for each register, where it is read, in ascending order.
#[derive(Debug)]
pub(super) struct Listing<I> {
    pub(super) lines: Vec<Flat<I>>,
    pub(super) reads: HashMap<Reg, Vec<usize>>,
    /// Where a register is defined; parameters are not there.
    pub(super) defined: HashMap<Reg, usize>,
    /// Where a value would best be, for all its readers.
    pub(super) wishes: HashMap<Reg, RegSet>,
    /// How many operands can be in few registers, for each register that they can be in.
    demand: HashMap<u8, u32>,
    /// The innermost repetition around each line.
    around: Vec<Option<(usize, usize)>>,
}

impl<I: Clone> Listing<I> {
    pub(super) fn new<T: Isa<Inst = I>>(code: &[Code<I>]) -> Self {
        let mut lines = Vec::new();
        flatten(code, &mut lines);
        let mut listing = Self {
            lines,
            reads: HashMap::new(),
            defined: HashMap::new(),
            wishes: HashMap::new(),
            demand: HashMap::new(),
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
        listing.index::<T>();
        listing
    }

    fn index<T: Isa<Inst = I>>(&mut self) {
        let mut ties = Vec::new();
        let mut sets: HashMap<RegSet, u32> = HashMap::new();
        for (at, line) in self.lines.iter().enumerate() {
            match line {
                Flat::Inst(inst) => {
                    let operands = T::operands(inst);
                    for (n, operand) in operands.iter().enumerate() {
                        match operand.role {
                            Role::Define => {
                                self.defined.insert(operand.reg, at);
                            }
                            Role::Use => self.reads.entry(operand.reg).or_default().push(at),
                            Role::Tied => {
                                self.reads.entry(operand.reg).or_default().push(at);
                                ties.push((operand.reg, operands[n + 1].reg));
                            }
                        }
                        *sets.entry(operand.allowed).or_default() += 1;
                        let wish = self.wishes.entry(operand.reg).or_insert(operand.allowed);
                        if !wish.and(operand.allowed).is_empty() {
                            *wish = wish.and(operand.allowed);
                        }
                    }
                }
                Flat::Begin { count, carried, .. } => {
                    self.reads.entry(*count).or_default().push(at);
                    for home in carried {
                        self.reads.entry(home.first).or_default().push(at);
                        self.defined.insert(home.inside, at);
                    }
                }
                Flat::End { begin } => {
                    if let Flat::Begin { count, carried, .. } = &self.lines[*begin] {
                        self.reads.entry(*count).or_default().push(at);
                        for home in carried {
                            self.reads.entry(home.next).or_default().push(at);
                            self.defined.insert(home.after, at);
                            ties.push((home.inside, home.next));
                        }
                    }
                }
                Flat::Remark(_) => {}
            }
        }
        let widest = sets.keys().copied().fold(RegSet::EMPTY, RegSet::or);
        for (set, count) in sets.into_iter().filter(|(set, _)| *set != widest) {
            for register in set.iter() {
                *self.demand.entry(register).or_default() += count;
            }
        }
        // A result over its source wants to be where the result is wanted.
        for (from, to) in ties.into_iter().rev() {
            let Some(wanted) = self.wishes.get(&to).copied() else { continue };
            let wish = self.wishes.entry(from).or_insert(wanted);
            if !wish.and(wanted).is_empty() {
                *wish = wish.and(wanted);
            }
        }
    }

    /// Where `reg` is read next, from line `at` on; inside a repetition that began after its
    /// definition it is wanted again at the repetition's end.
    pub(super) fn next_read(&self, reg: Reg, at: usize) -> Option<usize> {
        let reads = self.reads.get(&reg)?;
        let next = reads.get(reads.partition_point(|&read| read < at)).copied();
        let again = self.enclosing(at).and_then(|(begin, end)| {
            let before = self.defined.get(&reg).is_none_or(|&defined| defined < begin);
            let inside = reads.iter().any(|&read| begin < read && read < end);
            (before && inside).then_some(end)
        });
        match (next, again) {
            (Some(next), Some(again)) => Some(next.min(again)),
            (next, again) => next.or(again),
        }
    }

    /// The innermost repetition around a line: its first and last lines.
    pub(super) fn enclosing(&self, at: usize) -> Option<(usize, usize)> {
        self.around.get(at).copied().flatten()
    }

    /// How many operands that are particular about their register could be in this one.
    pub(super) fn demand(&self, register: u8) -> u32 {
        self.demand.get(&register).copied().unwrap_or_default()
    }

    /// How often `reg` is read between two lines.
    pub(super) fn reads_between(&self, reg: Reg, begin: usize, end: usize) -> usize {
        let reads = self.reads.get(&reg).map_or(&[][..], Vec::as_slice);
        reads.iter().filter(|&&read| begin < read && read < end).count()
    }
}

fn flatten<I: Clone>(code: &[Code<I>], lines: &mut Vec<Flat<I>>) {
    for line in code {
        match line {
            Code::Inst(inst) => lines.push(Flat::Inst(inst.clone())),
            Code::Remark(text) => lines.push(Flat::Remark(text.clone())),
            Code::Loop(body) => {
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
