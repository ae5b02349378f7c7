//! Order: list scheduling of straight lines against a processor's costs.
//!
//! Instructions that depend on each other keep their order; among the others the one whose
//! results are waited for longest goes first. How far ahead of the description's order an
//! instruction may go is bounded, as every value that is early needs a register.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::target::cpu::{Cpu, Kind};
use crate::target::{Code, Effect, Isa, Reg, Role};

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
}

impl Default for Order {
    fn default() -> Self {
        Self { window: 24, seed: 0, noise: 0 }
    }
}

/// The same code in a good order for `cpu`. Every order that it can return computes the same.
#[must_use]
pub fn schedule<T: Isa>(
    code: &[Code<T::Inst>],
    cpu: &Cpu,
    order: &Order,
    kind: &impl Fn(&T::Inst) -> (Kind, bool),
) -> Vec<Code<T::Inst>> {
    let mut result = Vec::new();
    let mut line: Vec<(Vec<String>, T::Inst)> = Vec::new();
    let mut remarks = Vec::new();
    let flush = |line: &mut Vec<(Vec<String>, T::Inst)>, result: &mut Vec<_>| {
        result.extend(straight::<T>(std::mem::take(line), cpu, order, kind));
    };
    for item in code {
        match item {
            Code::Inst(inst) => line.push((std::mem::take(&mut remarks), inst.clone())),
            Code::Remark(text) => remarks.push(text.clone()),
            Code::Loop(body) => {
                flush(&mut line, &mut result);
                result.extend(std::mem::take(&mut remarks).into_iter().map(Code::Remark));
                let mut body = body.clone();
                body.body = schedule::<T>(&body.body, cpu, order, kind);
                result.push(Code::Loop(body));
            }
        }
    }
    flush(&mut line, &mut result);
    result.extend(remarks.into_iter().map(Code::Remark));
    result
}

/// For each instruction, those that must come after it, and how many cycles later.
fn followers<T: Isa>(line: &[(Vec<String>, T::Inst)], latency: &[u32]) -> Vec<Vec<(usize, u32)>> {
    let mut followers = vec![Vec::new(); line.len()];
    let mut defined: HashMap<Reg, usize> = HashMap::new();
    let mut written: HashMap<u32, usize> = HashMap::new();
    let mut read: HashMap<u32, Vec<usize>> = HashMap::new();
    for (n, (_, inst)) in line.iter().enumerate() {
        for operand in T::operands(inst) {
            if operand.role == Role::Define {
                defined.insert(operand.reg, n);
            } else if let Some(&from) = defined.get(&operand.reg) {
                followers[from].push((n, latency[from]));
            }
        }
        match T::effect(inst) {
            Effect::None => {}
            Effect::Read(region) => {
                if let Some(&from) = written.get(&region) {
                    followers[from].push((n, latency[from]));
                }
                read.entry(region).or_default().push(n);
            }
            Effect::Write(region) => {
                for from in read.remove(&region).unwrap_or_default() {
                    followers[from].push((n, 0));
                }
                if let Some(from) = written.insert(region, n) {
                    followers[from].push((n, 0));
                }
            }
        }
    }
    followers
}

fn straight<T: Isa>(
    line: Vec<(Vec<String>, T::Inst)>,
    cpu: &Cpu,
    order: &Order,
    kind: &impl Fn(&T::Inst) -> (Kind, bool),
) -> Vec<Code<T::Inst>> {
    let costs: Vec<_> = line.iter().map(|(_, inst)| kind(inst)).collect();
    let latency: Vec<u32> = costs
        .iter()
        .map(|(kind, loads)| {
            cpu.row(*kind).latency + if *loads { cpu.row(Kind::Load).latency } else { 0 }
        })
        .collect();
    let followers = followers::<T>(&line, &latency);
    let mut waits = vec![0u32; line.len()];
    let mut height = vec![0u32; line.len()];
    for n in (0..line.len()).rev() {
        let tallest = followers[n].iter().map(|(to, after)| height[*to] + after).max();
        height[n] = tallest.unwrap_or(0);
        for (to, _) in &followers[n] {
            waits[*to] += 1;
        }
    }
    let mut random = order.seed;
    let wish: Vec<u32> = height
        .iter()
        .map(|height| {
            // SplitMix64 (Steele, Lea and Flood 2014).
            random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut x = (random ^ random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            height + (x >> 40) as u32 % (u32::from(order.noise) + 1)
        })
        .collect();
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
    let mut line: Vec<_> = line.into_iter().map(Some).collect();
    let mut result = Vec::new();
    for n in sequence {
        let (remarks, inst) = line[n].take().expect("each instruction is placed once");
        result.extend(remarks.into_iter().map(Code::Remark));
        result.push(Code::Inst(inst));
    }
    result
}
