//! `loom emit`: kernels as text for an assembler, or as an object file.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use loom::edition::Edition;
use loom::emit::{Container, FORMATS, Format, X86Unit, object, text};
use loom::target::Architecture;
use loom::target::abi::{self, Abi};
use loom::target::x86::Features;
use loom::tune::GENERIC;

use super::columns::Columns;
use super::error::{Error, Result};
use super::recipe::recipe;
use super::{output, repository};

/// Writes kernels as text for an assembler, or as an object file
#[derive(Debug, clap::Args)]
pub(crate) struct Emit {
    /// The kernels, by the names that `loom list` prints; several share their tables
    #[arg(value_name = "KERNEL", required_unless_present = "list")]
    kernels: Vec<String>,
    /// Assembler and container, or container alone for an object file; --list names them
    #[arg(long, value_name = "NAME", default_value = "elf-att")]
    format: String,
    /// Calling convention: sysv64 or win64 [default: win64 in COFF, else sysv64]
    #[arg(long, value_name = "NAME")]
    abi: Option<String>,
    /// Instructions beyond the baseline that may be used: bmi2
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    features: Vec<String>,
    /// What stands before each symbol
    #[arg(long, value_name = "TEXT", default_value = "")]
    prefix: String,
    /// Use what was tuned for this processor, as `loom tune` names it
    #[arg(long, value_name = "NAME", default_value = GENERIC)]
    processor: String,
    /// The directory of tuned files [default: the one of Cipherloom's source tree, or ./tuned]
    #[arg(long, value_name = "DIR")]
    tuned: Option<PathBuf>,
    /// Where to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the formats that there are
    #[arg(long)]
    list: bool,
}

/// Containers of object files, by their names here.
const OBJECTS: [(&str, Container, &str); 3] = [
    ("elf", Container::Elf, "object file; Linux, BSD"),
    ("coff", Container::Coff, "object file; Windows"),
    ("macho", Container::MachO, "object file; macOS"),
];

/// What is written.
enum Form {
    Text(&'static Format),
    Object(Container),
}

impl Form {
    fn by_name(name: &str) -> Option<Self> {
        let text = Format::by_name(Architecture::X86_64, name).map(Self::Text);
        let object = OBJECTS.iter().find(|(object, ..)| *object == name);
        text.or_else(|| object.map(|(_, container, _)| Self::Object(*container)))
    }

    fn container(&self) -> Container {
        match self {
            Self::Text(format) => format.dialect.container(),
            Self::Object(container) => *container,
        }
    }
}

/// The calling convention of a container's system.
fn usual(container: Container) -> &'static Abi {
    match container {
        Container::Coff => &abi::WIN64,
        Container::Elf | Container::MachO | Container::Neutral => &abi::SYSV64,
    }
}

impl Emit {
    /// # Errors
    /// Bad usage, or a failure to write.
    pub(crate) fn run(&self) -> Result<()> {
        if self.list {
            return output::print(&formats());
        }
        let form = Form::by_name(&self.format).ok_or_else(|| {
            Error::usage(format!("no format `{}`; `loom emit --list` names them", self.format))
        })?;
        let abi = match &self.abi {
            Some(name) => Abi::by_name(name).ok_or_else(|| {
                let names = abi::ALL.map(|abi| abi.name).join(" or ");
                Error::usage(format!("no calling convention `{name}`; {names}"))
            })?,
            None => usual(form.container()),
        };
        if let Some(bad) = self.prefix.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '_')) {
            return Err(Error::usage(format!("`{bad}` cannot stand in a symbol")));
        }
        let store = repository::store(self.tuned.as_deref());
        let mut units = Vec::new();
        for name in &self.kernels {
            let edition = self.edition(name)?;
            let recipe = recipe(&store, &edition, &self.processor)?;
            let made = edition.make(abi, &recipe.plan)?;
            units.push(X86Unit::new(&made, recipe.how));
        }
        match form {
            Form::Text(format) => self.write(text(format.dialect, &units, &self.prefix).as_bytes()),
            Form::Object(container) => {
                if self.output.is_none() && std::io::stdout().is_terminal() {
                    return Err(Error::usage("an object file is not for a terminal; use --output"));
                }
                let object = object(container, &units, &self.prefix)
                    .map_err(|error| Error::failure(format!("cannot make the object: {error}")))?;
                self.write(&object)
            }
        }
    }

    /// A kernel by its name, with the features that were asked for.
    fn edition(&self, name: &str) -> Result<Edition> {
        let edition: Edition = name.parse()?;
        let mut features = edition.features;
        for feature in &self.features {
            features = features.with(feature).ok_or_else(|| {
                let names = Features::ALL.map(Features::names).concat().join(", ");
                Error::usage(format!("no feature `{feature}`; there is {names}"))
            })?;
        }
        Ok(Edition::new(edition.strategy, features))
    }

    fn write(&self, bytes: &[u8]) -> Result<()> {
        match &self.output {
            None => output::write(bytes),
            Some(path) => whole(path, bytes),
        }
    }
}

/// Writes a file; it has its name only when it is complete. Devices and pipes are written to.
fn whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let refused = |error| Error::file("cannot write", path, &error);
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, bytes).map_err(refused);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = beside(folder.unwrap_or(Path::new("."))).map_err(refused)?;
    file.write_all(bytes).map_err(refused)?;
    file.persist(path).map(drop).map_err(|error| refused(error.error))
}

/// A new file in a folder, for all to read: what is written here is no secret.
#[cfg(unix)]
fn beside(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    tempfile::Builder::new().permissions(mode).tempfile_in(folder)
}

#[cfg(not(unix))]
fn beside(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    tempfile::NamedTempFile::new_in(folder)
}

/// A table of formats.
fn formats() -> String {
    let mut columns = Columns::new(3, ["format", "calling conventions", "for"]);
    let texts = FORMATS.iter().map(|format| (format.name, format.dialect.container(), format.doc));
    for (name, container, doc) in texts.chain(OBJECTS) {
        let first = usual(container);
        let others = abi::ALL.iter().filter(|abi| **abi != first).map(|abi| abi.name);
        let abis: Vec<_> = [first.name].into_iter().chain(others).collect();
        columns.row([name.to_owned(), abis.join(", "), doc.to_owned()]);
    }
    columns.to_string()
}
