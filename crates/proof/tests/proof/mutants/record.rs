//! What became of changes, as `crates/proof/tests/mutants` has it: a file for each instruction set.

use proved::Entry;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The record of an instruction set.
pub(super) struct Record {
    path: PathBuf,
    head: String,
    /// What it says of each kernel.
    entries: BTreeMap<String, String>,
}

impl Record {
    pub(super) fn read(set: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants");
        let path = folder.join(set).with_extension("toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let mut parts = text.trim_end().split("\n\n[");
        let head = parts.next().unwrap().to_owned();
        let entry = |part: &str| {
            let (key, entry) = part.split_once("]\n").unwrap();
            (key.to_owned(), entry.to_owned())
        };
        let entries = parts.map(entry).collect();
        Self { path, head, entries }
    }

    /// The most changes that a kernel of this hash has had.
    pub(super) fn tried(&self, hash: &str) -> usize {
        let tried = self.entries.iter().filter_map(|(key, entry)| {
            let entry = Entry::head(entry);
            let number = |key| entry.get(key).and_then(|number| number.parse::<usize>().ok());
            let [changes, refused, same] = ["changes", "refused", "same"].map(number);
            assert_eq!(refused? + same?, changes?, "{key}");
            if entry.get("bytes") == Some(hash) { changes } else { None }
        });
        tried.max().unwrap_or(0)
    }

    /// Writes what it says of a kernel into it. As a whole, so that this can be stopped at any time.
    pub(super) fn write(mut self, key: &str, entry: &str) {
        self.entries.insert(key.to_owned(), entry.trim_end().to_owned());
        let entries = self.entries.iter().map(|(key, entry)| format!("\n\n[{key}]\n{entry}"));
        let text = self.head + &entries.collect::<String>() + "\n";
        let beside = self.path.with_extension("new");
        std::fs::write(&beside, text).unwrap();
        std::fs::rename(beside, self.path).unwrap();
    }
}
