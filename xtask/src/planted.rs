//! Errors planted into the prover, one at a time: its tests must find each of them.
//!
//! The prover's source knows nothing of this. A copy of it gets all errors at once, each where it is
//! switched on by an environment variable, so that it is compiled once.

use crate::process::{self, cargo, root};
use std::path::Path;

/// What is planted: a line that says what is wrong, the file, what stands there once, and behind `=>` what
/// should stand there instead (nothing: the statement is left out).
const ERRORS: &str = "crates/proof/tests/planted.txt";
const SWITCH: &str = "CIPHERLOOM_PLANTED";

struct Planted<'a> {
    what: &'a str,
    file: &'a str,
    old: &'a str,
    new: &'a str,
}

fn parse(text: &str) -> Result<Vec<Planted<'_>>, String> {
    let entries = text.split("\n== ").skip(1).map(|entry| {
        let (what, rest) = entry.split_once('\n')?;
        let (file, rest) = rest.split_once('\n')?;
        let (old, new) = rest.split_once("\n=>")?;
        Some(Planted { what, file, old: old.trim(), new: new.trim() })
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

/// A workspace with a copy of the prover, in which all errors can be switched on.
fn plant(folder: &Path, errors: &[Planted<'_>]) -> Result<(), String> {
    let io = |error: std::io::Error| format!("{}: {error}", folder.display());
    let _ = std::fs::remove_dir_all(folder);
    let crate_folder = folder.join("crates/proof");
    copy(&root().join("crates/proof"), &crate_folder).map_err(io)?;
    // What its tests include.
    let included = ["cipherloom/kernels/x86_64", "cipherloom/src/kernels/asm/x86_64", "proved"];
    for included in included.map(|folder| format!("crates/{folder}")) {
        copy(&root().join(&included), &folder.join(&included)).map_err(io)?;
    }
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(io)?;
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).map_err(io)?;
    let crates = format!("path = \"{}/crates/", root().display());
    let workspace = workspace
        .replace("members = [\"crates/*\", \"xtask\"]", "members = [\"crates/proof\"]")
        .replace("path = \"crates/", &crates);
    std::fs::write(folder.join("Cargo.toml"), workspace).map_err(io)?;
    for (n, error) in (1..).zip(errors) {
        let file = crate_folder.join("src").join(error.file);
        let source = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", error.file))?;
        if source.matches(error.old).count() != 1 {
            return Err(format!("{}: not once in {}: {}", error.what, error.file, error.old));
        }
        let planted = match error.new {
            "" => format!("if !crate::planted({n}) {{ {} }}", error.old),
            new => format!("(if crate::planted({n}) {{ {new} }} else {{ {} }})", error.old),
        };
        std::fs::write(&file, source.replace(error.old, &planted)).map_err(io)?;
    }
    let lib = crate_folder.join("src/lib.rs");
    let source = std::fs::read_to_string(&lib).map_err(io)?;
    let switch = format!(
        "\n/// Whether an error is switched on.\npub(crate) fn planted(n: usize) -> bool {{\n    \
         static WHICH: std::sync::LazyLock<Option<usize>> = \
         std::sync::LazyLock::new(|| std::env::var(\"{SWITCH}\").ok()?.parse().ok());\n    \
         *WHICH == Some(n)\n}}\n"
    );
    std::fs::write(lib, source + &switch).map_err(io)
}

/// The first of some tests' output that says which one failed.
fn failed(command: &mut std::process::Command) -> Result<Option<String>, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let first =
        said.lines().find_map(|line| line.strip_prefix("---- ")?.strip_suffix(" stdout ----"));
    Ok((!output.status.success()).then(|| first.unwrap_or("the program ended").to_owned()))
}

/// Plants each error that `word` occurs in, and runs the prover's tests: the short ones first, and others only
/// where these find nothing.
///
/// # Errors
/// One is not found, or the tests fail without any.
pub(crate) fn run(word: &str) -> crate::failure::Result {
    let text =
        std::fs::read_to_string(root().join(ERRORS)).map_err(|e| format!("{ERRORS}: {e}"))?;
    let errors = parse(&text)?;
    let folder = root().join("target/planted");
    plant(&folder, &errors)?;
    let manifest = folder.join("Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let words = ["test", "--quiet", "--offline", "--manifest-path", &manifest, "--no-run"];
    let mut build = cargo(words);
    build.args(["--package", "cipherloom-proof", "--lib", "--test", "proof"]);
    build.args(["--message-format", "json"]).env("CARGO_TARGET_DIR", root().join("target"));
    let built = process::output(build.env("RUSTFLAGS", "-A warnings"));
    let built =
        built.ok_or_else(|| "the prover with errors planted into it is not compiled".to_owned())?;
    // Started as they are, so that nothing is built again while this runs.
    let program = |kind: &str| {
        let mut lines =
            built.lines().filter(|line| line.contains(&format!("\"kind\":[\"{kind}\"]")));
        let path = lines.find_map(|line| line.split("\"executable\":\"").nth(1)?.split('"').next());
        path.map(str::to_owned).ok_or_else(|| format!("no tests of kind {kind}"))
    };
    let (unit, whole) = (program("lib")?, program("test")?);
    let stages: [(&str, &[&str]); 4] = [
        (&unit, &[]),
        (&whole, &["--skip", "slow_", "--skip", "rare_", "--skip", "decoder"]),
        (&whole, &["slow_every_form"]),
        (&whole, &["slow_every_instruction"]),
    ];
    let finder = |n: usize| {
        let mut found = stages.iter().map(|(program, words)| {
            let mut tests = process::program(program);
            tests.args(*words).current_dir(folder.join("crates/proof"));
            failed(tests.env(SWITCH, n.to_string()).env("RUST_BACKTRACE", "0"))
        });
        found.find_map(Result::transpose).transpose()
    };
    if let Some(test) = finder(0)? {
        return Err(format!("{test} fails without an error").into());
    }
    let (mut unfound, mut planted) = (Vec::new(), 0);
    for (n, error) in (1..)
        .zip(&errors)
        .filter(|(_, error)| error.what.contains(word) || error.file.contains(word))
    {
        planted += 1;
        match finder(n)? {
            Some(test) => println!("found by {test}: {} ({})", error.what, error.file),
            None => {
                println!("NOT found: {} ({})", error.what, error.file);
                unfound.push(error.what);
            }
        }
    }
    println!("{} of {planted} planted errors found", planted - unfound.len());
    if unfound.is_empty() { Ok(()) } else { Err(format!("not found: {unfound:?}").into()) }
}
