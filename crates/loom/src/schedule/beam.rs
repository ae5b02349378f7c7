//! An order for a processor that does instructions in order, by a search that keeps many beginnings at
//! once: what is best for the next clock is often not for those that follow.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use cipherloom_circuits::Random;

use crate::isa::costs::{Clocks, Pairing};

/// What is to be ordered.
#[derive(Clone, Debug)]
pub(crate) struct Problem<'a> {
    /// For each instruction, what it takes.
    clocks: &'a [&'a Clocks],
    /// For each one, those that must come after it, and after how many clocks.
    followers: &'a [Vec<(usize, u32)>],
    /// How urgent each one is, in clocks from its beginning to the end of the line.
    heights: &'a [u32],
    /// A random number for each one: a set of instructions is known by the sum of its numbers.
    numbers: Vec<u64>,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(
        clocks: &'a [&'a Clocks],
        followers: &'a [Vec<(usize, u32)>],
        heights: &'a [u32],
    ) -> Self {
        let mut random = Random::new(0);
        let numbers = clocks.iter().map(|_| random.bits()).collect();
        Self { clocks, followers, heights, numbers }
    }

    /// Whether the processor begins the second one together with the first, if it follows.
    fn pairs(&self, first: usize, second: usize) -> bool {
        let waits = |&(to, after): &(usize, u32)| to == second && after > 0;
        self.clocks[first].pairing.with(self.clocks[second].pairing)
            && !self.followers[first].iter().any(waits)
    }
}

/// How far ahead of the first instruction that is left another one may go.
const WINDOW: usize = 40;
/// How many instructions are tried first in a clock, and how many beside each.
const CHOICES: [usize; 2] = [6, 5];

/// A beginning of an order.
#[derive(Clone)]
struct Beginning {
    /// The clock in which the next instruction can begin.
    now: u32,
    /// How many others each instruction waits for.
    waits: Vec<u16>,
    /// When each can begin, as far as these have begun.
    ready_at: Vec<u32>,
    /// The last instruction, if nothing began beside it.
    alone: Option<usize>,
    /// The first instruction that is left.
    first: usize,
    /// Half clocks of both pipes that what is left takes at least.
    work: u32,
    /// Which instructions are done: the sum of their numbers.
    done: u64,
    /// The order, the last one first.
    order: Option<Rc<Step>>,
}

struct Step {
    n: usize,
    before: Option<Rc<Step>>,
}

/// Stands for an instruction that is done.
const DONE: u16 = u16::MAX;

/// The best order that is found when so many beginnings are kept in each clock.
pub(crate) fn search(problem: &Problem<'_>, width: usize) -> Vec<usize> {
    let mut waits = vec![0u16; problem.clocks.len()];
    for (to, _) in problem.followers.iter().flatten() {
        waits[*to] += 1;
    }
    let start = Beginning {
        now: 0,
        waits,
        ready_at: vec![0; problem.clocks.len()],
        alone: None,
        first: 0,
        work: problem.clocks.iter().map(|clocks| work(clocks)).sum(),
        done: 0,
        order: None,
    };
    // Beginnings by the clock in which they go on.
    let mut open = BTreeMap::from([(0, vec![start])]);
    while let Some((_, beginnings)) = open.pop_first() {
        for beginning in best(problem, beginnings, width) {
            if beginning.first == problem.clocks.len() {
                return beginning.listed();
            }
            for next in beginning.continued(problem) {
                open.entry(next.now).or_default().push(next);
            }
        }
    }
    unreachable!("a line without cycles has an order")
}

