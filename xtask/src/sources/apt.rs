//! Packages of Debian and its kin.

use crate::process::{output, program, run, shown, succeeds};
use std::io::IsTerminal;
use std::sync::OnceLock;

/// Installs packages; the lists are fetched first, once.
///
/// # Errors
/// There is no apt here, we are not allowed to install, or apt fails.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    static LISTS: OnceLock<Result<(), String>> = OnceLock::new();
    LISTS.get_or_init(|| apt(&["update"])).clone()?;
    apt(&[&["install", "--yes", "--no-install-recommends"], packages].concat())
}

/// Whether the lists know a package.
pub(crate) fn knows(package: &str) -> bool {
    succeeds(program("apt-cache").args(["show", package]))
}

/// Site and name of the release, with a space between, as this machine's own packages have them.
///
/// # Errors
/// There is no apt here.
pub(crate) fn release() -> Result<String, String> {
    let format = ["--format", "$(SITE) $(CODENAME)", "Created-By: Packages"];
    let own = output(program("apt-get").arg("indextargets").args(format));
    let own = own.as_deref().and_then(|lines| lines.lines().next());
    Ok(own.ok_or("apt-get knows no site of Debian's packages")?.to_owned())
}

fn apt(args: &[&str]) -> Result<(), String> {
    if !succeeds(program("apt-get").arg("--version")) {
        return Err("there is no apt-get here".into());
    }
    let root = output(program("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    let mut command = program(if root { "env" } else { "sudo" });
    if !root && !std::io::stdin().is_terminal() {
        command.arg("-n"); // nobody is there to type a password
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]).args(args);
    // Standard output is for what was asked for: `cargo xtask peers --json` installs, too.
    eprintln!("         $ {}", shown(&command));
    run(command.stdout(std::io::stderr()))
}
