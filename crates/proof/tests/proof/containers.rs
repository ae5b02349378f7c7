//! The command on static libraries of every system: the library as it is built for it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Systems, the manifest whose kernels the library has there, and how many of them are proved once more, from that
/// container.
const TARGETS: [(&str, &str, usize); 6] = [
    ("x86_64-unknown-linux-gnu", X64, 8),
    ("x86_64-pc-windows-gnu", X64, 8),
    ("x86_64-pc-windows-msvc", X64, 8),
    ("x86_64-apple-darwin", X64, 8),
    ("aarch64-pc-windows-msvc", AARCH64, 2),
    ("aarch64-apple-darwin", AARCH64, 2),
];
const X64: &str = "x86_64.toml";
const AARCH64: &str = "aarch64.toml";

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

/// What the command says, which succeeds.
fn said(options: &[&str], library: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_prove")).args(options).arg(library).output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}{errors}", library.display());
    said
}

/// Every kernel is one that was proved, by its bytes; some are proved from the container itself.
#[test]
fn rare_static_libraries_of_every_system_have_the_proved_kernels() {
    let folder = built();
    let manifests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proved");
    for (target, manifest, proved) in TARGETS {
        let library = folder.join(target).join("debug/libcipherloom.rlib");
        let manifest = manifests.join(manifest);
        let text = std::fs::read_to_string(&manifest).unwrap();
        let all = text.lines().filter(|line| line.starts_with("[")).count();
        let compared = said(&["--compare", manifest.to_str().unwrap()], &library);
        let expected = format!("{all} of {all} kernels are the code that was proved\n");
        assert!(all > 40 && compared == expected, "{target}: {compared}");
        let some = said(&["--only=rc4_setup"], &library);
        let expected = format!("{proved} of {proved} kernels proved");
        assert!(some.contains(&expected), "{target}: {some}");
        let is_elf = target.contains("linux");
        assert_eq!(is_elf, !some.contains("unwind information is looked at in ELF files only"));
        println!("{target}: {compared}{some}");
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
