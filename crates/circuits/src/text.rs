//! Circuits as text: one file each, the same format for every gate set. `docs/CIRCUITS.md` describes
//! it.

use std::fmt;

use super::circuit::{Circuit, Gate, INPUTS, Node, Op, Output};
use super::{GateSet, name};

/// A circuit and what its file says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The S-box: 0 is S1.
    pub sbox: usize,
    /// The gates that it may have.
    pub set: GateSet,
    /// The seed of the run that found it, if it is known.
    pub seed: Option<u64>,
    /// How it was found, for people: one line.
    pub found: String,
    /// The circuit.
    pub circuit: Circuit,
}

/// Why a text is no circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1 on.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for Wrong {}

impl Entry {
    /// Reads a file, and checks that it is well formed and computes its S-box for all 64 inputs.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::default();
        let mut last = 0;
        for (n, line) in text.lines().enumerate() {
            last = n + 1;
            let fields: Vec<&str> = line.split_whitespace().collect();
            reader.line(&fields, line).map_err(|why| Wrong { line: last, why })?;
        }
        reader.finish().map_err(|why| Wrong { line: last, why })
    }
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    of: Option<(usize, GateSet)>,
    gates: Option<usize>,
    depth: Option<usize>,
    seed: Option<u64>,
    found: Option<String>,
    inverted_inputs: [bool; INPUTS],
    nodes: Vec<Gate>,
    outputs: Option<[Output; 4]>,
}

impl Reader {
    fn line(&mut self, fields: &[&str], line: &str) -> Result<(), String> {
        if self.outputs.is_some() {
            return Err(format!("nothing may follow `out`: `{line}`"));
        }
        if self.of.is_none() && !matches!(fields, ["circuit", ..]) {
            return Err(format!("expected `circuit S1 plain` or the like, not `{line}`"));
        }
        match *fields {
            ["circuit", sbox, set] => {
                let sbox = (0..8).find(|&n| name(n) == sbox);
                let sbox = sbox.ok_or_else(|| format!("expected S1 to S8: `{line}`"))?;
                once(&mut self.of, (sbox, set.parse()?), line)
            }
            ["gates", n] => once(&mut self.gates, number(n)?, line),
            ["depth", n] => once(&mut self.depth, number(n)?, line),
            ["seed", n] => once(&mut self.seed, number(n)?, line),
            ["found", ..] => {
                let how = line.trim_start().trim_start_matches("found").trim();
                once(&mut self.found, how.to_owned(), line)
            }
            ["in", ref inputs @ ..] if inputs.len() == INPUTS => {
                for (i, input) in inputs.iter().enumerate() {
                    let input = self.output(input)?;
                    if usize::from(input.node) != i {
                        return Err(format!("expected the inputs in order: `{line}`"));
                    }
                    self.inverted_inputs[i] = input.inverted;
                }
                Ok(())
            }
            ["out", a, b, c, d] => {
                self.outputs =
                    Some([self.output(a)?, self.output(b)?, self.output(c)?, self.output(d)?]);
                Ok(())
            }
            [node, op, ref operands @ ..] if node.starts_with(|c: char| c.is_ascii_digit()) => {
                let next = INPUTS + self.nodes.len();
                if number::<usize>(node)? != next {
                    return Err(format!("expected node {next}: `{line}`"));
                }
                if next > usize::from(Node::MAX) {
                    return Err(format!("more than {next} nodes"));
                }
                let op = operation(op).ok_or_else(|| format!("no gate `{op}`: `{line}`"))?;
                if operands.len() != op.operands() {
                    return Err(format!("expected {} operands: `{line}`", op.operands()));
                }
                let operands: Vec<Node> =
                    operands.iter().map(|operand| self.node(operand)).collect::<Result<_, _>>()?;
                self.nodes.push(Gate::new(op, &operands));
                let set = self.of.expect("read first").1;
                if set.has(op) { Ok(()) } else { Err(format!("no gate of {set}: `{line}`")) }
            }
            _ => Err(format!("not understood: `{line}`")),
        }
    }

