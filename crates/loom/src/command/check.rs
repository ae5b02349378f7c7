//! `loom check`: what is committed is what is made here.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use loom::library;
use loom::tune::{GENERIC, Store};

use super::error::{Error, Result};
use super::recipe::{recipe, stale};
use super::{output, repository};

/// Makes every generated file of the source tree again, and compares
#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// Write what differs, and delete what nothing makes any more
    #[arg(long, alias = "bless")]
    write: bool,
    /// Cipherloom's source tree [default: the one around the current directory]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// How one file differs.
enum Difference {
    Changed,
    Missing,
    /// Nothing makes it.
    Extra,
}

impl Check {
    /// # Errors
    /// A failure if something differs, unless it was asked to be written.
    pub(crate) fn run(&self) -> Result<()> {
        let root = repository::root(self.root.as_deref())?;
        let store = Store(root.join(repository::TUNED));
        let files = library::files(|edition| recipe(&store, edition, GENERIC))?;
        let differences = differences(&root, &files)?;
        let mut said = String::new();
        for (path, difference) in &differences {
            let what = match (difference, self.write) {
                (Difference::Changed, false) => "is not what loom makes",
                (Difference::Missing, false) => "is missing",
                (Difference::Extra, false) => "is made by nothing",
                (Difference::Changed, true) => "written anew",
                (Difference::Missing, true) => "written",
                (Difference::Extra, true) => "deleted",
            };
            said += &format!("{path}: {what}\n");
            if self.write {
                repair(&root.join(path), files.get(path))?;
            }
        }
        output::print(&said)?;
        outdated(&store)?;
        match differences.len() {
            0 => {
                output::print(&format!("{} generated files are as loom makes them\n", files.len()))
            }
            _ if self.write => Ok(()),
            n => Err(Error::failure(format!(
                "{n} generated files differ; if loom is right, `cargo run -p cipherloom-loom -- check --write` repairs them"
            ))),
        }
    }
}

/// Says which tuned files are out of date. They still make right kernels, perhaps slower ones than
/// a new search would find, so this is no failure.
fn outdated(store: &Store) -> Result<()> {
    for edition in library::editions() {
        if let Some(tuned) = store.load(&edition, GENERIC)?
            && let Some(why) = stale(&edition, &tuned)?
        {
            let path = store.path(&edition, GENERIC);
            output::note(&format!("{}: {why}; tune again", path.display()));
        }
    }
    Ok(())
}

fn differences(root: &Path, files: &BTreeMap<String, String>) -> Result<Vec<(String, Difference)>> {
    let mut found = Vec::new();
    for (path, wanted) in files {
        let full = root.join(path);
        match std::fs::read(&full) {
            Ok(bytes) if bytes == wanted.as_bytes() => {}
            Ok(_) => found.push((path.clone(), Difference::Changed)),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                found.push((path.clone(), Difference::Missing));
            }
            Err(error) => return Err(Error::file("cannot read", &full, &error)),
        }
    }
    for folder in library::FOLDERS {
        for name in names(&root.join(folder))? {
            let path = format!("{folder}/{name}");
            if !files.contains_key(&path) {
                found.push((path, Difference::Extra));
            }
        }
    }
    Ok(found)
}

/// The names in a folder, in order; none if there is no folder.
fn names(folder: &Path) -> Result<Vec<String>> {
    let refused = |error| Error::file("cannot read", folder, &error);
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(refused)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(refused)?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// Makes a file what it should be.
fn repair(path: &Path, content: Option<&String>) -> Result<()> {
    let written = match content {
        None => std::fs::remove_file(path),
        Some(text) => path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(path, text)),
    };
    written.map_err(|error| Error::file("cannot write", path, &error))
}
