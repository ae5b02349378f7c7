//! `loom stats`: what kernels do, how fast they can be, and how fast they are here.

use loom::isa::hppa::PA_RISC;
use loom::isa::x86::X86_64;
use std::path::PathBuf;

use cipherloom_measure::{Columns, in_turns};
use serde::Serialize;

use loom::emit::{FORMATS, GNU_HPPA, HppaUnit, X86Unit, text};
use loom::isa::costs::Cpu;
use loom::isa::frame::Abi;
use loom::isa::registry;
use loom::isa::x86::X86;
use loom::isa::x86::costs::GENERIC as GENERIC_COSTS;
use loom::library::{self, Recipe};
use loom::pipeline::{Compiled, Options};
use loom::schedule::Perturbation;
use loom::stats::baselines::{self, Baseline};
use loom::stats::{self, Bounds, Fetched, Stats};
use loom::tune::{GENERIC, Processor, Store, Subject, Work};
use loom::variant::KernelVariant;

use super::error::{Error, Result};
use super::recipe::recipe;
use super::{output, repository};

/// Prints what kernels do, how fast they can be by a processor's costs, and how fast they are here;
/// and the figures of earlier code beside ours
#[derive(Debug, clap::Args)]
#[command(name = "stats")]
pub(crate) struct Show {
    /// The kernels, by all cost models [default: those that the library takes in, by one]
    #[arg(value_name = "KERNEL")]
    kernels: Vec<String>,
    /// The cost model, by its processor [default: generic, or all for kernels that are named]
    #[arg(long, value_name = "NAME")]
    costs: Option<String>,
    /// Print the innermost repetition of each kernel, too
    #[arg(long = "loop")]
    with_loop: bool,
    /// Use what was tuned for this processor, as `loom tune` names it
    #[arg(long, value_name = "NAME", default_value = GENERIC)]
    processor: String,
    /// The directory of tuned files [default: the one of Cipherloom's source tree, or ./tuned]
    #[arg(long, value_name = "DIR")]
    tuned: Option<PathBuf>,
    /// Run nothing, and print no measured cycles
    #[arg(long)]
    no_run: bool,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// Rounds of samples.
const SAMPLES: usize = 200;

/// All that is printed.
#[derive(Serialize)]
struct Report {
    kernels: Vec<Row>,
    baselines: Vec<Beside>,
    gain_of_tuning: Gain,
}

/// What is known of a kernel; figures are per block, byte or key, unless they say otherwise.
#[derive(Serialize)]
struct Row {
    kernel: String,
    per: &'static str,
    tuned: bool,
    instructions: f64,
    loads: f64,
    stores: f64,
    code_bytes: usize,
    table_bytes: usize,
    bounds: Vec<Model>,
    /// What the costs of a processor predict that does instructions in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<Predicted>,
    /// Cycles measured here.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<f64>,
    /// The innermost repetition, as text.
    #[serde(skip_serializing_if = "Option::is_none", rename = "loop")]
    innermost: Option<String>,
}

/// A cost model's bounds, in cycles.
#[derive(Serialize)]
struct Model {
    costs: &'static str,
    /// Of one unit of work alone, from first to last; all its pieces.
    latency: f64,
    chain: f64,
    ports: f64,
    width: f64,
    /// The highest of the last three.
    bound: f64,
}

/// Cycles on a processor that does instructions in order, by its costs.
#[derive(Serialize)]
struct Predicted {
    costs: &'static str,
    cycles: f64,
    /// Of the same instructions in the order of the description.
    unordered: f64,
    /// Prefixes of its instructions.
    prefixes: f64,
    /// Clocks for which the bus is busy, where there is no cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    bus: Option<f64>,
    /// Of earlier code, if there is a figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier: Option<Earlier>,
}

/// What earlier code took.
#[derive(Serialize)]
struct Earlier {
    what: &'static str,
    cycles: f64,
}

/// A figure of earlier code beside ours.
#[derive(Serialize)]
struct Beside {
    what: &'static str,
    from: &'static str,
    cycles: f64,
    instructions: Option<u32>,
    kernel: String,
    our_cycles: Option<f64>,
    our_instructions: f64,
}

/// What tuning gained over the order before it.
#[derive(Serialize)]
struct Gain {
    /// libdes on a Pentium, 1997.
    by_hand: f64,
    kernel: String,
    /// Of the tuned file, if there is one.
    by_loom: Option<f64>,
}

impl Show {
    /// # Errors
    /// Bad usage, or a kernel that cannot be measured.
    pub(crate) fn run(&self) -> Result<()> {
        let models = self.models()?;
        let store = repository::store(self.tuned.as_deref());
        let here = Processor::detect();
        let variants = match self.kernels.as_slice() {
            [] => library::variants(),
            names => names.iter().map(|name| Ok(name.parse()?)).collect::<Result<_>>()?,
        };
        let row = |variant: &KernelVariant| self.row(variant, &store, &here, &models);
        let kernels = variants.iter().map(row).collect::<Result<Vec<_>>>()?;
        if !self.kernels.is_empty() {
            return if self.json {
                output::print_json(&kernels)
            } else {
                output::print(&self.named(&kernels))
            };
        }
        // Where the code was for another processor, no kernel of the library is beside it.
        let beside = |baselines: &Baseline| {
            let ours = baselines.ours(here.features);
            let there = ours.target != &X86_64;
            let there = there.then(|| self.row(&ours, &store, &here, &models)).transpose()?;
            Ok(beside(baselines, &here, there.as_ref().map_or(&*kernels, std::slice::from_ref)))
        };
        let first = baselines::ALL[0].ours(here.features);
        let tuned = store.load(&first, &self.processor)?;
        let report = Report {
            baselines: baselines::ALL.iter().map(beside).collect::<Result<_>>()?,
            gain_of_tuning: Gain {
                by_hand: baselines::GAIN,
                kernel: first.name(),
                by_loom: tuned.map(|tuned| tuned.measured.gain),
            },
            kernels,
        };
        if self.json { output::print_json(&report) } else { output::print(&report.text()) }
    }

