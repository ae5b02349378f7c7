//! List scheduling of straight lines against a processor's costs.
//!
//! Of the instructions that may come next, the one whose results are waited for longest goes first.
//! How far ahead of the description's order an instruction may go is bounded, as every value that
//! is early needs a register.

use super::dependencies::{Commented, followers};
use super::order::{Order, wishes};
use crate::isa::Isa;
use crate::isa::costs::{Class, Cpu};

pub(super) fn straight<T: Isa>(
    isa: T,
    line: &[Commented<T::Inst>],
    cpu: &Cpu,
    order: &Order,
) -> Vec<usize> {
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
    let (mut cycle, mut slots) = (0u32, 0u32);
    // The cycle in which each port can begin something else.
    let mut free_at = [0u32; u16::BITS as usize];
    while !left.is_empty() {
        let window = usize::from(order.window.max(1)).min(left.len());
        let free = |n: usize| {
            let ports = cpu.row(costs[n].0).ports;
            (0..free_at.len()).find(|&port| ports >> port & 1 == 1 && free_at[port] <= cycle)
        };
        let can = |n: usize| {
            let takes_none = cpu.row(costs[n].0).ports == 0;
            waits[n] == 0 && ready_at[n] <= cycle && (takes_none || free(n).is_some())
        };
        let best = (0..window)
            .filter(|&at| can(left[at]))
            .max_by_key(|&at| (wish[left[at]], std::cmp::Reverse(left[at])));
        let Some(at) = best.filter(|_| slots < cpu.width) else {
            (cycle, slots) = (cycle + 1, 0);
            continue;
        };
        let port = free(left[at]);
        let n = left.remove(at);
        if let Some(port) = port {
            free_at[port] = cycle + cpu.row(costs[n].0).times;
        }
        slots += 1;
        for (to, after) in &followers[n] {
            waits[*to] -= 1;
            ready_at[*to] = ready_at[*to].max(cycle + after);
        }
        sequence.push(n);
    }
    sequence
}
