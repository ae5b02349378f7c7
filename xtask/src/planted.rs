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
    let included = ["cipherloom/kernels/x86_64", "cipherloom/src/kernels/asm/x86_64", "../proofs"];
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

/// Plants each error, and runs the prover's tests.
///
/// # Errors
/// One is not found, or the tests fail without any.
pub(crate) fn run() -> crate::failure::Result {
    let text =
        std::fs::read_to_string(root().join(ERRORS)).map_err(|e| format!("{ERRORS}: {e}"))?;
    let errors = parse(&text)?;
    let folder = root().join("target/planted");
    plant(&folder, &errors)?;
    let manifest = folder.join("Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let tests = |more: &[&str]| {
        let mut words = vec!["test", "--quiet", "--offline", "--manifest-path", &manifest];
        words.extend(["--package", "cipherloom-proof", "--lib", "--test", "proof"]);
        words.extend(more);
        let mut command = cargo(words);
        command.env("CARGO_TARGET_DIR", root().join("target"));
        command.env("RUSTFLAGS", "-A warnings").env("RUST_BACKTRACE", "0");
        command
    };
    process::run(&mut tests(&["--no-run"]))?;
    // What takes longer only where the rest finds nothing.
    const LONG: [&str; 2] = ["slow_every_form", "slow_every_instruction"];
    let mut unfound = Vec::new();
    for n in 0..=errors.len() {
        let passes = |words: &[&str]| process::succeeds(tests(words).env(SWITCH, n.to_string()));
        let short = ["--", "--skip", "slow_", "--skip", "rare_", "--skip", "decoder"];
        let passed = passes(&short) && LONG.iter().all(|long| passes(&["--", long]));
        match n.checked_sub(1).map(|n| &errors[n]) {
            None if passed => {}
            None => return Err("the prover's tests fail without an error".to_owned().into()),
            Some(error) => {
                let found = if passed { "NOT found" } else { "found" };
                println!("{found}: {} ({})", error.what, error.file);
                unfound.extend(passed.then_some(error.what));
            }
        }
    }
    println!("{} of {} planted errors found", errors.len() - unfound.len(), errors.len());
    if unfound.is_empty() { Ok(()) } else { Err(format!("not found: {unfound:?}").into()) }
}
