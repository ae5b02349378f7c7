//! Loops timed on the processor at hand.
#![allow(unsafe_code, reason = "calls machine code that was just made of probes")]

use std::io;
use std::time::{Duration, Instant};

use cipherloom_measure::{clock, median};

use super::code::{Coded, Loop};
use crate::exec::{CallBuffers, Image};
use crate::ir::Memory;
use crate::isa::Target;
use crate::isa::probe::MEMORY;

/// Cycles of a sample, about: long beside a call, short beside what disturbs a shared machine.
const SAMPLE: f64 = 60_000.0;
/// Samples of each loop that are taken in turns with the others'.
const ROUNDS: usize = 15;
/// How often that is done, at least and at most: a machine that is busy may have a quiet moment later.
const TIMES: [usize; 2] = [2, 16];
/// From which spread on a figure is not sure.
const UNSURE: f64 = 0.04;
/// Calls after a pause, of each length.
const PAUSES: usize = 25;
/// Cycles of work after a pause, about.
const AFTER: f64 = 2_000.0;

/// Cycles, and how sure they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The lowest sample but a few: what disturbs makes only longer, but for the clock.
    pub cycles: f64,
    /// How far above the lowest sample it lies, in parts of itself.
    pub spread: f64,
}

impl Figure {
    fn of(samples: &[f64], copies: f64) -> Self {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let cycles = sorted[sorted.len() / 12 + 1];
        Self { cycles: cycles / copies, spread: (cycles - sorted[0]) / cycles }
    }

    /// Whether samples disagree.
    #[must_use]
    pub fn is_unsure(&self) -> bool {
        self.spread > UNSURE
    }
}

/// What a piece of work takes after a pause of scalar work, and when it was done just before.
#[derive(Clone, Debug)]
pub struct Waking {
    /// What the work is.
    pub name: &'static str,
    /// Cycles when it was done just before.
    pub hot: f64,
    /// Cycles after a pause of so many milliseconds.
    pub after: Vec<(f64, f64)>,
}

/// A loop in memory.
struct Ready {
    image: Image,
    copies: usize,
}

/// Memory for probes, and what times them.
pub struct Timer {
    target: &'static Target,
    memory: CallBuffers,
}

impl Timer {
    /// For a target whose programs run here.
    #[must_use]
    pub fn new(target: &'static Target) -> Self {
        Self { target, memory: CallBuffers::of(&[Memory { bytes: vec![0; MEMORY] }]) }
    }

    /// Times loops in turns, until all figures are sure or it was done often: cycles a copy of each.
    ///
    /// # Errors
    /// If the system gives no executable memory.
    pub fn time(&mut self, loops: &[&Loop]) -> io::Result<Vec<Figure>> {
        let ready = loops.iter().map(|one| self.ready(one)).collect::<io::Result<Vec<_>>>()?;
        let counts: Vec<_> = ready.iter().map(|one| self.count(one, SAMPLE)).collect();
        let mut samples = vec![Vec::new(); ready.len()];
        let mut figures = Vec::new();
        let [least, most] = TIMES;
        for time in 0..most {
            for round in 0..ROUNDS {
                for n in 0..ready.len() {
                    let n = (n + round) % ready.len();
                    samples[n].push(self.cycles(&ready[n], counts[n]));
                }
            }
            let each = samples.iter().zip(ready.iter().zip(&counts));
            figures = each
                .map(|(one, (ready, count))| Figure::of(one, (ready.copies * count) as f64))
                .collect();
            if time + 1 >= least && !figures.iter().any(Figure::is_unsure) {
                break;
            }
        }
        Ok(figures)
    }

    /// Times work after pauses of so many milliseconds.
    ///
    /// # Errors
    /// As [`time`](Self::time).
    pub fn waking(&mut self, work: &[Coded], pauses: &[f64]) -> io::Result<Vec<Waking>> {
        let flood = |one: &Coded| one.loops.last().cloned();
        let all = work.iter().filter_map(|one| Some((one.name, flood(one)?)));
        let mut found = Vec::new();
        for (name, flood) in all {
            let ready = self.ready(&flood)?;
            let count = self.count(&ready, AFTER);
            let hot = (0..4 * PAUSES).map(|_| self.cycles(&ready, count)).collect::<Vec<_>>();
            let after = pauses.iter().map(|&pause| {
                let samples = (0..PAUSES).map(|_| {
                    let begin = Instant::now();
                    while begin.elapsed() < Duration::from_secs_f64(pause / 1e3) {
                        let _ = clock::ghz();
                    }
                    self.cycles(&ready, count)
                });
                (pause, median(samples.collect::<Vec<_>>()))
            });
            let after = after.collect();
            found.push(Waking { name, hot: median(hot), after });
        }
        Ok(found)
    }

    fn ready(&self, one: &Loop) -> io::Result<Ready> {
        let image = Image::new(self.target, one.bytes.len(), |_, memory| {
            memory.copy_from_slice(&one.bytes);
            Ok(())
        })?;
        Ok(Ready { image, copies: one.copies })
    }

    /// How often a loop is done in about so many cycles.
    fn count(&mut self, ready: &Ready, cycles: f64) -> usize {
        const FEW: usize = 16;
        let took = (0..8).map(|_| self.cycles(ready, FEW)).fold(f64::INFINITY, f64::min);
        (cycles / took * FEW as f64).ceil() as usize
    }

    fn cycles(&mut self, ready: &Ready, count: usize) -> f64 {
        let pointer = self.memory.address(0);
        // SAFETY: a function of a pointer and a count begins there; it goes through a probe so many times,
        // and probes use the memory behind the pointer, which is as large as they may think. That the
        // processor has the features of its instructions is asked where probes are chosen.
        clock::cycles(|| unsafe { ready.image.call(0, [pointer, count, 0, 0], 1) })
    }
}
