//! The project's own tree, for the commands that work on it.

use std::path::{Path, PathBuf};

use loom::tune::Store;

use super::error::{Error, Result};

/// Where its tuned files are.
pub(crate) const TUNED: &str = "crates/loom/tuned";

/// Where its circuits are.
pub(crate) const CIRCUITS: &str = "crates/circuits/data";

/// A file that shows where the root is.
const MARK: &str = "crates/loom/Cargo.toml";

/// Where tuned files are: where it was asked for, in Cipherloom's tree around the current
/// directory, or else in `tuned` here, with what was compiled in behind it.
pub(crate) fn store(asked: Option<&Path>) -> Store {
    match (asked, root(None)) {
        (Some(folder), _) => Store::new(folder),
        (None, Ok(root)) => Store::new(root.join(TUNED)),
        (None, Err(_)) => Store::new("tuned").or_built_in(),
    }
}

/// The root of Cipherloom's tree around the current directory.
///
/// # Errors
/// Bad usage if there is none.
pub(crate) fn root(asked: Option<&Path>) -> Result<PathBuf> {
    let is_root = |path: &Path| path.join(MARK).is_file();
    let found = match asked {
        Some(path) => is_root(path).then(|| path.to_path_buf()),
        None => {
            let here = std::env::current_dir()
                .map_err(|error| Error::file("cannot read", Path::new("."), &error))?;
            here.ancestors().find(|path| is_root(path)).map(Path::to_path_buf)
        }
    };
    found.ok_or_else(|| {
        let place = asked.map_or("the current directory".to_owned(), |p| p.display().to_string());
        Error::usage(format!("{place} is not in Cipherloom's source tree (no {MARK})"))
    })
}
