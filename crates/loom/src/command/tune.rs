//! `loom tune`: search, confirm in fresh processes, write down.

use std::fmt;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use cipherloom_measure::Columns;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use loom::exec::Processor;
use loom::isa::frame::Abi;
use loom::library;
use loom::tune::{
    GENERIC, Measured, Progress, Search, Tuned, VENDORS, WORTH, code_hash, convention, search,
};
use loom::variant::KernelVariant;

use super::confirm::Confirmation;
use super::convention::callable;
use super::error::{Error, Result};
use super::recipe::recipe;
use super::{output, repository};

/// Searches for the instructions and the order that run fastest on this processor
///
/// Goes on from the file of an earlier search, if there is one. What was found is confirmed in
/// fresh processes, and only then written down.
#[derive(Debug, clap::Args)]
pub(crate) struct Tune {
    /// The kernels, by the names that `loom list` prints
    #[arg(value_name = "KERNEL", required_unless_present = "all")]
    kernels: Vec<String>,
    /// All kernels that the library takes in, one after the other
    #[arg(long, conflicts_with = "kernels")]
    all: bool,
    /// How long to search for each kernel
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Decides which candidates are tried
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many fresh processes confirm what was found
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    processes: u8,
    /// For whom: `generic` or a vendor (`amd`, `intel`, `zen`) for what ships, or any name [default: this
    /// processor's own]
    #[arg(long, value_name = "NAME")]
    cpu: Option<String>,
    /// The calling convention [default: the usual one]; one that is called as the usual one is
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    abi: Option<String>,
    /// The directory of tuned files [default: the one of Cipherloom's source tree, or ./tuned]
    #[arg(long, value_name = "DIR")]
    tuned: Option<PathBuf>,
    /// Print what was measured as JSON
    #[arg(long)]
    json: bool,
}

/// Samples of each plan in each process that confirms.
const SAMPLES: usize = 300;
/// How much slower in its slowest process a plan may be than the one that it replaces.
const WORST: f64 = 1.01;

/// What became of one kernel.
#[derive(Serialize)]
struct Outcome {
    kernel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    convention: Option<String>,
    #[serde(flatten)]
    measured: Measured,
    /// What the search began with.
    from: &'static str,
    /// Cycles in each process that confirmed.
    each: Vec<f64>,
    /// Where it was written; nowhere if nothing better was found.
    written: Option<PathBuf>,
}

impl Tune {
    /// # Errors
    /// Bad usage, or a failure of the search.
    pub(crate) fn run(&self) -> Result<()> {
        let here = Processor::detect();
        let (variants, lacking): (Vec<_>, Vec<_>) =
            self.variants()?.into_iter().partition(|variant| here.runs(variant));
        if let (Some(variant), false) = (lacking.first(), self.all) {
            let needs = [&[variant.target.name], &variant.features.names()[..]].concat().join(", ");
            return Err(Error::failure(format!("{variant} needs {needs}, which is not here")));
        }
        let mut outcomes = Vec::new();
        for variant in &variants {
            let outcome = self.tune(variant, &here)?;
            if !self.json {
                output::print(&outcome.to_string())?;
            }
            outcomes.push(outcome);
        }
        for variant in lacking {
            output::note(&format!("not tuned: {variant}, which does not run here"));
        }
        if self.json {
            return output::print_json(&outcomes);
        }
        if outcomes.len() > 1 {
            output::print(&format!("\n{}", table(&outcomes)))?;
        }
        Ok(())
    }

    fn variants(&self) -> Result<Vec<KernelVariant>> {
        if self.all {
            return Ok(library::variants());
        }
        self.kernels.iter().map(|name| Ok(name.parse()?)).collect()
    }

