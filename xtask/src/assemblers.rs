//! What takes the generator's texts in its tests, and what runs and checks 32-bit programs.

use crate::process::{compiles, program, root, succeeds};
use crate::sources::apt;
use crate::sources::tools::{self, Elsewhere, Gas};
use std::path::PathBuf;

/// Where the generator's texts are assembled and run.
pub(crate) const RUN: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// How `setup` calls assemblers for older systems.
pub(crate) const OLDER_ASSEMBLERS: &str = "older assemblers";

/// How `setup` calls what links and runs 32-bit programs.
pub(crate) const GCC_32: &str = "32-bit gcc";

/// How `setup` calls the peer of 32-bit kernels.
pub(crate) const LIBCRYPTO_32: &str = "32-bit libcrypto";

/// Assemblers, what links and reads their files, and the packages that have them.
const ASSEMBLERS: [(&str, &str); 11] = [
    ("cc", "gcc"),
    ("as", "binutils"),
    ("x86_64-w64-mingw32-as", "binutils-mingw-w64-x86-64"),
    ("i586-pc-msdosdjgpp-as", "binutils-djgpp"),
    ("aarch64-linux-gnu-as", "binutils-aarch64-linux-gnu"),
    ("aarch64-linux-gnu-ld", "binutils-aarch64-linux-gnu"),
    ("nasm", "nasm"),
    ("yasm", "yasm"),
    ("llvm-mc-19", "llvm-19"),
    ("llvm-ml-19", "llvm-19"),
    ("llvm-readobj-19", "llvm-19"),
];

/// Says which are there, if none is missing, and C programs can be linked.
pub(crate) fn find() -> Option<String> {
    let there = |name: &str| succeeds(program(name).arg("--version"));
    let names = ASSEMBLERS.map(|(name, _)| name);
    let all = names.iter().all(|name| there(name)) && compiles(&mut program("cc"));
    all.then(|| names.join(", "))
}

/// What earlier code was assembled by: a.out, and Solaris' sections and comments.
const OLDER: [Gas; 2] = [Gas { target: "i386-unknown-bsd" }, Gas { target: "i386-pc-solaris2.11" }];

/// Installs them.
///
/// # Errors
/// As [`apt::install`].
pub(crate) fn install() -> Result<(), String> {
    let packages = ASSEMBLERS.map(|(_, package)| package);
    apt::install(&[&packages[..], &["libc6-dev"]].concat())
}

/// Says which older ones are there, if none is missing.
pub(crate) fn find_older() -> Option<String> {
    let there = |gas: &Gas| succeeds(program(gas.program()).arg("--version"));
    OLDER
        .iter()
        .all(there)
        .then(|| format!("GNU as for {}", OLDER.map(|gas| gas.target).join(", ")))
}

/// Builds them.
///
/// # Errors
/// As [`apt::install`] and [`Gas::build`].
pub(crate) fn install_older() -> Result<(), String> {
    apt::install(&[
        "binutils-source",
        "flex",
        "bison",
        "m4",
        "make",
        "gcc",
        "libc6-dev",
        "xz-utils",
    ])?;
    OLDER.iter().try_for_each(Gas::build)?;
    tools::forget_sources()
}

/// Says where the 32-bit C library is, if gcc finds it.
pub(crate) fn find_32_bit_gcc() -> Option<String> {
    compiles(program("gcc").arg("-m32")).then(|| "gcc -m32 compiles and links".to_owned())
}

/// Installs it.
///
/// # Errors
/// As [`apt::install`].
pub(crate) fn install_32_bit_gcc() -> Result<(), String> {
    apt::install(&["gcc-12-multilib"])
}

const I386: Elsewhere = Elsewhere { architecture: "i386", release: None, suite: "" };

/// Where OpenSSL's library for 32 bits is, once it was fetched.
pub(crate) fn libcrypto_32_bit() -> PathBuf {
    tools::folder().join("i386/usr/lib/i386-linux-gnu/libcrypto.so.3")
}

/// Says where OpenSSL's library for 32 bits is, if it is there.
pub(crate) fn find_32_bit_libcrypto() -> Option<String> {
    let library = libcrypto_32_bit();
    let shown = library.strip_prefix(root()).unwrap_or(&library).display().to_string();
    library.exists().then_some(shown)
}

/// Fetches it.
///
/// # Errors
/// As [`Elsewhere::unpack`].
pub(crate) fn install_32_bit_libcrypto() -> Result<(), String> {
    I386.unpack(&["libssl3"], "i386")
}
