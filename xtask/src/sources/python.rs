//! Python environments of our own, below `target`, with packages of PyPI: the system's Python stays as it is.

use super::apt;
use crate::process::{self, program, root, succeeds};
use std::path::{Path, PathBuf};

/// The environment of peers and tools.
const PEERS: &str = "target/peers";

/// Its interpreter, whether or not it is there.
pub(crate) fn interpreter() -> PathBuf {
    interpreter_in(PEERS)
}

/// The interpreter of an environment, whether or not it is there.
pub(crate) fn interpreter_in(environment: &str) -> PathBuf {
    installed_in(environment, if cfg!(windows) { "python" } else { "python3" })
}

/// A program that some package has put into the environment of peers, whether or not it is there.
pub(crate) fn installed(name: &str) -> PathBuf {
    installed_in(PEERS, name)
}

fn installed_in(environment: &str, name: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    root().join(environment).join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Installs a package, given as pip wants it, into the environment of peers.
///
/// # Errors
/// There is no Python and none can be installed, or pip fails.
pub(crate) fn install(package: &str) -> Result<(), String> {
    install_in(PEERS, &[package])
}

/// The same for a package of which only its own files are wanted, and not what they need to run.
///
/// # Errors
/// As above.
pub(crate) fn install_alone(package: &str) -> Result<(), String> {
    install_in(PEERS, &["--no-deps", package])
}

/// Has pip install into an environment, which is made if it is not there.
///
/// # Errors
/// As above.
pub(crate) fn install_in(environment: &str, words: &[&str]) -> Result<(), String> {
    let python = interpreter_in(environment);
    if !succeeds(program(&python).args(["-m", "pip", "--version"])) {
        make(&root().join(environment))?;
    }
    let pip = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile"];
    process::run(program(python).args(pip).args(words))
}

fn make(environment: &Path) -> Result<(), String> {
    let new = || {
        let python = if cfg!(windows) { "python" } else { "python3" };
        process::run(program(python).args(["-m", "venv", "--clear"]).arg(environment))
    };
    if new().is_err() {
        apt::install(&["python3", "python3-venv"])?;
        new()?;
    }
    Ok(())
}
