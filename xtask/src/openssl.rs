//! This machine's OpenSSL, and a later one for the tests of the provider.

use crate::process::{output, program, root, succeeds};
use crate::sources::apt;
use crate::sources::tools::{self, Elsewhere};

/// How `setup` calls the later one.
pub(crate) const NAME: &str = "OpenSSL 3.5";

/// Its folder in `target/tools`, and in that the libraries: the tests look there, too.
const FOLDER: &str = "debian-13";
const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";

/// With the C library that they were built for.
const PACKAGES: [&str; 7] = [
    "openssl",
    "openssl-provider-legacy",
    "libssl3t64",
    "libc6",
    "libgcc-s1",
    "libzstd1",
    "zlib1g",
];

/// Says which it is and where, if it is there and runs.
pub(crate) fn find() -> Option<String> {
    let folder = tools::folder().join(FOLDER);
    let libraries = folder.join(LIBRARIES);
    let mut command = program(libraries.join("ld-linux-x86-64.so.2"));
    command.arg("--library-path").arg(&libraries).arg(folder.join("usr/bin/openssl"));
    let said = output(command.arg("version"))?;
    let shown = folder.strip_prefix(root()).unwrap_or(&folder).display().to_string();
    said.starts_with("OpenSSL 3.5").then(|| format!("{}, {shown}", said.trim()))
}

/// Takes it out of Debian 13's packages.
///
/// # Errors
/// As [`Elsewhere::unpack`].
pub(crate) fn install() -> Result<(), String> {
    const DEBIAN_13: Elsewhere =
        Elsewhere { architecture: "amd64", release: Some("trixie"), suite: "" };
    DEBIAN_13.unpack(&PACKAGES, FOLDER)
}

/// Version 3 or later, and able to run a cipher of the legacy provider.
pub(crate) fn find_command() -> Option<String> {
    let openssl = std::env::var_os("CIPHERLOOM_OPENSSL").unwrap_or_else(|| "openssl".into());
    let version = output(program(&openssl).arg("version"))?.trim().to_owned();
    let major = version.strip_prefix("OpenSSL ")?.split('.').next()?;
    let rc4 = "enc -rc4 -K 000102030405060708090a0b0c0d0e0f -provider legacy -provider default";
    let recent = major.parse::<u32>().is_ok_and(|major| major >= 3);
    (recent && succeeds(program(&openssl).args(rc4.split(' ')))).then_some(version)
}

/// Later Debians have the legacy provider in a package of its own.
pub(crate) fn install_command() -> Result<(), String> {
    apt::install(&["openssl"])?;
    const LEGACY: &str = "openssl-provider-legacy";
    if apt::knows(LEGACY) { apt::install(&[LEGACY]) } else { Ok(()) }
}
