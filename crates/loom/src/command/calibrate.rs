//! `loom calibrate`: what instructions cost here, beside what a cost model says.

use std::path::Path;
use std::process::Command;

use cipherloom_measure::{Columns, clock};

use loom::calibrate::{self, Finding, Measured, Set, Timer};
use loom::exec::Processor;
use loom::isa::costs::Cpu;
use loom::isa::{Target, registry};

use super::error::{Error, Result};
use super::{output, repository};

/// Measures what instructions cost on this processor, and prints it beside a cost model
#[derive(Debug, clap::Args)]
pub(crate) struct Calibrate {
    /// The cost model, by its processor [default: the one of this processor]
    #[arg(long, value_name = "NAME")]
    costs: Option<String>,
    /// Write what was measured into the model's file, in Cipherloom's source tree
    #[arg(long)]
    write: bool,
}

/// Milliseconds of other work, after which units may sleep.
const PAUSES: [f64; 3] = [0.1, 1.0, 2.0];

impl Calibrate {
    /// # Errors
    /// Bad usage, or a processor of which nothing can be measured.
    pub(crate) fn run(&self) -> Result<()> {
        let target = registry::plain();
        let cpu = self.model(target)?;
        if self.write && std::ptr::eq(cpu, target.costs[0]) {
            let name = cpu.name;
            return Err(Error::usage(format!(
                "`{name}` stands for many processors; --costs names one"
            )));
        }
        let here = (target.here)();
        let set = here.and_then(|features| calibrate::set(target, features));
        let set = set.ok_or_else(|| {
            Error::failure(format!("programs for {target} do not run on this processor"))
        })?;
        let refused = |error| Error::failure(format!("no executable memory: {error}"));
        let findings = Finding::all(target, &set, cpu).map_err(refused)?;
        let waking = Timer::new(target).waking(&set.waking, &PAUSES).map_err(refused)?;
        output::print(&format!(
            "{} at {:.2} GHz, beside the costs of {}: {}\n\n{}\n{LEGEND}\n",
            Processor::detect().name,
            clock::ghz(),
            cpu.name,
            cpu.doc,
            table(&findings, &set),
        ))?;
        let mut heading = vec!["work after a pause of".to_owned(), "0 ms".to_owned()];
        heading.extend(PAUSES.map(|pause| format!("{pause} ms")));
        let mut columns = Columns::new(1, heading);
        for work in &waking {
            let after = work.after.iter().map(|(_, cycles)| format!("{cycles:.0}"));
            let cells = [work.name.to_owned(), format!("{:.0}", work.hot)].into_iter();
            columns.row(cells.chain(after));
        }
        output::print(&format!("{columns}\n{WAKING}"))?;
        if self.write { write(target, &set, cpu, &findings) } else { Ok(()) }
    }

    fn model(&self, target: &'static Target) -> Result<&'static Cpu> {
        let names = || target.costs.iter().map(|cpu| cpu.name).collect::<Vec<_>>().join(", ");
        match &self.costs {
            None => (target.model_here)().ok_or_else(|| {
                Error::usage(format!(
                    "no costs of this processor; --costs names one of {}",
                    names()
                ))
            }),
            Some(name) => {
                target.costs.iter().find(|cpu| cpu.name == name).copied().ok_or_else(|| {
                    Error::usage(format!("no costs of a processor `{name}`; there is {}", names()))
                })
            }
        }
    }
}

/// A row for each probe.
fn table(findings: &[Finding], set: &Set) -> Columns {
    let heading = ["instruction", "class", "latency", "model", "each", "model", ""];
    let mut columns = Columns::new(2, heading);
    for finding in findings {
        let class = finding.class();
        let class = set.classes.iter().find(|(one, _)| Some(*one) == class);
        let latency = &finding.latency;
        let marks = [
            finding.differs().then_some("differs"),
            latency
                .iter()
                .chain([&finding.throughput])
                .any(Measured::is_unsure)
                .then_some("unsure"),
        ];
        columns.row([
            finding.name.to_owned(),
            class.map_or_else(String::new, |(_, name)| name.clone()),
            figures(latency.iter().map(|one| Some(one.figure.cycles))),
            figures(latency.iter().map(|one| one.model)),
            figures([Some(finding.throughput.figure.cycles)]),
            figures([finding.throughput.model]),
            marks.into_iter().flatten().collect::<Vec<_>>().join(", "),
        ]);
    }
    columns
}

/// Figures of several sources, one where they agree; none where there is nothing to be said.
fn figures(all: impl IntoIterator<Item = Option<f64>>) -> String {
    let all: Vec<_> = all.into_iter().collect();
    let Some(known) = all.iter().copied().collect::<Option<Vec<f64>>>() else {
        return "-".to_owned();
    };
    let (low, high) = known
        .iter()
        .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), &one| (low.min(one), high.max(one)));
    let shown = |one: &f64| format!("{one:.2}");
    match known.as_slice() {
        [] => "-".to_owned(),
        [first, ..] if high - low < 0.15 => shown(first),
        several => several.iter().map(shown).collect::<Vec<_>>().join(" "),
    }
}

/// What the columns say.
const LEGEND: &str = "\
Cycles of the core. Latency: from a source to the result; of several sources, in the order in which the
instruction has them, where they differ. Each: from one to the next that does not wait for it; 0.33 is three
ports. Model: the same by the cost model, as `loom stats` counts. Several instructions count as one row, the
class is that of the last one. Unsure: samples disagree; measure again when the machine is idle.
";
const WAKING: &str = "\
Cycles of a piece of work of some 2,000, right after itself and after a pause of other work: what the first
call pays where units for vectors sleep.
";

/// Writes the model's file.
fn write(target: &'static Target, set: &Set, cpu: &Cpu, findings: &[Finding]) -> Result<()> {
    let path = repository::root(None)?.join(set.folder).join(cpu.name.replace('-', "_") + ".rs");
    let refused = |error: std::io::Error| Error::failure(format!("cannot measure: {error}"));
    let text = calibrate::source(target, set, cpu, findings, &Processor::detect().name, &today()?)
        .map_err(refused)?;
    let problem = |error| Error::file("cannot write", Path::new(&path), &error);
    std::fs::write(&path, text).map_err(problem)?;
    output::print(&format!("\nwritten to {}\n", path.display()))
}

/// The day, in UTC.
fn today() -> Result<String> {
    let output = Command::new("date").args(["-u", "+%F"]).output();
    let output = output.map_err(|error| Error::failure(format!("cannot run `date`: {error}")))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
