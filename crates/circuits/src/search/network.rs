//! A circuit as the search has it: gates of any two or three inputs, without regard to inversions,
//! in arrays of fixed size.

use super::mask::Mask;
use super::table;
use crate::{Circuit, GateSet, INPUTS, LANES, OUTPUTS};

/// The most nodes, inputs included.
pub(super) const NODES: usize = 128;

/// What a node is, or a constant, possibly inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    Constant(bool),
    Node(u8, bool),
}

/// A gate: a truth table of three operands, as in [`Op::Table`](crate::Op::Table). A table
/// that has no use for its third operand repeats the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lut {
    pub(super) table: u8,
    pub(super) operands: [u8; 3],
}

impl Lut {
    /// As a mask of the nodes that it needs.
    pub(super) fn needs<M: Mask>(self) -> M {
        let [x, y, z] = self.operands.map(|x| M::bit(x.into()));
        x | y | z
    }

    /// Whether it has two operands.
    fn is_of_two(self) -> bool {
        self.operands[1] == self.operands[2]
    }

    /// A truth table of some references, with as few operands as it needs.
    pub(super) fn new(mut table: u8, operands: [Reference; 3]) -> Result<Self, Reference> {
        let mut nodes = [0; 3];
        for (place, operand) in operands.into_iter().enumerate() {
            match operand {
                Reference::Constant(value) => table = table::fixed(table, place, value),
                Reference::Node(node, inverted) => {
                    nodes[place] = node;
                    if inverted {
                        table = table::inverted(table, place);
                    }
                }
            }
        }
        for (place, other) in [(1, 0), (2, 0), (2, 1)] {
            if nodes[place] == nodes[other] && table::depends(table, place) {
                table = table::identified(table, other, place);
            }
        }
        Self::least(table, nodes)
    }

    /// A truth table with as few operands as it needs; these are different ones.
    fn least(table: u8, nodes: [u8; 3]) -> Result<Self, Reference> {
        let needed = |place| table::depends(table, place);
        match [needed(0), needed(1), needed(2)] {
            [true, true, true] => Ok(Self { table, operands: nodes }),
            [true, true, false] => Ok(Self { table, operands: [nodes[0], nodes[1], nodes[1]] }),
            [true, false, true] => Ok(Self {
                table: table::packed(table, 0, 2),
                operands: [nodes[0], nodes[2], nodes[2]],
            }),
            [false, true, true] => Ok(Self {
                table: table::packed(table, 1, 2),
                operands: [nodes[1], nodes[2], nodes[2]],
            }),
            [true, false, false] => Err(Reference::Node(nodes[0], table & 0x80 == 0)),
            [false, true, false] => Err(Reference::Node(nodes[1], table & 0x80 == 0)),
            [false, false, true] => Err(Reference::Node(nodes[2], table & 0x80 == 0)),
            [false, false, false] => Err(Reference::Constant(table != 0)),
        }
    }
}

/// A circuit: node k's operands are nodes below k.
#[derive(Clone)]
pub(super) struct Network<M> {
    /// Nodes, inputs included.
    pub(super) nodes: usize,
    luts: [Lut; NODES],
    needs: [M; NODES],
    /// Each node for the 64 inputs.
    pub(super) values: [u64; NODES],
    pub(super) outputs: [(u8, bool); OUTPUTS],
    /// The nodes that are outputs.
    output_nodes: M,
    /// The nodes that gates need.
    used: M,
    /// The gates of two operands.
    twos: M,
}

impl<M: Mask> Network<M> {
    /// The inputs alone; every output is input 0.
    fn empty() -> Self {
        let mut values = [0; NODES];
        values[..INPUTS].copy_from_slice(&LANES);
        Self {
            nodes: INPUTS,
            luts: [Lut { table: 0, operands: [0; 3] }; NODES],
            needs: [M::NONE; NODES],
            values,
            outputs: [(0, false); OUTPUTS],
            output_nodes: M::NONE,
            used: M::NONE,
            twos: M::NONE,
        }
    }

    /// How many gates there are.
    pub(super) fn gates(&self) -> usize {
        self.nodes - INPUTS
    }

    /// How many gates count.
    pub(super) fn cost(&self, set: GateSet) -> usize {
        let absorbed = self.last() & self.twos;
        self.gates() - if set == GateSet::Lut3Xor { absorbed.count() } else { 0 }
    }

    /// The gates that are outputs and nothing else.
    pub(super) fn last(&self) -> M {
        self.output_nodes & !self.used & !M::below(INPUTS)
    }

    pub(super) fn lut(&self, node: usize) -> Lut {
        self.luts[node]
    }

