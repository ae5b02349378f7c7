//! Errors planted into the prover, one at a time: its tests must find each of them.
//!
//! The prover's source knows nothing of this. A copy of it gets all errors at once, each where it is
//! switched on by an environment variable, so that it is compiled once. Each error has the name of a test that
//! finds it, so that only this one runs.

mod record;

use crate::process::{self, cargo, root};
use crate::side_by_side::side_by_side;
use record::Record;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// What is planted: a line that says what is wrong, the file, the test that finds it, what stands in the file
/// once, and behind `=>` what should stand there instead (nothing: the statement is left out).
const ERRORS: &str = "crates/proof/tests/planted.txt";
const SWITCH: &str = "CIPHERLOOM_PLANTED";

struct Planted<'a> {
    what: &'a str,
    file: &'a str,
    test: &'a str,
    old: &'a str,
    new: &'a str,
}

impl Planted<'_> {
    /// Whether co-simulation can run what an error is about: `(needs FEATURE)` stands behind some.
    fn can_be_found(&self) -> bool {
        let needs = self.what.split_once("(needs ").map(|(_, needs)| needs);
        #[cfg(target_arch = "x86_64")]
        return match needs {
            Some("avx512bw)") => std::arch::is_x86_feature_detected!("avx512bw"),
            Some("gfni)") => std::arch::is_x86_feature_detected!("gfni"),
            _ => true,
        };
        #[cfg(not(target_arch = "x86_64"))]
        needs.is_none()
    }
}

fn parse(text: &str) -> Result<Vec<Planted<'_>>, String> {
    let entries = text.split("\n== ").skip(1).map(|entry| {
        let (what, rest) = entry.split_once('\n')?;
        let (file, rest) = rest.split_once('\n')?;
        let (test, rest) = rest.split_once('\n')?;
        let (old, new) = rest.split_once("\n=>")?;
        Some(Planted { what, file, test, old: old.trim(), new: new.trim() })
    });
    let entries: Option<Vec<Planted<'_>>> = entries.collect();
    entries.ok_or_else(|| format!("{ERRORS} has an entry of another form"))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// The files that errors are planted into, with all of them.
