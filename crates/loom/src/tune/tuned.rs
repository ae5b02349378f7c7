//! What the search found, as text: one small file per kernel and processor.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::generic;
use crate::isa::frame::Abi;
use crate::pipeline::{CompiledKernel, Options};
use crate::variant::KernelVariant;

/// The directory of plans that ship: good everywhere, best nowhere in particular.
pub const GENERIC: &str = "generic";

/// The directories of plans that ship beside these, each for the processors of one vendor (`zen` for AMD's without
/// AVX-512, and `amd` for those with it): a program takes them where it finds such a processor.
pub const VENDORS: [&str; 3] = ["amd", "intel", "zen"];

/// At least how many times as fast as the generic one a plan for a vendor's processors is.
pub const WORTH: f64 = 1.05;

/// A plan that was found, and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuned {
    /// The kernel.
    pub kernel: String,
    /// The calling convention, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convention: Option<String>,
    /// The hash of its description when it was tuned.
    pub description: String,
    /// The hash of the machine code that was measured.
    pub code: String,
    /// How it is made.
    pub plan: Options,
    /// What was measured in the end.
    pub measured: Measured,
    /// How it was found.
    pub search: Search,
}

/// Figures, per block, byte or key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The processor's own name.
    pub processor: String,
    /// Its clock meanwhile.
    pub ghz: f64,
    /// What the cycles are for: block, byte, key.
    pub per: String,
    /// Median cycles: the middle one of the processes'.
    pub cycles: f64,
    /// The same in the slowest process.
    pub worst: f64,
    /// Median cycles of the same kernel untuned.
    pub untuned: f64,
    /// The gain over it: the middle one of the processes' ratios.
    pub gain: f64,
    /// The gain over what ships for all processors, for a plan for some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_generic: Option<f64>,
    /// The gain over the plan of the usual calling convention, for a plan for another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_usual: Option<f64>,
    /// How many processes confirmed it.
    pub processes: usize,
    /// How many samples each took.
    pub samples: usize,
}

/// The effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The seed of the last run.
    pub seed: u64,
    /// Seconds, of all runs.
    pub seconds: u64,
    /// Candidates that were made, of all runs.
    pub candidates: u64,
}

/// Why a tuned file cannot be used.
#[derive(Debug)]
pub enum Unusable {
    /// It cannot be read or written.
    File(PathBuf, std::io::Error),
    /// It is not what a tuned file should be.
    Text(PathBuf, String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Text(path, wrong) => write!(f, "{}: {wrong}", path.display()),
        }
    }
}

impl std::error::Error for Unusable {}

impl Tuned {
    /// The file's text. The same values always give the same text.
    ///
    /// # Panics
    /// Never: every value can be written.
    #[must_use]
    pub fn text(&self) -> String {
        let head = "# Found by `loom tune`; which runs again from here.\n";
        head.to_owned() + &toml::to_string(self).expect("strings, numbers and tables of them")
    }

    /// How a kernel was made, for its header.
    #[must_use]
    pub fn how(&self) -> Vec<String> {
        let Measured { processor, ghz, per, cycles, untuned, .. } = &self.measured;
        let mut lines = vec![
            format!("tuned on {processor} at {ghz} GHz:"),
            format!("{cycles} cycles a {per}, {untuned} untuned"),
        ];
        lines.extend(words(&self.plan));
        lines
    }

    /// Reads a file's text for a variant and a calling convention.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn parse(text: &str, variant: &KernelVariant, abi: &Abi) -> Result<Self, String> {
        let tuned: Self = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(0, |span| text[..span.start].lines().count().max(1));
            format!("line {place}: {}", error.message().replace('\n', " "))
        })?;
        if tuned.kernel != variant.name() {
            return Err(format!("is for {}, not for {variant}", tuned.kernel));
        }
        if tuned.convention != convention(abi) {
            let other = tuned.convention.as_deref().unwrap_or("the usual convention");
            return Err(format!("is for {other}, not for {}", abi.name));
        }
        if tuned.plan.features != variant.features {
            return Err("its features are not those of its kernel".to_owned());
        }
        Ok(tuned)
    }
}

