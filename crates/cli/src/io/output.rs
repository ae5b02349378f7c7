//! The output: under its final name only when it is whole.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use cipherloom_formats::encoding::{Armor, Encoder};
use cipherloom_formats::looks::is_text;
use tempfile::{NamedTempFile, TempPath};

use super::destination::Destination;
use super::notes::Notes;
use super::{partial, replace, system};
use crate::errors::{Error, Result, is_broken_pipe, reason};

/// Bytes of a name to which something may be added: file systems allow 255.
const LONG_NAME: usize = 200;

/// How the output is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// As text.
    pub(crate) armor: Option<Armor>,
    /// Held back until it is whole, where it cannot be taken back.
    pub(crate) spool: bool,
    /// Binary data may go to a terminal.
    pub(crate) force: bool,
}

/// An output in progress.
pub(crate) struct Output {
    sink: Sink,
    encoder: Option<Encoder>,
    text: String,
    /// Output that waits here until it is whole.
    spool: Option<File>,
    /// Only text may be written: this is a terminal.
    text_only: bool,
    name: String,
    written: u64,
}

enum Sink {
    /// A temporary file beside its place.
    Beside { file: File, temporary: TempPath, path: PathBuf, replace: bool },
    /// A device, pipe or terminal.
    Direct(File),
}

impl Destination {
    /// Makes the output ready to be written.
    ///
    /// # Errors
    /// The system's, for instance for a directory that is read-only.
    pub(crate) fn open(self, style: Style) -> Result<Output> {
        let (sink, name) = match self {
            Self::File { path, replace } => {
                let name = path.display().to_string();
                (create_beside(path, replace)?, name)
            }
            Self::Device(path) => {
                let file = OpenOptions::new()
                    .write(true)
                    .open(&path)
                    .map_err(|error| Error::file("cannot open the output", &path, &error))?;
                (Sink::Direct(file), path.display().to_string())
            }
            Self::Stdout => (Sink::Direct(super::stdout()?), "standard output".to_owned()),
        };
        let is_direct = matches!(sink, Sink::Direct(_));
        let is_terminal = matches!(&sink, Sink::Direct(file) if file.is_terminal());
        let spool = if style.spool && is_direct { Some(spool_file()?) } else { None };
        Ok(Output {
            sink,
            encoder: style.armor.map(Encoder::new),
            text: String::new(),
            spool,
            text_only: is_terminal && style.armor.is_none() && !style.force,
            name,
            written: 0,
        })
    }
}

impl Output {
    /// Writes bytes, as text if so set.
    ///
    /// # Errors
    /// The system's; binary data for a terminal.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(encoder) = &mut self.encoder else {
            return self.put(bytes);
        };
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        encoder.encode(bytes, &mut text);
        let result = self.put(text.as_bytes());
        self.text = text;
        result
    }

    /// Writes what is left, and puts the whole output in its place. Returns the bytes written, as
    /// text if so set. What a file that is replaced could not keep is said in a note.
    ///
    /// # Errors
    /// The system's; the output is not there then, except for what went to a device or pipe.
    pub(crate) fn commit(mut self, notes: &Notes) -> Result<u64> {
        if let Some(mut encoder) = self.encoder.take() {
            let mut text = String::new();
            encoder.finish(&mut text);
            self.put(text.as_bytes())?;
        }
        let name = self.name.clone();
        let failed = |error: std::io::Error| cannot_write(&name, &error);
        if let (Some(mut spool), Sink::Direct(file)) = (self.spool.take(), &mut self.sink) {
            spool.seek(SeekFrom::Start(0)).map_err(failed)?;
            std::io::copy(&mut spool, file).map_err(failed)?;
        }
        match self.sink {
            Sink::Direct(file) => {
                // What a disk cannot take is known only now.
                if file.metadata().is_ok_and(|metadata| system::is_block_device(&metadata)) {
                    file.sync_all().map_err(failed)?;
                }
            }
            Sink::Beside { file, temporary, path, replace } => {
                let changes = match replace {
                    true => replace::inherit(&path, &file).map_err(failed)?,
                    false => Vec::new(),
                };
                file.sync_all().map_err(failed)?;
                put_in_place(temporary, &path, replace)?;
                if !changes.is_empty() {
                    notes.say(&format!("{} was replaced: {}", self.name, changes.join("; ")));
                }
            }
        }
        Ok(self.written)
    }

    /// What was written so far, from its beginning and from the disk.
    ///
    /// # Errors
    /// The system's; a pipe or device, which cannot be read back.
    #[cfg(feature = "migrate")]
    pub(crate) fn reread(&self) -> Result<File> {
        let again = match &self.sink {
            Sink::Beside { file, temporary, .. } => {
                file.sync_all().map_err(|error| cannot_write(&self.name, &error))?;
                File::open(temporary)
            }
            Sink::Direct(_) => Err(ErrorKind::Unsupported.into()),
        };
        again.map_err(|error| {
            Error::failure(format!("cannot read {} back: {}", self.name, reason(&error)))
        })
    }

    /// Bytes that went where they cannot be taken back.
    pub(crate) fn lost_control(&self) -> u64 {
        match self.sink {
            Sink::Direct(_) if self.spool.is_none() => self.written,
            _ => 0,
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        if self.text_only && !is_text(bytes) {
            return Err(binary_to_terminal());
        }
        let file = match (&mut self.spool, &mut self.sink) {
            (Some(file), _) | (None, Sink::Direct(file) | Sink::Beside { file, .. }) => file,
        };
        file.write_all(bytes).map_err(|error| cannot_write(&self.name, &error))?;
        self.written += bytes.len() as u64;
        Ok(())
    }
}

