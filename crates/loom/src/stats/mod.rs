//! What can be said of a kernel without running it: how much it does, and how fast a processor can
//! be at best by its cost model.
//!
//! | file | subject |
//! |---|---|
//! | `trips.rs` | how often repetitions are done |
//! | `trace.rs` | the instructions of a call, in the order in which they are done |
//! | `cost.rs` | what one instruction reads, writes and costs |
//! | `hppa.rs` | both for PA-RISC |
//! | `clocks.rs` | the clocks of a call where instructions are done in order |
//! | `bounds.rs` | latencies and ports along a trace |
//! | `heritage.rs` | figures of earlier code, to hold ours against |
//!
//! It works from the finished instructions, as a processor does, not from what made them.

mod bounds;
mod clocks;
mod cost;
pub mod heritage;
mod hppa;
mod trace;
mod trips;

pub use bounds::Bounds;

use std::fmt;

use crate::edition::Edition;
use crate::isa::Architecture;
use crate::isa::costs::Cpu;
use crate::isa::hppa as hppa_target;
use crate::isa::hppa::costs::ALL as HPPA;
use crate::isa::registry::Model;
use crate::isa::x86::Made;
use crate::isa::x86::costs;
use clocks::{Step, bus, clocks, prefixes};
use cost::Cost;
use trace::Trace;

/// Cycles a piece of work below which a processor cannot get.
#[must_use]
pub fn bound(edition: &Edition, made: &Made, cpu: &Cpu) -> f64 {
    let (_, pieces) = edition.strategy.pieces();
    Bounds::new(&Trace::new(made), &Cost::of(&made.program), cpu, pieces).highest()
}

/// Why the costs of a processor say nothing of an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThere {
    name: String,
    cpu: &'static Cpu,
}

impl fmt::Display for NotThere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, cpu) = (&self.name, self.cpu);
        write!(f, "`{name}` has instructions that {} has not ({})", cpu.name, cpu.doc)
    }
}

impl std::error::Error for NotThere {}

/// Whether a processor of [`costs::OLD`] has all instructions of an edition.
///
/// # Errors
/// If it has not.
pub fn has(cpu: &'static Cpu, edition: &Edition) -> Result<(), NotThere> {
    let model = Model::by_name(cpu.name);
    let fits = model.is_some_and(|model| {
        // All of them have real mode, too.
        let real = edition.architecture == Architecture::X86Real;
        (real || model.architecture == edition.architecture) && model.has(edition.features)
    });
    if fits { Ok(()) } else { Err(NotThere { name: edition.to_string(), cpu }) }
}

/// Cycles a piece of work on a processor that does instructions in order, by its costs: an exact sum,
/// if caches hit. None for other processors.
///
/// # Panics
/// If the kernel has instructions that the processor does not have.
#[must_use]
pub fn predicted(edition: &Edition, made: &Made, cpu: &Cpu) -> Option<f64> {
    let costs = cpu.in_order()?;
    let (_, pieces) = edition.strategy.pieces();
    let steps = Step::of(&made.program);
    let clocks = |lines: &[usize]| f64::from(clocks(lines, &steps, costs));
    Some(Trace::new(made).marginal(clocks) / pieces as f64)
}

/// What a processor of [`costs::OLD`] must fetch for a piece of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fetched {
    /// Prefixes of its instructions.
    pub prefixes: f64,
    /// Clocks for which the bus is busy with code and data, where the processor has no cache: no order
    /// of instructions takes fewer.
    pub bus: Option<f64>,
}

/// What a processor that does instructions in order must fetch for a piece of work. None for other
/// processors.
///
/// # Panics
/// As [`predicted`].
#[must_use]
pub fn fetched(edition: &Edition, made: &Made, cpu: &Cpu) -> Option<Fetched> {
    let costs = cpu.in_order()?;
    let (_, pieces) = edition.strategy.pieces();
    let steps = Step::of(&made.program);
    let trace = Trace::new(made);
    let each = |count: &dyn Fn(&[usize]) -> f64| trace.marginal(count) / pieces as f64;
    Some(Fetched {
        prefixes: each(&|lines| f64::from(prefixes(lines, &steps))),
        bus: costs.bus.map(|costs| each(&|lines| bus(lines, &steps, &costs))),
    })
}

/// What is known of a kernel. Figures per piece of work are what each further piece costs in a
/// long run; where a call is one piece, what the call costs.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Instructions per piece of work.
    pub instructions: f64,
    /// Loads per piece of work.
    pub loads: f64,
    /// Stores per piece of work.
    pub stores: f64,
    /// Bytes of code.
    pub code_bytes: usize,
    /// Bytes of tables.
    pub table_bytes: usize,
    /// The bounds of each cost model, per piece of work.
    pub bounds: Vec<(&'static Cpu, Bounds)>,
}

impl Stats {
    /// Looks at a finished kernel.
    ///
    /// # Panics
    /// If it has instructions that are not known here.
    #[must_use]
    pub fn new(edition: &Edition, made: &Made) -> Self {
        let code =
            made.program.bytes(0, made.program.mode.tables()).expect("tables in reach").len();
        let table_bytes = made.record.table_bytes;
        let costs = Cost::of(&made.program);
        let old = costs::OLD.into_iter().filter(|cpu| has(cpu, edition).is_ok());
        let models: Vec<_> = costs::ALL.into_iter().chain(old).collect();
        Self::of(edition, &Trace::new(made), &costs, &models, [code, table_bytes])
    }

    /// The same on PA-RISC.
    #[must_use]
    pub fn hppa(edition: &Edition, made: &hppa_target::Made) -> Self {
        let costs = hppa::costs(&made.program);
        let code = hppa::code_bytes(&made.program);
        let table_bytes = made.record.table_bytes;
        Self::of(edition, &hppa::trace(made), &costs, &HPPA, [code, table_bytes])
    }

    fn of(
        edition: &Edition,
        trace: &Trace<'_>,
        costs: &[Option<Cost>],
        models: &[&'static Cpu],
        [code_bytes, table_bytes]: [usize; 2],
    ) -> Self {
        let (_, pieces) = edition.strategy.pieces();
        let each = |count: &dyn Fn(&Cost) -> u32| {
            trace.marginal(|lines| {
                lines.iter().map(|&line| costs[line].as_ref().map_or(0, count)).sum::<u32>().into()
            }) / pieces as f64
        };
        let bounds = models.iter().map(|&cpu| (cpu, Bounds::new(trace, costs, cpu, pieces)));
        Self {
            instructions: each(&|_| 1),
            loads: each(&|cost| u32::from(cost.loads)),
            stores: each(&|cost| u32::from(cost.stores)),
            code_bytes,
            table_bytes,
            bounds: bounds.collect(),
        }
    }
}