/// A calling convention's name in a tuned file: none for the usual one.
#[must_use]
pub fn convention(abi: &Abi) -> Option<String> {
    (abi != Abi::usual(abi.target)).then(|| abi.name.to_owned())
}

/// A plan in a few lines for people.
///
/// # Panics
/// Never: every plan can be written.
#[must_use]
pub fn words(plan: &Options) -> Vec<String> {
    const WIDTH: usize = 72;
    let text = toml::to_string(plan).expect("names and numbers");
    let order = if plan.order.is_none() { "order = description" } else { "" };
    let mut lines = vec![String::new()];
    let is_setting = |line: &&str| line.contains(" = ") && !line.starts_with("features");
    for setting in text.lines().chain([order]).filter(is_setting) {
        let line = lines.last_mut().expect("there is always a line");
        match line.len() {
            0 => line.push_str(setting),
            n if n + 2 + setting.len() <= WIDTH => *line += &format!(", {setting}"),
            _ => lines.push(setting.to_owned()),
        }
    }
    lines
}

/// The hash of a kernel's machine code, in hexadecimal.
///
/// # Panics
/// If only an assembler makes it.
#[must_use]
pub fn code_hash(made: &dyn CompiledKernel) -> String {
    let bytes = made.bytes(None).expect("machine code");
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A directory of tuned files: `x86-64/<processor>/<kernel>.toml`, and for calling conventions that are not
/// the usual one `x86/<processor>/<convention>/<kernel>.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
    /// Whether the generic plans that were compiled in stand in for files that are not there.
    built_in: bool,
}