/// What is said of binary data for a terminal.
pub(crate) fn binary_to_terminal() -> Error {
    Error::failure(
        "the output is binary and would go to a terminal; give -out FILE, -a, or a pipe (--force \
         writes it all the same)",
    )
}

/// A temporary file beside the output's place, readable by its owner only.
fn create_beside(path: PathBuf, replace: bool) -> Result<Sink> {
    let mut prefix = std::ffi::OsString::from(".");
    // A name as long as file systems allow leaves no room for more.
    prefix.push(path.file_name().filter(|name| name.len() <= LONG_NAME).unwrap_or_default());
    prefix.push(".");
    // An interrupt between creation and note would leave the file behind.
    let mut partial = partial::lock();
    let (file, temporary) = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".partial")
        .tempfile_in(directory(&path))
        .map(NamedTempFile::into_parts)
        .map_err(|error| cannot_create(&path, &error))?;
    *partial = Some(temporary.to_path_buf());
    Ok(Sink::Beside { file, temporary, path, replace })
}

fn put_in_place(temporary: TempPath, path: &Path, replace: bool) -> Result<()> {
    let mut partial = partial::lock();
    let result = if replace { temporary.persist(path) } else { temporary.persist_noclobber(path) };
    result.map_err(|error| match error.error.kind() {
        ErrorKind::AlreadyExists => Error::failure(format!(
            "{} was made by another program in the meantime, and was not touched; give another \
             name, or --force to replace it",
            path.display()
        )),
        _ => cannot_write(&path.display().to_string(), &error.error),
    })?;
    *partial = None;
    // The name itself must survive a power cut too. Some file systems cannot sync a directory.
    if let Ok(directory) = File::open(directory(path)) {
        let _ = directory.sync_all();
    }
    Ok(())
}

fn spool_file() -> Result<File> {
    tempfile::tempfile().map_err(|error| {
        Error::failure(format!(
            "cannot make a temporary file in {} for --spool: {}",
            std::env::temp_dir().display(),
            reason(&error)
        ))
    })
}

fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn cannot_create(path: &Path, error: &std::io::Error) -> Error {
    let what_to_do = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "; give a name in a directory that you can write to"
        }
        ErrorKind::NotFound => "; make the directory first",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "; make room",
        _ => "",
    };
    Error::failure(format!(
        "cannot write into directory {}: {}{what_to_do}",
        directory(path).display(),
        reason(error)
    ))
}

fn cannot_write(name: &str, error: &std::io::Error) -> Error {
    Error::failure(match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("no space left for {name}; make room and run the command again")
        }
        ErrorKind::FileTooLarge => {
            format!("{name} would pass the limit on file sizes (ulimit -f); raise it")
        }
        _ if is_broken_pipe(error) => {
            format!("the reader of {name} went away before it had everything")
        }
        _ => format!("cannot write {name}: {}", reason(error)),
    })
}
