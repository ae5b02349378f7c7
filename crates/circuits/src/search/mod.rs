//! The search for circuits with few gates: simulated annealing over circuits that are right at every
//! step. `docs/CIRCUITS.md` describes it.
//!
//! | file | subject |
//! |---|---|
//! | `start.rs` | where it begins |
//! | `walk.rs` | the moves |
//! | `solve.rs` | which nodes a gate can be made of |
//! | `network.rs` | the circuit in arrays of fixed size |
//! | `table.rs`, `mask.rs` | truth tables in a byte; sets of nodes in a word |
//! | `polarity.rs` | where inversions go, and the circuit in the end |
//! | `equations.rs` | equations between inversions |

mod equations;
mod mask;
mod network;
mod polarity;
mod solve;
mod start;
mod table;
mod walk;

use network::Network;
use walk::{Rates, Walk};

use super::{Circuit, GateSet};
use crate::{INPUTS, OUTPUTS, Random};

/// Moves with truth tables before a naive start is taken apart into smaller gates.
const WARM_UP: u64 = 400_000;

/// Nodes that a network must come down to before it is searched in words of 64 bits.
const NARROW: usize = 58;

/// One run of the search: the same seed and start give the same run.
pub struct Search {
    set: GateSet,
    sbox: usize,
    walk: Either,
    best: Circuit,
    /// The best as a network, once it is small enough for the narrow walk.
    home: Option<Box<Network<u64>>>,
    moves: u64,
    gain: u64,
    cycle: Cycle,
}

/// Large networks need larger words.
enum Either {
    Wide(Box<Walk<u128>>),
    Narrow(Box<Walk<u64>>),
}

/// The temperature falls from a height to near zero, again and again.
struct Cycle {
    /// Moves of the whole cycle, and done of it.
    length: u64,
    done: u64,
    /// The rate of moves upwards at its beginning.
    hot: usize,
}

/// The rate of moves upwards at the end of a cycle.
const COLD: usize = 16;

/// Moves between two looks at the temperature.
const BREATH: u64 = 1024;

impl Cycle {
    fn new(random: &mut Random) -> Self {
        let length = random.pick(&[512, 1024, 2048, 4096]) * BREATH;
        Self { length, done: 0, hot: random.pick(&[30, 40, 60, 100]) }
    }

    fn rates(&self) -> Rates {
        let left = (self.length - self.done) as f64 / self.length as f64;
        let up = COLD + ((self.hot - COLD) as f64 * left) as usize;
        Rates { up, pair: 200, squeeze: 100 }
    }
}

impl Search {
    /// A run for S-box number `sbox` (0 is S1), from a circuit of any gate set, or from the tables.
    ///
    /// # Panics
    /// If `sbox` is above 7, or if `start` is no circuit of it.
    #[must_use]
    pub fn new(set: GateSet, sbox: usize, start: Option<&Circuit>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let network: Network<u128> = match start {
            Some(circuit) => {
                assert_eq!(circuit.wrong_input(sbox), None, "a wrong circuit to start with");
                let network: Network<u128> = Network::from_circuit(circuit);
                let as_it_is = circuit.malformed(set).is_none();
                if as_it_is { network } else { start::expanded(&network, set) }
            }
            None => {
                let trees = start::trees(sbox, &mut random);
                if set.has_tables() { trees } else { warm(trees, set, &mut random) }
            }
        };
        let best = polarity::circuit(&network, set);
        let cycle = Cycle::new(&mut random);
        let walk = Either::Wide(Box::new(Walk::new(network, set, cycle.rates(), random)));
        Self { set, sbox, walk, best, home: None, moves: 0, gain: 0, cycle }
    }

    /// Goes on for some moves, rounded up to thousands; says whether it found a better circuit: one
    /// with fewer gates, or with as many and less depth.
    ///
    /// # Panics
    /// If a circuit is not its S-box, which would be an error in the search.
    pub fn run(&mut self, moves: u64) -> bool {
        let before = (self.best.cost(self.set), self.best.depth());
        for _ in 0..moves.div_ceil(BREATH) {
            self.breathe();
        }
        (self.best.cost(self.set), self.best.depth()) != before
    }

    /// A thousand moves at one temperature.
    fn breathe(&mut self) {
        match &mut self.walk {
            Either::Wide(walk) => {
                walk.rates = self.cycle.rates();
                for _ in 0..BREATH {
                    walk.step();
                }
                if walk.network.cost(self.set) < self.best.cost(self.set) {
                    let circuit = polarity::circuit(&walk.network, self.set);
                    self.keep(circuit);
                }
                let Either::Wide(walk) = &self.walk else { unreachable!("just matched") };
                if walk.network.nodes <= NARROW {
                    self.walk = Either::Narrow(Box::new(walk.widened()));
                }
            }
            Either::Narrow(walk) => {
                walk.rates = self.cycle.rates();
                let mut best = self.best.cost(self.set);
                let mut last = None;
                for move_ in 0..BREATH {
                    if !walk.step() {
                        continue;
                    }
                    let gates = walk.network.cost(self.set);
                    // Depth costs time; now and then will do.
                    if gates < best || gates == best && move_ % 8 == 0 {
                        best = gates;
                        last = Some(walk.network.clone());
                    }
                }
                if let Some(network) = last {
                    let circuit = polarity::circuit(&network, self.set);
                    if self.keep(circuit) || self.home.is_none() {
                        self.home = Some(Box::new(network));
                    }
                }
            }
        }
        self.moves += BREATH;
        self.cycle.done += BREATH;
        if self.cycle.done >= self.cycle.length {
            self.next_cycle();
        }
    }

