//! `cargo xtask traces`: what the compiler made of the library for other systems, run under an
//! emulator with many secrets. Blocks, loads and stores must be the same for all of them.

use crate::process::{self, cargo, output, program, root, shown};
use crate::side_by_side::side_by_side;
use crate::sources::{python, rustup};
use std::path::{Path, PathBuf};

/// How `setup` calls what this needs.
pub(crate) const NAME: &str = "emulator of code";

/// On PyPI; `trace.py` uses some of its insides.
const UNICORN: &str = "2.1.4";

/// A system whose code is looked at.
struct System {
    /// As `trace.py` calls it.
    name: &'static str,
    target: &'static str,
    /// What the compiler must not take for granted, as the emulator does not have it.
    without: Option<&'static str>,
    /// Words for `rust-lld`: an executable that stands alone and needs no relocation, and is called NAME.
    link: &'static str,
}

const SYSTEMS: [System; 4] = [
    System {
        name: "linux-aarch64",
        target: rustup::ARM,
        without: None,
        link: "-flavor gnu -m aarch64linux --gc-sections --image-base=0x10000000 -e entry -u entry -o NAME",
    },
    System {
        name: "windows-x86_64",
        target: "x86_64-pc-windows-gnu",
        without: None,
        link: "-flavor link /subsystem:console /nodefaultlib /fixed /base:0x10000000 /entry:entry \
            /include:entry /out:NAME",
    },
    System {
        name: "macos-x86_64",
        target: rustup::MACOS_X64,
        without: None,
        link: "-flavor darwin -arch x86_64 -platform_version macos 11.0 11.0 -dead_strip -e _entry \
            -u _entry -o NAME",
    },
    System {
        name: "macos-aarch64",
        target: rustup::MACOS,
        without: Some("dit"),
        link: "-flavor darwin -arch arm64 -platform_version macos 11.0 11.0 -dead_strip -e _entry \
            -u _entry -o NAME",
    },
];

/// Builds the program for each system, has it emulated, and prints a line for each piece of work.
///
/// # Errors
/// Something cannot be built or run, a trace depends on a secret, or a deliberate leak is not found.
pub(crate) fn run() -> crate::failure::Result {
    let folder = root().join("target/traces");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let recorder = folder.join("recorder.so");
    let mut command = program("rustc");
    command.args(["--edition", "2024", "-O", "--crate-type", "cdylib", "-o"]);
    process::run(command.arg(&recorder).arg("xtask/traces/recorder.rs"))?;

    let images = SYSTEMS.iter().map(|system| build(system, &folder));
    let images = images.collect::<Result<Vec<_>, _>>()?;
    let each: Vec<_> = SYSTEMS.iter().zip(images).collect();
    let emulated = side_by_side(&each, |(system, image)| {
        let mut command = program(python::interpreter());
        command.args(["xtask/traces/trace.py", system.name]).args([image, &recorder]);
        let output = command.output().map_err(|error| process::not_started(&command, &error));
        (shown(&command), output)
    });
    let mut failed = Vec::new();
    for (command, output) in emulated {
        let output = output?;
        let [said, errors] = [&output.stdout, &output.stderr].map(|s| String::from_utf8_lossy(s));
        print!("$ {command}\n{said}{errors}");
        if !output.status.success() {
            failed.push(format!("`{command}` failed: {}", output.status));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("; ").into()) }
}

/// The linked program.
fn build(system: &System, folder: &Path) -> Result<PathBuf, String> {
    let words = "build --quiet --locked --release --manifest-path xtask/traces/Cargo.toml --target";
    let mut command = cargo(words.split(' ').chain([system.target]));
    if let Some(feature) = system.without {
        command.env("RUSTFLAGS", format!("-Ctarget-feature=-{feature}"));
    }
    process::run(command.arg("--target-dir").arg(folder))?;
    let library = folder.join(system.target).join("release/libcipherloom_traces.a");
    let image = folder.join(system.name);
    let linker = linker().ok_or("this Rust toolchain has no rust-lld")?;
    let mut command = program(linker);
    let words = system.link.replace("NAME", system.name);
    command.current_dir(folder).args(words.split_whitespace());
    process::run(command.arg(library))?;
    Ok(image)
}

/// The linker that comes with Rust; it links for every system.
fn linker() -> Option<PathBuf> {
    let about = output(program("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "))?;
    let sysroot = output(program("rustc").args(["--print", "sysroot"]))?;
    let name = format!("rust-lld{}", std::env::consts::EXE_SUFFIX);
    let linker = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin").join(name);
    linker.is_file().then_some(linker)
}

/// Says what emulates, if that, the linker and the targets are there.
pub(crate) fn find() -> Option<String> {
    linker()?;
    if SYSTEMS.iter().any(|system| rustup::find(system.target).is_none()) {
        return None;
    }
    let script = "import unicorn; print(unicorn.__version__)";
    let version = output(program(python::interpreter()).args(["-c", script]))?;
    (version.trim() == UNICORN).then(|| format!("Unicorn {UNICORN}, four targets, rust-lld"))
}

/// Installs the emulator and the targets.
///
/// # Errors
/// There is no Python, pip cannot reach PyPI, or a target cannot be had.
pub(crate) fn install() -> Result<(), String> {
    for system in &SYSTEMS {
        if rustup::find(system.target).is_none() {
            rustup::install(system.target)?;
        }
    }
    python::install(&format!("unicorn=={UNICORN}"))
}
