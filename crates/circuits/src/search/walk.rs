//! The moves: from one right network to another.
//!
//! A move takes a random gate and finds the inputs for which anybody would see it change. Its function
//! for the others is free, so that other nodes may do the same work.

use super::mask::Mask;
use super::network::{Lut, Network, Reference};
use super::polarity;
use super::solve::{Solver, Wanted, pick};
use super::table;
use crate::Random;
use crate::{GateSet, INPUTS};

/// Of 1,024 moves, how many are of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    /// Two gates in place of one, at the cost of a gate.
    pub(super) up: usize,
    /// Two gates in place of two.
    pub(super) pair: usize,
    /// One gate that does without a node of its own that it has.
    pub(super) squeeze: usize,
}

/// A network on its way.
#[derive(Clone)]
pub(super) struct Walk<M> {
    pub(super) network: Network<M>,
    /// Bit `k` of `at[m]`: node `k` for input `m`.
    at: [M; 64],
    set: GateSet,
    pub(super) rates: Rates,
    pub(super) random: Random,
}

impl<M: Mask> Walk<M> {
    pub(super) fn new(network: Network<M>, set: GateSet, rates: Rates, random: Random) -> Self {
        let at = M::transposed(&network.values);
        Self { network, at, set, rates, random }
    }

    /// Goes on from another network.
    pub(super) fn go_to(&mut self, network: &Network<M>) {
        self.network = network.clone();
        self.at = M::transposed(&self.network.values);
    }

    /// The same in masks of another width.
    pub(super) fn widened<N: Mask>(&self) -> Walk<N> {
        Walk::new(self.network.widened(), self.set, self.rates, self.random.clone())
    }

    /// Tries one move; says whether the network is another now. It may have a gate more at most.
    pub(super) fn step(&mut self) -> bool {
        let network = &self.network;
        let node = INPUTS + self.random.below(network.gates());
        let cone = network.cone(node);
        let wanted = Wanted { value: network.values[node], care: network.care(node, cone) };
        let allowed = M::below(network.nodes) & !cone;
        if let Some(other) = self.other(wanted, allowed) {
            let new = network.without(node, other);
            return self.accept(new);
        }
        if self.set == GateSet::Lut3Xor && network.last().has(node) && self.random.one_in(4) {
            return self.two(node, cone, wanted, allowed, 0);
        }
        let kind = self.random.below(1024);
        let Rates { up, pair, squeeze } = self.rates;
        if kind < up {
            return self.two(node, cone, wanted, allowed, 1);
        }
        let mut without = M::NONE;
        if kind < up + pair + squeeze {
            let private = network.private(node);
            if private == M::NONE {
                return false;
            }
            without = M::bit(pick(private, &mut self.random));
            if kind < up + pair {
                return self.two(node, cone, wanted, allowed & !without, 0);
            }
        }
        let known = network.needs(node);
        let most = self.most(node);
        let network = &self.network;
        let solver = Solver {
            at: &self.at,
            values: &network.values,
            set: self.set,
            most,
            allowed: allowed & !without,
            wanted,
            known,
        };
        let Some(lut) = solver.gate(&mut self.random) else { return false };
        self.replace(node, cone, lut, None, 0)
    }

    /// How many operands a node's gate should have. What is only an output costs nothing with two.
    fn most(&mut self, node: usize) -> usize {
        match self.set {
            GateSet::Lut3Xor if self.network.last().has(node) && !self.random.one_in(8) => 2,
            _ => self.arity(),
        }
    }

    /// How many a gate of the set may have.
    fn arity(&self) -> usize {
        if self.set == GateSet::Plain { 2 } else { 3 }
    }

    /// A constant or a node that can stand for a function.
    fn other(&self, wanted: Wanted, allowed: M) -> Option<Reference> {
        if let Some(value) = wanted.is(0) {
            return Some(Reference::Constant(value));
        }
        let mut nodes = allowed.ones();
        nodes.find_map(|k| {
            let inverted = wanted.is(self.network.values[k])?;
            Some(Reference::Node(k as u8, inverted))
        })
    }

    /// Two gates in place of a node's one.
    fn two(&mut self, node: usize, cone: M, wanted: Wanted, allowed: M, more: usize) -> bool {
        if self.network.nodes + 1 >= M::BITS {
            return false;
        }
        let most = self.most(node);
        let found = if self.random.bits() & 1 == 0 {
            self.gate_of_any(wanted, allowed, most)
        } else {
            self.any_of_gate(wanted, allowed, most)
        };
        match found {
            Some((lut, extra)) => self.replace(node, cone, lut, Some(extra), more),
            None => false,
        }
    }

