//! What assembles and runs the generator's kernels for PA-RISC 2.0.

use crate::process::{compiles, output, program, root, succeeds};
use crate::sources::apt;
use crate::sources::tools::{self, Elsewhere};
use std::path::PathBuf;

/// How `setup` calls the emulator.
pub(crate) const EMULATOR: &str = "qemu-hppa";

const TOOLS: [&str; 3] = ["hppa-linux-gnu-gcc", "hppa-linux-gnu-as", "hppa-linux-gnu-objdump"];

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
    apt::install(&["gcc-hppa-linux-gnu", "libc6-dev-hppa-cross", "binutils-hppa-linux-gnu"])
}

/// Where an emulator of our own lies.
fn own() -> PathBuf {
    tools::folder().join("bin").join(EMULATOR)
}

/// Says where the emulator is, if it knows 64-bit PA-RISC: QEMU does from 8.2 on.
pub(crate) fn find_emulator() -> Option<String> {
    let named = std::env::var_os("CIPHERLOOM_QEMU_HPPA").map(PathBuf::from);
    let found = named.unwrap_or_else(|| if own().exists() { own() } else { EMULATOR.into() });
    let says = output(program(&found).arg("--version"))?;
    let shown = found.strip_prefix(root()).unwrap_or(&found).display().to_string();
    (version(&says)? >= (8, 2)).then(|| format!("{}, {shown}", says.lines().next().unwrap_or("")))
}

/// The first two parts of the version in what QEMU says of itself.
fn version(says: &str) -> Option<(u32, u32)> {
    let mut parts = says.split("version ").nth(1)?.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Takes it out of a package of the release's backports, for a release whose own is too old.
///
/// # Errors
/// As [`Elsewhere::unpack`], or the file cannot be moved.
pub(crate) fn install_emulator() -> Result<(), String> {
    const BACKPORTS: Elsewhere =
        Elsewhere { architecture: "amd64", release: None, suite: "-backports" };
    const ALL: &str = "qemu";
    BACKPORTS.unpack(&["qemu-user"], ALL)?;
    let all = tools::folder().join(ALL);
    let failed = |error: std::io::Error| format!("{}: {error}", own().display());
    std::fs::create_dir_all(tools::folder().join("bin")).map_err(failed)?;
    std::fs::rename(all.join("usr/bin").join(EMULATOR), own()).map_err(failed)?;
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
