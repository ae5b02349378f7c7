//! `loom emit`: kernels as text for an assembler, or as an object file.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use cipherloom_measure::Columns;
use loom::emit::{Unit, file, refusal};
use loom::isa::frame::Abi;
use loom::isa::text::{Container, Format};
use loom::isa::{Features, Model, Target, registry};
use loom::library::Recipe;
use loom::tune::{GENERIC, Store};
use loom::variant::{Impossible, KernelVariant};

use super::error::{Error, Result};
use super::recipe::recipe;
use super::{convention, output, repository};

/// Writes kernels as text for an assembler, or as an object file
#[derive(Debug, clap::Args)]
pub(crate) struct Emit {
    /// The kernels, by the names that `loom list` prints; several share their tables
    #[arg(value_name = "KERNEL", required_unless_present = "list")]
    kernels: Vec<String>,
    /// Assembler and container, or container alone for an object file; --list names them [default: the
    /// first of the instruction set: GNU as for ELF, com-nasm for real mode]
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// The processor: its instruction set, and what it has, as --list names them [default: x86-64, or
    /// what stands before a kernel's name]; or one that kernels were tuned for, as `loom tune` names it
    #[arg(long, value_name = "NAME")]
    cpu: Option<String>,
    /// Calling convention [default: that of the container's system]; --list names them
    #[arg(long, value_name = "NAME")]
    abi: Option<String>,
    /// Instructions beyond the baseline that may be used; --list names them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    features: Vec<String>,
    /// Begin each kernel with a landing pad, and say in the file that it goes with Intel's CET (IBT and
    /// shadow stack) or with Arm's BTI, so that linking it does not switch that off for a program; ELF only
    #[arg(long)]
    cet: bool,
    /// What stands before each symbol
    #[arg(long, value_name = "TEXT", default_value = "")]
    prefix: String,
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

/// Why there is no format of this name for a target, where one might look for it.
fn why_not(target: &'static Target, format: &str) -> Option<&'static str> {
    let missing = target.missing.iter().find(|(names, _)| names.contains(&format));
    let elsewhere = registry::targets().any(|other| other.format(format).is_some());
    missing.map(|(_, why)| *why).or_else(|| elsewhere.then_some(target.elsewhere))
}

/// The calling convention of a container's system.
fn usual(target: &'static Target, container: Container) -> &'static Abi {
    let own = Abi::of(target).find(|abi| abi.container == Some(container));
    own.unwrap_or_else(|| Abi::usual(target))
}

impl Emit {
    /// # Errors
    /// Bad usage, or a failure to write.
    pub(crate) fn run(&self) -> Result<()> {
        if self.list {
            return output::print(&formats());
        }
        let store = repository::store(self.tuned.as_deref());
        let (model, tuned_for) = self.processor(&store)?;
        let variant = |name: &String| self.variant(name, model);
        let variants = self.kernels.iter().map(variant).collect::<Result<Vec<_>>>()?;
        let target = variants[0].target;
        if let Some(other) = variants.iter().find(|variant| variant.target != target) {
            let [first, other] = [variants[0].target, other.target];
            let problem = format!("kernels for {first} and for {other} do not fit into one file");
            return Err(Error::usage(problem));
        }
        let name = self.format.as_deref().unwrap_or(target.formats[0].name);
        let format = target.format(name).ok_or_else(|| {
            let why = why_not(target, name);
            let of = why.map_or(String::new(), |why| format!(" for {target}: {why}"));
            Error::usage(format!("no format `{name}`{of}; `loom emit --list` names them"))
        })?;
        if self.cet {
            fits_cet(target, format, model)?;
        }
        let abi = self.abi(target, format.container)?;
        if let Some(bad) = self.prefix.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '_')) {
            return Err(Error::usage(format!("`{bad}` cannot stand in a symbol")));
        }
        let old = model.and_then(|model| registry::old_costs(model.name));
        let mut units = Vec::new();
        for variant in variants {
            // What was tuned on a processor of today is nothing for one of the past.
            let recipe = match old {
                Some(cpu) => Recipe::modelled(&variant, abi, cpu, 0),
                None => recipe(&store, &variant, abi, tuned_for)?,
            };
            let mut made = variant.make(abi, &recipe.plan)?;
            if self.cet {
                made.land();
            }
            if model.is_some() {
                // For one processor a kernel needs no name of its own among those for others.
                made.rename(variant.strategy.plain_name());
            }
            units.push(Unit::new(&*made, recipe.how));
        }
        if let Some(why) = units.iter().find_map(|unit| refusal(format, &unit.record)) {
            return Err(Error::usage(format!("no `{name}`: {why}")));
        }
        let is_text = format.dialect().is_some();
        if !is_text && self.output.is_none() && std::io::stdout().is_terminal() {
            return Err(Error::usage("an object file is not for a terminal; use --output"));
        }
        let bytes = file(format, &units, &self.prefix)
            .map_err(|error| Error::failure(format!("cannot make the object: {error}")))?;
        self.write(&bytes)
    }

    /// The processor that was asked for, if it is a model, and for whom plans were tuned.
    fn processor(&self, store: &Store) -> Result<(Option<&'static Model>, &str)> {
        let Some(name) = &self.cpu else { return Ok((None, GENERIC)) };
        let model = Model::by_name(name);
        if model.is_none() && !store.knows(name) {
            let names = registry::models().map(|model| model.name).collect::<Vec<_>>().join(", ");
            let problem =
                format!("no processor `{name}`, nor plans tuned for it; there is {names}");
            return Err(Error::usage(problem));
        }
        if model.is_some() && !self.features.is_empty() {
            return Err(Error::usage(
                "--features are those of --cpu, if that is a processor's model",
            ));
        }
        Ok((model, if model.is_some() { GENERIC } else { name }))
    }

    /// The calling convention that was asked for, or the usual one.
    fn abi(&self, target: &'static Target, container: Container) -> Result<&'static Abi> {
        self.abi
            .as_deref()
            .map_or(Ok(usual(target, container)), |name| convention::named(target, name))
    }

    /// A kernel by its name, with the features that were asked for, or for a model.
    fn variant(&self, name: &str, model: Option<&'static Model>) -> Result<KernelVariant> {
        if let Some(model) = model {
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
                let target = variant.target;
                let baseline = (target.complete)(Features::NONE);
                let others = target.features.iter().filter(|one| !baseline.include(one.set));
                let names = others.map(|one| one.name).collect::<Vec<_>>().join(", ");
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

/// Whether a file can say that it goes with CET, and its kernels can begin so on a processor.
fn fits_cet(target: &'static Target, format: &Format, model: Option<&Model>) -> Result<()> {
    if let Some(why) = target.landing.err().or(format.without_landing) {
        return Err(Error::usage(format!("no --cet for `{}`: {why}", format.name)));
    }
    match (model, target.landing) {
        (Some(model), Ok(pad)) if !model.has(pad.needs) => {
            Err(Error::usage(format!("no --cet for {}: {}", model.name, pad.without)))
        }
        _ => Ok(()),
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
        for Format { name, doc, container, .. } in target.formats {
            let first = usual(target, *container);
            let others = Abi::of(target).filter(|abi| **abi != *first).map(|abi| abi.name);
            let abis: Vec<_> = [first.name].into_iter().chain(others).collect();
            let set = target.name.to_owned();
            columns.row([(*name).to_owned(), set, abis.join(", "), (*doc).to_owned()]);
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
