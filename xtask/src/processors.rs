//! `cargo xtask processors`: the library's tests on processors that this one is not, and without
//! assembly. Each must find the backends that it can run, no other, and they must be right.

use crate::process::{self, cargo, program, root, shown};
use crate::report::{Counts, Ran, ran};
use crate::sources::{apt, python, rustup};
use cipherloom::Backend;
use std::process::Command;

/// How `setup` calls the emulator.
pub(crate) const EMULATOR: &str = "qemu-x86_64";

/// The one that runs kernels for AArch64, in the generator's tests.
pub(crate) const EMULATOR_ARM: &str = "qemu-aarch64";

/// Where it runs programs of this very system.
pub(crate) const EMULATES: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// A family of processors for which the library has assembly; what each of its members has, as the library's table
/// of backends names it.
#[derive(Clone, Copy)]
enum Family {
    X64,
    AArch64,
}

impl Family {
    const fn baseline(self) -> &'static str {
        match self {
            Self::X64 => "x86-64",
            Self::AArch64 => "aarch64",
        }
    }
}

/// A processor, or a way to build the library.
struct Processor<'a> {
    name: &'static str,
    /// What it is here for.
    what: &'static str,
    /// What it has beyond all of its family, as the library's table of backends names it; `None` if the
    /// library has no assembly for it.
    has: Option<&'a [&'static str]>,
    family: Family,
    tests: &'static str,
}

impl Processor<'_> {
    /// The backends in assembly that must be found, and no other.
    fn backends(&self) -> Vec<&'static str> {
        let can_run = |backend: &Backend| {
            let (needs, has) = backend.needs().zip(self.has)?;
            (needs == self.family.baseline() || has.contains(&needs)).then_some(backend.name())
        };
        Backend::EVERY.iter().filter_map(can_run).collect()
    }
}

/// Tests of what kernels are handed, which no processor makes differently: the usual tests have them.
const HANDED: &str = "::handed";

/// What finds backends, of which another processor has the same.
const FOUND: &str = "--test backends";
/// What finds backends and runs each of them a little.
const FEW: &str = "--lib --test backends --test miri";
/// What finds backends and has the library choose among them at every length; another processor, this one or an
/// emulated one, has run each of them on vectors.
const CHOSEN: &str = "--lib --test backends --test boundaries --test miri";

/// An x86-64 by the emulator's name.
const fn x64(
    name: &'static str,
    what: &'static str,
    has: &'static [&'static str],
    tests: &'static str,
) -> Processor<'static> {
    Processor { name, what, has: Some(has), family: Family::X64, tests }
}

/// Emulated ones, by the emulator's names. It has no AVX-512.
const EMULATED: [Processor<'static>; 5] = [
    x64("Nehalem", "neither AVX nor BMI2", &[], CHOSEN),
    x64("SandyBridge", "AVX alone", &[], FOUND),
    x64("Haswell", "AVX2 and BMI2", &["avx2", "bmi2"], FEW),
    x64("EPYC", "AVX2, slow BMI2", &["avx2"], FEW),
    x64("EPYC-Milan", "AVX2, fast BMI2", &["avx2", "bmi2"], FEW),
];

/// This one, if it has AVX-512: whoever has that has the others, too, but for VBMI.
const NATIVE: Processor<'static> = x64("this one", AVX512, &["avx512", "avx2", "bmi2"], FEW);

/// This one, if it has everything.
const NATIVE_VBMI: Processor<'static> =
    x64("this one", "AVX-512 with VBMI", &["vbmi", "avx512", "avx2", "gfni", "bmi2"], FEW);

/// What no emulator has, as `setup` calls it.
pub(crate) const AVX512: &str = "AVX-512";

/// The library as it is where there is no assembly for it.
const PORTABLE: Processor<'static> =
    Processor { name: "portable", what: "no assembly", has: None, family: Family::X64, tests: FEW };

