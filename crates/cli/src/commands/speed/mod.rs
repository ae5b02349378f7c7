//! `cipherloom speed`: checks, then measures, every cipher on every backend.

pub(crate) mod benchmark;
pub(crate) mod check;
mod compare;
mod costs;
mod crossover;
mod openssl;
mod plan;
mod plot;
mod report;
mod table;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cipherloom_measure::{Processor, clock};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::errors::{Error, Result};
use crate::io::destination::Destination;
use crate::text;
use plan::{Plan, SIZES};
use report::Report;

/// Measure every cipher, mode, direction and backend, after checking that each is right
///
/// All runs use one thread. A message is transformed in place under a key that is ready. Records of
/// 32 bytes have a key each, and the time to set it up counts.
#[derive(Args, Debug)]
pub(crate) struct SpeedArgs {
    /// Ciphers to measure, by name (des-ede3-cbc, rc4) [default: the usual ones]
    #[arg(value_name = "CIPHER")]
    ciphers: Vec<String>,
    /// Measure every cipher that there is
    #[arg(long, conflicts_with = "ciphers")]
    all: bool,
    /// Message lengths in bytes, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = SIZES,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(8..=1 << 30))]
    bytes: Vec<usize>,
    /// Seconds of measurement for each figure
    #[arg(long, value_name = "S", default_value = "0.1", value_parser = seconds)]
    seconds: Duration,
    /// A rough look: 5 milliseconds for each figure, one round of --compare
    #[arg(long, conflicts_with_all = ["seconds", "rounds"])]
    quick: bool,
    /// Measure the `openssl` command too, in turns, and print the ratio
    #[arg(long)]
    compare: bool,
    /// Turns of each side with --compare; a turn of openssl takes a second
    #[arg(long, value_name = "N", default_value_t = 3, requires = "compare",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    rounds: usize,
    /// Print JSON in place of tables
    #[arg(long)]
    json: bool,
    /// Draw speed over message length, one picture per cipher and direction, into an SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Overwrite the file of --plot if it exists
    #[arg(long, requires = "plot")]
    force: bool,
    /// Measure only from how many blocks on which backend is faster
    #[arg(long, hide = true, conflicts_with_all = ["ciphers", "all", "bytes", "compare", "plot"])]
    crossover: bool,
    /// Measure only what each backend costs here, in cycles, as the library's table has it
    #[arg(long, conflicts_with_all = ["ciphers", "all", "bytes", "compare", "plot", "json", "crossover"])]
    costs: bool,
}

/// Runs the sub-command.
///
/// # Errors
/// Bad usage; a failed self-test, a wrong result; a file that cannot be written.
pub(crate) fn run(args: &SpeedArgs) -> Result<()> {
    let budget = if args.quick { Duration::from_millis(5) } else { args.seconds };
    let rounds = if args.quick { 1 } else { args.rounds };
    let mut sizes = args.bytes.clone();
    sizes.sort_unstable();
    sizes.dedup();
    if let Some(odd) = sizes.iter().find(|&size| !size.is_multiple_of(8)) {
        return Err(Error::usage(format!(
            "--bytes {odd}: ECB and CBC take whole blocks; use a multiple of 8"
        )));
    }
    let plan = Plan { ciphers: plan::ciphers(&args.ciphers, args.all)?, sizes, budget };
    // A run of minutes must not end with a file name that cannot be used.
    let plot = args.plot.as_deref().map(|file| Destination::free(file, args.force)).transpose()?;
    self_test()?;
    if args.costs {
        return text::print(&costs::run(budget)?);
    }
    if args.crossover {
        return crossover(budget, args.json);
    }

    let unix_time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let bar = progress(plan.rows());
    let rows = plan.run(|row| step(&bar, row))?;
    let comparison = match args.compare {
        true => Some(compare::run(&plan, rounds, |pair| bar.set_message(pair.to_owned()))?),
        false => None,
    };
    bar.finish_and_clear();
    let report = Report {
        program: concat!("cipherloom ", env!("CARGO_PKG_VERSION")).to_owned(),
        unix_time,
        processor: Processor::detect(),
        cycles_unknown_because: clock::unknown_because(),
        seconds_per_cell: budget.as_secs_f64(),
        rows,
        comparison,
    };
    if let Some(destination) = plot {
        plot::write(&report, destination)?;
    }
    if args.json { text::print_json(&report) } else { text::print(&table::render(&report)) }
}

/// Every backend's self-test; a failed one is not measured, nor is anything else then.
fn self_test() -> Result<()> {
    for (backend, result) in cipherloom::self_test() {
        result.map_err(|error| {
            Error::failure(format!("backend {}: self-test: {error}", backend.name()))
        })?;
    }
    Ok(())
}

fn crossover(budget: Duration, json: bool) -> Result<()> {
    let bar = progress(6);
    let curves = crossover::run(budget, |curve| step(&bar, curve))?;
    bar.finish_and_clear();
    if json { text::print_json(&curves) } else { text::print(&crossover::render(&curves)) }
}

/// Shown on a terminal only.
fn progress(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    match ProgressStyle::with_template("{pos}/{len} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn step(bar: &ProgressBar, message: &str) {
    bar.set_message(message.to_owned());
    bar.inc(1);
}

/// A number of seconds that makes sense as a budget.
fn seconds(text: &str) -> std::result::Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("use a number of seconds from 0 to 3600".into()),
    }
}