    /// A gate at random, and the function as a gate of it and others.
    fn gate_of_any(&mut self, wanted: Wanted, allowed: M, most: usize) -> Option<(Lut, Lut)> {
        let random = &mut self.random;
        let x = pick(allowed, random) as u8;
        let y = pick(allowed, random) as u8;
        let z = pick(allowed, random) as u8;
        let two = |random: &mut Random| {
            // x ^ y, or x & y with operands inverted or not.
            let way = random.below(6);
            match way {
                0 | 1 => 0x3c,
                _ => 3 << (2 * (way - 2)),
            }
        };
        let table = match self.set {
            GateSet::Plain => two(random),
            set @ (GateSet::Select | GateSet::Sha3) => {
                if random.bits() & 1 == 0 {
                    two(random)
                } else {
                    random.pick(polarity::tables(set))
                }
            }
            GateSet::Lut3 | GateSet::Lut3Xor => random.bits() as u8,
        };
        let extra = Lut::new(table, [x, y, z].map(|k| Reference::Node(k, false))).ok()?;
        let values = extra.operands.map(|k| self.network.values[usize::from(k)]);
        let value = table::apply(extra.table, values);
        let solver = Solver {
            at: &self.at,
            values: &self.network.values,
            set: self.set,
            most,
            allowed,
            wanted,
            known: M::NONE,
        };
        let lut = solver.gate_with(self.network.nodes as u8, value, &mut self.random)?;
        Some((lut, extra))
    }

    /// The function as a gate of some nodes at random and of something, and that as a gate.
    fn any_of_gate(&mut self, wanted: Wanted, allowed: M, most: usize) -> Option<(Lut, Lut)> {
        let (lut, inner) = match self.set {
            GateSet::Plain => self.split_by_one(wanted, allowed),
            GateSet::Lut3Xor if most == 2 => self.split_by_one(wanted, allowed),
            GateSet::Lut3 | GateSet::Lut3Xor => self.split_by_two(wanted, allowed),
            GateSet::Select | GateSet::Sha3 if self.random.bits() & 1 == 0 => {
                self.split_by_one(wanted, allowed)
            }
            GateSet::Sha3 if self.random.bits() & 1 == 0 => self.split_by_xor(wanted, allowed)?,
            GateSet::Select | GateSet::Sha3 => self.split_by_select(wanted, allowed)?,
        };
        let solver = Solver {
            at: &self.at,
            values: &self.network.values,
            set: self.set,
            most: self.arity(),
            allowed,
            wanted: inner,
            known: M::NONE,
        };
        Some((lut, solver.gate(&mut self.random)?))
    }

    /// f as something and, or, xor y.
    fn split_by_one(&mut self, wanted: Wanted, allowed: M) -> (Lut, Wanted) {
        let Wanted { value: f, care } = wanted;
        let node = pick(allowed, &mut self.random);
        let y = self.network.values[node];
        // In each half a constant, or the rest.
        let constant = |half: u64| match f & half {
            0 => Some(false),
            ones if ones == half => Some(true),
            _ => None,
        };
        let rows = |value: Option<bool>, rest: u8| match value {
            None => rest,
            Some(true) => 0xff,
            Some(false) => 0,
        };
        let (low, high) = (constant(care & !y), constant(care & y));
        // Both halves mixed, or both constant: the second cannot be, y would be f.
        let both = low.is_none() && high.is_none();
        let inner = match (low, high) {
            (None, None) => Wanted { value: f ^ y, care },
            (None, _) => Wanted { value: f, care: care & !y },
            (_, _) => Wanted { value: f, care: care & y },
        };
        let table = rows(low, 0xf0) & 0x33 | rows(high, if both { 0x0f } else { 0xf0 }) & 0xcc;
        (Lut { table, operands: [self.network.nodes as u8, node as u8, node as u8] }, inner)
    }

    /// f as a truth table of something, y and z.
    fn split_by_two(&mut self, wanted: Wanted, allowed: M) -> (Lut, Wanted) {
        let Wanted { value: f, care } = wanted;
        let nodes = [pick(allowed, &mut self.random), pick(allowed, &mut self.random)];
        let [y, z] = nodes.map(|k| self.network.values[k]);
        let turns = self.random.bits();
        let mut table = 0u8;
        let mut inner = Wanted { value: 0, care: 0 };
        for row in 0..4 {
            let inverse = |bit: u64| if row & bit == 0 { u64::MAX } else { 0 };
            let cell = care & (y ^ inverse(2)) & (z ^ inverse(1));
            let turned = turns >> row & 1 != 0;
            // Where something is zero, and where it is one.
            let (low, high) = match f & cell {
                0 => (0, 0),
                ones if ones == cell => (1, 1),
                ones => {
                    inner.care |= cell;
                    inner.value |= if turned { cell & !ones } else { ones };
                    if turned { (1, 0) } else { (0, 1) }
                }
            };
            table |= (low | high << 4) << row;
        }
        (Lut { table, operands: [self.network.nodes as u8, nodes[0] as u8, nodes[1] as u8] }, inner)
    }

