//! The command line: OpenSSL's form is brought into the usual one, then clap reads it.

mod cli;
pub(crate) mod fuzz;
mod normalise;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

use crate::args::given::Given;
use crate::commands::Command;
use crate::errors::{Error, Result};
use cli::Cli;

/// What the command line asks for.
pub(crate) enum Request {
    /// Work to do.
    Run(Box<Command>, Given),
    /// Text to print on standard output, and nothing else: help, version.
    Print(String),
}

/// The command with all its sub-commands and options.
pub(crate) fn describe() -> clap::Command {
    Cli::command()
}

/// Reads the command line.
///
/// # Errors
/// Bad usage, in one line.
pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Request> {
    let mut cli = Cli::command();
    cli.build();
    let args = normalise::normalise(&cli, args.into_iter().collect())?;
    let parsed = cli.try_get_matches_from_mut(&args).and_then(|matches| {
        let own = matches.subcommand();
        let own = own.and_then(|(name, own)| Some((cli.find_subcommand(name)?, own)));
        let given = own.map(|(command, own)| Given::new(command, own, &args));
        Ok((Cli::from_arg_matches(&matches)?, given.unwrap_or_default()))
    });
    match parsed {
        Ok((cli, given)) => Ok(Request::Run(Box::new(cli.command), given)),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                Ok(Request::Print(error.to_string()))
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Err(Error::usage(
                "no command given; try `cipherloom dec --help` or `cipherloom --help`",
            )),
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
