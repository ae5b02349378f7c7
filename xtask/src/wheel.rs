//! `cargo xtask python`: the wheel, installed as a user installs it, and its tests.

use crate::process::{self, output, program, root, shown, succeeds};
use crate::sources::tools::{self, Elsewhere};
use crate::sources::{apt, python, rustup};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How `setup` calls the packages that the tests need.
pub(crate) const NAME: &str = "Python's packages";

const ENVIRONMENT: &str = "target/python";

/// Where cargo builds the wheel: a workspace of its own.
pub(crate) const TARGET: &str = "target/python-build";

/// What builds the wheel; what its types are checked by; peers; and whose columns go in.
const PACKAGES: [&str; 12] = [
    "maturin==1.16.0",
    ZIG,
    "mypy==2.4.1",
    "pytest==9.2.0",
    "pycryptodome==4.4.0",
    "pycryptodome-test-vectors==1.0.29",
    "numpy==2.4.6",
    "pyarrow==26.0.1",
    "pandas==3.1.1",
    "polars==2.1.0",
    "duckdb==2.0.0",
    "datafusion==55.0.0",
];

/// How `setup` calls what builds the wheel for Arm, and a Python to run it.
pub(crate) const ARM: &str = "Python for Arm";

/// What cargo calls Linux on this processor.
const X64: &str = "x86_64-unknown-linux-gnu";

/// A C compiler that links for any system.
const ZIG: &str = "ziglang==0.17.1";

/// Where Debian's packages of another processor are unpacked, in `target/tools`.
const ARM_FOLDER: &str = "arm64-python";

/// What makes a Python of Debian 12, and runs it.
const ARM_PYTHON: &str = "usr/bin/python3.11";
const ARM_PACKAGES: [&str; 12] = [
    "python3.11-minimal",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "libc6",
    "libgcc-s1",
    "libssl3",
    "libexpat1",
    "zlib1g",
    "libffi8",
    "libuuid1",
    "libbz2-1.0",
    "liblzma5",
];

/// Spark is Java's.
const SPARK: &str = "pyspark==4.3.0";
/// What its client for Spark Connect needs, by the extra's name and by a package of that.
const CONNECT: (&str, &str) = ("pyspark[connect]==4.3.0", "grpcio-status==");

/// Prints the packages that are there, as pip wants them.
const SCRIPT: &str = "\
import importlib.metadata as own
for one in own.distributions(): print(one.name.lower() + '==' + one.version)";

/// Builds the wheel, installs it, and tests it; then one for every Linux on x86-64, and runs what is in it.
///
/// # Errors
/// A check fails.
pub(crate) fn run() -> crate::failure::Result {
    // The command of docs/PYTHON.md, with this environment's tools and the build's folder.
    let mut install = python(
        "-m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall \
         ./crates/python",
    );
    install.env("CARGO_TARGET_DIR", root().join(TARGET));
    install.env("MATURIN_PEP517_ARGS", "--locked");
    step(&mut install)?;
    step(&mut python(
        "-m mypy --config-file crates/python/pyproject.toml --cache-dir target/python/mypy -p cipherloom",
    ))?;
    step(&mut python("-m mypy.stubtest cipherloom._cipherloom"))?;
    step(&mut python("-m pytest -q -p no:cacheprovider crates/python/tests"))?;
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let packages = portable(X64, "target/python-x86-64")?;
        check(python("-B"), &packages, "x86_64")?;
    }
    Ok(())
}

/// Builds the wheel for Linux on Arm, with 64 bits, and runs what is in it by an emulator.
///
/// # Errors
/// It cannot be built, or gives wrong answers.
pub(crate) fn run_arm() -> crate::failure::Result {
    let packages = portable(rustup::ARM, "target/python-arm")?;
    check(arm_python(), &packages, "aarch64")
}