    /// f as a select between something and z by y, or between y and z by something.
    fn split_by_select(&mut self, wanted: Wanted, allowed: M) -> Option<(Lut, Wanted)> {
        let Wanted { value: f, care } = wanted;
        let node = pick(allowed, &mut self.random);
        let y = self.network.values[node];
        let by_y = self.random.bits() & 1 == 0;
        let flip = if self.random.bits() & 1 == 0 { u64::MAX } else { 0 };
        // By y: z is f where y ^ flip is zero. By something: z is f where y ^ flip is not.
        let fixed = care & if by_y { !(y ^ flip) } else { y ^ flip ^ f };
        let wanted_there = Wanted { value: f, care: fixed };
        let (other, inverted) = self.like(wanted_there, allowed & !M::bit(node))?;
        let (something, y_row, z_row) = (0xf0u8, 0xccu8, 0xaau8);
        let y_row = if flip != 0 { !y_row } else { y_row };
        let z_row = if inverted { !z_row } else { z_row };
        let (table, inner) = if by_y {
            (y_row & something | !y_row & z_row, Wanted { value: f, care: care & !fixed })
        } else {
            // Something is one where y is f and z is not; where both are, nobody cares.
            let z = self.network.values[other] ^ if inverted { u64::MAX } else { 0 };
            let differ = y ^ flip ^ z;
            (
                something & y_row | !something & z_row,
                Wanted { value: !(y ^ flip ^ f), care: care & differ },
            )
        };
        let operands = [self.network.nodes as u8, node as u8, other as u8];
        Some((Lut { table, operands }, inner))
    }

    /// f as something ^ y ^ z, as something ^ (y & z), or as y ^ (something & z); inversions anywhere.
    fn split_by_xor(&mut self, wanted: Wanted, allowed: M) -> Option<(Lut, Wanted)> {
        let Wanted { value: f, care } = wanted;
        let nodes = [pick(allowed, &mut self.random), pick(allowed, &mut self.random)];
        let turns = self.random.bits();
        let turn = |bit: u64| if turns & bit == 0 { 0 } else { u64::MAX };
        let [y, z] =
            [self.network.values[nodes[0]] ^ turn(1), self.network.values[nodes[1]] ^ turn(2)];
        let (something, y_row, z_row) = (0xf0u8, 0xcc ^ turn(1) as u8, 0xaa ^ turn(2) as u8);
        let (table, nodes, inner) = match self.random.below(3) {
            0 => (something ^ y_row ^ z_row, nodes, Wanted { value: f ^ y ^ z, care }),
            1 => (something ^ y_row & z_row, nodes, Wanted { value: f ^ y & z, care }),
            _ => {
                // Where z is zero, f is y.
                let fixed = Wanted { value: f, care: care & !z };
                let (other, inverted) = self.like(fixed, allowed & !M::bit(nodes[1]))?;
                let y = self.network.values[other] ^ if inverted { u64::MAX } else { 0 };
                let y_row = if inverted { !0xccu8 } else { 0xcc };
                let inner = Wanted { value: f ^ y, care: care & z };
                (y_row ^ something & z_row, [other, nodes[1]], inner)
            }
        };
        let operands = [self.network.nodes as u8, nodes[0] as u8, nodes[1] as u8];
        Some((Lut { table, operands }, inner))
    }

    /// A node that is a function or its inverse, and which; the search for it begins anywhere.
    fn like(&mut self, wanted: Wanted, allowed: M) -> Option<(usize, bool)> {
        let start = M::below(pick(allowed, &mut self.random));
        let mut nodes = (allowed & !start).ones().chain((allowed & start).ones());
        nodes.find_map(|k| Some((k, wanted.is(self.network.values[k])?)))
    }

    /// Puts a gate in place of a node's, if that costs no more than `more` gates.
    fn replace(&mut self, node: usize, cone: M, lut: Lut, extra: Option<Lut>, more: usize) -> bool {
        // Where nobody cares, the solver may have made a table simpler than it looks.
        let simple =
            |lut: Lut| Lut::new(lut.table, lut.operands.map(|k| Reference::Node(k, false)));
        let Ok(lut) = simple(lut) else { return false };
        let extra = match extra.map(simple) {
            None => None,
            Some(Ok(extra)) => Some(extra),
            Some(Err(_)) => return false,
        };
        let needed = extra.map_or(M::NONE, Lut::needs);
        let live = self.network.live(node, cone, lut.needs(), needed);
        let cost = self.network.cost_with(self.set, (node, lut), extra, live);
        if cost > self.network.cost(self.set) + more {
            return false;
        }
        let extra = extra.filter(|_| live.has(self.network.nodes));
        let new = self.network.with(node, cone, live, lut, extra);
        self.accept(new)
    }

    /// Takes a network, if its gates are of the set.
    fn accept(&mut self, new: Network<M>) -> bool {
        if !polarity::is_possible(&new, self.set) {
            return false;
        }
        self.network = new;
        self.at = M::transposed(&self.network.values);
        true
    }
}
