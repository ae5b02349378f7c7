//! A circuit: gates in the order in which they are computed, from six inputs to four outputs.

use crate::gates::{GateSet, Op};
use crate::sbox::{INPUTS, LANES, OUTPUTS, target};

/// The number of a value: 0 to 5 are the inputs, leftmost bit first (so 0 and 5 select the row, 1 to
/// 4 the column), 6 is the first gate's result, and so on.
pub type Node = u8;

/// One gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    op: Op,
    operands: [Node; 3],
}

impl Gate {
    /// A gate of some earlier nodes.
    ///
    /// # Panics
    /// If there are not as many operands as `op` takes.
    #[must_use]
    pub fn new(op: Op, operands: &[Node]) -> Self {
        assert_eq!(operands.len(), op.operands(), "{op:?}");
        let mut all = [0; 3];
        all[..operands.len()].copy_from_slice(operands);
        Self { op, operands: all }
    }

    /// What it computes.
    #[must_use]
    pub const fn op(&self) -> Op {
        self.op
    }

    /// Of which nodes: x, y and, if it takes three, z. Never inverted.
    #[must_use]
    pub fn operands(&self) -> &[Node] {
        &self.operands[..self.op.operands()]
    }
}

/// Whether a gate has two operands: a truth table of two repeats the second.
fn is_of_two(gate: &Gate) -> bool {
    matches!(gate.operands(), [_, _]) || matches!(gate.operands(), [_, y, z] if y == z)
}

/// What an output is: a node, or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Output {
    /// The node.
    pub node: Node,
    /// Whether the output is its inverse.
    pub inverted: bool,
}

/// A circuit of one S-box.
///
/// An inversion at an input or an output is no gate: DES XORs a key bit into every input, and every
/// output into the other half, so an inversion can be folded into differences of key bits. Who does
/// not fold computes a NOT there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuit {
    /// Inputs that the gates take inverted. Circuits of `plain` and of `lut3` need none.
    pub inverted_inputs: [bool; INPUTS],
    /// The gates; gate k is node 6 + k, and its operands stand before it.
    pub gates: Vec<Gate>,
    /// The outputs, leftmost bit first.
    pub outputs: [Output; OUTPUTS],
}

impl Circuit {
    /// Why this is no circuit of a gate set, if it is none: a gate that the set does not have or
    /// that reads ahead, an output that does not exist, a gate that no output needs.
    #[must_use]
    pub fn malformed(&self, set: GateSet) -> Option<String> {
        for (k, gate) in self.gates.iter().enumerate() {
            let node = INPUTS + k;
            if !set.has(gate.op) {
                return Some(format!("node {node}: {:?} is no gate of {set}", gate.op));
            }
            if let Some(ahead) = gate.operands().iter().find(|&&x| usize::from(x) >= node) {
                return Some(format!(
                    "node {node} needs node {ahead}, which does not stand before"
                ));
            }
        }
        let end = INPUTS + self.gates.len();
        if let Some(output) = self.outputs.iter().find(|output| usize::from(output.node) >= end) {
            return Some(format!("there is no node {} for an output", output.node));
        }
        let mut used = vec![false; end];
        self.outputs.iter().for_each(|output| used[usize::from(output.node)] = true);
        for (k, gate) in self.gates.iter().enumerate().rev() {
            if !used[INPUTS + k] {
                return Some(format!("no output needs node {}", INPUTS + k));
            }
            gate.operands().iter().for_each(|&x| used[usize::from(x)] = true);
        }
        None
    }

    /// The outputs in each of 64 lanes.
    ///
    /// # Panics
    /// If a gate or an output names a node that is not there.
    #[must_use]
    pub fn evaluate(&self, inputs: [u64; INPUTS]) -> [u64; OUTPUTS] {
        let inverse = |inverted: bool| if inverted { u64::MAX } else { 0 };
        let mut nodes = Vec::with_capacity(INPUTS + self.gates.len());
        nodes.extend((0..INPUTS).map(|i| inputs[i] ^ inverse(self.inverted_inputs[i])));
        for gate in &self.gates {
            let value = gate.op.apply(gate.operands.map(|x| nodes[usize::from(x)]));
            nodes.push(value);
        }
        self.outputs.map(|output| nodes[usize::from(output.node)] ^ inverse(output.inverted))
    }

    /// The first input for which this is not S-box number `sbox` (0 is S1), if there is one; all 64
    /// are tried.
    ///
    /// # Panics
    /// As [`evaluate`](Self::evaluate), and if `sbox` is above 7.
    #[must_use]
    pub fn wrong_input(&self, sbox: usize) -> Option<u8> {
        let got = self.evaluate(LANES);
        let wanted = target(sbox);
        let wrong = (0..OUTPUTS).fold(0, |wrong, o| wrong | got[o] ^ wanted[o]);
        (wrong != 0).then(|| wrong.trailing_zeros() as u8)
    }

