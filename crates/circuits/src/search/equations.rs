//! Equations between inversions: sums of some of them, modulo 2, that are zero or one.

use super::mask::Mask;
use super::network::NODES;

/// A sum of inversions, and what it must be.
#[derive(Clone, Copy)]
pub(super) struct Equation<M> {
    pub(super) sum: M,
    pub(super) one: bool,
}

/// Equations that do not contradict each other, each with a first node of its own.
pub(super) struct Equations<M> {
    rows: [Option<Equation<M>>; NODES],
    /// The first nodes of the equations, in the order in which these were added.
    added: Vec<usize>,
}

impl<M: Mask> Equations<M> {
    pub(super) fn new() -> Self {
        Self { rows: [None; NODES], added: Vec::with_capacity(NODES) }
    }

    /// What an equation says beyond the others.
    fn reduced(&self, Equation { mut sum, mut one }: Equation<M>) -> Equation<M> {
        let mut left = sum;
        while left != M::NONE {
            let node = left.first();
            left = left.rest();
            if let Some(row) = self.rows[node] {
                // No row has a node before its first.
                sum = sum ^ row.sum;
                one ^= row.one;
                left = sum & !M::below(node + 1);
            }
        }
        Equation { sum, one }
    }

    /// Whether an equation follows from the others.
    fn implies(&self, equation: Equation<M>) -> bool {
        let Equation { sum, one } = self.reduced(equation);
        sum == M::NONE && !one
    }

    /// Adds an equation; says whether it contradicts none.
    pub(super) fn add(&mut self, equation: Equation<M>) -> bool {
        let reduced = self.reduced(equation);
        if reduced.sum == M::NONE {
            return !reduced.one;
        }
        let first = reduced.sum.first();
        self.rows[first] = Some(reduced);
        self.added.push(first);
        true
    }

    /// Adds one of each pair so that none contradicts another; gives up after some tries.
    pub(super) fn choose(&mut self, pairs: &[[Equation<M>; 2]], tries: &mut u32) -> bool {
        let Some((pair, rest)) = pairs.split_first() else { return true };
        if pair.iter().any(|equation| self.implies(*equation)) {
            return self.choose(rest, tries);
        }
        for equation in pair {
            let before = self.added.len();
            if self.add(*equation) && self.choose(rest, tries) {
                return true;
            }
            self.added.drain(before..).for_each(|first| self.rows[first] = None);
            *tries = tries.saturating_sub(1);
            if *tries == 0 {
                return false;
            }
        }
        false
    }

    /// A solution: as much as can be is zero.
    pub(super) fn solution(&self) -> [bool; NODES] {
        let mut values = [false; NODES];
        for node in (0..NODES).rev() {
            if let Some(Equation { sum, one }) = self.rows[node] {
                values[node] = sum.rest().ones().fold(one, |value, other| value ^ values[other]);
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equation(nodes: &[usize], one: bool) -> Equation<u64> {
        Equation { sum: nodes.iter().fold(0, |sum, &node| sum | u64::bit(node)), one }
    }

    #[test]
    fn what_contradicts_is_found_and_a_solution_solves() {
        let mut equations = Equations::new();
        let all = [equation(&[0, 3], true), equation(&[0, 5, 9], false), equation(&[3, 5], true)];
        assert!(all.iter().all(|one| equations.add(*one)));
        assert!(!equations.add(equation(&[9], true)));
        assert!(equations.implies(equation(&[9], false)));
        let values = equations.solution();
        for Equation { sum, one } in all {
            assert_eq!(sum.ones().fold(false, |value, node| value ^ values[node]), one);
        }
    }

    #[test]
    fn of_pairs_what_goes_together_is_chosen() {
        let pair = |a: &[usize], b: &[usize]| [equation(a, true), equation(b, true)];
        let mut equations = Equations::new();
        assert!(equations.add(equation(&[1, 2], true)) && equations.add(equation(&[2], false)));
        // The first of the first pair goes with neither of the second.
        let pairs = [pair(&[3], &[4]), [equation(&[3], false), equation(&[2, 3], false)]];
        assert!(!equations.choose(&pairs, &mut 1));
        assert!(equations.choose(&pairs, &mut 10));
        let values = equations.solution();
        assert!(!values[3] && values[4] && values[1]);
    }
}
