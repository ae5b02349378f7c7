//! The command on static libraries of every system: the library as it is built for it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Systems, which kernels are proved of the library there, and how many these are: all for each container but ELF, some
/// where another target has the same.
const TARGETS: [(&str, &str, usize); 6] = [
    ("x86_64-unknown-linux-gnu", SOME, 8),
    ("x86_64-pc-windows-gnu", SOME, 8),
    ("x86_64-pc-windows-msvc", ALL, 151),
    ("x86_64-apple-darwin", SOME, 8),
    ("aarch64-pc-windows-msvc", SOME, 2),
    ("aarch64-apple-darwin", ALL, 45),
];
const ALL: &str = "--only=";
const SOME: &str = "--only=rc4_setup";

/// The library for all systems: its objects in an archive each. Kernels are the same however the compiler
/// works on the rest, so that does not take long.
fn built() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("containers");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--package", "cipherloom", "--no-default-features"]);
    cargo.args(["--config", "profile.dev.package.cipherloom.opt-level=0"]);
    cargo.args(TARGETS.iter().flat_map(|(target, ..)| ["--target", target]));
    let output = cargo.arg("--target-dir").arg(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n(`cargo xtask setup` adds these targets to Rust)");
    folder
}

#[test]
fn rare_static_libraries_of_every_system_are_proved() {
    let folder = built();
    for (target, only, kernels) in TARGETS {
        let library = folder.join(target).join("debug/libcipherloom.rlib");
        let output = Command::new(env!("CARGO_BIN_EXE_prove")).arg(only).arg(&library).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{target}: {said}{errors}");
        assert!(
            said.contains(&format!("{kernels} of {kernels} kernels proved")),
            "{target}: {said}"
        );
        let is_elf = target.contains("linux");
        assert_eq!(is_elf, !said.contains("unwind information is looked at in ELF files only"));
        println!("{target}: {said}");
    }
}

/// What is no library, and one without object files.
#[test]
fn what_cannot_be_linked_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("library.a");
    for (bytes, expected) in [
        (&b"!<arch>\n"[..], "a static library without object files"),
        (b"!<arch>\nabc", "Invalid archive member header"),
        (b"text", "Could not read file magic"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_prove")).arg(&file).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(expected) && errors.lines().count() == 1, "{errors}");
    }
}
