//! `cipherloom man`: the manual pages.

use std::path::PathBuf;

use clap::{Args, Command};

use crate::errors::{Error, Result};
use crate::io::destination::Destination;
use crate::io::notes::Notes;
use crate::io::output::Style;
use crate::text;

/// Print a manual page, or write all of them into a directory
///
/// To read one: cipherloom man dec | man -l -
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Sub-command [default: the page of cipherloom itself]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// Write the pages of all sub-commands into this directory
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
    /// Replace pages that exist
    #[arg(long, requires = "dir")]
    force: bool,
}

/// A manual page: its file name and its text.
struct Page {
    name: String,
    text: Vec<u8>,
}

/// Prints or writes pages of `command`.
///
/// # Errors
/// Bad usage: no such sub-command. The system's.
pub(crate) fn run(args: &ManArgs, command: &Command) -> Result<()> {
    if let Some(dir) = &args.dir {
        for page in pages(command)? {
            let path = dir.join(page.name);
            let destination = Destination::free(&path, args.force)?;
            let mut output = destination.open(Style::default())?;
            output.write(&page.text)?;
            output.commit(&Notes::new(false))?;
        }
        return Ok(());
    }
    let wanted = args.command.as_ref().map_or("cipherloom.1".to_owned(), |name| file_name(name));
    let mut pages = pages(command)?.into_iter();
    let page = pages.find(|page| page.name == wanted).ok_or_else(|| {
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        Error::usage(format!("no such command; there are {}", names.join(", ")))
    })?;
    text::print_data(&String::from_utf8_lossy(&page.text))
}

fn file_name(command: &str) -> String {
    format!("cipherloom-{command}.1")
}

/// The page of the command itself, then one for each sub-command.
fn pages(command: &Command) -> Result<Vec<Page>> {
    let mut pages = vec![page("cipherloom.1".into(), command.clone())?];
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        // clap wants names that live as long as the program; this runs once.
        let title: &'static str = format!("cipherloom-{}", sub.get_name()).leak();
        let usage = format!("cipherloom {}", sub.get_name());
        let sub = sub.clone().name(title).bin_name(usage);
        pages.push(page(format!("{title}.1"), sub)?);
    }
    Ok(pages)
}

fn page(name: String, command: Command) -> Result<Page> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut text)
        .map_err(|error| Error::failure(format!("cannot make {name}: {error}")))?;
    Ok(Page { name, text })
}
