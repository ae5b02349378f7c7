//! `cargo xtask sbom`: what is in the programs that are handed out, crate by crate.

use crate::process::{self, cargo, root, shown, succeeds};
use std::fs;
use std::path::Path;

/// What is handed out.
const PACKAGES: [&str; 3] = ["cipherloom-cli", "cipherloom-capi", "cipherloom-web"];

/// Writes a bill of materials (CycloneDX, JSON) for each package into `target/sbom`; cargo-cyclonedx,
/// which makes it, is installed first where it is missing.
///
/// # Errors
/// cargo-cyclonedx cannot be installed, or fails.
pub(crate) fn run() -> crate::failure::Result {
    if !succeeds(&mut cargo(["cyclonedx", "--version"])) {
        say_and_run(&mut cargo(["install", "cargo-cyclonedx", "--locked"]))?;
    }
    let words = ["cyclonedx", "--format", "json", "--spec-version", "1.5", "--target", "all"];
    // Neither today's time nor a random number is in it.
    say_and_run(cargo(words).env("SOURCE_DATE_EPOCH", "0"))?;

    let target = root().join("target/sbom");
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(&target).map_err(|error| failed(&target, error))?;
    // It describes every member of the workspace, each in the member's own folder.
    let crates = root().join("crates");
    let entries = fs::read_dir(&crates).map_err(|error| failed(&crates, error))?;
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut wanted = PACKAGES.to_vec();
    for folder in folders.chain([root().join("xtask")]) {
        for entry in fs::read_dir(&folder).map_err(|error| failed(&folder, error))?.flatten() {
            let (made, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let Some(package) = name.strip_suffix(".cdx.json") else { continue };
            if wanted.contains(&package) {
                let place = target.join(&name);
                let text = fs::read_to_string(&made).map_err(|error| failed(&made, error))?;
                // Where the source lies is nobody's business, and differs.
                let text = text.replace(&*root().to_string_lossy(), "/cipherloom");
                fs::write(&place, text).map_err(|error| failed(&place, error))?;
                println!("{}", place.display());
                wanted.retain(|other| *other != package);
            }
            fs::remove_file(&made).map_err(|error| failed(&made, error))?;
        }
    }
    if wanted.is_empty() {
        Ok(())
    } else {
        Err(format!("cargo-cyclonedx wrote nothing for {}", wanted.join(", ")).into())
    }
}

fn say_and_run(command: &mut std::process::Command) -> Result<(), String> {
    println!("$ {}", shown(command));
    process::run(command)
}
