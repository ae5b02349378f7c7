//! The instructions of a call, in the order in which they are done.

use std::collections::HashMap;

use super::trips::{driven, trips};
use crate::ir::Kernel;
use crate::isa::timing::Flow;
use crate::pipeline::CompiledKernel;

/// What a call does, for any count.
pub(super) struct Trace<'a> {
    kernel: &'a Kernel,
    /// How many lines there are.
    lines: usize,
    /// Lines that matter, in the order in which they are done if no branch is taken.
    steps: Vec<(usize, Flow)>,
    /// Where each label is among them.
    labels: HashMap<usize, usize>,
    /// Calls with [`COUNTS`], or one call that has no count.
    calls: Vec<Vec<usize>>,
}

/// Counts between which a further piece of work is looked at: after the first ones, over several.
const COUNTS: [u64; 2] = [4, 8];

impl<'a> Trace<'a> {
    pub(super) fn new(compiled: &'a dyn CompiledKernel) -> Self {
        Self::of(compiled.kernel(), compiled.lines(), compiled.flow())
    }

    /// Calls of a kernel with so many lines.
    fn of(kernel: &'a Kernel, lines: usize, steps: Vec<(usize, Flow)>) -> Self {
        let mut labels = HashMap::new();
        for (at, (_, flow)) in steps.iter().enumerate() {
            if let Flow::Top(label) | Flow::Label(label) = flow {
                labels.insert(*label, at);
            }
        }
        let mut trace = Self { kernel, lines, steps, labels, calls: Vec::new() };
        let driven = driven(kernel);
        assert_eq!(trace.tops().count(), driven.len(), "{}: a top a loop", kernel.name);
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
        let mut times = vec![0.0; self.lines];
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
        // How often each loop is to be done, each time that it is come to.
        let trips = trips(self.kernel, count).into_iter().map(Vec::into_iter);
        let mut trips: HashMap<usize, _> = self.tops().zip(trips).collect();
        // How often each open loop is still to be done, after the time at hand.
        let mut left: HashMap<usize, u64> = HashMap::new();
        let mut at = 0;
        while let Some(&(line, flow)) = self.steps.get(at) {
            at += 1;
            if !matches!(flow, Flow::Top(_) | Flow::Label(_)) {
                done.push(line);
            }
            match flow {
                // Come to from above.
                Flow::Top(label) if !left.contains_key(&label) => {
                    let trips = trips.get_mut(&label).and_then(Iterator::next).expect("a count");
                    left.insert(label, trips.saturating_sub(1));
                }
                Flow::Again(label) => match left.get_mut(&label) {
                    Some(0) | None => {
                        left.remove(&label);
                    }
                    Some(more) => {
                        *more -= 1;
                        at = self.labels[&label] + 1;
                    }
                },
                Flow::Around(label) => {
                    let trips = trips.get_mut(&self.top_behind(at)).expect("a top has its counts");
                    if trips.as_slice().first() == Some(&0) {
                        trips.next();
                        at = self.labels[&label];
                    }
                }
                Flow::Return => break,
                Flow::Top(_) | Flow::Label(_) | Flow::Do => {}
            }
        }
        done
    }

    /// The first top behind a step.
    fn top_behind(&self, step: usize) -> usize {
        let behind = self.tops().filter(|top| self.labels[top] >= step);
        behind.min_by_key(|top| self.labels[top]).expect("a jump around a loop")
    }

    /// The instructions of one time through the outermost loop that the count drives, if
    /// there is one, else of a call.
    pub(super) fn once(&self) -> Vec<usize> {
        let all = self.call(1);
        let Some(outer) = driven(self.kernel).into_iter().position(|driven| driven) else {
            return all;
        };
        let top = self.tops().nth(outer).expect("a top for each loop");
        let first = self.steps[self.labels[&top]].0;
        let back = self.steps.iter().find(|(_, flow)| *flow == Flow::Again(top));
        let (back, _) = back.expect("a loop ends with a branch to its top");
        let end = all.iter().rposition(|line| line == back).expect("it was done");
        all[..=end].iter().copied().filter(|&line| line > first).collect()
    }

    /// The labels of tops, in order.
    fn tops(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().filter_map(|(_, flow)| match flow {
            Flow::Top(label) => Some(*label),
            _ => None,
        })
    }
}
