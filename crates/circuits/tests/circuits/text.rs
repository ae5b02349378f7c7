//! Circuits as text: what is printed is read, and mistakes are named.

use cipherloom_circuits::{Entry, Gate, GateSet, Op, entry};

#[test]
fn what_is_printed_is_read() {
    for set in GateSet::ALL {
        for sbox in 0..8 {
            let entry = entry(set, sbox);
            assert_eq!(&Entry::parse(&entry.to_string()).unwrap(), entry);
        }
    }
    // An inverted input in place of a truth table with its halves exchanged.
    let mut turned = entry(GateSet::Lut3, 0).clone();
    invert_input_2(&mut turned);
    let text = turned.to_string();
    assert!(text.contains("\nin 0 1 ~2 3 4 5\n"), "{text}");
    assert_eq!(Entry::parse(&text).unwrap(), turned);
}

/// Inverts input 2, and takes the inversion back in every truth table.
fn invert_input_2(entry: &mut Entry) {
    entry.circuit.inverted_inputs[2] = true;
    for gate in &mut entry.circuit.gates {
        let Op::Table(mut table) = gate.op() else { panic!("a truth table") };
        for (place, &operand) in gate.operands().iter().enumerate() {
            if operand == 2 {
                let shift = 4 >> place;
                let ones = [0xf0, 0xcc, 0xaa][place];
                table = (table & ones) >> shift | (table << shift) & ones;
            }
        }
        *gate = Gate::new(Op::Table(table), gate.operands());
    }
}

#[test]
fn mistakes_are_named_with_their_line() {
    let good = entry(GateSet::Plain, 3).to_string();
    assert!(good.contains("\n6 "));
    let lines: Vec<&str> = good.lines().collect();
    let end = lines.len();
    let first = 1 + lines.iter().position(|line| line.starts_with("6 ")).unwrap();
    let gates = lines[1];
    let changed = |line: usize, to: &str| {
        let mut lines = lines.clone();
        lines[line - 1] = to;
        lines.join("\n")
    };
    for (text, line, why) in [
        (String::new(), 0, "without a line `circuit`"),
        (changed(1, "gates 3"), 1, "expected `circuit S1 plain`"),
        (changed(1, "circuit S9 plain"), 1, "expected S1 to S8"),
        (changed(1, "circuit S4 nand"), 1, "plain, select, sha3, lut3 or lut3-xor"),
        (changed(1, "circuit S3 plain"), end, "not S3: wrong for the input"),
        (changed(2, ""), 2, "not understood"),
        (changed(2, "gates 1"), end, "`gates 1` is wrong"),
        (changed(2, "gates many"), 2, "not a number"),
        (changed(3, gates), 3, "said twice"),
        (changed(3, "depth 1"), end, "`depth 1` is wrong"),
        (changed(first, "6 AND 0"), first, "expected 2 operands"),
        (changed(first, "6 AND 0 1 2"), first, "expected 2 operands"),
        (changed(first, "6 AND 0 6"), first, "node 6 does not stand before"),
        (changed(first, "6 AND 0 999"), first, "not a number, or too large"),
        (changed(first, "6 AND 0 -1"), first, "not a number"),
        (changed(first, "6 NAND 0 1"), first, "no gate `NAND`"),
        (changed(first, "6 SEL 0 1 2"), first, "no gate of plain"),
        (changed(first, "6 TT8 0 1 2"), first, "no gate `TT8`"),
        (changed(first, "7 AND 0 1"), first, "expected node 6"),
        (changed(end, "out 6 7 8"), end, "not understood"),
        (changed(end, "out 6 7 8 99"), end, "node 99 does not stand before"),
        (changed(end, "in 0 1 2 3 5 4"), end, "in order"),
        (format!("{good}out 6 6 6 6"), end + 1, "nothing may follow"),
        (lines[..end - 1].join("\n"), end - 1, "without a line `out`"),
    ] {
        let wrong = Entry::parse(&text).expect_err(why);
        assert_eq!(wrong.line, line, "{wrong}");
        assert!(wrong.why.contains(why), "{wrong}");
    }
}
