//! Formats: dialects and object files, as data of a target.

use std::fmt;

use super::{Dialect, Listing};

/// A format of object files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// Linux, BSD.
    Elf,
    /// Windows.
    Coff,
    /// macOS.
    MachO,
    /// Unix before ELF, with code of 32 bits.
    AOut,
    /// 32-bit C of DOS: DJGPP's COFF.
    Go32,
    /// 16-bit C of DOS: Intel's and Microsoft's object modules.
    Omf,
    /// 16-bit C of ELKS, and of DOS by the same tools: Bruce Evans' C compiler and its `ld86`.
    As86,
    /// None: a body that fits into all of them.
    Neutral,
}

impl Container {
    /// What C calls `name` in a program whose words have so many bytes.
    #[must_use]
    pub fn symbol(self, word: u32, name: &str) -> String {
        match (self, word) {
            (Self::MachO | Self::AOut | Self::Go32 | Self::Omf | Self::As86, _)
            | (Self::Coff, 4) => {
                format!("_{name}")
            }
            (Self::Elf | Self::Coff | Self::Neutral, _) => name.to_owned(),
        }
    }
}

/// One way to write kernels of a target to a file.
#[derive(Clone, Copy)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// What the file is, or what its assembler makes of it.
    pub container: Container,
    /// Who writes it.
    pub writer: Writer,
    /// The newest instructions that its assembler knows, where they are not all: the names of
    /// features that it lacks, and whose lack that is.
    pub lacks: Option<(&'static [&'static str], &'static str)>,
    /// Why it cannot say how far a place is from another, if it cannot.
    pub without_distances: Option<&'static str>,
    /// Why its files cannot say that their functions begin with landing pads, if they cannot.
    pub without_landing: Option<&'static str>,
}

/// Formats that one might look for, and why they are not there.
pub type Missing = (&'static [&'static str], &'static str);

/// Writes an object file: of kernels with their names, and what stands before each symbol.
pub type WriteObject = fn(Container, &[(&str, &Listing)], &str) -> Result<Vec<u8>, String>;

/// Who writes a file.
#[derive(Clone, Copy)]
pub enum Writer {
    /// A dialect, for an assembler.
    Text(&'static dyn Dialect),
    /// The writer of object files.
    Object(WriteObject),
}

impl Format {
    /// The dialect, if it is one.
    #[must_use]
    pub fn dialect(&self) -> Option<&'static dyn Dialect> {
        match self.writer {
            Writer::Text(dialect) => Some(dialect),
            Writer::Object(_) => None,
        }
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
