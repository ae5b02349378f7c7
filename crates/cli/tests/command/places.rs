//! Where output goes: odd names, standard output by its name, readers that leave, interrupts.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::wait_for;
use crate::common::{CIPHERLOOM, Folder, code, feed, noise, ok, on_windows, says};

const KEY: &str = "-des-cbc -K 0123456789abcdef -iv 0011223344556677";

#[test]
fn names_as_long_as_the_file_system_takes() {
    let folder = Folder::new();
    let name = "n".repeat(255);
    ok(folder.run_with(&format!("enc {KEY} -quiet -out {name}"), b"text"));
    assert_eq!(folder.names(), [&*name]);
    assert_eq!(ok(folder.run(&format!("dec {KEY} -in {name}"))), b"text");
}

#[test]
fn a_name_of_a_directory_that_is_not_there_is_refused_before_the_work() {
    let folder = Folder::new();
    // Without a key: what is wrong with the name is said before a password is asked for.
    let output = folder.run("enc -des3 -out none/");
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("the output none/ is a directory"), "{}", says(&output));
    assert!(folder.names().is_empty());
}

#[test]
fn standard_output_by_its_name() {
    let folder = Folder::new();
    let mut shell = Command::new("sh");
    let line = format!("echo first; {CIPHERLOOM} enc {KEY} -a -quiet -out /dev/stdout; echo last");
    shell.current_dir(folder.path()).args(["-c", &format!("({line}) > out")]);
    ok(feed(shell, b"text"));
    let text = String::from_utf8(folder.read("out")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(matches!(lines[..], ["first", _, "last"]), "{text}");
}

#[test]
fn text_that_nobody_reads_to_its_end_is_no_failure() {
    let folder = Folder::new();
    for line in ["--help", "info", "enc -list", "man records", "completions bash", "dec --help"] {
        let shell = format!("({CIPHERLOOM} {line}; echo code $? >&2) | true");
        let mut bash = Command::new("sh");
        bash.current_dir(folder.path()).args(["-c", &shell]);
        assert_eq!(says(&feed(bash, b"")), "code 0\n", "{line}");
    }
}

/// A line with `migrate`, if this build has it.
#[cfg(feature = "migrate")]
fn migrate() -> Option<String> {
    let recipient = age::x25519::Identity::generate().to_public();
    Some(format!("migrate {KEY} - new --recipient {recipient}"))
}

#[cfg(not(feature = "migrate"))]
fn migrate() -> Option<String> {
    None
}

#[test]
fn an_interrupt_leaves_nothing_whatever_the_command() {
    let lines = [
        format!("dec {KEY} -out new"),
        format!("dec {KEY} -out new --salvage"),
        format!("records -e {KEY} -data-column data -quiet -out new"),
    ];
    for line in lines.into_iter().chain(migrate()) {
        for (signal, number) in [("INT", 2), ("TERM", 15)] {
            if on_windows() && signal != "INT" {
                continue; // Windows knows no other.
            }
            let folder = Folder::new();
            let mut child =
                folder.command_for_signals(&line).stdin(Stdio::piped()).spawn().unwrap();
            // Enough for every command to have begun.
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(&[b"data\n".as_slice(), &b"00112233\n".repeat(1000)].concat()).unwrap();
            wait_for(|| folder.names().iter().any(|name| name.ends_with(".partial")));
            let id = child.id().to_string();
            assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
            // Standard input stays open: only the signal can end the command.
            let status = child.wait().unwrap();
            drop(stdin);
            assert_eq!(code(status), Some(128 + number), "{line}");
            let left = folder.names_after_interrupt();
            assert!(left.is_empty(), "{line}: {left:?}");
        }
    }
}

/// By several threads, with most of the output on its way.
#[test]
fn what_fails_in_the_middle_of_a_long_file_leaves_nothing() {
    let folder = Folder::new();
    folder.file("plain", noise(8 << 20));
    ok(folder.run(&format!("enc {KEY} -quiet -in plain -out whole")));
    let mut wrong = folder.read("whole");
    let padding_of = wrong.len() - 9;
    wrong[padding_of] ^= 0x80;
    folder.file("wrong", &wrong);
    folder.file("cut", &wrong[..wrong.len() - 3]);
    let before = folder.names();
    for threads in [1, 2, 5] {
        for (name, why) in [("wrong", "wrong padding"), ("cut", "no multiple of 8")] {
            let output = folder.run(&format!("dec {KEY} -in {name} -out new -T {threads}"));
            assert_eq!(output.status.code(), Some(1));
            assert!(says(&output).contains(why), "{}", says(&output));
            assert_eq!(folder.names(), before, "{name} by {threads}");
        }
        if !on_windows() {
            let mut shell = Command::new("sh");
            let line = format!("dec {KEY} -in whole -out new -T {threads}");
            let script = format!("ulimit -f 4096; exec {CIPHERLOOM} {line}");
            shell.current_dir(folder.path()).args(["-c", &script]);
            let output = feed(shell, b"");
            assert!(says(&output).contains("would pass the limit on file sizes"));
            assert_eq!(folder.names(), before, "a limit by {threads}");
        }
        ok(folder.run(&format!("dec {KEY} -in whole -out new -T {threads}")));
        assert!(folder.read("new") == folder.read("plain"), "{threads}");
        std::fs::remove_file(folder.path().join("new")).unwrap();
    }
}

#[test]
fn an_interrupt_in_the_middle_of_a_long_file_leaves_nothing() {
    let folder = Folder::new();
    // A mode that takes a minute for so much, of which nothing is on the disk.
    let file = std::fs::File::create(folder.path().join("in")).unwrap();
    file.set_len(1 << 30).unwrap();
    let line = "dec -des-cfb1 -K 0123456789abcdef -iv 0011223344556677 -in in -out new";
    let mut child = folder.command_for_signals(line).stdin(Stdio::null()).spawn().unwrap();
    let is_written = |name: &String| {
        let partial = folder.path().join(name);
        name.ends_with(".partial") && partial.metadata().is_ok_and(|partial| partial.len() > 0)
    };
    wait_for(|| folder.names().iter().any(is_written));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    assert_eq!(code(child.wait().unwrap()), Some(130));
    assert_eq!(folder.names_after_interrupt(), ["in"]);
}
