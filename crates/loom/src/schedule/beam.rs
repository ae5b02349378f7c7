//! An order for a processor that does instructions in order, by a search that keeps many beginnings at
//! once: what is best for the next clock is often not for those that follow.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::isa::costs::{Clocks, Pairing};

/// What is to be ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// For each instruction, what it takes.
    pub(crate) clocks: &'a [&'a Clocks],
    /// For each one, those that must come after it, and after how many clocks.
    pub(crate) followers: &'a [Vec<(usize, u32)>],
    /// How urgent each one is, in clocks from its beginning to the end of the line.
    pub(crate) heights: &'a [u32],
}

impl Task<'_> {
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
    /// Which instructions are done, as a sum of random numbers.
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
pub(crate) fn search(task: &Task<'_>, width: usize) -> Vec<usize> {
    let mut waits = vec![0u16; task.clocks.len()];
    for (to, _) in task.followers.iter().flatten() {
        waits[*to] += 1;
    }
    let start = Beginning {
        now: 0,
        waits,
        ready_at: vec![0; task.clocks.len()],
        alone: None,
        first: 0,
        work: task.clocks.iter().map(|clocks| work(clocks)).sum(),
        done: 0,
        order: None,
    };
    // Beginnings by the clock in which they go on.
    let mut open = BTreeMap::from([(0, vec![start])]);
    while let Some((_, beginnings)) = open.pop_first() {
        for beginning in best(task, beginnings, width) {
            if beginning.first == task.clocks.len() {
                return beginning.listed();
            }
            for next in beginning.continued(task) {
                open.entry(next.now).or_default().push(next);
            }
        }
    }
    unreachable!("a line without cycles has an order")
}

/// The beginnings worth going on with, the best one first; of those with the same instructions, one.
fn best(task: &Task<'_>, beginnings: Vec<Beginning>, width: usize) -> Vec<Beginning> {
    let mut found: HashMap<u64, ((u32, u32), Beginning)> = HashMap::new();
    for beginning in beginnings {
        let rank = beginning.rank(task);
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
    fn rank(&self, task: &Task<'_>) -> (u32, u32) {
        let left = (self.first..self.waits.len()).take(WINDOW);
        let chains = left.filter(|&n| self.waits[n] == 0);
        let chain = chains.map(|n| self.ready_at[n].max(self.now) + task.heights[n]).max();
        let chain = chain.unwrap_or(self.now);
        let work = self.now + self.work.div_ceil(2);
        (chain.max(work), chain + work)
    }

    /// What can begin now, or what comes first if nothing can: the most urgent first.
    fn ready(&self, task: &Task<'_>) -> Vec<usize> {
        let left = (self.first..self.waits.len()).take(WINDOW);
        let can = |n: &usize| self.waits[*n] == 0 && self.ready_at[*n] <= self.now;
        let mut ready: Vec<usize> = left.filter(can).collect();
        ready.sort_by_key(|&n| (std::cmp::Reverse(task.heights[n]), n));
        ready
    }

    /// What it can go on with: one instruction or a pair, or a clock in which nothing begins.
    fn continued(&self, task: &Task<'_>) -> Vec<Self> {
        let ready = self.ready(task);
        if ready.is_empty() {
            let left = (self.first..self.waits.len()).filter(|&n| self.waits[n] == 0);
            let next = left.map(|n| self.ready_at[n]).min().expect("something is left");
            return vec![Self { now: next.max(self.now + 1), ..self.clone() }];
        }
        let mut all = Vec::new();
        for &first in ready.iter().take(CHOICES[0]) {
            let mut after = self.clone();
            after.begin(task, first);
            let length = task.clocks[first].clocks;
            if self.alone.is_some_and(|alone| task.pairs(alone, first)) {
                // The processor takes it for the second one of a pair, which waits.
                all.push(Self { now: self.now + length, alone: None, ..after });
                continue;
            }
            let seconds = after.ready(task).into_iter();
            let seconds = seconds.filter(|&second| task.pairs(first, second)).take(CHOICES[1]);
            let before = all.len();
            for second in seconds.collect::<Vec<_>>() {
                let mut both = after.clone();
                both.begin(task, second);
                let now = self.now + length.max(task.clocks[second].clocks);
                all.push(Self { now, alone: None, ..both });
            }
            if all.len() == before {
                all.push(Self { now: self.now + length, alone: Some(first), ..after });
            }
        }
        all
    }

    fn begin(&mut self, task: &Task<'_>, n: usize) {
        for &(to, after) in &task.followers[n] {
            self.waits[to] -= 1;
            self.ready_at[to] = self.ready_at[to].max(self.now + after);
        }
        self.waits[n] = DONE;
        while self.waits.get(self.first) == Some(&DONE) {
            self.first += 1;
        }
        self.work -= work(task.clocks[n]);
        // SplitMix64 (Steele, Lea and Flood 2014).
        let mut x = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.done = self.done.wrapping_add(x ^ x >> 31);
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
