//! What the functions compute, and what they refuse; threads, memory errors.

use crate::support::{Library, Program, succeed};
use std::process::Command;

#[test]
fn results_are_libcrypto_s() {
    for library in [Library::Static, Library::Shared] {
        let said = Program::new("tests/c/face.c").library(library).libcrypto().build().run(&[]);
        assert!(said.contains("checks passed"), "{said}");
    }
}

#[test]
fn misuse_is_answered() {
    let said = Program::new("tests/c/misuse.c").library(Library::Shared).build().run(&[]);
    assert!(said.ends_with(" 0 wrong\n"), "{said}");
    println!("{said}");
}

/// Each allocation of the library fails once, and memory that it gives back tells nothing of keys.
#[test]
fn memory_may_be_refused_and_goes_back_clean() {
    let names = ["malloc", "calloc", "realloc", "posix_memalign", "free"];
    let wrapped = names.map(|name| format!("--wrap={name}")).join(",");
    let program = Program::new("tests/c/memory.c").option(&format!("-Wl,{wrapped}")).build();
    let said = program.run(&[]);
    assert!(said.ends_with(" 0 wrong\n"), "{said}");
}

#[test]
fn the_stack_tells_nothing_of_keys() {
    let said = Program::new("tests/c/stack.c").build().run(&[]);
    assert!(said.ends_with(" 0 wrong\n"), "{said}");
}

#[test]
fn what_overlaps_is_answered_or_read_first() {
    for library in [Library::Static, Library::Shared] {
        let said = Program::new("tests/c/overlap.c").library(library).build().run(&[]);
        assert!(said.ends_with(" 0 wrong\n"), "{said}");
    }
}

#[test]
fn every_null_pointer_ends_openssl_s_functions_with_a_line() {
    let said = Program::new("tests/c/nulls.c").build().run(&[]);
    assert!(said.ends_with(" 0 wrong\n"), "{said}");
}

/// Valgrind takes keys for undefined: nothing may branch on them, whatever is wrong with them.
#[test]
fn checks_of_keys_tell_no_key() {
    if cipherloom_testkit::peers::left_out("valgrind") {
        return;
    }
    let program = Program::new("tests/c/secrets.c").option("-O2").build();
    let run = |arguments: &[&str]| {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--quiet", "--error-exitcode=9"]).arg(&program.0).args(arguments);
        valgrind.output().expect("valgrind runs (Debian: apt-get install valgrind)")
    };
    let output = run(&[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && output.stdout.ends_with(b" 0 wrong\n"), "{said}");
    // A program that does branch is found out.
    assert_eq!(run(&["branch"]).status.code(), Some(9));
}

/// What OpenSSL's functions cannot report ends the program by `abort`, with a line.
#[test]
fn misuse_of_openssl_s_functions_does_nothing_or_ends_the_program() {
    use std::os::unix::process::ExitStatusExt;
    const ABORT: i32 = 6;
    let program = Program::new("tests/c/refuse.c").build();
    assert_eq!(program.run(&[]), "nothing was done\n");
    for call in 0..26 {
        let output = Command::new(&program.0).arg(call.to_string()).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(ABORT), "call {call}: {said}");
        assert!(said.starts_with("cipherloom: ") && said.lines().count() == 1, "{call}: {said}");
    }
}

/// The compiler watches what the program does, and what the library does to the program's memory
/// through malloc and string functions.
#[test]
fn misuse_is_answered_under_sanitizers() {
    for source in ["tests/c/misuse.c", "tests/c/overlap.c"] {
        let program = Program::new(source).option("-fsanitize=address,undefined");
        let said = program.option("-fno-sanitize-recover=all").build().run(&[]);
        assert!(said.ends_with(" 0 wrong\n"), "{said}");
    }
}

#[test]
fn threads_share_a_key() {
    let said = Program::new("tests/c/threads.c").option("-pthread").build().run(&[]);
    assert!(said.ends_with(" 0 wrong\n"), "{said}");
}

/// Valgrind watches the library itself: nothing is read that was not written, nothing is touched
/// outside of the buffers, nothing is lost.
#[test]
fn slow_valgrind_finds_nothing() {
    if cipherloom_testkit::peers::left_out("valgrind") {
        return;
    }
    for (source, arguments) in [
        ("tests/c/misuse.c", &[][..]),
        ("tests/c/overlap.c", &[]),
        ("tests/c/differential.c", &["12", "3"]),
    ] {
        let program = Program::new(source).libcrypto().build();
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
        succeed(valgrind.arg(&program.0).args(arguments));
    }
}
