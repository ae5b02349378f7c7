//! The instructions of a call, in the order in which they are done.

use std::collections::HashMap;

use crate::ir::Kernel;
use crate::target::x86::{self, Made, Program, Role};

use super::trips::{driven, trips};

/// What a call does, for any count.
pub(super) struct Trace<'a> {
    program: &'a Program,
    kernel: &'a Kernel,
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
            if let x86::Line::Label(label) = line {
                labels.insert(*label, n);
            }
        }
        let kernel = &made.kernel;
        let mut trace = Self { program: &made.program, kernel, labels, calls: Vec::new() };
        let driven = driven(kernel);
        assert_eq!(trace.tops().count(), driven.len(), "{}: a top a repetition", kernel.name);
        let counts = if driven.contains(&true) { &COUNTS[..] } else { &COUNTS[..1] };
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
        // How often each repetition is to be done, each time that it is come to.
        let trips = trips(self.kernel, count).into_iter().map(Vec::into_iter);
        let mut trips: HashMap<u64, _> = self.tops().zip(trips).collect();
        // How often each open repetition is still to be done, after the time at hand.
        let mut left: HashMap<u64, u64> = HashMap::new();
        let mut at = 0;
        while let Some(line) = self.program.lines.get(at) {
            at += 1;
            match line {
                x86::Line::Label(label) => {
                    // A repetition's top, come to from above.
                    if let Some(trips) = trips.get_mut(label).filter(|_| !left.contains_key(label))
                    {
                        left.insert(*label, trips.next().expect("a count").saturating_sub(1));
                    }
                }
                x86::Line::Inst(inst) => {
                    done.push(at - 1);
                    if inst.mnemonic() == iced_x86::Mnemonic::Ret {
                        break;
                    }
                    if inst.is_jcc_short_or_near() {
                        let label = inst.near_branch64();
                        match self.program.labels[label as usize - 1] {
                            Role::Again => match left.get_mut(&label) {
                                Some(0) | None => {
                                    left.remove(&label);
                                }
                                Some(more) => {
                                    *more -= 1;
                                    at = self.labels[&label] + 1;
                                }
                            },
                            // Around a repetition that may be done no time.
                            Role::Done => {
                                let top = self.top_behind(at);
                                let trips = trips.get_mut(&top).expect("a top has its counts");
                                if trips.as_slice().first() == Some(&0) {
                                    trips.next();
                                    at = self.labels[&label];
                                }
                            }
                            Role::Rare | Role::Back => {}
                        }
                    }
                }
                x86::Line::Align(_) | x86::Line::Remark(_) => {}
            }
        }
        done
    }

    /// The first top behind a line.
    fn top_behind(&self, line: usize) -> u64 {
        let behind = self.tops().filter(|top| self.labels[top] >= line);
        behind.min_by_key(|top| self.labels[top]).expect("a jump around a repetition")
    }

    /// The instructions of one time through the outermost repetition that the count drives, if
    /// there is one, else of a call.
    pub(super) fn once(&self) -> Vec<usize> {
        let all = self.call(1);
        let Some(outer) = driven(self.kernel).into_iter().position(|driven| driven) else {
            return all;
        };
        let top = self.tops().nth(outer).expect("a top for each repetition");
        let first = self.labels[&top];
        let back = all.iter().rposition(|&line| match &self.program.lines[line] {
            x86::Line::Inst(inst) => inst.is_jcc_short_or_near() && inst.near_branch64() == top,
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
}