/// Emulated ones with AArch64, and whether the library takes them for Apple's.
const ARMS: [(Processor<'static>, bool); 4] = [
    (arm("max", "FEAT_SHA3", &["sha3"], MANY_ARM), false),
    (arm("max", "FEAT_SHA3, Apple's, as released", &["sha3"], RELEASED), true),
    (arm("neoverse-n1", "NEON alone", &[], CHOSEN), false),
    (arm("cortex-a72", "NEON alone, older", &[], FOUND), false),
];

/// What runs each of them a little, and looks at what calls leave on the stack, in a build as users have it.
const RELEASED: &str = "--release --lib --test backends --test miri --test stack";

/// Tests of DES and DESX that take minutes in an emulator.
const OTHER_STACKS: &str = "slow_des";

/// What runs them on vectors and at every length, and what they touch.
const MANY_ARM: &str = "--lib --test alternation --test backends --test boundaries --test guard_pages \
    --test keys --test lanes --test macs --test miri --test proved --test rc4 --test rustcrypto --test vectors";

const fn arm(
    name: &'static str,
    what: &'static str,
    has: &'static [&'static str],
    tests: &'static str,
) -> Processor<'static> {
    Processor { name, what, has: Some(has), family: Family::AArch64, tests }
}

/// Runs the tests everywhere.
///
/// # Errors
/// The tests cannot be built, one fails, or other backends are found than should be.
pub(crate) fn emulated() -> Ran {
    let run = |processor: &Processor<'_>| {
        let mut command = tests(processor);
        let runner = format!("[\"{EMULATOR}\",\"-cpu\",\"{}\"]", processor.name);
        // The build is that of the ordinary tests: only who runs it changes.
        command.args(["--config", &format!("target.'cfg(all())'.runner={runner}")]);
        Ok(check(processor, command.args(["--", "--skip", HANDED]))?)
    };
    EMULATED.iter().map(run).collect()
}

/// Runs the tests on this processor, which has what no emulator has: with the kernels for its vendor's
/// processors, and with those for the other's.
///
/// # Errors
/// As [`emulated`].
pub(crate) fn native() -> Ran {
    let processor = if has_vbmi() { NATIVE_VBMI } else { NATIVE };
    let other = Processor { name: "as other's", ..processor };
    Ok(vec![
        check(&processor, &mut tests(&processor))?,
        check(&other, &mut tests_with(&other, OTHER_VENDOR))?,
    ])
}

/// Runs the tests of a library that was built without assembly.
///
/// # Errors
/// As [`emulated`].
pub(crate) fn portable() -> Ran {
    Ok(vec![check(&PORTABLE, &mut tests_with(&PORTABLE, "cipherloom_portable"))?])
}

/// What Debian calls the compiler that links programs for RISC-V, and the emulator that runs them.
const RISC_V_GCC: &str = "riscv64-linux-gnu-gcc";
const RISC_V_EMULATOR: &str = "qemu-riscv64";

/// How `setup` calls what links and runs them.
pub(crate) const RISC_V: &str = "RISC-V";

/// Says what links and runs programs for RISC-V, if Rust has its standard library as well.
pub(crate) fn find_risc_v() -> Option<String> {
    rustup::find(rustup::RISC_V)?;
    let links = process::compiles(program(RISC_V_GCC).arg("-static"));
    let version = process::output(program(RISC_V_EMULATOR).arg("--version")).filter(|_| links)?;
    Some(format!("{RISC_V_GCC}, {}", version.lines().next()?))
}

/// Installs them.
///
/// # Errors
/// As [`apt::install`] and [`rustup::install`].
pub(crate) fn install_risc_v() -> Result<(), String> {
    apt::install(&["gcc-riscv64-linux-gnu", "libc6-dev-riscv64-cross", "qemu-user"])?;
    rustup::install(rustup::RISC_V)
}

/// Runs the tests of the library for RISC-V, which has the portable kernels.
///
/// # Errors
/// As [`emulated`].
pub(crate) fn risc_v() -> Ran {
    let processor = Processor { name: RISC_V, ..PORTABLE };
    let runner = format!("{RISC_V_EMULATOR} -L /usr/riscv64-linux-gnu");
    let settings = [("LINKER", RISC_V_GCC), ("RUNNER", &*runner)];
    Ok(vec![elsewhere(&processor, rustup::RISC_V, &settings, None)?])
}

/// How `setup` calls the machine that runs WebAssembly beside node, a package of PyPI.
pub(crate) const WASMTIME: &str = "wasmtime";

/// Says which version is there, if Rust has its standard library for WASI as well.
pub(crate) fn find_wasmtime() -> Option<String> {
    rustup::find(rustup::WASI)?;
    let version = "import wasmtime, importlib.metadata as m; print(m.version('wasmtime'))";
    Some(process::output(program(python::interpreter()).args(["-c", version]))?.trim().to_owned())
}

/// Installs both.
///
/// # Errors
/// As [`python::install`] and [`rustup::install`].
pub(crate) fn install_wasmtime() -> Result<(), String> {
    python::install("wasmtime==50.0.1")?;
    rustup::install(rustup::WASI)
}

