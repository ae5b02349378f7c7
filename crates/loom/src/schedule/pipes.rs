//! List scheduling for a processor that does instructions in order: one at a time, or two that pair.

use std::cmp::Reverse;

use super::dependencies::{Commented, followers};
use super::order::{Order, wishes};
use crate::isa::Isa;
use crate::isa::costs::{Clocks, InOrder};

/// # Panics
/// If there is an instruction that such a processor does not have.
pub(super) fn straight<T: Isa>(
    isa: T,
    line: &[Commented<T::Inst>],
    costs: &InOrder,
    order: &Order,
) -> Vec<usize> {
    let clocks: Vec<&Clocks> = line
        .iter()
        .map(|(_, inst)| costs.of(isa.issue(inst).expect("an instruction of this processor")))
        .collect();
    let addresses: Vec<_> = line.iter().map(|(_, inst)| isa.addresses(inst)).collect();
    let followers = followers(isa, line, &|from, to, reg| {
        let address = reg.is_some_and(|reg| addresses[to].contains(&reg));
        let part = isa.writes_part(&line[from].1) && !isa.writes_part(&line[to].1);
        clocks[from].clocks
            + if address { costs.address.clocks } else { 0 }
            + if part { costs.partial.clocks } else { 0 }
    });
    sequence(&clocks, &followers, order)
}

/// An order for instructions that take so many clocks, by what must follow each of them and after how
/// many clocks.
pub(crate) fn sequence(
    clocks: &[&Clocks],
    followers: &[Vec<(usize, u32)>],
    order: &Order,
) -> Vec<usize> {
    let (waits, wish) = wishes(followers, order);
    let mut line = Pending { followers, waits, ready_at: vec![0; clocks.len()] };
    let mut left: Vec<usize> = (0..clocks.len()).collect();
    let mut sequence = Vec::with_capacity(clocks.len());
    let mut cycle = 0;
    while !left.is_empty() {
        let window = usize::from(order.window.max(1)).min(left.len());
        let ready = |line: &Pending<'_>, left: &[usize]| {
            let window = &left[..window.min(left.len())];
            let mut can: Vec<usize> =
                window.iter().copied().filter(|&n| line.can(n, cycle)).collect();
            can.sort_by_key(|&n| (Reverse(wish[n]), n));
            can
        };
        let can = ready(&line, &left);
        let Some((&best, others)) = can.split_first() else {
            cycle += 1;
            continue;
        };
        // The first that pairs, of those as long if there is one: a longer one would keep the other
        // pipe idle.
        let alike = |n: usize| clocks[n].clocks == clocks[best].clocks;
        let choose = |pairs: &dyn Fn(usize) -> bool, of: &[usize]| {
            let all = || of.iter().copied().filter(|&n| pairs(n));
            all().find(|&n| alike(n)).or_else(|| all().next())
        };
        // Either behind the best one, where what waited for nothing but its start can come, too,
        let second = |n: usize| clocks[best].pairing.with(clocks[n].pairing);
        // or before it.
        let first = |n: usize| clocks[n].pairing.with(clocks[best].pairing);
        let before = choose(&first, others).filter(|_| choose(&second, others).is_none());
        let mut length = 0;
        for n in before.into_iter().chain([best]) {
            line.begin(n, cycle);
            left.retain(|&other| other != n);
            sequence.push(n);
            length = length.max(clocks[n].clocks);
        }
        if before.is_none()
            && let Some(n) = choose(&second, &ready(&line, &left))
        {
            line.begin(n, cycle);
            left.retain(|&other| other != n);
            sequence.push(n);
            length = length.max(clocks[n].clocks);
        }
        cycle += length;
    }
    sequence
}

/// What is waited for.
struct Pending<'a> {
    followers: &'a [Vec<(usize, u32)>],
    /// How many others each waits for.
    waits: Vec<u32>,
    /// When it can begin, as far as these have begun.
    ready_at: Vec<u32>,
}

impl Pending<'_> {
    fn can(&self, n: usize, cycle: u32) -> bool {
        self.waits[n] == 0 && self.ready_at[n] <= cycle
    }

    fn begin(&mut self, n: usize, cycle: u32) {
        for (to, after) in &self.followers[n] {
            self.waits[*to] -= 1;
            self.ready_at[*to] = self.ready_at[*to].max(cycle + after);
        }
    }
}