    /// Which gates are *absorbed*: who XORs an output into something by an operation of three inputs
    /// computes its last gate on the way, if that has two operands and serves nobody else.
    #[must_use]
    pub fn absorbed(&self) -> Vec<bool> {
        let absorbed = |(k, gate): (usize, &Gate)| {
            let node = INPUTS + k;
            let others = self.gates.iter().any(|gate| gate.operands().contains(&(node as Node)));
            let outputs = self.outputs.iter().filter(|output| usize::from(output.node) == node);
            is_of_two(gate) && !others && outputs.count() == 1
        };
        self.gates.iter().enumerate().map(absorbed).collect()
    }

    /// How many of its gates are operations of their own: all, or those that are not absorbed.
    #[must_use]
    pub fn cost(&self, set: GateSet) -> usize {
        match set {
            GateSet::Lut3Xor => self.absorbed().iter().filter(|&&absorbed| !absorbed).count(),
            _ => self.gates.len(),
        }
    }

    /// How many inputs and outputs are inverted.
    #[must_use]
    pub fn inversions(&self) -> usize {
        let outputs = self.outputs.iter().filter(|output| output.inverted).count();
        outputs + self.inverted_inputs.iter().filter(|&&inverted| inverted).count()
    }

    /// Gates on the longest way from an input to an output.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; INPUTS];
        for gate in &self.gates {
            let before = gate.operands().iter().map(|&x| depths[usize::from(x)]).max();
            depths.push(1 + before.unwrap_or(0));
        }
        self.outputs.iter().map(|output| depths[usize::from(output.node)]).max().unwrap_or(0)
    }

    /// The most values that are held at one time when the gates are computed in this order: inputs
    /// from the start to their last use, outputs until they are computed (they go at once into the
    /// other half).
    #[must_use]
    pub fn live(&self) -> usize {
        let mut last = vec![0; INPUTS + self.gates.len()];
        for (k, gate) in self.gates.iter().enumerate() {
            gate.operands().iter().for_each(|&x| last[usize::from(x)] = k);
        }
        let held = |k: usize| {
            let before = (0..INPUTS + k).filter(|&x| last[x] > k).count();
            // The result takes a register, if only until it is stored.
            before + 1
        };
        (0..self.gates.len()).map(held).max().unwrap_or(0).max(INPUTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_small_circuit() {
        let output = |node| Output { node, inverted: node == 7 };
        let circuit = Circuit {
            inverted_inputs: [true, false, false, false, false, false],
            gates: vec![Gate::new(Op::And, &[0, 1]), Gate::new(Op::Select, &[6, 2, 3])],
            outputs: [6, 7, 5, 0].map(output),
        };
        assert_eq!(circuit.depth(), 2);
        assert_eq!(circuit.live(), 6);
        let [a, b, c, d] = circuit.evaluate([!3, 5, 9, 3, 0, 9]);
        assert_eq!([a, b, c, d], [1, !3, 9, 3]);
        assert_eq!(circuit.malformed(GateSet::Select), None);
        assert!(circuit.malformed(GateSet::Plain).unwrap().contains("Select"));
    }

    #[test]
    fn last_gates_of_two_are_absorbed() {
        let output = |node| Output { node, inverted: false };
        let table = |operands: [Node; 3]| Gate::new(Op::Table(0x96), &operands);
        // Of two but not last, of three, of two, and of two for two outputs.
        let gates = [[0, 1, 1], [6, 2, 3], [4, 5, 5], [2, 3, 3]].map(table);
        let circuit = Circuit {
            inverted_inputs: [false; 6],
            gates: gates.to_vec(),
            outputs: [7, 8, 9, 9].map(output),
        };
        assert_eq!(circuit.absorbed(), [false, false, true, false]);
        assert_eq!((circuit.cost(GateSet::Lut3), circuit.cost(GateSet::Lut3Xor)), (4, 3));
    }

    #[test]
    fn gates_that_nobody_needs_or_that_read_ahead_are_found() {
        let circuit = |gates: &[Gate], node| Circuit {
            inverted_inputs: [false; 6],
            gates: gates.to_vec(),
            outputs: [Output { node, inverted: false }; 4],
        };
        let why = |gates: &[Gate], node| circuit(gates, node).malformed(GateSet::Plain).unwrap();
        let and = Gate::new(Op::And, &[0, 1]);
        assert!(why(&[and, and], 6).contains("no output needs node 7"));
        assert!(why(&[Gate::new(Op::And, &[0, 6])], 6).contains("node 6 needs node 6"));
        assert!(why(&[and], 7).contains("no node 7"));
    }
}