/// Builds the wheel that any Linux of this processor takes since glibc 2.17, and unpacks it: gives where its
/// packages are. Maturin refuses a library that asks for more than that.
fn portable(target: &str, folder: &str) -> Result<PathBuf, String> {
    let folder = root().join(folder);
    let _ = std::fs::remove_dir_all(&folder);
    let mut build = python(
        "-m maturin build --quiet --locked --release --zig --compatibility manylinux2014 \
         --manifest-path crates/python/Cargo.toml --target",
    );
    build.arg(target);
    build.args(["--target-dir", TARGET, "--out"]).arg(&folder);
    step(&mut build)?;
    let found = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
    let wheel = found
        .flatten()
        .map(|entry| entry.path())
        .next()
        .ok_or_else(|| "there is no wheel".to_owned())?;
    // A wheel is an archive of what an interpreter finds.
    let mut unpack = python("-m zipfile -e");
    let packages = folder.join("packages");
    unpack.arg(&wheel).arg(&packages);
    step(&mut unpack)?;
    Ok(packages)
}

/// Known answers of what is in a wheel, by a Python for this machine.
fn check(mut python: Command, packages: &Path, machine: &str) -> crate::failure::Result {
    python.env("PYTHONPATH", packages).args(["crates/python/tests/portable/check.py", machine]);
    step(&mut python)?;
    Ok(())
}

/// The environment's Python with these words; what it starts finds the environment's programs first.
fn python(words: &str) -> Command {
    let python = python::interpreter_in(ENVIRONMENT);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = python.parent().map(ToOwned::to_owned);
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path)));
    let mut command = program(python);
    command.args(words.split(' ')).envs(path.ok().map(|path| ("PATH", path)));
    command
}

fn arm_python() -> Command {
    let root = tools::folder().join(ARM_FOLDER);
    let mut command = program("qemu-aarch64");
    command.arg("-L").arg(&root).arg(root.join(ARM_PYTHON));
    command
}

fn step(command: &mut Command) -> Result<(), String> {
    println!("$ {}", shown(command));
    process::run(command)
}

pub(crate) fn find() -> Option<String> {
    let there = output(program(python::interpreter_in(ENVIRONMENT)).args(["-c", SCRIPT]))?;
    let is_there = |package: &&str| there.lines().any(|own| own == *package);
    let has_connect = there.lines().any(|own| own.starts_with(CONNECT.1));
    let java = succeeds(program("java").arg("-version"));
    (PACKAGES.iter().all(is_there) && is_there(&SPARK) && has_connect && java)
        .then(|| format!("{} packages and Java, in {ENVIRONMENT}", PACKAGES.len() + 1))
}

pub(crate) fn install() -> Result<(), String> {
    if !succeeds(program("java").arg("-version")) {
        apt::install(&["default-jre-headless"])?;
    }
    python::install_in(ENVIRONMENT, &PACKAGES)?;
    python::install_in(ENVIRONMENT, &[CONNECT.0])
}

pub(crate) fn find_arm() -> Option<String> {
    rustup::find(rustup::ARM)?;
    let there = output(program(python::interpreter_in(ENVIRONMENT)).args(["-c", SCRIPT]))?;
    let version = output(arm_python().arg("--version"))?;
    let maturin = PACKAGES[0];
    [ZIG, maturin]
        .iter()
        .all(|package| there.lines().any(|own| own == *package))
        .then(|| version.trim().to_owned())
}

pub(crate) fn install_arm() -> Result<(), String> {
    if rustup::find(rustup::ARM).is_none() {
        rustup::install(rustup::ARM)?;
    }
    if !succeeds(program("qemu-aarch64").arg("--version")) {
        apt::install(&["qemu-user"])?;
    }
    python::install_in(ENVIRONMENT, &[PACKAGES[0], ZIG])?;
    let arm = Elsewhere { architecture: "arm64", release: Some("bookworm"), suite: "" };
    arm.unpack(&ARM_PACKAGES, ARM_FOLDER)
}
