//! `loom stats`: what kernels do, how fast they can be, and how fast they are here.

mod report;
mod row;
mod tables;

use std::path::PathBuf;

use loom::exec::Processor;
use loom::isa::costs::Cpu;
use loom::isa::registry;
use loom::library;
use loom::tune::GENERIC;
use loom::variant::KernelVariant;

use self::report::Report;
use self::row::Rows;
use super::error::{Error, Result};
use super::{output, repository};

/// Prints what kernels do, how fast they can be by a processor's costs, and how fast they are here;
/// and the figures of earlier code beside ours
#[derive(Debug, clap::Args)]
#[command(name = "stats")]
pub(crate) struct Show {
    /// The kernels, by all cost models [default: those that the library takes in, by one]
    #[arg(value_name = "KERNEL")]
    kernels: Vec<String>,
    /// The cost model by which they are judged, by its processor [default: generic, or all for kernels that are named]
    #[arg(long, value_name = "NAME")]
    costs: Option<String>,
    /// Print the innermost loop of each kernel, too
    #[arg(long = "loop")]
    with_loop: bool,
    /// Use what was tuned for this processor, as `loom tune` names it
    #[arg(long, value_name = "NAME", default_value = GENERIC)]
    cpu: String,
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

impl Show {
    /// # Errors
    /// Bad usage, or a kernel that cannot be measured.
    pub(crate) fn run(&self) -> Result<()> {
        let rows = Rows {
            store: repository::store(self.tuned.as_deref()),
            processor: &self.cpu,
            here: Processor::detect(),
            models: self.models()?,
            with_loop: self.with_loop,
            run: !self.no_run,
        };
        let variants: Vec<KernelVariant> = match self.kernels.as_slice() {
            [] => library::variants(),
            names => names.iter().map(|name| Ok(name.parse()?)).collect::<Result<_>>()?,
        };
        let kernels =
            variants.iter().map(|variant| rows.row(variant)).collect::<Result<Vec<_>>>()?;
        if self.kernels.is_empty() {
            let report = Report::new(kernels, &rows)?;
            if self.json { output::print_json(&report) } else { output::print(&report.text()) }
        } else if self.json {
            output::print_json(&kernels)
        } else {
            output::print(&tables::named(&kernels))
        }
    }

    /// The cost models that are asked for.
    fn models(&self) -> Result<Vec<&'static Cpu>> {
        match &self.costs {
            None if self.kernels.is_empty() => Ok(vec![registry::plain().costs[0]]),
            None => Ok(registry::costs().collect()),
            Some(name) => Ok(vec![Cpu::by_name(name).ok_or_else(|| {
                let names = registry::costs().map(|cpu| cpu.name).collect::<Vec<_>>().join(", ");
                Error::usage(format!("no costs of a processor `{name}`; there is {names}"))
            })?]),
        }
    }
}
