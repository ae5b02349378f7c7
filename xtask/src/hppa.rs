//! What assembles and runs the generator's kernels for PA-RISC 2.0.

use crate::process::{compiles, output, program, root, succeeds};
use crate::sources::apt;
use crate::sources::tools::{self, Elsewhere};
use std::path::PathBuf;

/// How `setup` calls the emulator of programs, and that of a machine.
pub(crate) const EMULATOR: &str = "qemu-hppa";
pub(crate) const MACHINE: &str = "qemu-system-hppa";

const TOOLS: [&str; 6] = [
    "hppa-linux-gnu-gcc",
    "hppa-linux-gnu-as",
    "hppa-linux-gnu-objdump",
    "hppa64-linux-gnu-as",
    "hppa64-linux-gnu-ld",
    "hppa64-linux-gnu-objcopy",
];

/// Says which assemblers and compilers are there, if none is missing and programs can be linked.
pub(crate) fn find() -> Option<String> {
    let there = |name: &&str| succeeds(program(name).arg("--version"));
    let all = TOOLS.iter().all(there) && compiles(program(TOOLS[0]).arg("-static"));
    all.then(|| TOOLS.join(", "))
}

/// Installs them.
///
/// # Errors
/// As [`apt::install`].
pub(crate) fn install() -> Result<(), String> {
    apt::install(&[
        "gcc-hppa-linux-gnu",
        "libc6-dev-hppa-cross",
        "binutils-hppa-linux-gnu",
        "binutils-hppa64-linux-gnu",
    ])
}

/// Where an emulator of our own lies.
fn own(name: &str) -> PathBuf {
    tools::folder().join("bin").join(name)
}

/// Says where an emulator is, if it knows 64-bit PA-RISC: QEMU does from 8.2 on.
pub(crate) fn find_emulator(name: &str) -> Option<String> {
    let variable = format!("CIPHERLOOM_{}", name.to_uppercase().replace('-', "_"));
    let named = std::env::var_os(variable).map(PathBuf::from);
    let found = named.unwrap_or_else(|| if own(name).exists() { own(name) } else { name.into() });
    let says = output(program(&found).arg("--version"))?;
    let shown = found.strip_prefix(root()).unwrap_or(&found).display().to_string();
    (version(&says)? >= (8, 2)).then(|| format!("{}, {shown}", says.lines().next().unwrap_or("")))
}

/// The first two parts of the version in what QEMU says of itself.
fn version(says: &str) -> Option<(u32, u32)> {
    let mut parts = says.split("version ").nth(1)?.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Takes the emulator of programs out of a package of the release's backports, for a release whose own is
/// too old.
///
/// # Errors
/// As [`Elsewhere::unpack`], or the file cannot be moved.
pub(crate) fn install_emulator() -> Result<(), String> {
    unpack("qemu-user", EMULATOR)
}

/// Installs the emulator of a machine with the libraries that it needs, and does the same if it is too old.
///
/// # Errors
/// As [`apt::install`] and [`install_emulator`].
pub(crate) fn install_machine() -> Result<(), String> {
    const PACKAGE: &str = "qemu-system-misc";
    apt::install(&[PACKAGE])?;
    match find_emulator(MACHINE) {
        Some(_) => Ok(()),
        None => unpack(PACKAGE, MACHINE),
    }
}

fn unpack(package: &str, emulator: &str) -> Result<(), String> {
    const BACKPORTS: Elsewhere =
        Elsewhere { architecture: "amd64", release: None, suite: "-backports" };
    const ALL: &str = "qemu";
    BACKPORTS.unpack(&[package], ALL)?;
    let all = tools::folder().join(ALL);
    let failed = |error: std::io::Error| format!("{}: {error}", own(emulator).display());
    std::fs::create_dir_all(tools::folder().join("bin")).map_err(failed)?;
    std::fs::rename(all.join("usr/bin").join(emulator), own(emulator)).map_err(failed)?;
    // The emulators of all other processors, 370 MB.
    std::fs::remove_dir_all(&all).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let debian_12 = "qemu-hppa version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\nCopyright";
        assert_eq!(version(debian_12), Some((7, 2)));
        assert_eq!(version("qemu-hppa version 10.0.2 (Debian)"), Some((10, 0)));
        assert_eq!(version("no such thing"), None);
    }
}
