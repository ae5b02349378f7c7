//! Cipherloom and its peers in one process, by turns, on one core.
//!
//! `cargo xtask peers` installs what this needs and runs it; `bench/README.md` says what the
//! figures are.

mod check;
mod pace;
mod participants;
mod plot;
mod process;
mod record;
mod report;
mod rows;
mod sample;
mod select;
mod sizes;
mod sweep;
mod table;
mod work;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use pace::Pace;
use participants::Everyone;
use process::Found;
use report::Report;
use rows::Cipher;
use select::Selection;

/// Measure Cipherloom and its peers side by side, after checking that each computes rightly.
#[derive(Parser, Debug)]
#[command(name = "peers", bin_name = "cargo xtask peers")]
struct Args {
    /// Rows of work, by parts of their names (des3-cbc, 1MiB, sizes); all but `choice` if none is named
    #[arg(value_name = "ROW")]
    rows: Vec<String>,
    /// A rough look: 20 milliseconds per row or little more, one process, for RC4 two
    #[arg(long, conflicts_with_all = ["seconds", "processes"])]
    quick: bool,
    /// Seconds of measurement per row and process, for RC4 a fifth of it, for all sizes four times
    /// as long
    #[arg(long, value_name = "S", default_value = "1.5", value_parser = seconds)]
    seconds: Duration,
    /// Fresh processes for RC4, which differs between them; the others have three at most
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    processes: usize,
    /// Samples of each participant behind each other: everyone runs hot
    #[arg(long)]
    hot: bool,
    /// Single calls, each after 2 milliseconds of other work: everyone starts cold
    #[arg(long, conflicts_with = "hot")]
    cold: bool,
    /// Measure all sizes hot and cold, and draw bench/curves/NAME.svg; NAME is the processor's
    #[arg(long, value_name = "NAME", value_parser = record::check_name,
          conflicts_with_all = ["rows", "hot", "cold", "json", "plot", "record"])]
    curves: Option<String>,
    /// Print JSON in place of tables
    #[arg(long)]
    json: bool,
    /// Draw bars into an SVG file, and curves over all sizes into FILE-sizes.svg
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write bench/record/DATE-NAME-peers.{json,md,svg} and -peers-sizes.svg; NAME is the processor's (skylake-server)
    #[arg(long, value_name = "NAME", value_parser = record::check_name)]
    record: Option<String>,
    /// Measure in this process, and print for the parent
    #[arg(long, hide = true, value_name = "S", value_parser = seconds)]
    worker: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.001..=3600.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("from 0.001 to 3600".into())
    }
}

impl Args {
    fn pace(&self) -> Pace {
        match self {
            Self { hot: true, .. } => Pace::Hot,
            Self { cold: true, .. } => Pace::Cold,
            _ => Pace::Alternating,
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let result = Selection::new(&args.rows).and_then(|selection| match args.worker {
        Some(budget) => process::work(&selection, budget, args.pace()),
        None => run(&args, selection),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("peers: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args, selection: Selection) -> Result<(), String> {
    // What cannot be used says so before minutes have passed.
    let everyone = participants::all()?;
    for absent in &everyone.absent {
        eprintln!("without {}: {}", absent.library, absent.why);
    }
    if let Some(name) = &args.curves {
        let sizes = Selection { rows: Vec::new(), sweeps: selection.sweeps };
        let measure = |pace| measure(args, sizes.clone(), pace, &everyone);
        let path = record::write_curves(&[measure(Pace::Hot)?, measure(Pace::Cold)?], name)?;
        eprintln!("written: {}", path.display());
        return Ok(());
    }
    if let Some(name) = &args.record {
        record::check_free(&report::today()?, name, args.pace())?;
    }
    let report = measure(args, selection, args.pace(), &everyone)?;
    if let Some(path) = &args.plot {
        for (path, content) in pictures(&report, path) {
            let written = std::fs::write(&path, content);
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    print!("{}", if args.json { record::json(&report)? } else { table::render(&report) });
    if let Some(name) = &args.record {
        for path in record::write(&report, name)? {
            eprintln!("written: {}", path.display());
        }
    }
    Ok(())
}

/// Measures in processes of their own.
fn measure(
    args: &Args,
    selection: Selection,
    pace: Pace,
    everyone: &Everyone,
) -> Result<Report, String> {
    let date = report::today()?;
    let (processes, budget) =
        if args.quick { (2, Duration::from_millis(20)) } else { (args.processes, args.seconds) };
    let (rc4, des) = selection.rows.into_iter().partition(|row| row.cipher == Cipher::Rc4);
    let des = Selection { rows: des, sweeps: selection.sweeps };
    let rc4 = Selection { rows: rc4, sweeps: Vec::new() };
    let des_processes = if args.quick { 1 } else { processes.min(3) };
    let mut found = Found::default();
    for (name, selection, processes, budget) in
        [("DES", des, des_processes, budget), ("RC4", rc4, processes, budget / 5)]
    {
        for n in (1..=processes).filter(|_| !selection.is_empty()) {
            progress(&format!("{name}, {}: process {n} of {processes}", pace.name()));
            found.add(process::run(&selection, budget, pace)?);
        }
    }
    progress("");
    Ok(Report::new(date, everyone, &found, pace, budget.as_secs_f64()))
}

/// The report's pictures and where they go: `bars`, and beside it what has curves.
fn pictures(report: &Report, bars: &Path) -> Vec<(PathBuf, String)> {
    let mut pictures = Vec::new();
    if !report.rows.is_empty() {
        pictures.push((bars.to_owned(), plot::rows(report)));
    }
    if !report.curves().is_empty() {
        let stem = bars.file_stem().unwrap_or_default().to_string_lossy();
        let curves = bars.with_file_name(format!("{stem}-sizes.svg"));
        pictures.push((curves, plot::sizes(report)));
    }
    pictures
}

/// One line that is written over, on a terminal only.
fn progress(what: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r{what:<40}\r");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_holds_together() {
        Args::command().debug_assert();
        assert!(Args::try_parse_from(["peers", "--quick", "--seconds", "1"]).is_err());
        assert!(Args::try_parse_from(["peers", "--record", "../x"]).is_err());
        assert_eq!(Args::try_parse_from(["peers", "rc4"]).unwrap().processes, 20);
        let pace = |flags: &[&str]| {
            let words = ["peers"].iter().chain(flags);
            Args::try_parse_from(words).map(|args| args.pace()).ok()
        };
        assert_eq!(pace(&[]), Some(Pace::Alternating));
        for wanted in [Pace::Hot, Pace::Cold] {
            assert_eq!(pace(&[&wanted.flag().unwrap()]), Some(wanted));
        }
        assert_eq!(pace(&["--hot", "--cold"]), None);
        assert_eq!(pace(&["--hot", "--curves", "x"]), None);
    }

    #[test]
    fn there_are_pictures_of_what_was_measured() {
        let mut report = report::tests::example();
        let paths = |report: &Report| {
            let pictures = pictures(report, Path::new("x/peers.svg"));
            pictures.into_iter().map(|(path, _)| path).collect::<Vec<_>>()
        };
        let both = ["x/peers.svg", "x/peers-sizes.svg"].map(PathBuf::from);
        assert_eq!(paths(&report), both);
        report.rows.clear();
        assert_eq!(paths(&report), both[1..]);
        report.sweeps.clear();
        assert!(paths(&report).is_empty());
    }
}
