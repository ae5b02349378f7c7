//! This machine's OpenSSL, and for the tests of the provider a later one, and one that is built here.

use crate::process::{output, program, root, succeeds};
use crate::sources::apt;
use crate::sources::tools::{self, Elsewhere};

/// How `setup` calls the later one.
pub(crate) const NAME: &str = "OpenSSL 3.5";

/// Its folder in `target/tools`, and in that the libraries: the tests look there, too.
const FOLDER: &str = "debian-13";
const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";

const DEBIAN_13: Elsewhere =
    Elsewhere { architecture: "amd64", release: Some("trixie"), suite: "" };

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

/// How `setup` calls an OpenSSL that has cipher suites with Triple-DES, and its own tests: Debian's has neither.
pub(crate) const BUILT: &str = "OpenSSL from its sources";

/// Its folder in `target/tools`: the tests look there, too.
const BUILT_FOLDER: &str = "openssl-built";

/// Where its sources are meanwhile.
const SOURCES: &str = "openssl-sources";

/// What it does without: without it is sooner built. It is one program, and only ciphers of ours are looked at.
const WITHOUT: &str = "argon2 aria asm bf camellia cast cmp comp ct docs dtls ec2m engine gost idea \
                       makedepend md4 mdc2 ml-dsa ml-kem module ocb quic rc2 rc5 rmd160 scrypt seed shared siphash \
                       slh-dsa sm2 sm4 srp ts whirlpool";

/// The programs that are wanted of it.
const PROGRAMS: [&str; 2] = ["apps/openssl", "test/evp_test"];

/// The known answers that its tests have for ciphers.
const DATA: &str = "test/recipes/30-test_evp_data";

/// Says which it is, if it is there and has such suites.
pub(crate) fn find_built() -> Option<String> {
    let folder = tools::folder().join(BUILT_FOLDER);
    let openssl = folder.join("openssl");
    let suites = output(program(&openssl).args(["ciphers", "-s", "ALL:@SECLEVEL=0"]))?;
    let has_data = folder.join("data/evpciph_des3_common.txt").exists();
    let version = output(program(&openssl).arg("version"))?;
    (suites.contains("DES-CBC3-SHA") && has_data).then(|| version.trim().to_owned())
}

/// Builds it from the sources that Debian 13 has of it.
///
/// # Errors
/// The sources are not to be had, or the build fails.
pub(crate) fn install_built() -> Result<(), String> {
    apt::install(&["gcc", "libc6-dev", "make", "perl"])?;
    DEBIAN_13.unpack_sources("openssl", SOURCES)?;
    let sources = tools::folder().join(SOURCES);
    let mut configure = program("perl");
    configure.current_dir(&sources).args(["Configure", "enable-weak-ssl-ciphers", "-O0"]);
    tools::quietly(configure.args(WITHOUT.split_whitespace().map(|what| format!("no-{what}"))))?;
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    for targets in [&["build_generated"][..], &PROGRAMS] {
        let mut make = program("make");
        make.current_dir(&sources).args(["-s", &format!("-j{jobs}")]).args(targets);
        tools::quietly(&mut make)?;
    }
    let folder = tools::folder().join(BUILT_FOLDER);
    let io = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder.join("data")).map_err(io)?;
    for name in PROGRAMS {
        let name = sources.join(name);
        std::fs::copy(&name, folder.join(name.file_name().unwrap_or_default())).map_err(io)?;
    }
    for file in std::fs::read_dir(sources.join(DATA)).map_err(io)?.flatten() {
        if file.file_name().to_string_lossy().starts_with("evpciph_") {
            std::fs::copy(file.path(), folder.join("data").join(file.file_name())).map_err(io)?;
        }
    }
    std::fs::remove_dir_all(sources).map_err(io)
}