    pub(super) fn needs(&self, node: usize) -> M {
        self.needs[node]
    }

    fn push(&mut self, lut: Lut) -> u8 {
        let value = table::apply(lut.table, lut.operands.map(|x| self.values[usize::from(x)]));
        self.push_with(lut, value)
    }

    fn push_with(&mut self, lut: Lut, value: u64) -> u8 {
        let node = self.nodes;
        self.luts[node] = lut;
        self.needs[node] = lut.needs();
        self.values[node] = value;
        self.used = self.used | self.needs[node];
        if lut.is_of_two() {
            self.twos = self.twos | M::bit(node);
        }
        self.nodes += 1;
        node as u8
    }

    fn set_outputs(&mut self, outputs: [(u8, bool); OUTPUTS]) {
        self.outputs = outputs;
        self.output_nodes =
            outputs.iter().fold(M::NONE, |mask, &(node, _)| mask | M::bit(node.into()));
    }

    /// The nodes that would change if a node did, itself included.
    pub(super) fn cone(&self, node: usize) -> M {
        let mut cone = M::bit(node);
        for k in node + 1..self.nodes {
            if self.needs[k] & cone != M::NONE {
                cone = cone | M::bit(k);
            }
        }
        cone
    }

    /// The inputs for which an output would change if a node did; `cone` is the node's.
    pub(super) fn care(&self, node: usize, cone: M) -> u64 {
        let mut values = self.values;
        values[node] = !values[node];
        for k in (cone & !M::bit(node)).ones() {
            let lut = &self.luts[k];
            values[k] = table::apply(lut.table, lut.operands.map(|x| values[usize::from(x)]));
        }
        let changed =
            self.outputs.map(|(k, _)| values[usize::from(k)] ^ self.values[usize::from(k)]);
        changed.iter().fold(0, |care, changed| care | changed)
    }

    /// The nodes of which only `node` is a user; outputs have another.
    pub(super) fn private(&self, node: usize) -> M {
        let mut private = self.needs[node] & !self.output_nodes & !M::below(INPUTS);
        for k in INPUTS..self.nodes {
            if k != node {
                private = private & !self.needs[k];
            }
        }
        private
    }

    /// The nodes that outputs need if `node` needed `needs` instead, and if a further gate, the node
    /// after the last, needed `extra`.
    pub(super) fn live(&self, node: usize, cone: M, needs: M, extra: M) -> M {
        let mut live = self.output_nodes;
        let mut visit = |k: usize| {
            if live.has(k) {
                live = live | if k == node { needs } else { self.needs[k] };
            }
        };
        (node..self.nodes).rev().filter(|&k| cone.has(k)).for_each(&mut visit);
        if live.has(self.nodes) {
            live = live | extra;
        }
        for k in (INPUTS..self.nodes).rev() {
            if live.has(k) && !cone.has(k) {
                live = live | self.needs[k];
            }
        }
        live
    }

    /// How many gates would count if `live` were left, with `lut` for `node` and `extra` for the node after
    /// the last.
    pub(super) fn cost_with(
        &self,
        set: GateSet,
        (node, lut): (usize, Lut),
        extra: Option<Lut>,
        live: M,
    ) -> usize {
        let gates = live & !M::below(INPUTS);
        if set != GateSet::Lut3Xor {
            return gates.count();
        }
        let mut used = extra.filter(|_| live.has(self.nodes)).map_or(M::NONE, Lut::needs);
        for k in gates.ones().filter(|&k| k < self.nodes) {
            used = used | if k == node { lut.needs() } else { self.needs[k] };
        }
        let own = M::bit(node);
        let twos = self.twos & !own | if lut.is_of_two() { own } else { M::NONE };
        gates.count() - (self.output_nodes & twos & gates & !used).count()
    }

    /// The same with another gate in place of a node's, and a further gate that it may need as the
    /// node after the last; only what is live.
    pub(super) fn with(&self, node: usize, cone: M, live: M, lut: Lut, extra: Option<Lut>) -> Self {
        let mut new = Self::empty();
        let mut map = identity();
        let renamed = |lut: Lut, map: &[u8; NODES]| Lut {
            table: lut.table,
            operands: lut.operands.map(|x| map[usize::from(x)]),
        };
        for k in INPUTS..self.nodes {
            if live.has(k) && !cone.has(k) {
                map[k] = new.push_with(renamed(self.luts[k], &map), self.values[k]);
            }
        }
        if let Some(extra) = extra {
            map[self.nodes] = new.push(renamed(extra, &map));
        }
        for k in node..self.nodes {
            if live.has(k) && cone.has(k) {
                let lut = if k == node { lut } else { self.luts[k] };
                map[k] = new.push(renamed(lut, &map));
            }
        }
        new.set_outputs(self.outputs.map(|(k, inverted)| (map[usize::from(k)], inverted)));
        new
    }

