//! `loom emit`: kernels as text for an assembler, or as an object file.

use loom::isa::hppa::PA_RISC;
use loom::isa::x86::{X86_32, X86_64};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use cipherloom_measure::Columns;
use loom::emit::{Container, Format, GNU_HPPA, HppaUnit, X86Unit, object, text};
use loom::isa::Features;
use loom::isa::Model;
use loom::isa::Target;
use loom::isa::costs::Cpu;
use loom::isa::frame::Abi;
use loom::isa::registry;
use loom::isa::x86::conventions::{WIN32, WIN64};
use loom::isa::x86::features;
use loom::library::Recipe;
use loom::tune::GENERIC;
use loom::variant::{Impossible, KernelVariant};

use super::error::{Error, Result};
use super::recipe::recipe;
use super::{output, repository};

/// Writes kernels as text for an assembler, or as an object file
#[derive(Debug, clap::Args)]
pub(crate) struct Emit {
    /// The kernels, by the names that `loom list` prints; several share their tables
    #[arg(value_name = "KERNEL", required_unless_present = "list")]
    kernels: Vec<String>,
    /// Assembler and container, or container alone for an object file; --list names them [default: GNU
    /// as for ELF: elf-att, gnu-hppa; com-nasm for real mode]
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// The processor: its instruction set, and what it has; --list names them [default: x86-64, or
    /// what stands before a kernel's name]
    #[arg(long, value_name = "NAME")]
    cpu: Option<String>,
    /// Calling convention [default: that of the container's system]; --list names them
    #[arg(long, value_name = "NAME")]
    abi: Option<String>,
    /// Instructions beyond the baseline that may be used: bmi2
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "cpu")]
    features: Vec<String>,
    /// Begin each kernel with endbr64 or endbr32, and say in the file that it goes with Intel's CET (IBT
    /// and shadow stack), so that linking it does not switch that off for a program; ELF only
    #[arg(long)]
    cet: bool,
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
    /// Print the formats, calling conventions and processors that there are
    #[arg(long)]
    list: bool,
}

/// Containers of object files, by their names here.
const OBJECTS: [(&str, Container, &str); 3] = [
    ("elf", Container::Elf, "object file; Linux, BSD"),
    ("coff", Container::Coff, "object file; Windows"),
    ("macho", Container::MachO, "object file; macOS"),
];

/// The object files of an instruction set.
fn objects(
    target: &'static Target,
) -> impl Iterator<Item = &'static (&'static str, Container, &'static str)> {
    let made = [&X86_64, &X86_32].contains(&target);
    OBJECTS.iter().filter(move |_| made)
}

