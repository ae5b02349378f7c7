//! `cargo xtask prove`: the kernels of a linked file, by `crates/proof`.

use crate::failure::Failure;
use crate::planted;
use crate::process::{self, FEATURES, built, cargo, root};
use crate::processors::ARM_GCC;
use crate::sources::rustup;
use crate::watched;

/// Where what was proved is kept: of this program's kernels, and of those for AArch64.
const MANIFEST: &str = "crates/proved/x86_64.toml";
const MANIFEST_ARM: &str = "crates/proved/aarch64.toml";
/// Instruction sets whose kernels are changed.
const SETS: [&str; 5] = ["x86_64", "aarch64", "x86_32", "x86_16", "hppa"];
/// What a proof depends on.
const PROVER: [&str; 2] = ["crates/proof/src", "crates/spec/src"];
/// The most memory that a proof may take, in KiB: 2 GiB.
const MEMORY: u64 = 2 << 20;

/// Proves the kernels of a file, or of the C library as it is released. `--planted` plants errors into the
/// prover, `--mutants` changes bytes of kernels. `--write` writes the manifest of
/// what was proved, `--compare` compares a file with it and proves nothing.
///
/// # Errors
/// A kernel is refused, or is not the one of the manifest.
pub(crate) fn run(args: &[&str]) -> crate::failure::Result {
    let (options, files): (Vec<&str>, Vec<&str>) =
        args.iter().partition(|arg| arg.starts_with('-'));
    if let ["--planted", word @ ..] = args {
        return match word {
            [] => planted::run(""),
            ["--compare"] => planted::check(),
            [word] => planted::run(word),
            _ => Err(Failure::Usage("--planted [WORD | --compare]".into())),
        };
    }
    if let ["--mutants", count @ ..] = args {
        return match count {
            [] => mutants("200", None),
            [count] => mutants(count, None),
            [count, set] if SETS.contains(set) => mutants(count, Some(set)),
            _ => Err(Failure::Usage(format!("--mutants [COUNT [{}]]", SETS.join(" | ")))),
        };
    }
    if files.len() > 1 {
        return Err(Failure::Usage("one file at a time".into()));
    }
    let (options, manifest, target) = match &options[..] {
        ["--arm", options @ ..] => (options, MANIFEST_ARM, Some(rustup::ARM)),
        options => (options, MANIFEST, None),
    };
    let file = match files[..] {
        [file] => file.to_owned(),
        _ => released(target)?,
    };
    let file = &*file;
    let mut prove = built("prove")?;
    match *options {
        ["--write"] => {
            let made = made()?;
            let text = process::output(prove.args(["--manifest", file]));
            let text = text.ok_or_else(|| format!("{file} was not proved"))?;
            let text = text.replacen("\ncoverage =", &format!("\n{made}coverage ="), 1);
            let written = std::fs::write(root().join(manifest), text);
            written.map_err(|error| format!("{manifest}: {error}"))?;
        }
        ["--compare"] => {
            process::run(prove.args(["--compare", manifest, file]))?;
        }
        ref options if options.iter().all(is_of_proof) => {
            prove.args(options).arg(file);
            println!("the prover took {}", watched::run(&mut prove, MEMORY)?);
        }
        _ => {
            return Err(Failure::Usage(
                "[--arm] and --full, --statements, --abi=NAME, --write, --compare, --planted or --mutants"
                    .into(),
            ));
        }
    }
    Ok(())
}

/// Whether the prover knows an option.
fn is_of_proof(option: &&str) -> bool {
    matches!(*option, "--full" | "--statements") || option.starts_with("--abi=")
}

/// Builds the C library as it is released, for a target if it is another than this; gives its path.
fn released(target: Option<&str>) -> Result<String, String> {
    let mut build = cargo(["build", "--release", "--package", "cipherloom-capi"]);
    if let Some(target) = target {
        let linker = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
        build.args(["--target", target]).env(linker, ARM_GCC);
    }
    process::run(&mut build)?;
    let folder = process::target_folder().map_err(|error| error.to_string())?;
    let library = folder.join(target.unwrap_or_default()).join("release/libcipherloom.so");
    Ok(library.to_string_lossy().into_owned())
}

/// The lines of the manifest that say when it was proved, and by which commit of the prover.
fn made() -> Result<String, String> {
    let said = |name: &str, words: &[&str]| {
        let said = process::output(process::program(name).args(words));
        said.ok_or_else(|| format!("{name} {words:?} failed"))
    };
    let of_prover = |words: &[&str]| said("git", &[words, &["--"], &PROVER].concat());
    if !of_prover(&["status", "--porcelain"])?.is_empty() {
        return Err("the manifest names the commit of the prover: commit its changes first".into());
    }
    let (date, commit) = (said("date", &["-u", "+%F"])?, of_prover(&["log", "-1", "--format=%H"])?);
    Ok(format!("date = \"{}\"\nprover = \"{}\"\n", date.trim(), commit.trim()))
}

/// So many changes of a byte of each kernel, of all instruction sets or of one: each is refused, or does what the kernel
/// does, on this processor or in an emulator. Those kernels that the records have are left out, and those that are done
/// are written into them, so that one may stop this and go on later.
fn mutants(count: &str, set: Option<&str>) -> crate::failure::Result {
    let words = format!("test --workspace {FEATURES} --test proof");
    let mut command = cargo(words.split(' '));
    command
        .args(["--", "--nocapture", "slow_the_records_of_changed_bytes_go_on"])
        .env("CIPHERLOOM_MUTANTS", count)
        .env("CIPHERLOOM_MADE", made()?);
    if let Some(set) = set {
        command.env("CIPHERLOOM_MUTANTS_OF", set);
    }
    Ok(process::run(&mut command)?)
}

/// As a check: the released library, and that its kernels are those of the manifest.
///
/// # Errors
/// As of [`run`].
pub(crate) fn check() -> crate::failure::Result {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("not run: only files for x86-64 Linux can be proved");
        return Ok(());
    }
    run(&[])?;
    run(&["--compare"])
}

/// The same of the library for AArch64.
///
/// # Errors
/// As of [`run`].
pub(crate) fn check_arm() -> crate::failure::Result {
    run(&["--arm"])?;
    run(&["--arm", "--compare"])
}
