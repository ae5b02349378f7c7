//! Where pieces go when they are done.

use cipherloom_formats::Damage;

use crate::errors::Result;
use crate::io::output::Output;
use crate::io::progress::Progress;

/// Where the result goes, piece by piece.
pub(crate) trait Sink: Send {
    /// Takes the next bytes.
    ///
    /// # Errors
    /// The bytes cannot be kept; no more will be sent.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;
}

impl Sink for Output {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        Self::write(self, bytes)
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Bytes of the message that were read.
    pub(crate) read: u64,
    /// Bytes of the input that were read, with header, as text where it is text.
    pub(crate) read_in_all: u64,
    /// In salvage: what is missing.
    pub(crate) missing: Vec<Damage>,
}

/// The sink, and who is told of each piece.
pub(super) struct Out<'a, S> {
    pub(super) sink: &'a mut S,
    pub(super) progress: &'a mut Progress,
    pub(super) report: &'a mut Report,
}

impl<S: Sink> Out<'_, S> {
    /// Writes what came of `read` bytes of the message.
    pub(super) fn write(&mut self, bytes: &[u8], read: usize) -> Result<()> {
        self.sink.write(bytes)?;
        self.report.read += read as u64;
        self.progress.add(read as u64);
        Ok(())
    }
}
