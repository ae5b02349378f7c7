//! The committed circuits of the S-boxes against the tables of the standard.

use cipherloom_circuits::{Circuit, Gate, GateSet, LANES, Op, circuit};
use cipherloom_spec::tables::S;

/// The first of the 64 inputs for which a circuit is not the table, of which it says so one by one.
fn wrong_input(circuit: &Circuit, sbox: usize) -> Option<u8> {
    (0..64u8).find(|&v| {
        let bit = |k: u8| v >> (5 - k) & 1;
        let outputs = circuit.evaluate(std::array::from_fn(|i| u64::from(bit(i as u8))));
        let got = outputs.iter().fold(0, |value, output| value << 1 | (output & 1) as u8);
        let row = usize::from(2 * bit(0) + bit(5));
        got != S[sbox][row][usize::from(v >> 1 & 15)]
    })
}

#[test]
fn every_committed_circuit_is_its_s_box() {
    for set in GateSet::ALL {
        for sbox in 0..8 {
            let circuit = circuit(set, sbox);
            assert_eq!(circuit.malformed(set), None, "S{} of {set}", sbox + 1);
            assert_eq!(wrong_input(circuit, sbox), None, "S{} of {set}", sbox + 1);
            assert_eq!(circuit.wrong_input(sbox), None, "S{} of {set}", sbox + 1);
        }
    }
}

#[test]
fn a_wrong_gate_is_found() {
    let mut tried = 0;
    for set in GateSet::ALL {
        for sbox in 0..8 {
            let right = circuit(set, sbox);
            for k in 0..right.gates.len() {
                let mut wrong = right.clone();
                let gate = right.gates[k];
                let op = match gate.op() {
                    // Half of a table turned around: never the same function.
                    Op::Table(table) => Op::Table(table ^ 0x0f),
                    Op::Select => continue,
                    Op::Xor3 => Op::Bcax,
                    Op::Bcax => Op::Xor3,
                    Op::Orn => Op::Xor,
                    Op::Xor => Op::And,
                    Op::And => Op::Or,
                    Op::Or => Op::Andn,
                    Op::Andn => Op::Xor,
                };
                wrong.gates[k] = Gate::new(op, gate.operands());
                // What no output can tell is no mistake; such a gate would be superfluous.
                if wrong.evaluate(LANES) == right.evaluate(LANES) {
                    continue;
                }
                let input = wrong_input(&wrong, sbox);
                assert!(input.is_some(), "S{} of {set}, gate {k}", sbox + 1);
                assert_eq!(wrong.wrong_input(sbox), input, "S{} of {set}, gate {k}", sbox + 1);
                tried += 1;
            }
        }
    }
    println!("{tried} wrong gates found");
    assert!(tried > 500);
}
