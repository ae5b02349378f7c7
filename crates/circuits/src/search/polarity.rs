//! Inversions: from a network without regard to them to a circuit of a gate set.
//!
//! A gate's result may be kept inverted, if its users allow for that. Of `plain`, AND, OR and ANDN do one
//! of the two for any way in which their operands are kept, and so does XOR. With ORN there is a choice:
//! of operands one of which is kept inverted a gate makes the result, and another its inverse. A select
//! wants the two between which it selects kept alike, and a BCAX the two that it has ANDed kept
//! differently. So each gate is an equation, or says that one of two holds.

use super::equations::{Equation, Equations};
use super::mask::Mask;
use super::network::{Lut, NODES, Network};
use super::table;
use crate::{Circuit, Gate, GateSet, INPUTS, Node, OUTPUTS, Op, Output};

/// How a gate's result is kept, given how its operands are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// (x ^ i) & (y ^ j) ^ o.
    And { i: bool, j: bool, o: bool },
    /// The exclusive or of so many operands, ^ o.
    Xor { operands: usize, o: bool },
    /// Between two places, inverted each or not.
    Select { between: [(u8, bool); 2] },
    /// A place's, xor the and of two others, inverted each or not, ^ o.
    XorAnd { place: u8, others: [(u8, bool); 2], o: bool },
    /// No gate of these.
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

