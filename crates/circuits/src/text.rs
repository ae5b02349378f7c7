//! Circuits as text: one file each, the same format for every gate set. `docs/CIRCUITS.md` describes
//! it.

use std::fmt;

use crate::circuit::{Circuit, Gate, Node, Output};
use crate::gates::{GateSet, operation};
use crate::sbox::{INPUTS, name};

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
            [("gates", self.gates, circuit.cost(set)), ("depth", self.depth, circuit.depth())]
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
        writeln!(f, "gates {}\ndepth {}", circuit.cost(*set), circuit.depth())?;
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
