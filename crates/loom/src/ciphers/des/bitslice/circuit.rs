//! An S-box's circuit as operations on slices.

use std::sync::OnceLock;

use cipherloom_circuits::{Circuit, GateSet, INPUTS, Kept, Op, circuit, fips};

use super::order::order;
use super::slices::{Gates, Slices};
use crate::ciphers::Word;
use crate::ir::{Builder, SELECT, Value};

/// Where the bits of an S-box come from and go to.
pub(super) trait Ends {
    /// Input number `n` (0 to 5, the leftmost first), or its inverse, wanted now.
    fn input(&mut self, b: &mut Builder, n: usize, inverted: bool) -> Value;

    /// Output number `n` (0 to 3, the leftmost first), or its inverse.
    fn output(&mut self, b: &mut Builder, n: usize, value: Value, inverted: bool);

    /// The same as a truth table of x, y and y that nobody else wants.
    fn output_of_two(
        &mut self,
        b: &mut Builder,
        n: usize,
        (table, [x, y]): (u8, [Value; 2]),
        inverted: bool,
    ) {
        let value = b.ternary(table, [x, y, y]);
        self.output(b, n, value, inverted);
    }
}

/// The circuits of a kernel's S-boxes.
#[derive(Clone, Copy)]
pub(super) enum Circuits {
    /// As they were committed: inversions are for masks.
    Merged(GateSet),
    /// For halves of which some bits are kept inverted.
    Kept(GateSet),
}

impl Circuits {
    /// That of S-box number `sbox` (0 is S1).
    fn circuit(self, sbox: usize) -> &'static Circuit {
        match self {
            Self::Merged(set) => circuit(set, sbox),
            Self::Kept(set) => &Kept::of(set).circuits[sbox],
        }
    }

    /// The order in which its gates are computed, found once.
    fn order(self, sbox: usize) -> &'static [usize] {
        static ORDERS: [[OnceLock<Vec<usize>>; 8]; 2 * GateSet::ALL.len()] =
            [const { [const { OnceLock::new() }; 8] }; 2 * GateSet::ALL.len()];
        let place = match self {
            Self::Merged(set) => set as usize,
            Self::Kept(set) => GateSet::ALL.len() + set as usize,
        };
        ORDERS[place][sbox].get_or_init(|| order(self.circuit(sbox)))
    }
}

impl Slices {
    /// The gates of circuits whose outputs are values.
    pub(super) const fn gate_set(self) -> GateSet {
        match self.gates {
            Gates::Two => GateSet::Plain,
            Gates::Select => GateSet::Select,
            Gates::Sha3 => GateSet::Sha3,
            Gates::Three => GateSet::Lut3,
        }
    }

    /// The gates of circuits whose outputs are XORed into a half and into nothing else.
    pub(super) const fn gate_set_xor(self) -> GateSet {
        match self.gates {
            Gates::Three => GateSet::Lut3Xor,
            _ => self.gate_set(),
        }
    }
}

/// S-box number `sbox` (0 is S1). Inputs are asked for where they are used first,
/// and outputs given as soon as they are there: both live in memory before and after.
pub(super) fn substitute(b: &mut Builder, circuits: Circuits, sbox: usize, ends: &mut impl Ends) {
    let circuit = circuits.circuit(sbox);
    let absorbed = circuit.absorbed();
    let mut nodes: Vec<Option<Value>> = vec![None; INPUTS + circuit.gates.len()];
    for &number in circuits.order(sbox) {
        let gate = &circuit.gates[number];
        let mut node = |b: &mut Builder, n: u8| {
            let n = usize::from(n);
            *nodes[n].get_or_insert_with(|| ends.input(b, n, circuit.inverted_inputs[n]))
        };
        let operands: Vec<_> = gate.operands().iter().map(|&n| node(b, n)).collect();
        let outputs = (0..).zip(&circuit.outputs);
        let outputs = outputs.filter(|(_, output)| usize::from(output.node) == INPUTS + number);
        if let (true, Op::Table(table), &[x, y, _]) = (absorbed[number], gate.op(), &operands[..]) {
            outputs
                .for_each(|(n, output)| ends.output_of_two(b, n, (table, [x, y]), output.inverted));
            continue;
        }
        let value = match (gate.op(), &operands[..]) {
            (Op::And, &[x, y]) => b.and(x, y),
            (Op::Or, &[x, y]) => b.or(x, y),
            (Op::Xor, &[x, y]) => b.xor(x, y),
            (Op::Andn, &[x, y]) => b.and_not(x, y),
            (Op::Orn, &[x, y]) => {
                let y = b.not(y);
                b.or(x, y)
            }
            (Op::Xor3, &[x, y, z]) => {
                let two = b.xor(x, y);
                b.xor(two, z)
            }
            (Op::Bcax, &[x, y, z]) => {
                let two = b.and_not(y, z);
                b.xor(x, two)
            }
            (Op::Select, &[x, y, z]) => b.ternary(SELECT, [x, y, z]),
            (Op::Table(table), &[x, y, z]) => b.ternary(table, [x, y, z]),
            (op, _) => panic!("{op:?} is no gate with so many operands"),
        };
        nodes[INPUTS + number] = Some(value);
        outputs.for_each(|(n, output)| ends.output(b, n, value, output.inverted));
    }
}

/// The bits that S-boxes take, S1's six first, of which circuits of these gates take the inverse.
#[must_use]
pub fn inverted_inputs(gates: Gates) -> [bool; 48] {
    let set = Slices { lanes: 64, gates, word: Word::Bits64 }.gate_set();
    std::array::from_fn(|place| circuit(set, place / INPUTS).inverted_inputs[place % INPUTS])
}

/// The bits of f's result that circuits of these gates give inverted, in FIPS 46-3's order after P.
#[must_use]
pub fn inverted(gates: Gates) -> [bool; 32] {
    let set = Slices { lanes: 64, gates, word: Word::Bits64 }.gate_set();
    fips::P.map(|from| {
        let (sbox, output) = (usize::from(from - 1) / 4, usize::from(from - 1) % 4);
        circuit(set, sbox).outputs[output].inverted
    })
}
