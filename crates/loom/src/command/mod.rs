//! The command line, and a file for each command.

mod calibrate;
mod check;
mod circuits;
mod confirm;
mod convention;
mod emit;
mod error;
mod list;
mod measure;
mod output;
mod recipe;
mod repository;
mod stats;
mod tune;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use error::{Error, Result};

/// Makes cipher kernels: describes each once, emits assembly for many processors and assemblers,
/// and searches for the order that runs fastest here
#[derive(Debug, Parser)]
#[command(name = "loom", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Emit(emit::Emit),
    Stats(stats::Show),
    Tune(tune::Tune),
    Calibrate(calibrate::Calibrate),
    Check(check::Check),
    Circuits(circuits::Circuits),
    Measure(measure::Measure),
}

impl Command {
    fn run(&self) -> Result<()> {
        match self {
            Self::List(command) => command.run(),
            Self::Emit(command) => command.run(),
            Self::Stats(command) => command.run(),
            Self::Tune(command) => command.run(),
            Self::Calibrate(command) => command.run(),
            Self::Check(command) => command.run(),
            Self::Circuits(command) => command.run(),
            Self::Measure(command) => command.run(),
        }
    }
}

/// What the command line asks for.
enum Request {
    /// Work to do.
    Run(Command),
    /// Text to print on standard output, and nothing else: help, version.
    Print(String),
}

/// Runs the command line of this process, and returns its exit code.
pub(crate) fn main() -> ExitCode {
    let result = parse(std::env::args_os()).and_then(|request| match request {
        Request::Print(text) => output::print(&text),
        Request::Run(command) => command.run(),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "loom: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Request> {
    match Cli::try_parse_from(args) {
        Ok(cli) => Ok(Request::Run(cli.command)),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                Ok(Request::Print(error.to_string()))
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Err(Error::usage("no command given; see `loom --help`"))
            }
            _ => Err(Error::usage(one_line(&error.to_string()))),
        },
    }
}

/// clap's message without its frame: the first paragraph and what is similar, in one line.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let first: Vec<&str> =
        text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let mut tips = text.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    let tip = tips.find(|tip| tip.contains("similar"));
    let tip = tip.map(|tip| format!("; {tip}")).unwrap_or_default();
    format!("{}{tip}; see --help", first.join(" "))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn claps_own_checks_pass() {
        super::Cli::command().debug_assert();
    }
}
