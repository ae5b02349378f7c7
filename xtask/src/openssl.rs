//! A later OpenSSL than this machine's, for the tests of the provider.

use crate::process::{output, program, root};
use crate::sources::tools::{self, Elsewhere};

/// How `setup` calls it.
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