impl Store {
    /// A directory that need not exist.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), built_in: false }
    }

    /// The same with the generic plans that were compiled in for what is not there.
    #[must_use]
    pub fn or_built_in(self) -> Self {
        Self { built_in: true, ..self }
    }

    /// Where the file of a kernel, calling convention and processor is.
    #[must_use]
    pub fn path(&self, variant: &KernelVariant, abi: &Abi, processor: &str) -> PathBuf {
        let folder = self.folder.join(variant.target.name).join(processor);
        let folder = convention(abi).map_or(folder.clone(), |name| folder.join(name));
        folder.join(format!("{}.toml", variant.name()))
    }

    /// Whether there are plans for a processor.
    #[must_use]
    pub fn knows(&self, processor: &str) -> bool {
        let folders = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        processor == GENERIC || folders.into_iter().any(|set| set.path().join(processor).is_dir())
    }

    /// The plan that was found, if one was.
    ///
    /// # Errors
    /// [`Unusable`].
    pub fn load(
        &self,
        variant: &KernelVariant,
        abi: &Abi,
        processor: &str,
    ) -> Result<Option<Tuned>, Unusable> {
        let path = self.path(variant, abi, processor);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let name = variant.to_string();
                let known = generic::FILES.iter().find(|(kernel, _)| *kernel == name);
                let stands_in = self.built_in && processor == GENERIC && convention(abi).is_none();
                match known.filter(|_| stands_in) {
                    Some((_, text)) => (*text).to_owned(),
                    None => return Ok(None),
                }
            }
            Err(error) => return Err(Unusable::File(path, error)),
        };
        Tuned::parse(&text, variant, abi).map(Some).map_err(|wrong| Unusable::Text(path, wrong))
    }

    /// Writes a file; it has its name only when it is complete.
    ///
    /// # Errors
    /// [`Unusable`].
    pub fn save(
        &self,
        variant: &KernelVariant,
        abi: &Abi,
        processor: &str,
        tuned: &Tuned,
    ) -> Result<(), Unusable> {
        let path = self.path(variant, abi, processor);
        let write = |path: &Path| {
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            let beside = path.with_extension("toml.part");
            std::fs::write(&beside, tuned.text())?;
            std::fs::rename(&beside, path)
        };
        write(&path).map_err(|error| Unusable::File(path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::super::mutate;
    use super::*;
    use cipherloom_circuits::Random;

    fn usual(variant: &KernelVariant) -> &'static Abi {
        Abi::usual(variant.target)
    }

    fn tuned(variant: &KernelVariant, plan: Options) -> Tuned {
        let made = variant.make(usual(variant), &plan).unwrap();
        let measured = Measured {
            processor: "A \"processor\" (family 6, model 1)".to_owned(),
            ghz: 3.1,
            per: "block".to_owned(),
            cycles: 171.25,
            worst: 172.0,
            untuned: 188.5,
            gain: 1.101,
            over_generic: Some(1.07),
            over_usual: None,
            processes: 5,
            samples: 300,
        };
        Tuned {
            kernel: variant.name(),
            convention: None,
            description: made.record().description.clone(),
            code: code_hash(&*made),
            plan,
            measured,
            search: Search { seed: u64::MAX >> 1, seconds: 60, candidates: 12_345 },
        }
    }

    #[test]
    fn a_file_says_all_of_a_plan_always_in_the_same_way() {
        let variant: KernelVariant = "des_encrypt_table64_bmi2".parse().unwrap();
        let mut random = Random::new(1);
        for _ in 0..50 {
            let before = tuned(&variant, mutate::any(&variant, &mut random));
            let text = before.text();
            let after = Tuned::parse(&text, &variant, usual(&variant)).unwrap();
            assert_eq!(before, after);
            assert_eq!(text, after.text());
        }
    }

    #[test]
    fn a_plan_that_names_no_choice_means_the_usual_one() {
        let variant: KernelVariant = "rc4_apply_s8".parse().unwrap();
        let before = tuned(&variant, variant.untuned());
        let without: String = before
            .text()
            .lines()
            .filter(|line| !line.starts_with("byte_sums"))
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(Tuned::parse(&without, &variant, usual(&variant)), Ok(before));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let variant: KernelVariant = "rc4_apply_s8".parse().unwrap();
        let text = tuned(&variant, variant.untuned()).text();
        let other: KernelVariant = "rc4_apply_s32".parse().unwrap();
        let wrong = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Tuned::parse(&text.replace(from, to), &variant, usual(&variant)).unwrap_err()
        };
        assert_eq!(
            Tuned::parse(&text, &other, usual(&other)).unwrap_err(),
            "is for rc4_apply_s8, not for rc4_apply_s32"
        );
        assert!(wrong("[search]", "[serach]").starts_with("line "));
        assert!(wrong("0a 1b", "0a 0b").contains("different look-ups"));
        assert!(wrong("\"generic\"", "\"8086\"").contains("no costs of a processor `8086`"));
        assert!(wrong("features = []", "features = [\"bmi2\"]").contains("features"));
    }

    #[test]
    fn a_store_gives_back_what_it_was_given() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let variant: KernelVariant = "rc4_apply_s8".parse().unwrap();
        let abi = usual(&variant);
        assert_eq!(store.load(&variant, abi, GENERIC).unwrap(), None);
        let tuned = tuned(&variant, variant.untuned());
        store.save(&variant, abi, GENERIC, &tuned).unwrap();
        assert_eq!(store.load(&variant, abi, GENERIC).unwrap(), Some(tuned));
        assert_eq!(store.load(&variant, abi, "another").unwrap(), None);
        std::fs::write(store.path(&variant, abi, GENERIC), "kernel = 1").unwrap();
        let error = store.load(&variant, abi, GENERIC).unwrap_err().to_string();
        assert!(error.contains("rc4_apply_s8.toml: line 1"), "{error}");
    }

    #[test]
    fn each_convention_has_plans_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let variant: KernelVariant = "x86/rc4_apply_s8".parse().unwrap();
        let shared = Abi::of(variant.target).find(|abi| abi.position_independent).unwrap();
        let for_all = tuned(&variant, variant.untuned());
        store.save(&variant, usual(&variant), GENERIC, &for_all).unwrap();
        assert_eq!(store.load(&variant, shared, GENERIC).unwrap(), None);
        let own = Tuned { convention: convention(shared), ..for_all.clone() };
        store.save(&variant, shared, GENERIC, &own).unwrap();
        assert_eq!(store.load(&variant, shared, GENERIC).unwrap(), Some(own));
        assert_eq!(store.load(&variant, usual(&variant), GENERIC).unwrap(), Some(for_all.clone()));
        std::fs::write(store.path(&variant, shared, GENERIC), for_all.text()).unwrap();
        let error = store.load(&variant, shared, GENERIC).unwrap_err().to_string();
        assert!(error.ends_with("is for the usual convention, not for cdecl-pic"), "{error}");
    }
}