/// The beginnings worth going on with, the best one first; of those with the same instructions, one.
fn best(problem: &Problem<'_>, beginnings: Vec<Beginning>, width: usize) -> Vec<Beginning> {
    let mut found: HashMap<u64, ((u32, u32), Beginning)> = HashMap::new();
    for beginning in beginnings {
        let rank = beginning.rank(problem);
        match found.get(&beginning.done) {
            Some((other, _)) if *other <= rank => {}
            _ => {
                found.insert(beginning.done, (rank, beginning));
            }
        }
    }
    let mut ranked: Vec<_> = found.into_values().collect();
    ranked.sort_by_key(|(rank, beginning)| (*rank, beginning.done));
    ranked.truncate(width);
    ranked.into_iter().map(|(_, beginning)| beginning).collect()
}

/// Half clocks of both pipes that an instruction takes at least.
fn work(clocks: &Clocks) -> u32 {
    match clocks.pairing {
        Pairing::Alone => 2 * clocks.clocks,
        _ => clocks.clocks,
    }
}

impl Beginning {
    /// The lower the better: what is left at least, and how long the longest chain in it is.
    fn rank(&self, problem: &Problem<'_>) -> (u32, u32) {
        let left = (self.first..self.waits.len()).take(WINDOW);
        let chains = left.filter(|&n| self.waits[n] == 0);
        let chain = chains.map(|n| self.ready_at[n].max(self.now) + problem.heights[n]).max();
        let chain = chain.unwrap_or(self.now);
        let work = self.now + self.work.div_ceil(2);
        (chain.max(work), chain + work)
    }

    /// What can begin now, or what comes first if nothing can: the most urgent first.
    fn ready(&self, problem: &Problem<'_>) -> Vec<usize> {
        let left = (self.first..self.waits.len()).take(WINDOW);
        let can = |n: &usize| self.waits[*n] == 0 && self.ready_at[*n] <= self.now;
        let mut ready: Vec<usize> = left.filter(can).collect();
        ready.sort_by_key(|&n| (std::cmp::Reverse(problem.heights[n]), n));
        ready
    }

    /// What it can go on with: one instruction or a pair, or a clock in which nothing begins.
    fn continued(&self, problem: &Problem<'_>) -> Vec<Self> {
        let ready = self.ready(problem);
        if ready.is_empty() {
            let left = (self.first..self.waits.len()).filter(|&n| self.waits[n] == 0);
            let next = left.map(|n| self.ready_at[n]).min().expect("something is left");
            return vec![Self { now: next.max(self.now + 1), ..self.clone() }];
        }
        let mut all = Vec::new();
        for &first in ready.iter().take(CHOICES[0]) {
            let mut after = self.clone();
            after.begin(problem, first);
            let length = problem.clocks[first].clocks;
            if self.alone.is_some_and(|alone| problem.pairs(alone, first)) {
                // The processor takes it for the second one of a pair, which waits.
                all.push(Self { now: self.now + length, alone: None, ..after });
                continue;
            }
            let seconds = after.ready(problem).into_iter();
            let seconds = seconds.filter(|&second| problem.pairs(first, second)).take(CHOICES[1]);
            let before = all.len();
            for second in seconds.collect::<Vec<_>>() {
                let mut both = after.clone();
                both.begin(problem, second);
                let now = self.now + length.max(problem.clocks[second].clocks);
                all.push(Self { now, alone: None, ..both });
            }
            if all.len() == before {
                all.push(Self { now: self.now + length, alone: Some(first), ..after });
            }
        }
        all
    }

    fn begin(&mut self, problem: &Problem<'_>, n: usize) {
        for &(to, after) in &problem.followers[n] {
            self.waits[to] -= 1;
            self.ready_at[to] = self.ready_at[to].max(self.now + after);
        }
        self.waits[n] = DONE;
        while self.waits.get(self.first) == Some(&DONE) {
            self.first += 1;
        }
        self.work -= work(problem.clocks[n]);
        self.done = self.done.wrapping_add(problem.numbers[n]);
        self.order = Some(Rc::new(Step { n, before: self.order.take() }));
    }

    fn listed(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut step = self.order.as_ref();
        while let Some(one) = step {
            order.push(one.n);
            step = one.before.as_ref();
        }
        order.reverse();
        order
    }
}
