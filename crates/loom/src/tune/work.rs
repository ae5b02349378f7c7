//! What is done in one sample: so many calls on one memory.

use std::time::Instant;

use cipherloom_measure::{clock, median};

use crate::ciphers::Strategy;
use crate::exec::{CallBuffers, Subject, inputs};
use crate::ir::{Extent, Kernel, Scalar};

/// Bytes of data for one call: few enough for every first cache, beside tables and states.
const DATA: u32 = 2048;
/// Nanoseconds that a sample takes: long beside the clock's own error, short beside the spans for
/// which a core's rate is constant and nothing else runs.
const SAMPLE: f64 = 30_000.0;

/// A sample's work. Subjects that are compared do it on the same memory, so that where that lies
/// favours none.
#[derive(Clone, Debug)]
pub struct Work {
    scalars: Vec<Scalar>,
    memory: CallBuffers,
    /// How many calls are one sample.
    calls: usize,
    /// What one call does, in the strategy's pieces.
    pieces: usize,
}

impl Work {
    /// Calls of a kernel with about 2 KiB of data, one a sample.
    #[must_use]
    pub fn new(strategy: &Strategy, kernel: &Kernel) -> Self {
        let groups = kernel.params.iter().find_map(|param| match param.memory {
            Some((_, Extent::PerCount(bytes))) => Some((DATA / bytes).max(1) as usize),
            _ => None,
        });
        let (scalars, memory) = inputs(strategy, kernel, groups.unwrap_or(1));
        let (_, each) = strategy.counted();
        let memory = CallBuffers::of(&memory);
        Self { scalars, memory, calls: 1, pieces: groups.unwrap_or(1) * each }
    }

    /// The same with so many calls that a sample with `subject` takes about 30 microseconds.
    #[must_use]
    pub fn calibrated(mut self, subject: &Subject) -> Self {
        let once = median((0..9).map(|_| self.nanoseconds(subject)));
        self.calls = ((SAMPLE / once.max(1.0)).round() as usize).clamp(1, 10_000);
        self
    }

    /// Cycles that a subject takes for one piece: a sample's, divided by how many it did.
    pub fn cycles(&mut self, subject: &Subject) -> f64 {
        clock::cycles(|| self.run(subject)) / (self.calls * self.pieces) as f64
    }

    /// Nanoseconds for a sample.
    fn nanoseconds(&mut self, subject: &Subject) -> f64 {
        let start = Instant::now();
        self.run(subject);
        start.elapsed().as_secs_f64() * 1e9
    }

    fn run(&mut self, subject: &Subject) {
        subject.call(&self.scalars, &mut self.memory, self.calls);
    }
}
