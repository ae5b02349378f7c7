//! A directory of circuits: a directory for each gate set, a file for each S-box.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::{Entry, GateSet, Wrong, name};

/// A directory of circuits.
#[derive(Clone, Debug)]
pub struct Store(PathBuf);

/// Why a circuit could not be read or written.
#[derive(Debug)]
pub enum Unreadable {
    /// The system refused.
    File(PathBuf, io::Error),
    /// What is in the file is no circuit, or not the one that its name says.
    Text(PathBuf, Wrong),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Text(path, wrong) => write!(f, "{}: {wrong}", path.display()),
        }
    }
}

impl std::error::Error for Unreadable {}

impl Store {
    /// The circuits in a directory, which need not be there yet.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self(directory.into())
    }

    /// Where a circuit is, or would be.
    #[must_use]
    pub fn path(&self, set: GateSet, sbox: usize) -> PathBuf {
        self.0.join(set.name()).join(name(sbox)).with_extension("txt")
    }

    /// Reads and checks a circuit; none if there is no file.
    ///
    /// # Errors
    /// A file that cannot be read, or that is not this circuit.
    pub fn load(&self, set: GateSet, sbox: usize) -> Result<Option<Entry>, Unreadable> {
        let path = self.path(set, sbox);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Unreadable::File(path, error)),
            Ok(text) => text,
        };
        let entry = Entry::parse(&text).and_then(|entry| {
            if (entry.set, entry.sbox) == (set, sbox) {
                return Ok(entry);
            }
            let why = format!("a circuit of {} for {}", entry.set, name(entry.sbox));
            Err(Wrong { line: 1, why })
        });
        entry.map(Some).map_err(|wrong| Unreadable::Text(path, wrong))
    }

    /// Writes a circuit if it is right and better than the one that is there: fewer gates, or as many
    /// and less depth. Says whether it did.
    ///
    /// # Errors
    /// As [`load`](Self::load), or a file that cannot be written.
    ///
    /// # Panics
    /// If the circuit is not its S-box: whoever made it would go on making others.
    pub fn keep(&self, entry: &Entry) -> Result<bool, Unreadable> {
        let text = entry.to_string();
        let again = Entry::parse(&text).unwrap_or_else(|wrong| panic!("{wrong} of:\n{text}"));
        let rank = |entry: &Entry| (entry.circuit.cost(entry.set), entry.circuit.depth());
        if let Some(before) = self.load(entry.set, entry.sbox)?
            && rank(&before) <= rank(&again)
        {
            return Ok(false);
        }
        let path = self.path(entry.set, entry.sbox);
        let write = |path: &Path| {
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            // Beside it, and of this process alone: several may search.
            let beside = path.with_extension(format!("{}.part", std::process::id()));
            std::fs::write(&beside, text)?;
            std::fs::rename(&beside, path)
        };
        write(&path).map_err(|error| Unreadable::File(path, error))?;
        Ok(true)
    }
}