/// Why there is no format of this name for an instruction set, where one might look for it.
fn why_not(target: &'static Target, format: &str) -> Option<&'static str> {
    let other = || registry::targets().any(|a| Form::by_name(a, format).is_some());
    match (target.name, format) {
        ("x86" | "x86-64", "aout-yasm") => Some("YASM writes no a.out"),
        ("x86" | "x86-64", "elf-masm" | "macho-masm" | "aout-masm") => {
            Some("MASM writes COFF only")
        }
        ("x86", "aout") => Some("a.out is left to assemblers: `aout-att`, `aout-nasm`"),
        ("x86-64", "cpp-att") => Some("of the four that it becomes, two are a.out"),
        ("x86-64", "go32-att" | "go32-nasm") => Some("DJGPP makes programs of 32 bits only"),
        ("x86-64", "bsdi-att") => Some("BSD/OS had programs of 32 bits only"),
        ("x86-64", "aout" | "aout-att" | "aout-nasm") => Some("a.out holds code of 32 bits only"),
        ("x86-real", "elf") => Some("objects are left to assemblers: `omf-nasm`, `elf-att`"),
        ("x86-real", _) if other() => Some("it has no segments of 16 bits, or none that DOS knew"),
        ("pa-risc-2.0", _) if other() => Some("it is for x86"),
        ("x86" | "x86-64", _) if other() => Some("it is for another processor"),
        _ => None,
    }
}

/// How kernels for PA-RISC are made, for their headers.
const HPPA_PLAN: &str = "untuned, by the costs of pa8000";

/// What is written.
enum Form {
    Text(&'static Format),
    Hppa,
    Object(Container),
}

impl Form {
    fn by_name(target: &'static Target, name: &str) -> Option<Self> {
        if target == &PA_RISC {
            return (name == GNU_HPPA.name).then_some(Self::Hppa);
        }
        let text = Format::by_name(target, name).map(Self::Text);
        let object = objects(target).find(|(object, ..)| *object == name);
        text.or_else(|| object.map(|(_, container, _)| Self::Object(*container)))
    }

    fn container(&self) -> Container {
        match self {
            Self::Text(format) => format.dialect.container(),
            Self::Hppa => GNU_HPPA.dialect.container(),
            Self::Object(container) => *container,
        }
    }

    /// Why it cannot say that code goes with Intel's CET, if it cannot.
    fn without_cet(&self, target: &'static Target) -> Option<&'static str> {
        match self {
            Self::Text(format) => format.dialect.without_cet(),
            Self::Hppa => GNU_HPPA.dialect.without_cet(),
            Self::Object(container) => container.without_cet(target),
        }
    }
}

/// The calling convention of a container's system.
fn usual(target: &'static Target, container: Container) -> &'static Abi {
    match (target.name, container) {
        ("x86-64", Container::Coff) => &WIN64,
        ("x86", Container::Coff) => &WIN32,
        _ => Abi::usual(target),
    }
}

impl Emit {
    /// # Errors
    /// Bad usage, or a failure to write.
    pub(crate) fn run(&self) -> Result<()> {
        if self.list {
            return output::print(&formats());
        }
        let variants =
            self.kernels.iter().map(|name| self.variant(name)).collect::<Result<Vec<_>>>()?;
        let target = variants[0].target;
        if let Some(other) = variants.iter().find(|variant| variant.target != target) {
            let [first, other] = [variants[0].target, other.target];
            let problem = format!("kernels for {first} and for {other} do not fit into one file");
            return Err(Error::usage(problem));
        }
        let usual = match target.name {
            "pa-risc-2.0" => GNU_HPPA.name,
            "x86-real" => "com-nasm",
            _ => "elf-att",
        };
        let format = self.format.as_deref().unwrap_or(usual);
        let form = Form::by_name(target, format).ok_or_else(|| {
            let why = why_not(target, format);
            let of = why.map_or(String::new(), |why| format!(" for {target}: {why}"));
            Error::usage(format!("no format `{format}`{of}; `loom emit --list` names them"))
        })?;
        if self.cet {
            self.fit_for_cet(target, format, &form)?;
        }
        let abi = self.abi(target, form.container())?;
        if let Some(bad) = self.prefix.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '_')) {
            return Err(Error::usage(format!("`{bad}` cannot stand in a symbol")));
        }
        if let Form::Hppa = form {
            let unit =
                |variant: &KernelVariant| Ok(HppaUnit::new(&variant.make_hppa(abi)?, [HPPA_PLAN]));
            let units = variants.iter().map(unit).collect::<Result<Vec<_>>>()?;
            return self.write(text(GNU_HPPA.dialect, &units, &self.prefix).as_bytes());
        }
        let store = repository::store(self.tuned.as_deref());
        let mut units = Vec::new();
        for variant in variants {
            let mut recipe = recipe(&store, &variant, &self.processor)?;
            // What was tuned on a processor of today is nothing for one of the past.
            if let Some(cpu) = self.old()
                && (self.processor == GENERIC || store.load(&variant, &self.processor)?.is_none())
            {
                recipe = Recipe::modelled(&variant, cpu, 0);
            }
            let mut made = variant.make(abi, &recipe.plan)?;
            if self.cet {
                made.program = made.program.with_landing();
            }
            if self.cpu.is_some() {
                // For one processor a kernel needs no name of its own among those for others.
                made.record.name = variant.strategy.plain_name();
            }
            units.push(X86Unit::new(&made, recipe.how));
        }
        let refused = |format: &Format| units.iter().find_map(|unit| format.refuses(&unit.record));
        match form {
            Form::Text(format) if let Some(why) = refused(format) => {
                Err(Error::usage(format!("no `{}`: {why}", format.name)))
            }
            Form::Text(format) => self.write(text(format.dialect, &units, &self.prefix).as_bytes()),
            Form::Hppa => unreachable!("it was written"),
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

    /// Whether what is written can say that it goes with CET, and begin so.
    fn fit_for_cet(&self, target: &'static Target, format: &str, form: &Form) -> Result<()> {
        if let Some(why) = form.without_cet(target) {
            return Err(Error::usage(format!("no --cet for `{format}`: {why}")));
        }
        // The first with `cmov` is also the first that passes over instructions of a later meaning.
        let first = features::CMOV;
        let model = self.cpu.as_deref().and_then(Model::by_name);
        if let Some(model) = model.filter(|model| !model.has(first)) {
            let why = "`endbr32` is an illegal instruction before the Pentium Pro";
            return Err(Error::usage(format!("no --cet for {}: {why}", model.name)));
        }
        Ok(())
    }

    /// The costs of the processor, if it is one that has 32-bit code only.
    fn old(&self) -> Option<&'static Cpu> {
        registry::old_costs(self.cpu.as_deref()?)
    }

    /// The calling convention that was asked for, or the usual one.
    fn abi(&self, target: &'static Target, container: Container) -> Result<&'static Abi> {
        let Some(name) = &self.abi else { return Ok(usual(target, container)) };
        let known: Vec<_> = Abi::of(target).collect();
        known.iter().find(|abi| abi.name == name).copied().ok_or_else(|| {
            let names = known.iter().map(|abi| abi.name).collect::<Vec<_>>().join(" or ");
            Error::usage(format!("no calling convention `{name}` for {target}; {names}"))
        })
    }

    /// A kernel by its name, with the features that were asked for, or for the processor.
    fn variant(&self, name: &str) -> Result<KernelVariant> {
        if let Some(cpu) = &self.cpu {
            let model = Model::by_name(cpu).ok_or_else(|| {
                let names =
                    registry::models().map(|model| model.name).collect::<Vec<_>>().join(", ");
                Error::usage(format!("no processor `{cpu}`; there is {names}"))
            })?;
            let impossible = |error: Impossible| match error {
                Impossible::Unknown(error) => error.into(),
                other => Error::usage(other.to_string()),
            };
            return KernelVariant::for_model(name, model).map_err(impossible);
        }
        let variant: KernelVariant = name.parse()?;
        let mut features = variant.features;
        for feature in &self.features {
            features = features.with(feature).ok_or_else(|| {
                let names = features::SETS.map(Features::names).concat().join(", ");
                Error::usage(format!("no feature `{feature}`; there is {names}"))
            })?;
        }
        let wanted = KernelVariant::on(variant.target, variant.strategy, features);
        if KernelVariant::all(variant.target).contains(&wanted) || self.features.is_empty() {
            return Ok(wanted);
        }
        let names = features.names().join(" and ");
        Err(Error::usage(format!("`{name}` is not made otherwise with {names}")))
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

/// Tables of formats, processors and calling conventions: each kernel of an instruction set comes in each of its
/// formats, by each of its calling conventions.
fn formats() -> String {
    let heading = ["format", "instruction set", "calling conventions", "for"];
    let mut columns = Columns::new(4, heading);
    for target in registry::targets() {
        let texts =
            Format::of(target).map(|format| (format.name, format.dialect.container(), format.doc));
        let hppa = (GNU_HPPA.name, GNU_HPPA.dialect.container(), GNU_HPPA.doc);
        let hppa = (target == &PA_RISC).then_some(hppa);
        for (name, container, doc) in texts.chain(objects(target).copied()).chain(hppa) {
            let first = usual(target, container);
            let others = Abi::of(target).filter(|abi| **abi != *first).map(|abi| abi.name);
            let abis: Vec<_> = [first.name].into_iter().chain(others).collect();
            let set = target.name.to_owned();
            columns.row([name.to_owned(), set, abis.join(", "), doc.to_owned()]);
        }
    }
    let mut models = Columns::new(4, ["processor", "instruction set", "features", "what it is"]);
    for model in registry::models() {
        let features = model.features.names().join(",");
        let features = if features.is_empty() { "-".to_owned() } else { features };
        let set = model.target.name.to_owned();
        models.row([model.name.to_owned(), set, features, model.doc.to_owned()]);
    }
    let mut abis = Columns::new(3, ["calling convention", "instruction set", "what it is"]);
    for abi in registry::conventions() {
        abis.row([abi.name, abi.target.name, abi.doc].map(str::to_owned));
    }
    format!("{columns}\n{models}\n{abis}")
}