    /// Searches, confirms, writes.
    fn tune(&self, variant: &KernelVariant, here: &Processor) -> Result<Outcome> {
        let store = repository::store(self.tuned.as_deref());
        let processor = self.cpu.as_deref().unwrap_or(&here.directory);
        let abi = callable(variant, self.abi.as_deref())?;
        let convention = convention(abi);
        let before = store.load(variant, abi, processor)?;
        let untuned = variant.untuned();
        // What is taken where there is no plan for this processor, or this convention.
        let usual = Abi::usual(variant.target);
        let generic = recipe(&store, variant, abi, GENERIC)?.plan;
        let of_usual = recipe(&store, variant, usual, processor)?.plan;
        let is_tuned =
            |abi, processor| store.load(variant, abi, processor).map(|plan| plan.is_some());
        let (from, start) = match &before {
            Some(tuned) => ("its own file", tuned.plan.clone()),
            None if convention.is_some() && is_tuned(usual, processor)? => {
                ("the plan of the usual convention", of_usual.clone())
            }
            None if is_tuned(abi, GENERIC)? => ("the generic plan", generic.clone()),
            None => ("the untuned plan", untuned.clone()),
        };
        let bar = Bar::new(variant, self.seconds);
        let budget = Duration::from_secs(self.seconds);
        let everywhere = processor == GENERIC;
        let show = |progress: &Progress| bar.show(progress);
        let found = search(variant, abi, &start, self.seed, budget, everywhere, show);
        drop(bar);
        let found = found.map_err(|stop| Error::failure(format!("{variant}: {stop}")))?;

        let plans = [&untuned, &start, &found.plan, &generic, &of_usual];
        let confirmed =
            Confirmation::new(variant, abi, &plans, usize::from(self.processes), SAMPLES)?;
        let best = best(&confirmed);
        let (per, _) = variant.strategy.counted();
        let measured = Measured {
            processor: here.name.clone(),
            ghz: round(confirmed.ghz, 2),
            per: per.name().to_owned(),
            cycles: round(confirmed.middle(best), 2),
            worst: round(confirmed.worst(best), 2),
            untuned: round(confirmed.middle(0), 2),
            gain: round(confirmed.gain(best, 0), 3),
            over_usual: convention.is_some().then(|| round(confirmed.gain(best, 4), 3)),
            over_generic: (processor != GENERIC).then(|| round(confirmed.gain(best, 3), 3)),
            processes: usize::from(self.processes),
            samples: SAMPLES,
        };
        let made = variant.make(abi, plans[best])?;
        let earlier = before.as_ref().map_or(Search::default(), |tuned| tuned.search);
        let tuned = Tuned {
            kernel: variant.name(),
            convention: convention.clone(),
            description: made.record().description.clone(),
            code: code_hash(&*made),
            plan: plans[best].clone(),
            measured: measured.clone(),
            search: Search {
                seed: self.seed,
                seconds: earlier.seconds + self.seconds,
                candidates: earlier.candidates + found.progress.candidates,
            },
        };
        let is_worth = !VENDORS.contains(&processor)
            || measured.over_generic.is_some_and(|gain| gain >= WORTH);
        let is_other = match &before {
            Some(before) => before.plan != tuned.plan || before.code != tuned.code,
            None => tuned.plan != start,
        };
        let is_news = is_other && is_worth;
        let written = is_news.then(|| store.path(variant, abi, processor));
        if is_news {
            store.save(variant, abi, processor, &tuned)?;
        }
        let each = confirmed.each(best).into_iter().map(|cycles| round(cycles, 2)).collect();
        Ok(Outcome { kernel: variant.name(), convention, measured, from, each, written })
    }
}

/// Which of the untuned plan, the one that the search began with, and the one that it found.
fn best(confirmed: &Confirmation) -> usize {
    let [untuned, start, found] = [0, 1, 2];
    let faster = confirmed.middle(found) < confirmed.middle(start);
    let steady = confirmed.worst(found) <= confirmed.worst(start) * WORST;
    let best = if faster && steady { found } else { start };
    if confirmed.middle(untuned) < confirmed.middle(best) { untuned } else { best }
}

fn round(figure: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (figure * unit).round() / unit
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measured { cycles, worst, untuned, gain, over_generic, over_usual, per, .. } =
            &self.measured;
        let convention = self.convention.iter().map(|name| format!(" ({name})"));
        let each: Vec<_> = self.each.iter().map(|cycles| format!("{cycles:.2}")).collect();
        writeln!(
            f,
            "{}{}: {cycles:.2} cycles a {per}, {untuned:.2} untuned: {gain:.3} times as fast",
            self.kernel,
            convention.collect::<String>()
        )?;
        writeln!(f, "  in {} processes: {}; worst {worst:.2}", each.len(), each.join(" "))?;
        if let Some(gain) = over_generic {
            writeln!(f, "  {gain:.3} times as fast as the generic plan")?;
        }
        if let Some(gain) = over_usual {
            writeln!(f, "  {gain:.3} times as fast as by the plan of the usual convention")?;
        }
        writeln!(f, "  the search began with {}", self.from)?;
        match &self.written {
            Some(path) => writeln!(f, "  written to {}", path.display()),
            None => writeln!(f, "  nothing better by enough was found; nothing is written"),
        }
    }
}

fn table(outcomes: &[Outcome]) -> Columns {
    let heading = ["kernel", "per", "untuned", "tuned", "worst", "gain", "written"];
    let mut columns = Columns::new(2, heading);
    for Outcome { kernel, measured, written, .. } in outcomes {
        columns.row([
            kernel.clone(),
            measured.per.clone(),
            format!("{:.2}", measured.untuned),
            format!("{:.2}", measured.cycles),
            format!("{:.2}", measured.worst),
            format!("{:.3}", measured.gain),
            if written.is_some() { "yes" } else { "no" }.to_owned(),
        ]);
    }
    columns
}

/// A progress line, if there is a terminal to see it.
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(variant: &KernelVariant, seconds: u64) -> Self {
        Self(std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(seconds).with_prefix(variant.name());
            let template = "{prefix} {bar:20} {pos} of {len} s, {msg}";
            // The template is a constant that parses; without style the bar is merely plainer.
            match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        }))
    }

    fn show(&self, progress: &Progress) {
        let Some(bar) = &self.0 else { return };
        bar.set_position(progress.elapsed.as_secs());
        let Progress { candidates, wins, cycles, .. } = progress;
        bar.set_message(format!("{candidates} candidates, {wins} better, {cycles:.2} cycles"));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
