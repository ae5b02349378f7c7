//! What can be said of a kernel without running it: how much it does, and how fast a processor can
//! be at best by its cost model.
//!
//! | file | subject |
//! |---|---|
//! | `trips.rs` | how often repetitions are done |
//! | `trace.rs` | the instructions of a call, in the order in which they are done |
//! | `cost.rs` | what one instruction reads, writes and costs |
//! | `hppa.rs` | both for PA-RISC |
//! | `bounds.rs` | latencies and ports along a trace |
//! | `heritage.rs` | figures of earlier code, to hold ours against |
//!
//! It works from the finished instructions, as a processor does, not from what made them.

mod bounds;
mod cost;
pub mod heritage;
mod hppa;
mod trace;
mod trips;

pub use bounds::Bounds;

use crate::edition::Edition;
use crate::target::cpu::{self, Cpu};
use crate::target::hppa as hppa_target;
use crate::target::x86::{Made, TABLES};
use cost::Cost;
use trace::Trace;

/// Cycles a piece of work below which a processor cannot get.
#[must_use]
pub fn bound(edition: &Edition, made: &Made, cpu: &Cpu) -> f64 {
    let (_, pieces) = edition.strategy.pieces();
    Bounds::new(&Trace::new(made), &Cost::of(&made.program), cpu, pieces).highest()
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
        let code = made.program.bytes(0, TABLES).expect("tables in reach").len();
        let table_bytes = made.record.table_bytes;
        let costs = Cost::of(&made.program);
        Self::of(edition, &Trace::new(made), &costs, &cpu::ALL, [code, table_bytes])
    }

    /// The same on PA-RISC.
    #[must_use]
    pub fn hppa(edition: &Edition, made: &hppa_target::Made) -> Self {
        let costs = hppa::costs(&made.program);
        let code = hppa::code_bytes(&made.program);
        let table_bytes = made.record.table_bytes;
        Self::of(edition, &hppa::trace(made), &costs, &cpu::HPPA, [code, table_bytes])
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
