//! List scheduling of straight lines against a processor's costs.
//!
//! Of the instructions that may come next, the one whose results are waited for longest goes first.
//! How far ahead of the description's order an instruction may go is bounded, as every value that
//! is early needs a register.

use serde::{Deserialize, Serialize};

use super::{Commented, each_line, followers, pipes};
use crate::isa::costs::{Class, Cpu};
use crate::isa::{Code, Isa};

/// What the tuner may vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// How many instructions, from the first that is not placed yet, may be chosen from.
    pub window: u16,
    /// Seed of small changes to the priorities; 0 changes nothing.
    pub seed: u64,
    /// How large these changes are, in cycles.
    pub noise: u8,
    /// For processors that do instructions in order: how many beginnings of an order are kept in the
    /// search after allocation; none: the first one that is found is taken.
    #[serde(default, skip_serializing_if = "is_none")]
    pub beam: u16,
}

/// Nothing is said of what is not done.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants it")]
const fn is_none(count: &u16) -> bool {
    *count == 0
}

impl Default for Order {
    fn default() -> Self {
        Self { window: 24, seed: 0, noise: 0, beam: 0 }
    }
}

/// The same code in a good order for `cpu`.
#[must_use]
pub fn schedule<T: Isa>(
    isa: T,
    code: &[Code<T::Inst>],
    cpu: &Cpu,
    order: &Order,
) -> Vec<Code<T::Inst>> {
    each_line(code, &mut |line| match cpu.in_order() {
        Some(costs) => pipes::straight(isa, line, costs, order),
        None => straight(isa, line, cpu, order),
    })
}

fn straight<T: Isa>(isa: T, line: &[Commented<T::Inst>], cpu: &Cpu, order: &Order) -> Vec<usize> {
    let costs: Vec<_> = line.iter().map(|(_, inst)| isa.cost(inst)).collect();
    let latency: Vec<u32> = costs
        .iter()
        .map(|(class, loads)| {
            cpu.row(*class).latency + if *loads { cpu.row(Class::LOAD).latency } else { 0 }
        })
        .collect();
    let followers = followers(isa, line, &|from, _, _| latency[from]);
    let (mut waits, wish) = wishes(&followers, order);
    let mut ready_at = vec![0u32; line.len()];
    let mut left: Vec<usize> = (0..line.len()).collect();
    let mut sequence = Vec::with_capacity(line.len());
    let (mut cycle, mut slots, mut ports) = (0u32, 0u32, 0u16);
    while !left.is_empty() {
        let window = usize::from(order.window.max(1)).min(left.len());
        let can = |n: usize| {
            waits[n] == 0 && ready_at[n] <= cycle && {
                let needed = cpu.row(costs[n].0).ports;
                needed == 0 || needed & !ports != 0
            }
        };
        let best = (0..window)
            .filter(|&at| can(left[at]))
            .max_by_key(|&at| (wish[left[at]], std::cmp::Reverse(left[at])));
        let Some(at) = best.filter(|_| slots < cpu.width) else {
            (cycle, slots, ports) = (cycle + 1, 0, 0);
            continue;
        };
        let n = left.remove(at);
        let free = cpu.row(costs[n].0).ports & !ports;
        ports |= free & free.wrapping_neg();
        slots += 1;
        for (to, after) in &followers[n] {
            waits[*to] -= 1;
            ready_at[*to] = ready_at[*to].max(cycle + after);
        }
        sequence.push(n);
    }
    sequence
}

/// For each instruction how many others it waits for, and how much it is waited for, a little changed
/// as the order says.
pub(crate) fn wishes(followers: &[Vec<(usize, u32)>], order: &Order) -> (Vec<u32>, Vec<u32>) {
    let mut waits = vec![0u32; followers.len()];
    let mut height = vec![0u32; followers.len()];
    for n in (0..followers.len()).rev() {
        let tallest = followers[n].iter().map(|(to, after)| height[*to] + after).max();
        height[n] = tallest.unwrap_or(0);
        for (to, _) in &followers[n] {
            waits[*to] += 1;
        }
    }
    let mut random = order.seed;
    let wish = height
        .iter()
        .map(|height| {
            // SplitMix64 (Steele, Lea and Flood 2014).
            random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut x = (random ^ random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            height + (x >> 40) as u32 % (u32::from(order.noise) + 1)
        })
        .collect();
    (waits, wish)
}
