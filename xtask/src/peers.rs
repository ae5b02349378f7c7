//! `cargo xtask peers`: Cipherloom and other people's libraries, measured side by side.

use crate::process::{self, cargo, output, program, shown, succeeds};
use crate::sources::apt;
use std::path::Path;

/// How `setup` calls what the harness is built with.
pub(crate) const NAME: &str = "peer libraries";

/// The harness: a workspace of its own.
const MANIFEST: &str = "bench/peers/Cargo.toml";

/// What the harness is built with: Debian's package, and what shows that it is there.
const PACKAGES: [(&str, Sign); 8] = [
    ("libssl-dev", Sign::File("/usr/include/openssl/provider.h")),
    ("libgcrypt20-dev", Sign::File("/usr/include/gcrypt.h")),
    ("nettle-dev", Sign::File("/usr/include/nettle/des.h")),
    ("libbotan-2-dev", Sign::File("/usr/include/botan-2/botan/cipher_mode.h")),
    ("libcrypto++-dev", Sign::File("/usr/include/cryptopp/des.h")),
    ("gcc", Sign::Command("gcc", "--version")),
    ("g++", Sign::Command("g++", "--version")),
    ("golang", Sign::Command("go", "version")),
];

/// What takes part where it can be had: the harness says why if it does not.
pub(crate) const OPTIONAL: &str = "libipsec-mb-dev";

/// What shows that it is there.
const OPTIONAL_SIGN: Sign = Sign::File("/usr/include/intel-ipsec-mb.h");

/// By what a package is known.
enum Sign {
    File(&'static str),
    /// A program, and the word that makes it tell its version.
    Command(&'static str, &'static str),
}

/// Measures; what is missing is installed first. `args` go to the harness.
///
/// # Errors
/// A library is missing, the harness cannot be built, or it fails.
pub(crate) fn run(args: &[&str]) -> crate::failure::Result {
    if find().is_none() {
        let failed = |why: String| format!("missing: {}: {why}", missing().join(", "));
        install().map_err(failed)?;
        if find().is_none() {
            return Err(failed("still not there after the installation".into()).into());
        }
    }
    if find_optional().is_none()
        && let Err(why) = install_optional()
    {
        eprintln!("going on without {OPTIONAL}: {why}");
    }
    let words = ["run", "--release", "--manifest-path", MANIFEST, "--"];
    let mut command = cargo(words.into_iter().chain(args.iter().copied()));
    eprintln!("$ {}", shown(&command));
    Ok(process::run(&mut command)?)
}

/// Says what is there, if nothing is missing.
pub(crate) fn find() -> Option<String> {
    let go = output(program("go").arg("version"))?;
    missing().is_empty().then(|| format!("{} packages, {}", PACKAGES.len(), go.trim()))
}

/// Installs what is missing.
///
/// # Errors
/// As [`apt::install`].
pub(crate) fn install() -> Result<(), String> {
    apt::install(&missing())
}

/// Says what is there of [`OPTIONAL`].
pub(crate) fn find_optional() -> Option<String> {
    OPTIONAL_SIGN.is_there().then(|| "intel-ipsec-mb's header".into())
}

/// Installs [`OPTIONAL`] where the lists know it.
///
/// # Errors
/// As [`apt::install`]; the package is not to be had.
pub(crate) fn install_optional() -> Result<(), String> {
    if !apt::knows(OPTIONAL) {
        return Err("apt knows no such package here".into());
    }
    apt::install(&[OPTIONAL])
}

impl Sign {
    fn is_there(&self) -> bool {
        match self {
            Self::File(path) => Path::new(path).exists(),
            Self::Command(name, version) => succeeds(program(name).arg(version)),
        }
    }
}

/// Packages that are not there.
fn missing() -> Vec<&'static str> {
    let missing = PACKAGES.iter().filter(|(_, sign)| !sign.is_there());
    missing.map(|(package, _)| *package).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_found_if_a_package_is_missing() {
        assert_eq!(find().is_some(), missing().is_empty());
    }

    #[test]
    fn the_harness_is_there() {
        assert!(crate::process::root().join(MANIFEST).is_file());
    }
}