/// The places but one.
const OTHERS: [[u8; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

const fn rule(table: u8) -> Rule {
    match table {
        0x3c | 0xc3 => return Rule::Xor { operands: 2, o: table == 0xc3 },
        0x96 | 0x69 => return Rule::Xor { operands: 3, o: table == 0x69 },
        _ => {}
    }
    let mut way = 0;
    while way < 8 {
        let (i, j, o) = (way & 1 != 0, way & 2 != 0, way & 4 != 0);
        if table == table::with_inversions(0xc0, [i, j, false], o) {
            return Rule::And { i, j, o };
        }
        let mut place = 0;
        while place < 3 {
            let [one, other] = OTHERS[place];
            let mut inversions = [false; 3];
            inversions[one as usize] = i;
            inversions[other as usize] = j;
            if table == table::with_inversions(XOR_AND[place], inversions, o) {
                return Rule::XorAnd { place: place as u8, others: [(one, i), (other, j)], o };
            }
            // Controlled by this place, inverted or not.
            inversions[place] = o;
            if table == table::with_inversions(SELECT[place], inversions, false) {
                return Rule::Select { between: [(one, i), (other, j)] };
            }
            place += 1;
        }
        way += 1;
    }
    Rule::None
}

/// Between the others, by each place.
const SELECT: [u8; 3] = [0xca, 0xe2, 0xd8];

/// Each place's, xor the and of the others.
const XOR_AND: [u8; 3] = [0x78, 0x6c, 0x6a];

/// The tables of three operands that are gates of a set, where operands and results may be inverted.
pub(super) fn tables(set: GateSet) -> &'static [u8] {
    static SELECTS: [u8; 24] = all(SELECT);
    static SHA3: [u8; 50] = {
        let mut tables = [0x96; 50];
        let (selects, others): ([u8; 24], [u8; 24]) = (all(SELECT), all(XOR_AND));
        let mut n = 0;
        while n < 24 {
            tables[n] = selects[n];
            tables[24 + n] = others[n];
            n += 1;
        }
        tables[49] = 0x69;
        tables
    };
    match set {
        GateSet::Select => &SELECTS,
        GateSet::Sha3 => &SHA3,
        GateSet::Plain | GateSet::Lut3 | GateSet::Lut3Xor => &[],
    }
}

/// Three tables with all inversions of operands. (Those of results are among them, or are made by the
/// inversion of an operand that is XORed in.)
const fn all(base: [u8; 3]) -> [u8; 24] {
    let mut tables = [0; 24];
    let mut n = 0;
    while n < 24 {
        let inversions = [n & 1 != 0, n & 2 != 0, n & 4 != 0];
        tables[n] = table::with_inversions(base[n / 8], inversions, false);
        n += 1;
    }
    tables
}

/// How many ways are given up before a network is.
const TRIES: u32 = 60;

/// Which nodes are kept inverted so that every gate is one of the set; none if there is no way, or it is
/// too hard to find. `inputs` and `outputs`: which of them must be, if that is given.
fn inversions<M: Mask>(
    network: &Network<M>,
    set: GateSet,
    inputs: Option<[bool; INPUTS]>,
    outputs: Option<[bool; OUTPUTS]>,
) -> Option<[bool; NODES]> {
    if set == GateSet::Plain {
        let kept = forward(network, inputs.unwrap_or([false; INPUTS]));
        let is = |(node, not): (u8, bool)| not ^ kept[usize::from(node)];
        return outputs.is_none_or(|outputs| network.outputs.map(is) == outputs).then_some(kept);
    }
    let mut equations = Equations::new();
    let mut pairs = Vec::with_capacity(NODES);
    for (node, one) in inputs.into_iter().flatten().enumerate() {
        equations.add(Equation { sum: M::bit(node), one });
    }
    for ((node, not), inverted) in network.outputs.into_iter().zip(outputs.into_iter().flatten()) {
        if !equations.add(Equation { sum: M::bit(node.into()), one: not ^ inverted }) {
            return None;
        }
    }
    for node in INPUTS..network.nodes {
        let Lut { table, operands } = network.lut(node);
        let of = |place: u8| M::bit(operands[usize::from(place)].into());
        let result = M::bit(node);
        let consistent = match RULES[usize::from(table)] {
            Rule::And { i, j, o } => {
                let like = |place, one: bool| Equation { sum: result | of(place), one: one ^ o };
                pairs.push([like(0, i), like(1, j)]);
                true
            }
            Rule::Xor { operands, o } => {
                let sum = (0..operands as u8).fold(result, |sum, place| sum | of(place));
                equations.add(Equation { sum, one: o })
            }
            Rule::Select { between } => between
                .iter()
                .all(|&(place, one)| equations.add(Equation { sum: result | of(place), one })),
            Rule::XorAnd { place, others: [(b, i), (c, j)], o } => {
                equations.add(Equation { sum: result | of(place), one: o })
                    && equations.add(Equation { sum: of(b) | of(c), one: !(i ^ j) })
            }
            Rule::None => false,
        };
        if !consistent {
            return None;
        }
    }
    equations.choose(&pairs, &mut TRIES.clone()).then(|| equations.solution())
}

/// Of `plain`: what follows from how the inputs are kept.
fn forward<M: Mask>(network: &Network<M>, inputs: [bool; INPUTS]) -> [bool; NODES] {
    let mut kept = [false; NODES];
    kept[..INPUTS].copy_from_slice(&inputs);
    for node in INPUTS..network.nodes {
        let Lut { table, operands } = network.lut(node);
        let [x, y, _] = operands.map(|x| kept[usize::from(x)]);
        kept[node] = match RULES[usize::from(table)] {
            Rule::And { i, j, o } => o ^ (x ^ i) & (y ^ j),
            Rule::Xor { o, .. } => o ^ x ^ y,
            _ => unreachable!("a gate of two operands"),
        };
    }
    kept
}

/// Whether a network is a circuit of a gate set.
pub(super) fn is_possible<M: Mask>(network: &Network<M>, set: GateSet) -> bool {
    tables(set).is_empty() || inversions(network, set, None, None).is_some()
}

/// The circuit of a network, with as few inverted inputs as are found.
///
/// # Panics
/// If the gate set has no gates for the network; the search sees to it that it has.
pub(super) fn circuit<M: Mask>(network: &Network<M>, set: GateSet) -> Circuit {
    if set.has_tables() {
        return of_tables(network);
    }
    let mut ways: Vec<usize> = (0..1 << INPUTS).collect();
    ways.sort_by_key(|way| way.count_ones());
    let inputs = |way: usize| std::array::from_fn(|node| way >> node & 1 != 0);
    let kept = ways.into_iter().find_map(|way| inversions(network, set, Some(inputs(way)), None));
    let kept = kept.or_else(|| inversions(network, set, None, None));
    of_gates(network, &kept.expect("inversions that all gates can live with"))
}

/// The circuit of a network with inputs and outputs kept inverted as is wanted, if it is found.
pub(super) fn circuit_with<M: Mask>(
    network: &Network<M>,
    set: GateSet,
    inputs: [bool; INPUTS],
    outputs: [bool; OUTPUTS],
) -> Option<Circuit> {
    let kept = inversions(network, set, Some(inputs), Some(outputs))?;
    Some(of_gates(network, &kept))
}

/// The circuit of a network, its nodes kept inverted or not.
fn of_gates<M: Mask>(network: &Network<M>, all_kept: &[bool; NODES]) -> Circuit {
    let kept = |node: u8| all_kept[usize::from(node)];
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
        inverted_inputs: std::array::from_fn(|node| all_kept[node]),
        gates: gates.collect(),
        outputs: network.outputs.map(|(node, not)| Output { node, inverted: not ^ kept(node) }),
    }
}

/// The gate of a table, with the operands in its order.
fn gate(wanted: u8, operands: [Node; 3]) -> Gate {
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0]];
    let ones = [0xf0, 0xcc, 0xaa];
    const OPS: [Op; 8] =
        [Op::And, Op::Or, Op::Xor, Op::Andn, Op::Orn, Op::Select, Op::Xor3, Op::Bcax];
    for op in OPS {
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
fn of_tables<M: Mask>(network: &Network<M>) -> Circuit {
    let mut turned = [false; NODES];
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