    /// The cost models that are asked for.
    fn models(&self) -> Result<Vec<&'static Cpu>> {
        match &self.costs {
            None if self.kernels.is_empty() => Ok(vec![GENERIC_COSTS]),
            None => Ok(costs().collect()),
            Some(name) => Ok(vec![costs().find(|cpu| cpu.name == name).ok_or_else(|| {
                let names = costs().map(|cpu| cpu.name).collect::<Vec<_>>().join(", ");
                Error::usage(format!("no costs of a processor `{name}`; there is {names}"))
            })?]),
        }
    }

    fn row(
        &self,
        variant: &KernelVariant,
        store: &Store,
        here: &Processor,
        models: &[&'static Cpu],
    ) -> Result<Row> {
        let mut recipe = recipe(store, variant, &self.processor)?;
        let mut tuned = store.load(variant, &self.processor)?.is_some();
        let old = models
            .iter()
            .find_map(|cpu| registry::old_costs(cpu.name))
            .filter(|cpu| models == [*cpu]);
        if let Some(cpu) = old {
            stats::has(cpu, variant)?;
            // What was tuned on a processor of today is nothing for one of the past.
            if !tuned || self.processor == GENERIC {
                recipe = Recipe::modelled(variant, cpu, STEPS);
                tuned = false;
            }
        }
        let mut predicted = None;
        let (stats, cycles, innermost) = if variant.target == &PA_RISC {
            let made = variant.make_hppa(Abi::usual(variant.target))?;
            let units = [HppaUnit::new(&made, [""; 0])];
            let innermost = || innermost(&text(GNU_HPPA.dialect, &units, ""), "addib");
            (Stats::new(variant, &made), None, self.with_loop.then(innermost))
        } else {
            let made = variant.make(Abi::usual(variant.target), &recipe.plan)?;
            let runs = here.runs(variant) && !self.no_run;
            let cycles = if runs { Some(cycles(variant, &made)?) } else { None };
            let units = [X86Unit::new(&made, [""; 0])];
            predicted = old.map(|cpu| prediction(variant, &made, &recipe.plan, cpu)).transpose()?;
            let innermost = || innermost(&text(FORMATS[0].dialect, &units, ""), "jne");
            (Stats::new(variant, &made), cycles, self.with_loop.then(innermost))
        };
        let bounds = stats.bounds.iter().filter(|(cpu, _)| models.contains(cpu));
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
            innermost,
        })
    }

    /// The text for kernels that were named.
    fn named(&self, kernels: &[Row]) -> String {
        let mut text = table(kernels).to_string();
        if kernels.iter().any(|row| row.bounds.len() > 1) {
            let heading = ["kernel", "costs", "latency", "chain", "ports", "width", "bound"];
            let mut columns = Columns::new(2, heading);
            for row in kernels {
                for model in &row.bounds {
                    let mut cells = vec![row.kernel.clone(), model.costs.to_owned()];
                    cells.extend(model.cells());
                    columns.row(cells);
                }
            }
            text += &format!("\n{columns}");
        }
        let predicted: Vec<_> =
            kernels.iter().filter_map(|row| Some((row, row.predicted.as_ref()?))).collect();
        if !predicted.is_empty() {
            let heading = [
                "kernel",
                "costs",
                "predicted",
                "unordered",
                "prefixes",
                "bus",
                "earlier",
                "ours/earlier",
            ];
            let mut columns = Columns::new(2, heading);
            for (row, model) in &predicted {
                let earlier = model.earlier.as_ref().map(|earlier| earlier.cycles);
                columns.row([
                    row.kernel.clone(),
                    model.costs.to_owned(),
                    figure(model.cycles),
                    figure(model.unordered),
                    figure(model.prefixes),
                    optional(model.bus),
                    optional(earlier),
                    optional(earlier.map(|earlier| model.cycles / earlier)),
                ]);
            }
            text += &format!("\n{columns}");
            let known = predicted.iter().filter_map(|(_, model)| model.earlier.as_ref());
            for earlier in known {
                text += &format!("\nEarlier: {}.\n", earlier.what);
            }
        }
        for (name, text_of_loop) in
            kernels.iter().filter_map(|row| Some((&row.kernel, row.innermost.as_ref()?)))
        {
            text += &format!("\nThe innermost repetition of {name}:\n\n{text_of_loop}");
        }
        text + "\n" + LEGEND
    }
}

