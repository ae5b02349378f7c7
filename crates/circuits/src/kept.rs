//! Circuits between halves of which some bits are kept inverted.
//!
//! A round whose XORs take no constant computes a NOT for each inverted output, 19 of `plain`. But the
//! gates can take any inputs inverted, and that turns outputs. So the bits of a half may be kept inverted
//! for good, such that what the S-boxes make of them is right as it is.

use std::sync::OnceLock;

use crate::circuit::Circuit;
use crate::committed::circuit;
use crate::fips;
use crate::gates::GateSet;
use crate::sbox::INPUTS;
use crate::search::inverted;

/// Bits of a half that are kept inverted, and circuits for them.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Which bits of both halves are kept inverted; the first is bit 1 of FIPS 46-3.
    pub inverted: [bool; 32],
    /// S1 to S8. Where an input that a circuit takes inverted is not kept so, or the other way round, a
    /// NOT is needed; likewise at an inverted output.
    pub circuits: [Circuit; 8],
}

impl Kept {
    /// The committed circuits of a gate set with their inversions elsewhere: with the fewest NOTs in a round,
    /// and of these such that the fewest bits are kept inverted.
    #[must_use]
    pub fn of(set: GateSet) -> &'static Self {
        static ALL: [OnceLock<Kept>; GateSet::ALL.len()] =
            [const { OnceLock::new() }; GateSet::ALL.len()];
        ALL[set as usize].get_or_init(|| Self::new(set))
    }

    fn new(set: GateSet) -> Self {
        if set.has_tables() {
            let circuits = std::array::from_fn(|sbox| circuit(set, sbox).clone());
            return Self { inverted: [false; 32], circuits };
        }
        let ways: [Vec<Option<Circuit>>; 8] = std::array::from_fn(|sbox| ways(set, sbox));
        let patterns = patterns(&ways);
        let mut inverted = [false; 32];
        for (place, bit) in fips::E.into_iter().enumerate() {
            inverted[usize::from(bit) - 1] = has(patterns[place / INPUTS], place % INPUTS);
        }
        let circuits = std::array::from_fn(|sbox| {
            let (_, circuit) = best(&ways[sbox], patterns[sbox]);
            circuit.clone()
        });
        Self { inverted, circuits }
    }

    /// How many NOTs a round needs.
    #[must_use]
    pub fn nots(&self) -> usize {
        let of = |(sbox, circuit): (usize, &Circuit)| {
            let kept = |n: usize| self.inverted[usize::from(fips::E[INPUTS * sbox + n]) - 1];
            let inputs = (0..INPUTS).filter(|&n| circuit.inverted_inputs[n] != kept(n)).count();
            inputs + circuit.outputs.iter().filter(|output| output.inverted).count()
        };
        self.circuits.iter().enumerate().map(of).sum()
    }
}

/// Whether a pattern, the leftmost input the highest bit, has an input inverted.
const fn has(pattern: usize, input: usize) -> bool {
    pattern >> (INPUTS - 1 - input) & 1 != 0
}

/// For each pattern of inverted inputs the circuit with the fewest inverted outputs, if there is one.
fn ways(set: GateSet, sbox: usize) -> Vec<Option<Circuit>> {
    let mut outputs: Vec<usize> = (0..16).collect();
    outputs.sort_by_key(|outputs| outputs.count_ones());
    let way = |pattern| {
        let inputs = std::array::from_fn(|n| has(pattern, n));
        outputs.iter().find_map(|outputs| {
            let outputs = std::array::from_fn(|n| outputs >> n & 1 != 0);
            inverted(circuit(set, sbox), set, inputs, outputs)
        })
    };
    (0..1 << INPUTS).map(way).collect()
}

/// The circuit that needs the fewest NOTs where inputs are kept by a pattern, and how many.
///
/// # Panics
/// If there is none, not even the one that was committed.
fn best(ways: &[Option<Circuit>], pattern: usize) -> (usize, &Circuit) {
    let nots = |(inputs, circuit): (usize, &Circuit)| {
        let outputs = circuit.outputs.iter().filter(|output| output.inverted).count();
        (inputs ^ pattern).count_ones() as usize + outputs
    };
    let ways = ways.iter().enumerate();
    let ways = ways.filter_map(|(inputs, circuit)| Some((inputs, circuit.as_ref()?)));
    let best = ways.map(|way| (nots(way), way.1)).min_by_key(|&(nots, _)| nots);
    best.expect("a circuit is one of its own ways")
}

/// A pattern for each S-box, such that neighbours agree on the two bits that they share.
fn patterns(ways: &[Vec<Option<Circuit>>; 8]) -> [usize; 8] {
    // NOTs of a round first, then bits that are kept inverted; the two on the right are the next one's.
    let cost = |sbox: usize, pattern: usize| {
        64 * best(&ways[sbox], pattern).0 + (pattern >> 2).count_ones() as usize
    };
    let costs: [[usize; 64]; 8] =
        std::array::from_fn(|sbox| std::array::from_fn(|pattern| cost(sbox, pattern)));
    let round = |first: usize| {
        // For each pair of bits on the left of the next S-box the best patterns before it.
        let mut before: [Option<(usize, Vec<usize>)>; 4] = [const { None }; 4];
        before[first] = Some((0, Vec::new()));
        for costs in &costs {
            before = std::array::from_fn(|right| {
                let patterns = (0..64).filter(|pattern| pattern & 3 == right);
                let ways = patterns.filter_map(|pattern| {
                    let (cost, patterns) = before[pattern >> 4].as_ref()?;
                    Some((cost + costs[pattern], patterns, pattern))
                });
                let (cost, patterns, pattern) = ways.min_by_key(|&(cost, ..)| cost)?;
                Some((cost, [&patterns[..], &[pattern]].concat()))
            });
        }
        before[first].take()
    };
    let (_, patterns) = (0..4).filter_map(round).min_by_key(|&(cost, _)| cost).expect("a way");
    patterns.try_into().expect("a pattern for each S-box")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circuits_are_right_and_need_fewer_nots() {
        for set in GateSet::ALL {
            let all = Kept::of(set);
            let before: usize = (0..8).map(|sbox| circuit(set, sbox).inversions()).sum();
            assert!(all.nots() <= before, "{set}: {} NOTs, {before} before", all.nots());
            for (sbox, kept) in all.circuits.iter().enumerate() {
                assert_eq!(kept.malformed(set), None);
                assert_eq!(kept.wrong_input(sbox), None, "{set}");
                assert_eq!(kept.gates.len(), circuit(set, sbox).gates.len());
            }
        }
        // Of `plain` any inputs may be inverted; selects and BCAX leave little choice.
        assert!(Kept::of(GateSet::Plain).nots() <= 1);
    }
}
