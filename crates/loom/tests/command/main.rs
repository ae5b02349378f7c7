//! The command `loom`, run as a user runs it.

mod calibrate;
mod check;
mod circuits;
mod emit;
mod stats;

use std::process::{Command, Output, Stdio};

use loom::isa::registry;
use loom::isa::x86::conventions::SYSV64;
use loom::library;
use loom::tune::Store;
use loom::variant::KernelVariant;
use serde_json::Value;

fn loom(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_loom")).args(arguments).output();
    output.expect("the command starts")
}

/// Standard output of a run that succeeds and has nothing to remark.
fn said(arguments: &[&str]) -> String {
    let output = loom(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// The line on standard error of a run that fails with an exit code.
fn refused(arguments: &[&str], code: i32) -> String {
    let output = loom(arguments);
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(lines.len(), 1, "{arguments:?}: {errors}");
    assert!(lines[0].starts_with("loom: "), "{errors}");
    lines[0].to_owned()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&said(arguments)).expect("JSON")
}

/// A directory without tuned files, so that those of the tree make no difference.
fn nowhere() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn slow_list_names_every_kernel_once() {
    let folder = nowhere();
    let tuned = folder.path().to_str().unwrap();
    let text = said(&["list", "--tuned", tuned]);
    let names: Vec<_> = text.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect();
    let all = registry::targets().flat_map(KernelVariant::all);
    let all: Vec<_> = all.map(|variant| variant.to_string()).collect();
    assert_eq!(names, all);
    let rows = json(&["list", "--shipped", "--json", "--tuned", tuned]);
    let shipped = registry::targets()
        .map(|t| library::variants_for(t).len() + library::variants_of_vendors(t).len())
        .sum::<usize>();
    assert_eq!(rows.as_array().unwrap().len(), shipped);
    let chain = json(&["list", "des_encrypt_table64_chain", "--json", "--tuned", tuned]);
    assert_eq!(chain[0]["per"], "block");
    assert_eq!(chain[0]["shipped"], true);
    assert_eq!(chain[0]["tuned"], false);
    assert_eq!(chain[0]["params"][0]["bytes_per_count"], 8);
    assert_eq!(chain[0]["params"][3]["access"], "read and write");
}

#[test]
fn bad_usage_is_one_line_and_exit_code_2() {
    for (arguments, expected) in [
        (&["circuits"][..], "no command given"),
        (&["circuits", "search"], "--set"),
        (&["circuits", "search", "--set", "nand"], "plain, select, sha3, lut3 or lut3-xor"),
        (&["circuits", "search", "--set", "lut3", "--sbox", "9"], "from 1 to 8"),
        (&["circuits", "search", "--set", "lut3", "--time", "soon"], "no time like"),
        (&["circuits", "search", "--set", "lut3", "--threads", "0"], "threads"),
        (&["emit", "rc4"], "no kernel `rc4`; `loom list` names them"),
        (&["emit", "rc4_setup_s8", "--format", "gas"], "no format `gas`"),
        (&["emit", "rc4_setup_s8", "--abi", "cdecl"], "sysv64 or win64"),
        (&["emit", "rc4_setup_s8", "--cpu", "386", "--abi", "win64"], "cdecl-pic or win32"),
        (
            &["emit", "x86/des_encrypt1", "--format", "coff-masm", "--abi", "cdecl-pic"],
            "no distances between two labels",
        ),
        (&["emit", "rc4_setup_s8", "--format", "aout-att"], "code of 32 bits only"),
        (&["emit", "rc4_setup_s8", "--format", "bsdi-att"], "BSD/OS had programs of 32 bits only"),
        (&["emit", "rc4_setup_s8", "--format", "cpp-att"], "two are a.out"),
        (&["emit", "rc4_setup_s8", "--cpu", "386", "--format", "aout-yasm"], "writes no a.out"),
        (
            &["emit", "bitslice256_rows_in_avx512", "--format", "elf-yasm"],
            "no `elf-yasm`: `bitslice256_rows_in_avx512` needs avx512, which YASM does not know",
        ),
        (&["emit", "des_encrypt_table64", "--cpu", "386"], "words of 64 bits"),
        (&["emit", "rc4_setup_s8", "--cpu", "386-real"], "not made for real mode"),
        (
            &["emit", "des_encrypt_table32", "--cpu", "386-real", "--format", "elf"],
            "left to assemblers",
        ),
        (&["emit", "des_encrypt_table32", "--cpu", "386-real", "--format", "macho-att"], "16 bits"),
        (&["emit", "des_encrypt_table32_bmi2", "--cpu", "386"], "needs bmi2"),
        (&["emit", "rc4_setup_s8", "--cpu", "z80"], "no processor `z80`"),
        (&["emit", "rc4_setup_s8", "x86/rc4_apply_s8"], "one file"),
        (&["emit", "rc4_setup_s8", "--features", "mmx"], "no feature `mmx`; there is bmi2"),
        (&["emit", "rc4_setup_s8", "--prefix", "a b"], "cannot stand in a symbol"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "coff-att"], "/CETCOMPAT"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "coff"], "/CETCOMPAT"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "macho-nasm"], "macOS does not use CET"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "sol-att"], "GNU's linker"),
        (&["emit", "rc4_setup_s8", "--cet", "--format", "elf-yasm"], "sections of the type `note`"),
        (&["emit", "x86/rc4_setup_s8", "--cet", "--format", "aout-att"], "only ELF has a note"),
        (&["emit", "x86/des_encrypt1", "--cet", "--format", "go32-nasm"], "only ELF has a note"),
        (&["emit", "des_encrypt_table32", "--cet", "--cpu", "pentium"], "before the Pentium Pro"),
        (&["emit", "des_encrypt_table32", "--cet", "--cpu", "386-real"], "real mode has no CET"),
        (&["emit", "rc4_setup_s8", "--cet", "--cpu", "pa8000"], "has no landing pads"),
        (&["emit"], "KERNEL"),
        (&["stats", "rc4"], "no kernel `rc4`"),
        (&["stats", "--costs", "z80"], "there is generic, skylake"),
        (&["tune"], "KERNEL"),
        (&["tune", "rc4_apply_s8", "--processes", "0"], "processes"),
        (&["check", "--root", "/"], "not in Cipherloom's source tree"),
        (&["weave"], "see --help"),
        (&[], "no command given"),
    ] {
        let line = refused(arguments, 2);
        assert!(line.contains(expected), "{arguments:?}: {line}");
    }
}

