//! What can be said of a kernel without running it: how much it does, and how fast a processor can
//! be at best by its cost model.
//!
//! | file | subject |
//! |---|---|
//! | `trips.rs` | how often loops are done |
//! | `trace.rs` | the instructions of a call, in the order in which they are done |
//! | `bounds.rs` | latencies and ports along a trace |
//! | `baselines.rs` | figures of earlier code, to hold ours against |
//!
//! It works from the finished instructions, as a processor does, not from what made them.

pub mod baselines;
mod bounds;
mod trace;
mod trips;

pub use bounds::Bounds;

use std::fmt;

use crate::isa::Model;
use crate::isa::costs::Cpu;
use crate::isa::timing::Cost;
use crate::pipeline::CompiledKernel;
use crate::variant::KernelVariant;
use trace::Trace;

/// Cycles a piece of work below which a processor cannot get.
#[must_use]
pub fn bound(variant: &KernelVariant, made: &dyn CompiledKernel, cpu: &Cpu) -> f64 {
    let (_, pieces) = variant.strategy.counted();
    Bounds::new(&Trace::new(made), &made.costs(), cpu, pieces).highest()
}

/// Why the costs of a processor say nothing of a variant.
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

/// Whether a processor of the past has all instructions of a variant.
///
/// # Errors
/// If it has not.
pub fn has(cpu: &'static Cpu, variant: &KernelVariant) -> Result<(), NotThere> {
    let listed = variant.target.old_costs.contains(&cpu);
    let model = Model::by_name(cpu.name).filter(|_| listed);
    let fits = model.is_some_and(|model| model.has(variant.features));
    if fits { Ok(()) } else { Err(NotThere { name: variant.to_string(), cpu }) }
}

/// Cycles a piece of work on a processor that does instructions in order, by its costs: an exact sum,
/// if caches hit. None for other processors.
///
/// # Panics
/// If the kernel has instructions that the processor does not have.
#[must_use]
pub fn predicted(variant: &KernelVariant, made: &dyn CompiledKernel, cpu: &Cpu) -> Option<f64> {
    let costs = cpu.in_order()?;
    let (_, pieces) = variant.strategy.counted();
    let sums = made.in_order()?;
    let clocks = |lines: &[usize]| f64::from(sums.clocks(lines, costs));
    Some(Trace::new(made).marginal(clocks) / pieces as f64)
}

/// What a processor of the past must fetch for a piece of work.
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
pub fn fetched(variant: &KernelVariant, made: &dyn CompiledKernel, cpu: &Cpu) -> Option<Fetched> {
    let costs = cpu.in_order()?;
    let (_, pieces) = variant.strategy.counted();
    let sums = made.in_order()?;
    let trace = Trace::new(made);
    let each = |count: &dyn Fn(&[usize]) -> f64| trace.marginal(count) / pieces as f64;
    Some(Fetched {
        prefixes: each(&|lines| f64::from(sums.prefixes(lines))),
        bus: costs.bus.map(|costs| each(&|lines| sums.bus(lines, &costs))),
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
    pub fn new(variant: &KernelVariant, made: &dyn CompiledKernel) -> Self {
        let (trace, costs) = (&Trace::new(made), &made.costs());
        let target = variant.target;
        let old = target.old_costs.iter().filter(|cpu| has(cpu, variant).is_ok());
        let models = target.costs.iter().chain(old).copied();
        let table_bytes = made.record().table_bytes;
        let code_bytes = made.code_bytes();
        let (_, pieces) = variant.strategy.counted();
        let each = |count: &dyn Fn(&Cost) -> u32| {
            trace.marginal(|lines| {
                lines.iter().map(|&line| costs[line].as_ref().map_or(0, count)).sum::<u32>().into()
            }) / pieces as f64
        };
        let bounds = models.map(|cpu| (cpu, Bounds::new(trace, costs, cpu, pieces)));
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