/// What the columns say.
const LEGEND: &str = "\
Instructions, loads, stores and cycles are per block, byte or key; code and tables are bytes.
Latency: one unit of work alone, from first to last. Chain, ports and width: what a further piece
adds to the longest chain of results, takes of the ports, takes of the operations begun a cycle.
Bound: the highest of these three, below which no order of instructions can get in a long run.
Predicted: the sum of all clocks where instructions are done in order, if caches hit; for the best plan
found by that sum. Unordered: of the same instructions in the order of the description. Prefixes: of
instructions, a block. Bus: clocks for which the bus is busy with code and data, where there is no cache.
";

impl Model {
    fn new(cpu: &Cpu, bounds: &Bounds) -> Self {
        let Bounds { path, chain, ports, width } = *bounds;
        Self { costs: cpu.name, latency: path, chain, ports, width, bound: bounds.highest() }
    }

    fn cells(&self) -> [String; 5] {
        [self.latency, self.chain, self.ports, self.width, self.bound].map(figure)
    }
}

/// Every cost model.
fn costs() -> impl Iterator<Item = &'static Cpu> {
    registry::costs()
}

/// How many changes to the best plan are tried against a cost model.
const STEPS: usize = 100;

/// What the costs of a processor predict, if it does instructions in order.
fn prediction(
    variant: &KernelVariant,
    made: &Compiled<X86>,
    plan: &Options,
    cpu: &'static Cpu,
) -> Result<Option<Predicted>> {
    let Some(cycles) = stats::predicted(variant, made, cpu) else { return Ok(None) };
    let plain = Options { order: None, perturbation: Perturbation::default(), ..plan.clone() };
    let plain = variant.make(Abi::usual(variant.target), &plain)?;
    let unordered = stats::predicted(variant, &plain, cpu).expect("as before");
    let Fetched { prefixes, bus } = stats::fetched(variant, made, cpu).expect("as before");
    let earlier = baselines::on(cpu, variant);
    let earlier = earlier.map(|one| Earlier { what: one.what, cycles: one.cycles });
    Ok(Some(Predicted { costs: cpu.name, cycles, unordered, prefixes, bus, earlier }))
}

