//! The input: a file or standard input, watched for changes while it is read.

use std::fs::File;
use std::io::{Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::system;
use crate::errors::{Error, Result, reason};

/// An open input.
#[derive(Debug)]
pub(crate) struct Input {
    file: File,
    path: Option<PathBuf>,
    /// Where reading starts: standard input may be a file that someone read before.
    start: u64,
    /// Bytes from `start` to the end when the input was opened; none for pipes and devices, and for
    /// files that claim to be empty, as those of /proc do.
    len: Option<u64>,
    read: u64,
    /// Read already, and to be read again.
    back: Cursor<Vec<u8>>,
}

impl Input {
    /// Opens a file, or standard input for none and for `-`.
    ///
    /// # Errors
    /// The file is missing, not readable, or a directory.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self> {
        let path = path.filter(|path| *path != Path::new("-"));
        let file = match path {
            // Windows refuses to open a directory.
            Some(path) => File::open(path).map_err(|error| match path.is_dir() {
                true => is_directory(&path.display().to_string()),
                false => Error::file("cannot open the input file", path, &error),
            })?,
            None => super::stdin()?,
        };
        let path = path.map(Path::to_owned);
        let mut input = Self { file, path, start: 0, len: None, read: 0, back: Cursor::default() };
        let metadata = system::metadata(&input.file).map_err(|error| input.broken(&error))?;
        let Some(metadata) = metadata else { return Ok(input) };
        if metadata.is_dir() {
            return Err(is_directory(&input.name()));
        }
        if metadata.is_file() {
            input.len = Some(metadata.len()).filter(|len| *len > 0);
            input.begin()?;
        }
        Ok(input)
    }

    /// Begins where the file stands, which nobody has read from here: standard input may be a file
    /// of which something was read elsewhere.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn begin(&mut self) -> Result<()> {
        if let Some(len) = self.len {
            let here = self.file.stream_position().map_err(|error| self.broken(&error))?;
            self.len = Some((self.start + len).saturating_sub(here));
            self.start = here;
        }
        Ok(())
    }

    /// Its name for messages.
    pub(crate) fn name(&self) -> String {
        self.path
            .as_ref()
            .map_or_else(|| "standard input".into(), |path| path.display().to_string())
    }

    /// Whether a path leads to it.
    ///
    /// # Errors
    /// The system does not let us look.
    pub(crate) fn is_at(&self, path: &Path) -> Result<bool> {
        let there = system::identity_at(path)
            .map_err(|error| Error::file("cannot look at the output", path, &error))?;
        if there.is_none() {
            return Ok(false);
        }
        Ok(there == system::identity(&self.file).map_err(|error| self.broken(&error))?)
    }

    /// Whether this is the same file, as far as the system knows.
    pub(crate) fn is_same(&self, file: &File) -> bool {
        let [ours, other] = [&self.file, file].map(|file| system::identity(file).ok().flatten());
        ours.is_some() && ours == other
    }

    /// Bytes in all, where that is known: regular files.
    pub(crate) fn len(&self) -> Option<u64> {
        self.len
    }

    /// Bytes from where reading started to where it stands.
    pub(crate) fn position(&self) -> u64 {
        self.read
    }

    /// Whether [`read`](Self::read) surely returns within some time.
    pub(crate) fn is_ready(&self, within: Duration) -> bool {
        self.back.position() < self.back.get_ref().len() as u64
            || system::is_ready(&self.file, within)
    }

    /// Reads some bytes; 0 at the end.
    ///
    /// # Errors
    /// The system's, and if the input became longer or shorter since it was opened.
    pub(crate) fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        let count = loop {
            let again = self.back.read(buf).unwrap_or_default();
            if again > 0 {
                break again;
            }
            match self.file.read(buf) {
                Ok(count) => break count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.broken(&error)),
            }
        };
        self.read += count as u64;
        match self.len {
            Some(len) if self.read > len => Err(self.changed("grew", len)),
            Some(len) if count == 0 && !buf.is_empty() && self.read < len => {
                Err(self.changed("became shorter", len))
            }
            _ => Ok(count),
        }
    }

    /// Reads the rest: the first `limit` bytes of it, and whether that is all; what is more is still there.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn read_to(&mut self, limit: usize) -> Result<(Vec<u8>, bool)> {
        const PIECE: usize = 64 * 1024;
        let mut bytes = Vec::new();
        loop {
            let start = bytes.len();
            // A byte more shows whether there is more.
            let most = (limit + 1 - start).min(PIECE);
            bytes.resize(start + most, 0);
            let count = self.read(&mut bytes[start..])?;
            bytes.truncate(start + count);
            if count == 0 {
                return Ok((bytes, true));
            }
            if bytes.len() > limit {
                self.put_back(bytes.split_off(limit));
                return Ok((bytes, false));
            }
        }
    }

    /// Puts back what was read last, to be read again.
    pub(crate) fn put_back(&mut self, mut bytes: Vec<u8>) {
        self.read -= bytes.len() as u64;
        let at = self.back.position() as usize;
        bytes.extend_from_slice(&self.back.get_ref()[at..]);
        self.back = Cursor::new(bytes);
    }

    /// The first bytes of a regular file, at most so many; nothing is used up. None of what is no such file.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn peek(&mut self, count: usize) -> Result<Vec<u8>> {
        if self.len.is_none() {
            return Ok(Vec::new());
        }
        let (bytes, _) = self.read_to(count)?;
        self.seek(0)?;
        Ok(bytes)
    }

    /// The file itself, for readers that go to and fro in it.
    #[cfg(feature = "arrow")]
    pub(crate) fn into_file(self) -> File {
        self.file
    }

    /// Goes to a byte of a regular file, counted from where reading started.
    pub(crate) fn seek(&mut self, position: u64) -> Result<()> {
        self.file
            .seek(SeekFrom::Start(self.start + position))
            .map_err(|error| self.broken(&error))?;
        self.read = position;
        self.back = Cursor::default();
        Ok(())
    }

    fn changed(&self, how: &str, len: u64) -> Error {
        Error::failure(format!(
            "{} {how} while it was read (it had {len} bytes when it was opened); \
             try again when it is at rest",
            self.name()
        ))
    }

    fn broken(&self, error: &std::io::Error) -> Error {
        Error::failure(format!("cannot read {}: {}", self.name(), reason(error)))
    }
}

fn is_directory(name: &str) -> Error {
    Error::failure(format!(
        "{name} is a directory; give a file, or pack it first, for instance with tar"
    ))
}