    /// A node that stands before.
    fn node(&self, text: &str) -> Result<Node, String> {
        let node: Node = number(text)?;
        match usize::from(node) < INPUTS + self.nodes.len() {
            true => Ok(node),
            false => Err(format!("node {node} does not stand before")),
        }
    }

    /// A node, with `~` before it if it is inverted.
    fn output(&self, text: &str) -> Result<Output, String> {
        let (inverted, node) = match text.strip_prefix('~') {
            Some(node) => (true, node),
            None => (false, text),
        };
        Ok(Output { node: self.node(node)?, inverted })
    }

    fn finish(self) -> Result<Entry, String> {
        let missing = |what: &str| format!("the text ends without a line `{what}`");
        let (sbox, set) = self.of.ok_or_else(|| missing("circuit"))?;
        let circuit = Circuit {
            inverted_inputs: self.inverted_inputs,
            gates: self.nodes,
            outputs: self.outputs.ok_or_else(|| missing("out"))?,
        };
        if let Some(why) = circuit.malformed(set) {
            return Err(why);
        }
        for (what, said, is) in
            [("gates", self.gates, circuit.gates.len()), ("depth", self.depth, circuit.depth())]
        {
            let said = said.ok_or_else(|| missing(what))?;
            if said != is {
                return Err(format!("`{what} {said}` is wrong: it is {is}"));
            }
        }
        if let Some(input) = circuit.wrong_input(sbox) {
            return Err(format!("not {}: wrong for the input {input:06b}", name(sbox)));
        }
        let found = self.found.ok_or_else(|| missing("found"))?;
        Ok(Entry { sbox, set, seed: self.seed, found, circuit })
    }
}

/// Sets what may be said once.
fn once<T>(place: &mut Option<T>, value: T, line: &str) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("said twice: `{line}`")),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("not a number, or too large: `{text}`"))
}

fn operation(text: &str) -> Option<Op> {
    Some(match text {
        "AND" => Op::And,
        "OR" => Op::Or,
        "XOR" => Op::Xor,
        "ANDN" => Op::Andn,
        "SEL" => Op::Select,
        _ => {
            let table = text.strip_prefix("TT").filter(|digits| digits.len() == 2)?;
            Op::Table(u8::from_str_radix(table, 16).ok()?)
        }
    })
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::And => f.write_str("AND"),
            Self::Or => f.write_str("OR"),
            Self::Xor => f.write_str("XOR"),
            Self::Andn => f.write_str("ANDN"),
            Self::Select => f.write_str("SEL"),
            Self::Table(table) => write!(f, "TT{table:02x}"),
        }
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.inverted { "~" } else { "" }, self.node)
    }
}

/// The file's content; [`Entry::parse`] reads it back.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sbox, set, seed, found, circuit } = self;
        writeln!(f, "circuit {} {set}", name(*sbox))?;
        writeln!(f, "gates {}\ndepth {}", circuit.gates.len(), circuit.depth())?;
        if let Some(seed) = seed {
            writeln!(f, "seed {seed}")?;
        }
        writeln!(f, "found {found}")?;
        if circuit.inverted_inputs.contains(&true) {
            write!(f, "in")?;
            for (node, &inverted) in (0..).zip(&circuit.inverted_inputs) {
                write!(f, " {}", Output { node, inverted })?;
            }
            writeln!(f)?;
        }
        for (node, gate) in (INPUTS..).zip(&circuit.gates) {
            write!(f, "{node} {}", gate.op())?;
            for operand in gate.operands() {
                write!(f, " {operand}")?;
            }
            writeln!(f)?;
        }
        let [a, b, c, d] = circuit.outputs;
        writeln!(f, "out {a} {b} {c} {d}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry;

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
        turned.inverted_inputs_for_test();
        let text = turned.to_string();
        assert!(text.contains("\nin 0 1 ~2 3 4 5\n"), "{text}");
        assert_eq!(Entry::parse(&text).unwrap(), turned);
    }

    impl Entry {
        /// Inverts input 2, and takes the inversion back in every truth table.
        fn inverted_inputs_for_test(&mut self) {
            self.circuit.inverted_inputs[2] = true;
            for gate in &mut self.circuit.gates {
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
            (changed(1, "circuit S4 nand"), 1, "plain, select or lut3"),
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
}
