//! The record of planted errors that were found: a check of the same sources has nothing to do again, as it takes long.
//!
//! Kernels that loom makes for the tests alone are no part of the sources, or each change of loom would take
//! as long.

use crate::process::{self, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where it is kept.
const RECORD: &str = "crates/proof/tests/planted.toml";

/// What it is a record of: the prover, its tests, the errors, and the kernels that ship.
const SOURCES: [&str; 5] = [
    "crates/cipherloom/kernels",
    "crates/proof/src",
    "crates/proof/tests/proof",
    "crates/proof/tests/planted.txt",
    "crates/spec/src",
];

/// What was found, of which sources.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Record {
    sources: String,
    /// What could not be run where it was made, as [`planted.txt`](super::ERRORS) calls it.
    pub(super) not_run: BTreeSet<String>,
}

impl Record {
    /// One of the sources as they are.
    ///
    /// # Errors
    /// They cannot be read.
    pub(super) fn new<'a>(not_run: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let not_run = not_run.into_iter().map(str::to_owned).collect();
        Ok(Self { sources: sources()?, not_run })
    }

    /// The committed one, if it is of the sources as they are.
    ///
    /// # Errors
    /// These cannot be read.
    pub(super) fn of_these_sources() -> Result<Option<Self>, String> {
        let text = std::fs::read_to_string(root().join(RECORD)).unwrap_or_default();
        let sources = sources()?;
        Ok(Self::read(&text).filter(|record| record.sources == sources))
    }

    /// Writes it, for this day.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(&self, found: usize) -> Result<(), String> {
        let date = process::output(process::program("date").args(["-u", "+%F"]));
        let date = date.ok_or("date +%F failed")?;
        let text = self.text(found, date.trim());
        std::fs::write(root().join(RECORD), text).map_err(|error| format!("{RECORD}: {error}"))
    }

    fn text(&self, found: usize, date: &str) -> String {
        let not_run: String = self.not_run.iter().map(|what| format!("    {what:?},\n")).collect();
        format!(
            "# Errors planted into the prover that its tests found: `cargo xtask prove --planted` writes it.\n\n\
             date = \"{date}\"\nsources = \"{}\"\nfound = {found}\n\
             # What the processor had no instruction for.\nnot_run = [\n{not_run}]\n",
            self.sources
        )
    }

    fn read(text: &str) -> Option<Self> {
        let sources = text.split_once("\nsources = \"")?.1.split_once('"')?.0.to_owned();
        let list = text.split_once("\nnot_run = [\n")?.1.split_once(']')?.0;
        let not_run = list
            .lines()
            .map(|line| Some(line.trim().strip_prefix('"')?.strip_suffix("\",")?.to_owned()));
        Some(Self { sources, not_run: not_run.collect::<Option<_>>()? })
    }
}

/// A hash of the names and bytes of all sources.
fn sources() -> Result<String, String> {
    let mut files = Vec::new();
    for source in SOURCES {
        let failed = |error: std::io::Error| format!("{source}: {error}");
        list(Path::new(source), &mut files).map_err(failed)?;
    }
    files.sort_unstable();
    let mut hash = process::program("sh");
    hash.args(["-c", "sha256sum \"$@\" | sha256sum", "sh"]).args(files);
    let said = process::output(&mut hash).ok_or("sha256sum failed")?;
    said.split_once(' ').map(|(hash, _)| hash.to_owned()).ok_or_else(|| "sha256sum".to_owned())
}

/// The files of a place, by their paths below the project's root.
fn list(place: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if root().join(place).is_file() {
        files.push(place.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(root().join(place))? {
        list(&place.join(entry?.file_name()), files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let not_run = ["a blend takes the other", "rows"].map(str::to_owned).into();
        let record = Record { sources: "0123abcd".into(), not_run };
        assert_eq!(Record::read(&record.text(96, "2026-11-28")), Some(record));
        assert_eq!(Record::read("sources"), None);
    }
}