    /// The same without a node: everybody takes something else for it, which is not in its cone.
    /// Whatever that makes simpler or superfluous goes, too.
    pub(super) fn without(&self, node: usize, by: Reference) -> Self {
        let mut maker = Maker::new();
        let cone = self.cone(node);
        let mut map = identity().map(|k| Reference::Node(k, false));
        let order = (INPUTS..self.nodes).filter(|&k| !cone.has(k));
        let order = order.chain((node..self.nodes).filter(|&k| cone.has(k)));
        for k in order {
            map[k] = if k == node {
                match by {
                    Reference::Constant(_) => by,
                    Reference::Node(other, inverted) => inverse(map[usize::from(other)], inverted),
                }
            } else {
                let lut = self.luts[k];
                maker.lut(lut.table, lut.operands.map(|x| map[usize::from(x)]))
            };
        }
        let outputs = self.outputs;
        maker.finish(outputs.map(|(k, inverted)| inverse(map[usize::from(k)], inverted)))
    }

    /// The same in masks of another width, if the nodes fit.
    pub(super) fn widened<N: Mask>(&self) -> Network<N> {
        let mut new = Network::empty();
        for k in INPUTS..self.nodes {
            new.push(self.luts[k]);
        }
        new.set_outputs(self.outputs);
        new
    }

    /// From a circuit of any gate set.
    pub(super) fn from_circuit(circuit: &Circuit) -> Self {
        let mut maker = Maker::new();
        let mut map: Vec<Reference> = (0..)
            .zip(circuit.inverted_inputs)
            .map(|(k, inverted)| Reference::Node(k, inverted))
            .collect();
        for gate in &circuit.gates {
            let table = gate.op().apply([0xf0, 0xcc, 0xaa]) as u8;
            let mut operands = [map[0]; 3];
            for (place, &operand) in gate.operands().iter().enumerate() {
                operands[place] = map[usize::from(operand)];
            }
            map.push(maker.lut(table, operands));
        }
        maker.finish(
            circuit.outputs.map(|output| inverse(map[usize::from(output.node)], output.inverted)),
        )
    }
}

fn identity() -> [u8; NODES] {
    std::array::from_fn(|k| k as u8)
}

pub(super) fn inverse(reference: Reference, inverted: bool) -> Reference {
    match reference {
        Reference::Constant(value) => Reference::Constant(value ^ inverted),
        Reference::Node(node, also) => Reference::Node(node, also ^ inverted),
    }
}

/// Makes a network gate by gate; equal gates become one.
pub(super) struct Maker<M>(Network<M>);

impl<M: Mask> Maker<M> {
    pub(super) fn new() -> Self {
        Self(Network::empty())
    }

    /// A gate, or what is already there and does the same.
    ///
    /// # Panics
    /// If there are too many gates.
    pub(super) fn lut(&mut self, table: u8, operands: [Reference; 3]) -> Reference {
        match Lut::new(table, operands) {
            Err(reference) => reference,
            Ok(lut) => {
                let network = &mut self.0;
                let same = (INPUTS..network.nodes).find(|&k| network.luts[k] == lut);
                let node = same.map_or_else(
                    || {
                        assert!(network.nodes < M::BITS, "too many gates");
                        network.push(lut)
                    },
                    |k| k as u8,
                );
                Reference::Node(node, false)
            }
        }
    }

    /// The network of some outputs, and only what they need.
    ///
    /// # Panics
    /// If an output is constant: no S-box has such.
    pub(super) fn finish(mut self, outputs: [Reference; OUTPUTS]) -> Network<M> {
        self.0.set_outputs(outputs.map(|output| match output {
            Reference::Node(node, inverted) => (node, inverted),
            Reference::Constant(_) => panic!("an output is constant"),
        }));
        let network = self.0;
        let mut live = network.output_nodes;
        for k in (INPUTS..network.nodes).rev() {
            if live.has(k) {
                live = live | network.needs[k];
            }
        }
        let mut map = identity();
        let mut new = Network::empty();
        for k in INPUTS..network.nodes {
            if live.has(k) {
                let Lut { table, operands } = network.luts[k];
                let operands = operands.map(|x| map[usize::from(x)]);
                map[k] = new.push_with(Lut { table, operands }, network.values[k]);
            }
        }
        new.set_outputs(network.outputs.map(|(k, inverted)| (map[usize::from(k)], inverted)));
        new
    }
}
