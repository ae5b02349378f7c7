//! What is known of one kernel.

use cipherloom_measure::in_turns;
use serde::Serialize;

use loom::emit::{Unit, text};
use loom::exec::{Processor, Subject};
use loom::isa::costs::Cpu;
use loom::isa::frame::Abi;
use loom::isa::registry;
use loom::library::Recipe;
use loom::pipeline::{CompiledKernel, Options};
use loom::schedule::Perturbation;
use loom::stats::{self, Bounds, Fetched, Stats, baselines};
use loom::tune::{GENERIC, Store, Work};
use loom::variant::KernelVariant;

use super::super::error::{Error, Result};
use super::super::recipe::recipe;

/// What is known of a kernel; figures are per block, byte or key, unless they say otherwise.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) kernel: String,
    pub(super) per: &'static str,
    pub(super) tuned: bool,
    pub(super) instructions: f64,
    pub(super) loads: f64,
    pub(super) stores: f64,
    pub(super) code_bytes: usize,
    pub(super) table_bytes: usize,
    pub(super) bounds: Vec<Model>,
    /// What the costs of a processor predict that does instructions in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) predicted: Option<Predicted>,
    /// Cycles measured here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cycles: Option<f64>,
    /// The innermost loop, as text.
    #[serde(skip_serializing_if = "Option::is_none", rename = "loop")]
    pub(super) innermost: Option<String>,
}

/// A cost model's bounds, in cycles.
#[derive(Serialize)]
pub(super) struct Model {
    pub(super) costs: &'static str,
    /// Of one unit of work alone, from first to last; all its pieces.
    pub(super) latency: f64,
    pub(super) chain: f64,
    pub(super) ports: f64,
    pub(super) width: f64,
    /// The highest of the last three.
    pub(super) bound: f64,
}

/// Cycles on a processor that does instructions in order, by its costs.
#[derive(Serialize)]
pub(super) struct Predicted {
    pub(super) costs: &'static str,
    pub(super) cycles: f64,
    /// Of the same instructions in the order of the description.
    pub(super) unordered: f64,
    /// Prefixes of its instructions.
    pub(super) prefixes: f64,
    /// Clocks for which the bus is busy, where there is no cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bus: Option<f64>,
    /// Of earlier code, if there is a figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) earlier: Option<Earlier>,
}

/// What earlier code took.
#[derive(Serialize)]
pub(super) struct Earlier {
    pub(super) what: &'static str,
    pub(super) cycles: f64,
}

/// What rows are made from.
pub(super) struct Rows<'a> {
    pub(super) store: Store,
    /// For whom plans were tuned.
    pub(super) processor: &'a str,
    pub(super) here: Processor,
    /// Cost models.
    pub(super) models: Vec<&'static Cpu>,
    /// Whether the innermost loop is printed.
    pub(super) with_loop: bool,
    /// Whether kernels run.
    pub(super) run: bool,
}

/// Rounds of samples.
const SAMPLES: usize = 200;

/// How many changes to the best plan are tried against a cost model.
const STEPS: usize = 100;

impl Rows<'_> {
    /// A kernel's row.
    ///
    /// # Errors
    /// If it cannot be made or measured, or has instructions that the one cost model knows nothing of.
    pub(super) fn row(&self, variant: &KernelVariant) -> Result<Row> {
        let abi = Abi::usual(variant.target);
        let mut recipe = recipe(&self.store, variant, abi, self.processor)?;
        let mut tuned = self.store.load(variant, abi, self.processor)?.is_some();
        let old = match self.models[..] {
            [one] => registry::old_costs(one.name),
            _ => None,
        };
        if let Some(cpu) = old {
            stats::has(cpu, variant)?;
            // What was tuned on a processor of today is nothing for one of the past.
            if !tuned || self.processor == GENERIC {
                recipe = Recipe::modelled(variant, abi, cpu, STEPS);
                tuned = false;
            }
        }
        let made = variant.make(abi, &recipe.plan)?;
        let stats = Stats::new(variant, &*made);
        let runs = self.run && self.here.runs(variant);
        let cycles = runs.then(|| cycles(variant, &*made)).transpose()?;
        let predicted =
            old.map(|cpu| prediction(variant, &*made, &recipe.plan, cpu)).transpose()?;
        let units = [Unit::new(&*made, [""; 0])];
        let innermost = || innermost(&text(&variant.target.formats[0], &units, ""));
        let bounds = stats.bounds.iter().filter(|(cpu, _)| self.models.contains(cpu));
        Ok(Row {
            kernel: variant.name(),
            per: variant.strategy.counted().0.name(),
            tuned,
            instructions: stats.instructions,
            loads: stats.loads,
            stores: stats.stores,
            code_bytes: stats.code_bytes,
            table_bytes: stats.table_bytes,
            bounds: bounds.map(|(cpu, bounds)| Model::new(cpu, bounds)).collect(),
            predicted: predicted.flatten(),
            cycles,
            innermost: self.with_loop.then(innermost),
        })
    }
}

impl Model {
    fn new(cpu: &Cpu, bounds: &Bounds) -> Self {
        let Bounds { path, chain, ports, width } = *bounds;
        Self { costs: cpu.name, latency: path, chain, ports, width, bound: bounds.highest() }
    }
}

/// What the costs of a processor predict, if it does instructions in order.
fn prediction(
    variant: &KernelVariant,
    made: &dyn CompiledKernel,
    plan: &Options,
    cpu: &'static Cpu,
) -> Result<Option<Predicted>> {
    let Some(cycles) = stats::predicted(variant, made, cpu) else { return Ok(None) };
    let plain = Options { order: None, perturbation: Perturbation::default(), ..plan.clone() };
    let plain = variant.make(Abi::usual(variant.target), &plain)?;
    let unordered = stats::predicted(variant, &*plain, cpu).expect("as before");
    let Fetched { prefixes, bus } = stats::fetched(variant, made, cpu).expect("as before");
    let earlier = baselines::on(cpu, variant);
    let earlier = earlier.map(|one| Earlier { what: one.what, cycles: one.cycles });
    Ok(Some(Predicted { costs: cpu.name, cycles, unordered, prefixes, bus, earlier }))
}

/// Cycles a piece of work here.
fn cycles(variant: &KernelVariant, made: &dyn CompiledKernel) -> Result<f64> {
    let subject = Subject::new(made)
        .map_err(|error| Error::failure(format!("no executable memory: {error}")))?;
    let mut work = Work::new(&variant.strategy, made.kernel()).calibrated(&subject);
    Ok(in_turns(1, SAMPLES, |_| work.cycles(&subject))[0].median)
}

/// The longest innermost loop, as text: from the last label of a loop before a branch back
/// to it, to that.
fn innermost(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (mut top, mut longest) = (None, 0..0);
    for (n, line) in lines.iter().enumerate() {
        let label = line.strip_suffix(':').filter(|label| label.contains("again"));
        if let Some(label) = label {
            top = Some((n, label));
        } else if let Some((first, label)) = top
            && line.split([' ', ',']).any(|word| word == label)
        {
            top = None;
            if n + 1 - first > longest.len() {
                longest = first..n + 1;
            }
        }
    }
    match &lines[longest] {
        [] => "none\n".to_owned(),
        lines => lines.join("\n") + "\n",
    }
}
