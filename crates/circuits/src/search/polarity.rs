//! Inversions: from a network without regard to them to a circuit of a gate set.
//!
//! A gate's result may be kept inverted, if its users allow for that. AND, OR and ANDN do one of the
//! two for any way in which their operands are kept, and so does XOR. A select wants the two between
//! which it selects kept alike. So everything follows from which inputs are inverted: all 64 ways
//! are followed at once, one in each bit of a word.

use super::mask::Mask;
use super::network::{Lut, Network};
use super::table;
use crate::{Circuit, Gate, GateSet, INPUTS, LANES, Node, Op, Output};

/// How a gate's result is kept, given how its operands are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// (x ^ i) & (y ^ j) ^ o.
    And { i: bool, j: bool, o: bool },
    /// x ^ y ^ o.
    Xor { o: bool },
    /// Between two places, inverted each or not.
    Select { between: [(u8, bool); 2] },
    /// No gate of two-input functions and selects.
    None,
}

static RULES: [Rule; 256] = {
    let mut rules = [Rule::None; 256];
    let mut table = 0;
    while table < 256 {
        rules[table] = rule(table as u8);
        table += 1;
    }
    rules
};

const fn rule(table: u8) -> Rule {
    let mut way = 0;
    while way < 8 {
        let (i, j, o) = (way & 1 != 0, way & 2 != 0, way & 4 != 0);
        let mut and = 0xc0;
        if i {
            and = table::inverted(and, 0);
        }
        if j {
            and = table::inverted(and, 1);
        }
        if o {
            and = !and;
        }
        if table == and {
            return Rule::And { i, j, o };
        }
        way += 1;
    }
    if table == 0x3c || table == 0xc3 {
        return Rule::Xor { o: table == 0xc3 };
    }
    // Controlled by each place in turn: between the other two, inverted or not.
    let mut control = 0;
    while control < 3 {
        let (one, zero) = ([1, 0, 0][control], [2, 2, 1][control]);
        let mut way = 0;
        while way < 8 {
            let (p, q, turned) = (way & 1 != 0, way & 2 != 0, way & 4 != 0);
            let mut select = [0xca, 0xe2, 0xd8][control];
            if turned {
                select = table::inverted(select, control);
            }
            if p {
                select = table::inverted(select, one);
            }
            if q {
                select = table::inverted(select, zero);
            }
            if table == select {
                return Rule::Select { between: [(one as u8, p), (zero as u8, q)] };
            }
            way += 1;
        }
        control += 1;
    }
    Rule::None
}

fn all(inverted: bool) -> u64 {
    if inverted { u64::MAX } else { 0 }
}

/// Which of 64 ways to invert inputs do for all gates so far; way `w` inverts input `i` if bit `i` of
/// [`LANES`] says so for `w`.
pub(super) struct Polarities {
    kept: [u64; super::network::NODES],
    pub(super) possible: u64,
}

impl Polarities {
    pub(super) fn new() -> Self {
        let mut kept = [0; super::network::NODES];
        kept[..INPUTS].copy_from_slice(&LANES);
        Self { kept, possible: u64::MAX }
    }

    /// Takes a gate in.
    pub(super) fn gate(&mut self, node: usize, lut: Lut) {
        let [x, y, z] = lut.operands.map(|x| self.kept[usize::from(x)]);
        self.kept[node] = match RULES[usize::from(lut.table)] {
            Rule::And { i, j, o } => all(o) ^ (x ^ all(i)) & (y ^ all(j)),
            Rule::Xor { o } => all(o) ^ x ^ y,
            Rule::Select { between: [(one, p), (zero, q)] } => {
                let one = [x, y, z][usize::from(one)] ^ all(p);
                let zero = [x, y, z][usize::from(zero)] ^ all(q);
                self.possible &= !(one ^ zero);
                one
            }
            Rule::None => {
                self.possible = 0;
                0
            }
        };
    }
}

/// The circuit of a network, with as few inverted inputs as possible.
///
/// # Panics
/// If the gate set has no gates for the network; the search sees to it that it has.
pub(super) fn circuit<M: Mask>(network: &Network<M>, set: GateSet) -> Circuit {
    if set == GateSet::Lut3 {
        return tables(network);
    }
    let mut polarities = Polarities::new();
    for node in INPUTS..network.nodes {
        polarities.gate(node, network.lut(node));
    }
    let inverted = |way: usize| LANES.map(|lanes| lanes >> way & 1 != 0);
    let ways = (0..64).filter(|way| polarities.possible >> way & 1 != 0);
    let way = ways.min_by_key(|&way| inverted(way).iter().filter(|&&inverted| inverted).count());
    let way = way.expect("inversions that all gates can live with");
    let kept = |node: u8| polarities.kept[usize::from(node)] >> way & 1 != 0;
    let gates = (INPUTS..network.nodes).map(|node| {
        let Lut { mut table, operands } = network.lut(node);
        for (place, &operand) in operands.iter().enumerate() {
            if kept(operand) && table::depends(table, place) {
                table = table::inverted(table, place);
            }
        }
        gate(if kept(node as u8) { !table } else { table }, operands)
    });
    Circuit {
        inverted_inputs: inverted(way),
        gates: gates.collect(),
        outputs: network.outputs.map(|(node, not)| Output { node, inverted: not ^ kept(node) }),
    }
}

/// The gate of a table, with the operands in its order.
fn gate(wanted: u8, operands: [Node; 3]) -> Gate {
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0]];
    let ones = [0xf0, 0xcc, 0xaa];
    for op in [Op::And, Op::Or, Op::Xor, Op::Andn, Op::Select] {
        for order in ORDERS {
            if op.apply(order.map(|place| ones[place])) as u8 == wanted {
                let operands = order.map(|place| operands[place]);
                return Gate::new(op, &operands[..op.operands()]);
            }
        }
    }
    panic!("no gate for the table {wanted:02x}")
}

/// Truth tables take in every inversion.
fn tables<M: Mask>(network: &Network<M>) -> Circuit {
    let mut turned = [false; super::network::NODES];
    for (node, inverted) in network.outputs {
        turned[usize::from(node)] |= inverted && usize::from(node) >= INPUTS;
    }
    let gates = (INPUTS..network.nodes).map(|node| {
        let Lut { mut table, operands } = network.lut(node);
        for (place, &operand) in operands.iter().enumerate() {
            if turned[usize::from(operand)] && table::depends(table, place) {
                table = table::inverted(table, place);
            }
        }
        Gate::new(Op::Table(if turned[node] { !table } else { table }), &operands)
    });
    Circuit {
        inverted_inputs: [false; INPUTS],
        gates: gates.collect(),
        outputs: network
            .outputs
            .map(|(node, not)| Output { node, inverted: not ^ turned[usize::from(node)] }),
    }
}