/// What Debian calls the compiler that links programs for AArch64.
pub(crate) const ARM_GCC: &str = "aarch64-linux-gnu-gcc";

/// How `setup` calls what links and runs them.
pub(crate) const ARM: &str = "AArch64";

/// Says what links and runs programs for AArch64, if Rust has its standard library as well.
pub(crate) fn find_arm() -> Option<String> {
    rustup::find(rustup::ARM)?;
    let links = process::compiles(program(ARM_GCC).arg("-static"));
    let version = process::output(program(EMULATOR_ARM).arg("--version")).filter(|_| links)?;
    Some(format!("{ARM_GCC}, {}", version.lines().next()?))
}

/// Installs them.
///
/// # Errors
/// As [`apt::install`] and [`rustup::install`].
pub(crate) fn install_arm() -> Result<(), String> {
    apt::install(&["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"])?;
    rustup::install(rustup::ARM)
}

/// Runs the tests of the library for AArch64, on several processors.
///
/// # Errors
/// As [`emulated`].
pub(crate) fn arm_linux() -> Ran {
    let run = |(processor, is_other): &(Processor<'_>, bool)| {
        let runner = format!("{EMULATOR_ARM} -cpu {} -L /usr/aarch64-linux-gnu", processor.name);
        let settings = [("LINKER", ARM_GCC), ("RUNNER", &runner)];
        let built = is_other.then_some(OTHER_VENDOR);
        elsewhere(processor, rustup::ARM, &settings, built)
    };
    ARMS.iter().map(run).collect()
}

/// Runs the tests of the library for WebAssembly with vectors of 128 bits, the portable kernels: in node
/// and in wasmtime, whose compilers have nothing in common.
///
/// # Errors
/// As [`emulated`].
pub(crate) fn wasm() -> Ran {
    let script = |name: &str| root().join("xtask").join(name).display().to_string();
    let python = python::interpreter();
    let run = |(what, runner): (&'static str, String)| {
        let processor = Processor { name: "WebAssembly", what, ..PORTABLE };
        let settings = [("RUSTFLAGS", "-Ctarget-feature=+simd128"), ("RUNNER", &*runner)];
        elsewhere(&processor, rustup::WASI, &settings, None)
    };
    let machines = [
        ("in node", format!("node --no-warnings {}", script("wasi.mjs"))),
        ("in wasmtime", format!("{} {}", python.display(), script("wasi.py"))),
    ];
    machines.into_iter().map(run).collect()
}

/// Runs the tests of the library for a target, with Cargo's settings for that, maybe built in another way.
fn elsewhere(
    processor: &Processor<'_>,
    target: &str,
    settings: &[(&str, &str)],
    built: Option<&str>,
) -> crate::failure::Result<String> {
    let mut command = built.map_or_else(|| tests(processor), |cfg| tests_with(processor, cfg));
    command.args(["--target", target]);
    // It compares hashes there, and proves nothing.
    command.args(["--config", "profile.dev.package.cipherloom-proof.opt-level=0"]);
    let name = target.to_uppercase().replace('-', "_");
    let settings = settings.iter().map(|(what, is)| (format!("CARGO_TARGET_{name}_{what}"), is));
    // It starts itself once more, as a program of this system.
    const LEFT_OUT: &str = "first_use_tests_the_backend_and_no_other";
    println!("left out: {LEFT_OUT}");
    command.envs(settings).args(["--", "--skip", LEFT_OUT]);
    if processor.tests != MANY_ARM {
        println!("left out: {HANDED}, which is the same for all of a family");
        command.args(["--skip", HANDED]);
    }
    if processor.tests == RELEASED {
        println!("left out: {OTHER_STACKS}, whose calls are those of Triple-DES");
        command.args(["--skip", OTHER_STACKS]);
    }
    Ok(check(processor, &mut command)?)
}

/// Runs the tests of the library for Windows, on this processor; `set` has Cargo build and run them there.
/// They must find what the library finds here.
///
/// # Errors
/// As [`emulated`].
pub(crate) fn windows(set: impl FnOnce(&mut Command)) -> crate::failure::Result<String> {
    let has: Vec<_> = Backend::all().iter().filter_map(|backend| backend.needs()).collect();
    let windows = Processor {
        name: "Windows",
        what: "this processor",
        has: Some(&has),
        tests: CHOSEN,
        ..NATIVE
    };
    let mut command = tests(&windows);
    set(&mut command);
    Ok(check(&windows, &mut command)?)
}

