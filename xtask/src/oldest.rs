//! `cargo xtask oldest`: what users build, with the oldest Rust that they promise to build with.

use crate::process::{self, output, program, shown};
use std::process::Command;

/// How `setup` calls it.
pub(crate) const NAME: &str = "the oldest Rust";

/// `rust-version` in the workspace's manifest.
const VERSION: &str = "1.94";

/// Has all of the workspace but loom checked by it. (Not what the command's feature `arrow` brings, whose crates take
/// minutes: each names the Rust that it wants, and Cargo takes none that wants a newer one.)
///
/// # Errors
/// Something is not built.
pub(crate) fn run() -> crate::failure::Result {
    let words = "check --locked --workspace --exclude cipherloom-loom --features cipherloom/cipher --target-dir target/oldest";
    let mut command = of_it("cargo");
    command.args(words.split(' '));
    println!("$ {}", shown(&command));
    Ok(process::run(&mut command)?)
}

/// Says which one is there.
pub(crate) fn find() -> Option<String> {
    Some(output(of_it("rustc").arg("--version"))?.trim().to_owned())
}

/// Installs it beside the one in use.
///
/// # Errors
/// There is no rustup, or it cannot be had.
pub(crate) fn install() -> Result<(), String> {
    let words = ["--quiet", "toolchain", "install", VERSION, "--profile", "minimal"];
    process::run(program("rustup").args(words).arg("--no-self-update"))
}

/// A program of that toolchain; rustup itself would install it where it is missing.
fn of_it(name: &str) -> Command {
    let mut command = program("rustup");
    command.args(["run", VERSION, name]);
    // What the cargo that runs this program has set is for its own toolchain.
    command.env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTDOC");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_names_the_same_version() {
        let manifest = include_str!("../../Cargo.toml");
        assert!(manifest.contains(&format!("\nrust-version = \"{VERSION}\"\n")));
    }
}