    /// Begins another cycle, every second time at the best circuit.
    fn next_cycle(&mut self) {
        match &mut self.walk {
            Either::Wide(walk) => self.cycle = Cycle::new(&mut walk.random),
            Either::Narrow(walk) => {
                self.cycle = Cycle::new(&mut walk.random);
                if let Some(home) = &self.home
                    && walk.random.one_in(2)
                {
                    walk.go_to(home);
                }
            }
        }
    }

    /// Takes a circuit if it is better than the best, or as good in gates; says whether.
    fn keep(&mut self, circuit: Circuit) -> bool {
        let (gates, best) = (circuit.cost(self.set), self.best.cost(self.set));
        if gates > best || gates == best && circuit.depth() > self.best.depth() {
            return false;
        }
        assert_eq!(circuit.wrong_input(self.sbox), None, "the search made a wrong circuit");
        assert_eq!(circuit.malformed(self.set), None, "the search made a circuit of other gates");
        if gates < best {
            self.gain = self.moves;
        }
        self.best = circuit;
        true
    }

    /// The best circuit so far.
    #[must_use]
    pub fn best(&self) -> &Circuit {
        &self.best
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The moves since the last gate was saved.
    #[must_use]
    pub fn idle(&self) -> u64 {
        self.moves - self.gain
    }
}

/// A circuit with the same gates but for inversions: inputs and outputs inverted as is wanted; none if that is
/// not possible, or not found. Not for truth tables, which need none.
pub(crate) fn inverted(
    circuit: &Circuit,
    set: GateSet,
    inputs: [bool; INPUTS],
    outputs: [bool; OUTPUTS],
) -> Option<Circuit> {
    let network: Network<u128> = Network::from_circuit(circuit);
    polarity::circuit_with(&network, set, inputs, outputs)
}

/// A small circuit of truth tables, taken apart.
fn warm(trees: Network<u128>, set: GateSet, random: &mut Random) -> Network<u128> {
    let mut walk =
        Walk::new(trees, GateSet::Lut3, Rates { up: 100, pair: 60, squeeze: 60 }, random.clone());
    for _ in 0..WARM_UP {
        walk.step();
    }
    *random = walk.random.clone();
    start::expanded(&walk.network, set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit;

    /// Gates and depth after some moves, with the circuit checked on the way.
    fn run(search: &mut Search, times: usize) -> Circuit {
        for _ in 0..times {
            search.run(8 * BREATH);
            let best = search.best();
            assert_eq!(best.malformed(search.set), None);
            assert_eq!(best.wrong_input(search.sbox), None);
        }
        search.best().clone()
    }

    #[test]
    fn a_seed_decides_the_run() {
        for set in GateSet::ALL {
            let start = Some(circuit(GateSet::Plain, 3));
            let mut runs = [7, 7, 8].map(|seed| Search::new(set, 3, start, seed));
            let [one, same, other] = [0, 1, 2].map(|k| run(&mut runs[k], 3));
            assert_eq!(one, same);
            assert_ne!(one, other, "of {set}");
        }
    }

    #[test]
    fn how_moves_are_counted_out_makes_no_difference() {
        let start = circuit(GateSet::Plain, 4);
        let [mut one, mut two] = [(); 2].map(|()| Search::new(GateSet::Lut3, 4, Some(start), 3));
        one.run(40 * BREATH);
        (0..20).for_each(|_| _ = two.run(2 * BREATH));
        assert_eq!(one.moves(), two.moves());
        assert_eq!(one.best(), two.best());
    }

    #[test]
    fn slow_a_search_begins_at_the_tables_and_gets_better() {
        for set in GateSet::ALL {
            // For the other sets a circuit of truth tables is searched first, which takes its time.
            for sbox in if set == GateSet::Lut3 { 0..8 } else { 2..4 } {
                let mut search = Search::new(set, sbox, None, sbox as u64);
                let before = search.best().gates.len();
                let after = run(&mut search, 4).gates.len();
                assert!(after < before, "S{} of {set}: {before} gates, {after} now", sbox + 1);
            }
        }
    }

    #[test]
    fn a_search_goes_on_from_a_circuit_of_any_set_and_never_loses_it() {
        for set in GateSet::ALL {
            for from in GateSet::ALL {
                let start = circuit(from, 3);
                let mut search = Search::new(set, 3, Some(start), 5);
                let before = search.best().clone();
                if set == from {
                    assert_eq!(before.gates.len(), start.gates.len());
                    assert_eq!(before.depth(), start.depth());
                }
                let after = run(&mut search, 3);
                let rank = |circuit: &Circuit| (circuit.cost(set), circuit.depth());
                assert!(rank(&after) <= rank(&before));
                // And from there.
                let again = Search::new(set, 3, Some(&after), 6);
                assert_eq!(rank(again.best()), rank(&after));
            }
        }
    }

    #[test]
    #[should_panic(expected = "a wrong circuit to start with")]
    fn a_wrong_circuit_is_no_start() {
        let _ = Search::new(GateSet::Plain, 0, Some(circuit(GateSet::Plain, 1)), 1);
    }
}