#[test]
fn failures_are_one_line_and_exit_code_1() {
    let line = refused(&["emit", "rc4_setup_s8", "--output", "/no/such/folder/x.s"], 1);
    assert!(line.contains("cannot write /no/such/folder/x.s: no such file or directory"), "{line}");
    let folder = nowhere();
    let store = Store::new(folder.path());
    let path = store.path(&"rc4_setup_s8".parse().unwrap(), &SYSV64, "generic");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "kernel = \"rc4_setup_s8\"\n").unwrap();
    let line = refused(&["emit", "rc4_setup_s8", "--tuned", folder.path().to_str().unwrap()], 1);
    assert!(line.contains("rc4_setup_s8.toml: line 1"), "{line}");
}

#[test]
fn help_is_printed_and_a_reader_that_leaves_is_no_failure() {
    for command in ["list", "emit", "stats", "tune", "check"] {
        assert!(said(&[command, "--help"]).contains("Usage: loom"), "{command}");
        assert!(said(&["--help"]).contains(&format!("\n  {command} ")), "{command}");
    }
    assert!(!said(&["--help"]).contains("measure"), "what is not for people");
    let mut child = Command::new(env!("CARGO_BIN_EXE_loom"))
        .args(["emit", "tdes_encrypt_table64_x4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}