/// Says so if this processor has AVX-512 (F, BW, DQ and VL) and the library has assembly for it.
pub(crate) fn find_avx512() -> Option<String> {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    let has = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    let has = false;
    has.then(|| "this processor has it".to_owned())
}

/// Whether this processor has VBMI and GFNI.
fn has_vbmi() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = is_x86_feature_detected!("avx512vbmi") && is_x86_feature_detected!("gfni");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// Says what emulates, if something does.
pub(crate) fn find() -> Option<String> {
    let version = process::output(program(EMULATOR).arg("--version")).filter(|_| EMULATES)?;
    Some(version.lines().next()?.to_owned())
}

fn tests(processor: &Processor<'_>) -> Command {
    let words = "test --package cipherloom --all-features";
    let mut command = cargo(words.split(' ').chain(processor.tests.split_whitespace()));
    command.env("CIPHERLOOM_QUICK", "1");
    command
}

/// With the kernels and the costs of another vendor's processors.
const OTHER_VENDOR: &str = "cipherloom_other_vendor";

/// The tests of a library that was built in another way.
fn tests_with(processor: &Processor<'_>, cfg: &str) -> Command {
    let mut command = tests(processor);
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default() + " --cfg " + cfg;
    // Builds with other flags would push each other out of one folder.
    command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", root().join("target").join(cfg));
    command
}

/// Runs tests, and prints and returns a line about them.
fn check(processor: &Processor<'_>, command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| process::not_started(command, &error))?;
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let outcome = if output.status.success() {
        judge(&processor.backends(), &stdout, &stderr)
    } else {
        Err(output.status.to_string())
    };
    match outcome {
        Ok(summary) => Ok(ran(processor.name, processor.what, summary)),
        Err(why) => {
            println!("$ {}\n{stdout}{stderr}", shown(command));
            Err(format!("{}: {why}", processor.name))
        }
    }
}

/// What the test kit prints before the names of the backends that a test program forces.
const TOLD: &str = "backends under test here: ";

/// Every test program that names backends must name these in assembly.
fn judge(expected: &[&str], stdout: &str, stderr: &str) -> Result<String, String> {
    let passed = Counts::of(stdout).passed;
    let told: Vec<&str> =
        stderr.lines().filter_map(|line| Some(line.split_once(TOLD)?.1)).collect();
    for names in &told {
        let assembly: Vec<_> =
            names.split(", ").filter(|name| !name.starts_with("portable-")).collect();
        if assembly != expected {
            return Err(format!("ran {assembly:?} and should have run {expected:?}"));
        }
    }
    match told.first() {
        Some(names) if passed > 0 => Ok(format!("{passed} tests: {names}")),
        _ => Err("no test that names its backends ran".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUT: &str = "test result: ok. 3 passed; 0 failed\ntest result: ok. 4 passed; 0 failed\n";

    #[test]
    fn what_ran_is_compared_with_what_should_have() {
        let err = format!("noise\n{TOLD}x86-64-table, portable-table\n");
        let summary = judge(&["x86-64-table"], OUT, &err).unwrap();
        assert_eq!(summary, "7 tests: x86-64-table, portable-table");
        assert!(judge(&[], OUT, &err).is_err(), "a backend too many");
        assert!(judge(&["x86-64-table", "x86-64-rc4-loop"], OUT, &err).is_err(), "one too few");
        let err = format!("{err}test a ... {TOLD}portable-table\n");
        assert!(judge(&["x86-64-table"], OUT, &err).is_err(), "another program found another");
    }

    #[test]
    fn every_backend_must_be_found_somewhere() {
        for backend in Backend::EVERY.iter().filter(|backend| backend.needs().is_some()) {
            let arms = ARMS.iter().map(|(arm, _)| arm);
            let mut all = EMULATED.iter().chain(arms).chain([&NATIVE, &NATIVE_VBMI]);
            assert!(all.any(|one| one.backends().contains(&backend.name())), "{backend:?}");
        }
        assert!(PORTABLE.backends().is_empty());
        assert_eq!(EMULATED[0].backends().len(), 4);
    }

    #[test]
    fn nothing_that_ran_is_a_failure() {
        assert!(judge(&[], OUT, "").is_err());
        assert!(judge(&[], "", &format!("{TOLD}portable-table\n")).is_err());
    }
}
