//! The order of a circuit's gates that needs the fewest registers.
//!
//! Dynamic programming: there are few sets of gates that can be computed first (up to about two thousand
//! for the circuits here). The best way to each set follows from the best ways to the smaller ones, so no
//! order of the gates is better.

use std::collections::BTreeMap;

use cipherloom_circuits::{Circuit, Gate, INPUTS, Op};

/// How many sets of one size are kept, the best: more than there were with any circuit so far.
const KEPT: usize = 2048;

/// A set of gates, by bits.
type Gates = u64;

/// How many values at one time cost nothing where gates choose: these are for 32 registers.
const ROOM: usize = 20;

/// What an order costs, worst first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// The most values at one time.
    live: usize,
    /// Gates none of whose operands ends there, so that nothing can be written over; of those that
    /// choose, if there are such, as there the others have a register for the result.
    copies: usize,
    /// Values at each time, added up.
    total: usize,
}

/// The numbers of the gates, from 0 on, in the order in which they are best computed. An input is
/// held from its first use on, an output until it is computed.
///
/// # Panics
/// If there are more than 64 gates.
pub(super) fn order(circuit: &Circuit) -> Vec<usize> {
    let count = circuit.gates.len();
    assert!(count <= 64, "{count} gates");
    let users = users(circuit);
    let mut ways = BTreeMap::from([(0, (Cost::default(), Vec::new()))]);
    for _ in 0..count {
        let mut longer: BTreeMap<Gates, (Cost, Vec<usize>)> = BTreeMap::new();
        for (&done, (cost, way)) in &ways {
            for gate in (0..count).filter(|&gate| can_follow(circuit, done, gate)) {
                let cost = step(circuit, &users, done, gate, *cost);
                let known = longer.get(&(done | 1 << gate));
                if known.is_none_or(|(known, _)| cost < *known) {
                    let way = way.iter().copied().chain([gate]).collect();
                    longer.insert(done | 1 << gate, (cost, way));
                }
            }
        }
        ways = best(longer);
    }
    ways.into_values().next().map(|(_, way)| way).unwrap_or_default()
}

fn best(ways: BTreeMap<Gates, (Cost, Vec<usize>)>) -> BTreeMap<Gates, (Cost, Vec<usize>)> {
    let mut ways: Vec<_> = ways.into_iter().collect();
    ways.sort_by_key(|(done, (cost, _))| (*cost, *done));
    ways.truncate(KEPT);
    ways.into_iter().collect()
}

/// For each node the gates that read it.
fn users(circuit: &Circuit) -> Vec<Gates> {
    let mut users = vec![0; INPUTS + circuit.gates.len()];
    for (n, gate) in circuit.gates.iter().enumerate() {
        gate.operands().iter().for_each(|&node| users[usize::from(node)] |= 1 << n);
    }
    users
}

/// Whether a gate is not there yet and all that it reads is.
fn can_follow(circuit: &Circuit, done: Gates, gate: usize) -> bool {
    let is_there =
        |&node: &u8| usize::from(node) < INPUTS || done >> (usize::from(node) - INPUTS) & 1 == 1;
    done >> gate & 1 == 0 && circuit.gates[gate].operands().iter().all(is_there)
}

fn step(circuit: &Circuit, users: &[Gates], done: Gates, gate: usize, before: Cost) -> Cost {
    let operands = circuit.gates[gate].operands();
    let wanted = |node: usize, done: Gates| users[node] & !done != 0;
    let started = |node: usize| {
        if node < INPUTS { users[node] & done != 0 } else { done >> (node - INPUTS) & 1 == 1 }
    };
    let held =
        |&node: &usize| operands.contains(&(node as u8)) || started(node) && wanted(node, done);
    let live = (0..users.len()).filter(held).count();
    let after = done | 1 << gate;
    let chooses = |gate: &Gate| gate.op() == Op::Select;
    let room = if circuit.gates.iter().any(chooses) { ROOM } else { 0 };
    let destroys = room == 0 || chooses(&circuit.gates[gate]);
    let copy = destroys && operands.iter().all(|&node| wanted(usize::from(node), after));
    let copy = usize::from(copy);
    Cost {
        live: before.live.max(live + copy).max(room),
        copies: before.copies + copy,
        total: before.total + live,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cipherloom_circuits::{GateSet, circuit};

    fn cost(circuit: &Circuit, order: impl IntoIterator<Item = usize>) -> Cost {
        let users = users(circuit);
        let (mut done, mut cost) = (0, Cost::default());
        for gate in order {
            assert!(can_follow(circuit, done, gate), "gate {gate} after {done:b}");
            cost = step(circuit, &users, done, gate, cost);
            done |= 1 << gate;
        }
        assert_eq!(done.count_ones() as usize, circuit.gates.len());
        cost
    }

    #[test]
    fn an_order_has_every_gate_after_its_operands_and_costs_no_more() {
        let mut less = 0;
        for set in GateSet::ALL {
            for sbox in 0..8 {
                let circuit = circuit(set, sbox);
                let before = cost(circuit, 0..circuit.gates.len());
                let after = cost(circuit, order(circuit));
                assert!(after <= before, "S{} {set}: {after:?}, {before:?}", sbox + 1);
                less += usize::from(after < before);
            }
        }
        assert!(less > 0, "no order is better than that of the files");
    }
}
