//! Where the output will go: looked at before anything is read or written.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use super::input::Input;
use super::system;
use crate::errors::{Error, Result};

/// The names of standard output.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Where the output will go; nothing is touched yet.
#[derive(Debug)]
pub(crate) enum Destination {
    /// A regular file, which does not exist yet or may be replaced.
    File { path: PathBuf, replace: bool },
    /// A device or named pipe: written to directly.
    Device(PathBuf),
    /// Standard output.
    Stdout,
}

impl Destination {
    /// Decides where the output goes, and refuses places that must not be written to.
    ///
    /// # Errors
    /// The output exists and `force` is not given; it is the input; it is a directory.
    pub(crate) fn find(path: Option<&Path>, input: &Input, force: bool) -> Result<Self> {
        // Standard output opened by its name would be a second, empty start of a file there.
        let is_stdout = |path: &Path| STDOUT.map(Path::new).contains(&path);
        let Some(path) = path.filter(|path| !is_stdout(path)) else {
            // As `>> FILE` makes it: reading would meet what was just written.
            if super::stdout().is_ok_and(|file| input.is_same(&file)) {
                return Err(Error::usage(
                    "standard output is the input itself; write to another file",
                ));
            }
            return Ok(Self::Stdout);
        };
        if input.is_at(path)? {
            return Err(Error::usage(format!(
                "the output {} is the input itself; give another name, so that a failure cannot \
                 cost the data",
                path.display()
            )));
        }
        Self::free(path, force)
    }

    /// Refuses an output that is one of the files from which keys, passwords and the like are read:
    /// it would be lost.
    ///
    /// # Errors
    /// It is; the system does not let us look.
    pub(crate) fn spare<'p>(
        path: Option<&Path>,
        secrets: impl IntoIterator<Item = Option<&'p Path>>,
    ) -> Result<()> {
        let identity = |path: &Path| {
            system::identity_at(path)
                .map_err(|error| Error::file("cannot look at the output", path, &error))
        };
        let Some((path, output)) = path.and_then(|path| Some((path, identity(path).transpose()?)))
        else {
            return Ok(());
        };
        let output = output?;
        for secret in secrets.into_iter().flatten() {
            if identity(secret)?.is_some_and(|secret| secret == output) {
                return Err(Error::usage(format!(
                    "the output {} is the file that a key or password is read from; give another \
                     name, so that it is not lost",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// The place `path` for an output that has no input.
    ///
    /// # Errors
    /// The output exists, or is a disk, and `force` is not given; it is a directory.
    pub(crate) fn free(path: &Path, force: bool) -> Result<Self> {
        let is_directory = || {
            Error::failure(format!(
                "the output {} is a directory; give the name of a file in it",
                path.display()
            ))
        };
        if system::is_device_name(path) {
            return Ok(Self::Device(path.to_owned()));
        }
        if system::is_stream_name(path) {
            return Err(Error::failure(format!(
                "the output {} is a stream of another file (the name has a colon); give the name \
                 of a file",
                path.display()
            )));
        }
        let Ok(metadata) = std::fs::metadata(path) else {
            // `Path` passes over a separator at the end; the rename would not, after all the work.
            if path.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
                return Err(is_directory());
            }
            if path.is_symlink() {
                return Err(Error::failure(format!(
                    "{} is a symbolic link that leads nowhere; remove it, or give another name",
                    path.display()
                )));
            }
            return Ok(Self::File { path: path.to_owned(), replace: false });
        };
        if metadata.is_dir() {
            return Err(is_directory());
        }
        if system::is_block_device(&metadata) && !force {
            return Err(Error::failure(format!(
                "{} is a block device, and what is on it would be lost; give the name of a file, or \
                 --force to write over it",
                path.display()
            )));
        }
        if !metadata.is_file() {
            return Ok(Self::Device(path.to_owned()));
        }
        if !force {
            return Err(Error::failure(format!(
                "{} exists already; give another name, or --force to replace it",
                path.display()
            )));
        }
        // A link is followed: what it leads to is replaced, as writing through it would do.
        let path = std::fs::canonicalize(path)
            .map_err(|error| Error::file("cannot find the output", path, &error))?;
        Ok(Self::File { path, replace: true })
    }

    /// Whether the output is a terminal on standard output.
    #[expect(clippy::disallowed_methods, reason = "nothing is printed")]
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Stdout) && std::io::stdout().is_terminal()
    }
}