fn planted(src: &Path, errors: &[Planted<'_>]) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut files = BTreeMap::new();
    for (n, error) in (1..).zip(errors) {
        let path = src.join(error.file);
        let source = match files.remove(&path) {
            Some(source) => source,
            None => std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", error.file))?,
        };
        if source.matches(error.old).count() != 1 {
            return Err(format!("{}: not once in {}: {}", error.what, error.file, error.old));
        }
        let planted = match error.new {
            "" => format!("if !crate::planted({n}) {{ {} }}", error.old),
            new => format!("(if crate::planted({n}) {{ {new} }} else {{ {} }})", error.old),
        };
        files.insert(path, source.replace(error.old, &planted));
    }
    Ok(files)
}

/// A workspace with a copy of the prover, in which all errors can be switched on.
fn plant(folder: &Path, errors: &[Planted<'_>]) -> Result<(), String> {
    let io = |error: std::io::Error| format!("{}: {error}", folder.display());
    let _ = std::fs::remove_dir_all(folder);
    let crate_folder = folder.join("crates/proof");
    copy(&root().join("crates/proof"), &crate_folder).map_err(io)?;
    // What its tests include.
    let kernels = ["crates/cipherloom/kernels", "crates/cipherloom/src/kernels/asm"];
    for included in kernels.into_iter().chain(["crates/loom/tuned", "crates/proved", "docs"]) {
        copy(&root().join(included), &folder.join(included)).map_err(io)?;
    }
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(io)?;
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).map_err(io)?;
    let crates = format!("path = \"{}/crates/", root().display());
    let workspace = workspace
        .replace("members = [\"crates/*\", \"xtask\"]", "members = [\"crates/proof\"]")
        .replace("path = \"crates/", &crates);
    std::fs::write(folder.join("Cargo.toml"), workspace).map_err(io)?;
    for (file, source) in planted(&crate_folder.join("src"), errors)? {
        std::fs::write(file, source).map_err(io)?;
    }
    let lib = crate_folder.join("src/lib.rs");
    let source = std::fs::read_to_string(&lib).map_err(io)?;
    let switch = format!(
        "\n/// Whether an error is switched on.\npub(crate) fn planted(n: usize) -> bool {{\n    \
         static WHICH: std::sync::LazyLock<Option<usize>> = \
         std::sync::LazyLock::new(|| std::env::var(\"{SWITCH}\").ok()?.parse().ok());\n    \
         *WHICH == Some(n)\n}}\n"
    );
    std::fs::write(lib, source + &switch).map_err(io)?;
    // Not by flags, with which all that the prover depends on would be built once more.
    for program in ["src/lib.rs", "src/main.rs", "tests/proof/main.rs"] {
        let path = crate_folder.join(program);
        let source = std::fs::read_to_string(&path).map_err(io)?;
        std::fs::write(path, format!("#![allow(warnings)]\n{source}")).map_err(io)?;
    }
    Ok(())
}

/// The tests of the prover, built.
struct Tests {
    unit: String,
    whole: String,
    folder: PathBuf,
}

impl Tests {
    fn build(folder: &Path) -> Result<Self, String> {
        let manifest = folder.join("Cargo.toml");
        let manifest = manifest.to_string_lossy();
        let words = ["test", "--quiet", "--offline", "--manifest-path", &manifest, "--no-run"];
        let mut build = cargo(words);
        build.args(["--package", "cipherloom-proof", "--lib", "--test", "proof"]);
        // What the compiler says goes to standard error, as people read it.
        build.args(["--message-format", "json-render-diagnostics"]);
        build.env("CARGO_TARGET_DIR", root().join("target"));
        let built = build.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
        if !built.status.success() {
            return Err("the prover with errors planted into it is not compiled".to_owned());
        }
        let built = String::from_utf8_lossy(&built.stdout);
        // Started as they are, so that nothing is built again while this runs.
        let program = |kind: &str| {
            let mut lines =
                built.lines().filter(|line| line.contains(&format!("\"kind\":[\"{kind}\"]")));
            let path =
                lines.find_map(|line| line.split("\"executable\":\"").nth(1)?.split('"').next());
            path.map(str::to_owned).ok_or_else(|| format!("no tests of kind {kind}"))
        };
        let (unit, whole) = (program("lib")?, program("test")?);
        Ok(Self { unit, whole, folder: folder.join("crates/proof") })
    }

    /// The first test that fails of those that the words choose, with one error.
    fn failed(&self, program: &str, words: &[&str], n: usize) -> Result<Option<String>, String> {
        let mut tests = process::program(program);
        tests.args(words).current_dir(&self.folder).env(SWITCH, n.to_string());
        // Tests look for it beside their source, which this is a copy of.
        let emulator = root().join("target/tools/bin/qemu-hppa");
        if emulator.exists() && std::env::var_os("CIPHERLOOM_QEMU_HPPA").is_none() {
            tests.env("CIPHERLOOM_QEMU_HPPA", emulator);
        }
        let output =
            tests.env("RUST_BACKTRACE", "0").output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        let first =
            said.lines().find_map(|line| line.strip_prefix("---- ")?.strip_suffix(" stdout ----"));
        Ok((!output.status.success()).then(|| first.unwrap_or("the program ended").to_owned()))
    }

    /// Whether a test fails, by its name.
    fn finds(&self, test: &str, n: usize) -> Result<bool, String> {
        let program = if test.contains("::tests::") { &self.unit } else { &self.whole };
        Ok(self.failed(program, &[test, "--exact"], n)?.is_some())
    }

    /// The first of all tests that finds an error: the short ones, and others only where these find nothing.
    fn search(&self, n: usize) -> Result<Option<String>, String> {
        let stages: [(&str, &[&str]); 4] = [
            (&self.unit, &[]),
            (&self.whole, &["--skip", "slow_", "--skip", "rare_", "--skip", "decoder"]),
            (&self.whole, &["_every_form"]),
            (&self.whole, &["slow_every_instruction"]),
        ];
        let mut found = stages.iter().map(|(program, words)| self.failed(program, words, n));
        found.find_map(Result::transpose).transpose()
    }
}

/// Plants each error that `word` occurs in, and runs the test that is to find it, which finds nothing without
/// errors. Where it does not find this one, all tests are tried, to say which one should stand there. If `word` is
/// empty and all are found, that is written into the record.
///
/// # Errors
/// One is not found by its test, or a test fails without any.
pub(crate) fn run(word: &str) -> crate::failure::Result {
    let text = read()?;
    let errors = parse(&text)?;
    let (found, not_run) =
        find(&errors, |error| error.what.contains(word) || error.file.contains(word))?;
    if word.is_empty() { Ok(Record::new(not_run)?.write(found)?) } else { Ok(()) }
}

/// The same as a check: only what the record does not have of the sources as they are.
///
/// # Errors
/// As of [`run`].
pub(crate) fn check() -> crate::failure::Result {
    let text = read()?;
    let errors = parse(&text)?;
    let Some(record) = Record::of_these_sources()? else {
        println!(
            "the record is of other sources: `cargo xtask prove --planted` makes one of these"
        );
        find(&errors, |_| true)?;
        return Ok(());
    };
    let is_left = |error: &Planted<'_>| record.not_run.contains(error.what);
    println!(
        "{} errors were found in these sources",
        errors.iter().filter(|e| !is_left(e)).count()
    );
    if errors.iter().any(|error| is_left(error) && error.can_be_found()) {
        find(&errors, is_left)?;
    }
    Ok(())
}

fn read() -> Result<String, String> {
    std::fs::read_to_string(root().join(ERRORS)).map_err(|error| format!("{ERRORS}: {error}"))
}

/// Plants the errors that are chosen, and runs their tests; gives how many are found, which is all that could be run
/// here, and the others.
fn find<'a>(
    errors: &[Planted<'a>],
    is_chosen: impl Fn(&Planted<'_>) -> bool,
) -> Result<(usize, Vec<&'a str>), String> {
    let folder = root().join("target/planted");
    plant(&folder, errors)?;
    let tests = Tests::build(&folder)?;
    let chosen: Vec<(usize, &Planted<'_>)> =
        (1..).zip(errors).filter(|(_, error)| is_chosen(error)).collect();
    let all: BTreeSet<_> = chosen.iter().map(|(_, error)| error.test).collect();
    let all: Vec<_> = all.into_iter().collect();
    let without = side_by_side(&all, |test| tests.finds(test, 0));
    for (test, fails) in all.into_iter().zip(without) {
        if fails? {
            return Err(format!("{test} fails without an error"));
        }
    }
    let (possible, impossible): (Vec<_>, Vec<_>) =
        chosen.into_iter().partition(|(_, error)| error.can_be_found());
    for (_, Planted { what, file, .. }) in &impossible {
        println!("not run, as this processor has no such instruction: {what} ({file})");
    }
    let (tried, mut unfound) = (possible.len(), Vec::new());
    let found = side_by_side(&possible, |(n, error)| tests.finds(error.test, *n));
    for ((n, Planted { what, file, test, .. }), found) in possible.into_iter().zip(found) {
        if found? {
            println!("found by {test}: {what} ({file})");
            continue;
        }
        let other = tests.search(n)?.unwrap_or_else(|| "nothing".into());
        println!("NOT found by {test}, but by {other}: {what} ({file})");
        unfound.push(*what);
    }
    let found = tried - unfound.len();
    println!("{found} of {tried} planted errors found, {} not run", impossible.len());
    if unfound.is_empty() {
        Ok((found, impossible.into_iter().map(|(_, error)| error.what).collect()))
    } else {
        Err(format!("not found: {unfound:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_has_its_place_in_the_prover() {
        let text = std::fs::read_to_string(root().join(ERRORS)).unwrap();
        let errors = parse(&text).unwrap();
        let files = planted(&root().join("crates/proof/src"), &errors).unwrap();
        let planted: usize =
            files.values().map(|text| text.matches("crate::planted(").count()).sum();
        assert_eq!(planted, errors.len());
    }
}
