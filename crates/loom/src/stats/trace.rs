//! The instructions of a call, in the order in which they are done.

use std::collections::HashMap;

use crate::ir::{Kernel, Line, Op, Value};
use crate::target::x86_64::{self, Made, Program, Role};

/// What a call does, for any count.
pub(super) struct Trace<'a> {
    program: &'a Program,
    /// How often each repetition is done, in the order of their tops; none: as the count says.
    times: Vec<Option<u64>>,
    /// Where each label is.
    labels: HashMap<u64, usize>,
    /// Calls with [`COUNTS`], or one call that has no count.
    calls: Vec<Vec<usize>>,
}

/// Counts between which a further piece of work is looked at: after the first ones, over several.
const COUNTS: [u64; 2] = [4, 8];

impl<'a> Trace<'a> {
    pub(super) fn new(made: &'a Made) -> Self {
        let mut labels = HashMap::new();
        for (n, line) in made.program.lines.iter().enumerate() {
            if let x86_64::Line::Label(label) = line {
                labels.insert(*label, n);
            }
        }
        let times = times(&made.kernel);
        let tops = made.program.labels.iter().filter(|role| **role == Role::Again).count();
        assert_eq!(tops, times.len(), "{}: a top for each repetition", made.kernel.name);
        let mut trace = Self { program: &made.program, times, labels, calls: Vec::new() };
        let counts = if trace.times.contains(&None) { &COUNTS[..] } else { &COUNTS[..1] };
        trace.calls = counts.iter().map(|&count| trace.call(count)).collect();
        trace
    }

    /// What a further one of the count costs, or a call if it has no count.
    pub(super) fn marginal(&self, cost: impl Fn(&[usize]) -> f64) -> f64 {
        match self.calls.as_slice() {
            [few, many] => (cost(many) - cost(few)) / (COUNTS[1] - COUNTS[0]) as f64,
            calls => calls.iter().map(|call| cost(call)).sum(),
        }
    }

    /// How often each line is done for a further one of the count, or in a call.
    pub(super) fn marginal_lines(&self) -> Vec<(usize, f64)> {
        let mut times = vec![0.0; self.program.lines.len()];
        let further = (COUNTS[1] - COUNTS[0]) as f64;
        let (last, before) = self.calls.split_last().expect("there is always a call");
        let each = if before.is_empty() { 1.0 } else { 1.0 / further };
        last.iter().for_each(|&line| times[line] += each);
        before.iter().flatten().for_each(|&line| times[line] -= each);
        times.into_iter().enumerate().filter(|(_, times)| *times != 0.0).collect()
    }

    /// The lines of a call with this count that are instructions, as they are done: rare branches
    /// are not taken.
    fn call(&self, count: u64) -> Vec<usize> {
        let mut done = Vec::new();
        // How often each open repetition is still to be done, after the time at hand.
        let mut left: HashMap<u64, u64> = HashMap::new();
        let mut at = 0;
        while let Some(line) = self.program.lines.get(at) {
            at += 1;
            match line {
                x86_64::Line::Inst(inst) => {
                    done.push(at - 1);
                    if inst.mnemonic() == iced_x86::Mnemonic::Ret {
                        break;
                    }
                    if inst.is_jcc_short_or_near() {
                        let label = inst.near_branch64();
                        let role = self.program.labels[label as usize - 1];
                        let times = || self.times(label).unwrap_or(count).saturating_sub(1);
                        match role {
                            Role::Again => match left.remove(&label).unwrap_or_else(times) {
                                0 => {}
                                more => {
                                    left.insert(label, more - 1);
                                    at = self.labels[&label];
                                }
                            },
                            Role::Done | Role::Rare | Role::Back => {}
                        }
                    }
                }
                x86_64::Line::Label(_) | x86_64::Line::Align(_) | x86_64::Line::Remark(_) => {}
            }
        }
        done
    }

    /// The instructions of one time through the outermost repetition that the count drives, if
    /// there is one, else of a call.
    pub(super) fn once(&self) -> Vec<usize> {
        let all = self.call(1);
        let Some(outer) = self.times.iter().position(Option::is_none) else { return all };
        let top = self.tops().nth(outer).expect("a top for each repetition");
        let first = self.labels[&top];
        let back = all.iter().rposition(|&line| match &self.program.lines[line] {
            x86_64::Line::Inst(inst) => inst.is_jcc_short_or_near() && inst.near_branch64() == top,
            _ => false,
        });
        let end = back.expect("a repetition ends with a branch to its top");
        all[..=end].iter().copied().filter(|&line| line > first).collect()
    }

    /// The labels of tops, in order.
    fn tops(&self) -> impl Iterator<Item = u64> {
        let roles = self.program.labels.iter().zip(1..);
        roles.filter(|(role, _)| **role == Role::Again).map(|(_, label)| label)
    }

    fn times(&self, top: u64) -> Option<u64> {
        let n = self.tops().position(|label| label == top).expect("a top has its number");
        self.times[n]
    }
}

/// How often each repetition is done, in order; none: as a parameter says.
fn times(kernel: &Kernel) -> Vec<Option<u64>> {
    fn walk(lines: &[Line], constants: &mut HashMap<Value, u64>, times: &mut Vec<Option<u64>>) {
        for line in lines {
            match line {
                Line::Define(value, _, Op::Const(number)) => {
                    constants.insert(*value, *number);
                }
                Line::Repeat(repeat) => {
                    times.push(constants.get(&repeat.count).copied());
                    walk(&repeat.body, constants, times);
                }
                Line::Define(..) | Line::Remark(_) => {}
            }
        }
    }
    let mut times = Vec::new();
    walk(&kernel.body, &mut HashMap::new(), &mut times);
    times
}
