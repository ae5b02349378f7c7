//! A Python environment of our own, in `target/peers`, with packages of PyPI: the system's Python stays as
//! it is.

use super::apt;
use crate::process::{self, program, root, succeeds};
use std::path::PathBuf;

fn environment() -> PathBuf {
    root().join("target/peers")
}

/// Its interpreter, whether or not it is there.
pub(crate) fn interpreter() -> PathBuf {
    installed(if cfg!(windows) { "python" } else { "python3" })
}

/// A program that some package has put into our Python environment, whether or not it is there.
pub(crate) fn installed(name: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment().join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Installs a package, given as pip wants it, into our Python environment.
///
/// # Errors
/// There is no Python and none can be installed, or pip fails.
pub(crate) fn install(package: &str) -> Result<(), String> {
    install_with(&[package])
}

/// The same for a package of which only its own files are wanted, and not what they need to run.
///
/// # Errors
/// As above.
pub(crate) fn install_alone(package: &str) -> Result<(), String> {
    install_with(&["--no-deps", package])
}

fn install_with(words: &[&str]) -> Result<(), String> {
    if !succeeds(program(interpreter()).args(["-m", "pip", "--version"])) {
        make()?;
    }
    let pip = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install"];
    process::run(program(interpreter()).args(pip).args(words))
}

fn make() -> Result<(), String> {
    let new = || {
        let python = if cfg!(windows) { "python" } else { "python3" };
        process::run(program(python).args(["-m", "venv", "--clear"]).arg(environment()))
    };
    if new().is_err() {
        apt::install(&["python3", "python3-venv"])?;
        new()?;
    }
    Ok(())
}