/// Cycles a piece of work here.
fn cycles(variant: &KernelVariant, made: &Compiled<X86>) -> Result<f64> {
    let subject = Subject::new(made)
        .map_err(|error| Error::failure(format!("no executable memory: {error}")))?;
    let mut work = Work::new(&variant.strategy, &made.kernel).calibrated(&subject);
    Ok(in_turns(1, SAMPLES, |_| subject.cycles(&mut work))[0].median)
}

/// The longest innermost repetition, as text: from the last label before a branch
/// `back`, to it.
fn innermost(text: &str, back: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (mut top, mut longest) = (None, 0..0);
    for (n, line) in lines.iter().enumerate() {
        if line.starts_with(".L") && line.contains("_again") {
            top = Some((n, line.trim_end_matches(':')));
        } else if let Some((first, label)) = top
            && line.contains(back)
            && line.contains(label)
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

fn beside(baselines: &Baseline, here: &Processor, kernels: &[Row]) -> Beside {
    let variant = baselines.ours(here.features);
    let plain = baselines.ours(Default::default()).name();
    let find = |name: &str| kernels.iter().find(|row| row.kernel == name);
    let ours =
        find(&variant.name()).or_else(|| find(&plain)).expect("kernels of the baselines ship");
    Beside {
        what: baselines.what,
        from: baselines.from,
        cycles: baselines.cycles,
        instructions: baselines.instructions,
        kernel: match variant.target == &X86_64 {
            true => ours.kernel.clone(),
            false => variant.to_string(),
        },
        our_cycles: ours.cycles,
        our_instructions: ours.instructions,
    }
}

/// A figure with as many digits as say something.
fn figure(x: f64) -> String {
    if x < 20.0 { format!("{x:.2}") } else { format!("{x:.1}") }
}

fn optional(x: Option<f64>) -> String {
    x.map_or("-".to_owned(), figure)
}

fn table(kernels: &[Row]) -> Columns {
    let heading = [
        "kernel",
        "per",
        "instructions",
        "loads",
        "stores",
        "code",
        "tables",
        "bound",
        "cycles here",
    ];
    let mut columns = Columns::new(2, heading);
    for row in kernels {
        columns.row([
            row.kernel.clone(),
            row.per.to_owned(),
            figure(row.instructions),
            figure(row.loads),
            figure(row.stores),
            row.code_bytes.to_string(),
            row.table_bytes.to_string(),
            optional(row.bounds.first().map(|model| model.bound)),
            optional(row.cycles),
        ]);
    }
    columns
}

impl Report {
    fn text(&self) -> String {
        let heading = [
            "earlier code",
            "by",
            "ours",
            "cycles",
            "instructions",
            "our cycles",
            "our instructions",
            "times as fast",
        ];
        let mut columns = Columns::new(3, heading);
        for row in &self.baselines {
            columns.row([
                row.what.to_owned(),
                row.from.to_owned(),
                row.kernel.clone(),
                figure(row.cycles),
                row.instructions.map_or("-".to_owned(), |n| n.to_string()),
                optional(row.our_cycles),
                figure(row.our_instructions),
                optional(row.our_cycles.map(|ours| row.cycles / ours)),
            ]);
        }
        let Gain { by_hand, kernel, by_loom } = &self.gain_of_tuning;
        let ours = by_loom.map_or("not tuned yet".to_owned(), |gain| format!("{gain:.3}"));
        format!(
            "{}\n{LEGEND}The bounds are those of the costs of {}.\n\n{columns}\n\
             Gain over the untuned order: {by_hand} by hand (libdes, Pentium, 1997); {kernel}: {ours}.\n\
             `loom stats rc4_apply_s8 --loop` prints the loop beside the 14 instructions.\n",
            table(&self.kernels),
            self.kernels.first().and_then(|row| row.bounds.first()).map_or("", |model| model.costs),
        )
    }
}
