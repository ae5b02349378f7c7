//! Which nodes a gate can be made of: a function that matters for some inputs only, from candidates.
//!
//! Nodes can make a function if every pair of inputs, one with result one and one with result zero, is
//! told apart by one of them. So the search for them takes a pair that is not told apart yet, and tries
//! each candidate that does it: few branches, and none of them idle.

use super::mask::Mask;
use super::network::Lut;
use super::polarity;
use crate::GateSet;
use crate::Random;

/// A function: what it is for the inputs that matter.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) value: u64,
    pub(super) care: u64,
}

impl Wanted {
    /// Whether a node is it (`Some(false)`) or its inverse (`Some(true)`).
    pub(super) fn is(self, value: u64) -> Option<bool> {
        match (self.value ^ value) & self.care {
            0 => Some(false),
            difference if difference == self.care => Some(true),
            _ => None,
        }
    }
}

/// What the solver looks at.
pub(super) struct Solver<'a, M> {
    /// Nodes by input: bit `k` of `at[m]` is node `k` for input `m`.
    pub(super) at: &'a [M; 64],
    /// The nodes for all inputs.
    pub(super) values: &'a [u64; super::network::NODES],
    pub(super) set: GateSet,
    /// How many operands a gate may have.
    pub(super) most: usize,
    pub(super) allowed: M,
    pub(super) wanted: Wanted,
    /// Operands that are not to be found again, as a set.
    pub(super) known: M,
}

/// How many pairs are looked at to find one that few candidates tell apart.
const PAIRS: usize = 6;

/// How many branches are given up before the whole search is.
const TRIES: u32 = 30;

/// Bits of the inputs in a cell, where the nodes chosen so far have certain values.
#[derive(Clone, Copy, Default)]
struct Cell {
    ones: u64,
    zeros: u64,
}

impl<M: Mask> Solver<'_, M> {
    /// A gate that is the wanted function, of allowed nodes in random order; not every call looks at
    /// all there are.
    pub(super) fn gate(&self, random: &mut Random) -> Option<Lut> {
        let Wanted { value, care } = self.wanted;
        let mut cells = [Cell::default(); 8];
        cells[0] = Cell { ones: value & care, zeros: !value & care };
        let mut chosen = [0; 3];
        let mut tries = TRIES;
        self.deeper(0, &mut cells, &mut chosen, &mut tries, random)
    }

    /// The same with one operand given: a node behind the last, with its value.
    pub(super) fn gate_with(&self, node: u8, value: u64, random: &mut Random) -> Option<Lut> {
        let Wanted { value: f, care } = self.wanted;
        let mut cells = [Cell::default(); 8];
        cells[0] = Cell { ones: f & care & !value, zeros: !f & care & !value };
        cells[1] = Cell { ones: f & care & value, zeros: !f & care & value };
        let mut chosen = [node, 0, 0];
        let mut tries = TRIES;
        self.deeper(1, &mut cells, &mut chosen, &mut tries, random)
    }

    fn deeper(
        &self,
        depth: usize,
        cells: &mut [Cell; 8],
        chosen: &mut [u8; 3],
        tries: &mut u32,
        random: &mut Random,
    ) -> Option<Lut> {
        let count = 1 << depth;
        let mixed = cells[..count].iter().filter(|cell| cell.ones != 0 && cell.zeros != 0);
        let mixed = mixed.count();
        if mixed == 0 {
            return self.finished(depth, cells, chosen, random);
        }
        if depth == self.most {
            return None;
        }
        let last = depth + 1 == self.most;
        // The candidates for a pair, or at the last place those for several pairs.
        let mut best = self.allowed;
        let mut fewest = usize::MAX;
        let rounds = PAIRS.div_ceil(mixed);
        for cell in cells[..count].iter().filter(|cell| cell.ones != 0 && cell.zeros != 0) {
            for _ in 0..rounds {
                let one = some_bit(cell.ones, random);
                let zero = some_bit(cell.zeros, random);
                let apart = (self.at[one] ^ self.at[zero]) & self.allowed;
                if last {
                    best = best & apart;
                } else {
                    let n = apart.count();
                    if n < fewest {
                        fewest = n;
                        best = apart;
                    }
                }
            }
            if best == M::NONE {
                return None;
            }
        }
        let mut left = best;
        while left != M::NONE {
            let node = pick(left, random);
            left = left & !M::bit(node);
            let value = self.values[node];
            if last
                && cells[..count].iter().any(|cell| {
                    let (ones, zeros) = (cell.ones & value, cell.zeros & value);
                    // Each half of the cell must be all ones or all zeros.
                    ones != 0 && zeros != 0 || ones != cell.ones && zeros != cell.zeros
                })
            {
                continue;
            }
            let mut split = [Cell::default(); 8];
            for (k, cell) in cells[..count].iter().enumerate() {
                split[2 * k] = Cell { ones: cell.ones & !value, zeros: cell.zeros & !value };
                split[2 * k + 1] = Cell { ones: cell.ones & value, zeros: cell.zeros & value };
            }
            chosen[depth] = node as u8;
            if let Some(found) = self.deeper(depth + 1, &mut split, chosen, tries, random) {
                return Some(found);
            }
            *tries = tries.saturating_sub(1);
            if *tries == 0 {
                return None;
            }
        }
        None
    }

    /// The gate of chosen nodes, which tell everything apart; none if the set has no such gate.
    fn finished(
        &self,
        depth: usize,
        cells: &[Cell; 8],
        chosen: &[u8; 3],
        random: &mut Random,
    ) -> Option<Lut> {
        let mut operands = *chosen;
        for place in depth.max(1)..3 {
            operands[place] = operands[place - 1];
        }
        let needs = operands.iter().fold(M::NONE, |mask, &x| {
            if usize::from(x) < M::BITS { mask | M::bit(x.into()) } else { mask }
        });
        if needs == self.known {
            return None;
        }
        let tables = polarity::tables(self.set);
        // Of `depth` operands there are 2^depth rows, each standing for several of the table's.
        let (mut ones, mut zeros) = (0u8, 0u8);
        let repeat = 8 >> depth;
        for (k, cell) in cells[..1 << depth].iter().enumerate() {
            let rows = ((1u16 << repeat) - 1) as u8;
            let rows = rows << (k * repeat);
            if cell.ones != 0 {
                ones |= rows;
            } else if cell.zeros != 0 {
                zeros |= rows;
            } else if random.bits() & 1 != 0 {
                // Nobody cares: either will do. A set's own tables are chosen below.
                if tables.is_empty() || depth < 3 {
                    ones |= rows;
                }
            }
        }
        if tables.is_empty() || depth < 3 {
            return Some(Lut { table: ones, operands });
        }
        let start = random.below(tables.len());
        let tables = tables[start..].iter().chain(&tables[..start]);
        let fits = |table: &&u8| **table & zeros == 0 && !**table & ones == 0;
        tables.into_iter().find(fits).map(|&table| Lut { table, operands })
    }
}

/// One of the bits of a word that is not zero; lower ones in gaps of others are likelier.
#[inline(always)]
fn some_bit(word: u64, random: &mut Random) -> usize {
    let shift = (random.bits() & 63) as u32;
    let turned = word.rotate_right(shift);
    ((turned.trailing_zeros() + shift) & 63) as usize
}

/// One of the nodes of a set that is not empty.
#[inline(always)]
pub(super) fn pick<M: Mask>(set: M, random: &mut Random) -> usize {
    let skip = random.below(set.count());
    let mut set = set;
    for _ in 0..skip {
        set = set.rest();
    }
    set.first()
}
