//! What makes the errors happen.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

use super::damage::*;
use crate::common::{CIPHERLOOM, Folder, feed, noise, ok, on_windows, plain, wait_for};

/// What makes a row's error happen. Outputs are always called `new`.
type Case = fn(&Folder) -> Output;

/// For each row by its name.
pub(super) const CASES: &[(&str, Case)] = &[
    ("missing-input", |folder| folder.run("dec -des3 -k pw -in none -out new")),
    ("input-directory", |folder| folder.run("dec -des3 -k pw -in . -out new")),
    ("output-directory", |folder| with_input(folder, "dec -des3 -k pw -out .")),
    ("output-exists", |folder| {
        folder.file("old", "old");
        let output = with_input(folder, "dec -des3 -k pw -out old");
        assert_eq!(folder.read("old"), b"old");
        output
    }),
    ("input-is-output", |folder| {
        folder.file("in", TEXT);
        std::fs::hard_link(folder.path().join("in"), folder.path().join("link")).unwrap();
        let output = folder.run("enc -des3 -k pw -in in -out link --force");
        assert_eq!(folder.read("in"), TEXT);
        output
    }),
    ("output-disk", |folder| with_input(folder, &format!("enc -des3 -k pw -out {}", disk(folder)))),
    ("output-read-only", |folder| {
        let directory = folder.path().join("locked");
        std::fs::create_dir(&directory).unwrap();
        std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(0o555)).unwrap();
        // Root may write anywhere but into the kernel's own file systems.
        let is_root = std::fs::write(directory.join("x"), "").is_ok();
        let directory = if is_root { "/sys" } else { "locked" };
        folder.run_with(&format!("enc -des3 -k pw -quiet -out {directory}/new"), TEXT)
    }),
    ("output-directory-missing", |folder| {
        folder.run_with("enc -des3 -k pw -quiet -out none/new", TEXT)
    }),
    ("disk-full", disk_full),
    ("device-full", |folder| folder.run_with("enc -des3 -k pw -quiet -out /dev/full", TEXT)),
    ("size-limit", |folder| {
        let script = format!("ulimit -f 8; exec {CIPHERLOOM} enc -des3 -k pw -quiet -out new");
        shell(folder, &script, &noise(1_000_000))
    }),
    ("broken-pipe", |folder| {
        let mut child = folder
            .command("enc -rc4 -k pw -quiet")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        // Standard input stays open and silent: the command must not wait for more of it.
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(&noise(100));
        child.wait_with_output().unwrap()
    }),
    ("interrupt", |folder| {
        // Windows knows none of the others.
        let signals = if on_windows() { &["INT"][..] } else { &["TERM", "HUP", "INT"] };
        for signal in signals {
            let mut child = folder
                .command_for_signals("enc -rc4 -k pw -quiet -out new")
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            wait_for(|| folder.names().iter().any(|name| name.ends_with(".partial")));
            let id = child.id().to_string();
            let kill = Command::new("kill").args(["-s", signal, &id]).status().unwrap();
            assert!(kill.success());
            let stdin = child.stdin.take();
            let output = child.wait_with_output().unwrap();
            drop(stdin);
            assert_eq!(folder.names_after_interrupt(), Vec::<String>::new(), "SIG{signal}");
            if *signal == "INT" {
                return output;
            }
        }
        unreachable!("the list of signals ends with INT")
    }),
    ("input-grows", |folder| change_input(folder, |file| file.write_all(b"more").unwrap())),
    ("input-shrinks", |folder| change_input(folder, |file| file.set_len(5).unwrap())),
    ("terminal", |folder| {
        folder.file("in", TEXT);
        let line = format!("stty cols 200; {CIPHERLOOM} enc -des3 -k pw -quiet -in in");
        let mut script = Command::new("script");
        script.current_dir(folder.path()).args(["-qec", &line, "/dev/null"]);
        let mut output = feed(script, b"");
        // On a terminal both streams are one.
        output.stderr = plain(&output.stdout).into_bytes();
        output
    }),
    ("wrong-password", |folder| {
        file_by_openssl(folder, "-des3 -k pw -nosalt");
        folder.run("dec -des3 -k other -nosalt -in in -out new")
    }),
    ("wrong-password-enc", |folder| {
        // From a pipe, as a file shows which version made it.
        let data = ok(folder.openssl("-des3 -k pw -md md5 -nosalt", TEXT));
        folder.run_with("enc -d -des3 -k pw -nosalt -out new", &data)
    }),
    ("older-default", |folder| {
        file_by_openssl(folder, "-rc4 -k pw -md md5");
        folder.run("enc -d -rc4 -k pw -in in -out new")
    }),
    ("header-and-salt", |folder| {
        folder.file("in", b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08and more");
        folder.run("enc -d -des3 -k pw -S 0102030405060708 -in in -out new")
    }),
    ("header-other-salt", |folder| {
        folder.file("in", b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08and more");
        folder.run("dec -des3 -k pw -S 0102030405060709 -in in -out new")
    }),
    ("header-nosalt", |folder| {
        folder.file("in", b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08and more");
        folder.run("dec -des3 -k pw -nosalt -in in -out new")
    }),
    ("header-and-key", |folder| {
        folder.file("in", b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08and more");
        folder.run("enc -d -rc4 -K 0123456789abcdef0123456789abcdef -in in -out new")
    }),
    ("wrong-password-md", |folder| {
        file_by_openssl(folder, "-des3 -k pw -nosalt");
        folder.run("dec -des3 -k other -nosalt -md sha256 -in in -out new")
    }),
    ("wrong-key", |folder| {
        file_by_openssl(folder, &format!("-des3 {KEY}"));
        folder.run(&format!("dec -des3 {} -in in -out new", KEY.replace("0123 -iv", "fedc -iv")))
    }),
    ("damaged-padding", |folder| damaged(folder, |data| *data.last_mut().unwrap() ^= 1)),
    ("damaged-padding-pipe", |folder| {
        let mut data = ok(folder.openssl(&format!("-des3 {KEY}"), TEXT));
        data.truncate(data.len() - 8);
        folder.run_with(&format!("dec -des3 {KEY}"), &data)
    }),
    ("truncated", |folder| damaged(folder, |data| data.truncate(data.len() - 8))),
    ("not-whole-blocks", |folder| damaged(folder, |data| data.truncate(data.len() - 3))),
    ("no-ciphertext", |folder| damaged(folder, Vec::clear)),
    ("no-padding-length", |folder| {
        folder.run_with(&format!("enc -des3 {KEY} -nopad -quiet -out new"), b"abc")
    }),
    ("stealing-short", |folder| {
        let line = "enc -des-cbc-cs3 -k pw -nosalt -quiet -out new";
        folder.run_with(line, b"abc")
    }),
    ("damaged-header", |folder| header(folder, |data| data[2] = b'L')),
    ("truncated-header", |folder| header(folder, |data| data.truncate(12))),
    ("no-header", |folder| header(folder, |data| drop(data.drain(..16)))),
    ("base64-header", |folder| {
        file_by_openssl(folder, "-des3 -k pw -a");
        folder.run("dec -des3 -k pw -in in -out new")
    }),
    ("damaged-base64", |folder| {
        folder.run_with("enc -d -rc4 -k pw -nosalt -a -out new", b"aGVs\nbG!=")
    }),
    ("no-base64", |folder| folder.run_with("enc -d -rc4 -k pw -nosalt -a -out new", b"\xff\xfe\n")),
    ("truncated-base64", |folder| {
        folder.run_with("enc -d -rc4 -k pw -nosalt -a -out new", b"aGVsbG8")
    }),
    ("salvaged", |folder| {
        file_by_openssl(folder, &format!("-des3 {KEY}"));
        let mut data = folder.read("in");
        data.truncate(19);
        folder.file("in", data);
        let output = folder.run(&format!("dec -des3 {KEY} -in in -out kept --salvage"));
        assert_eq!(folder.read("kept"), TEXT[..16]);
        output
    }),
    ("bad-hex", |folder| {
        folder.run("enc -des-cbc -K 0x23456789abcdef -iv 0102030405060708 -out new")
    }),
    ("odd-hex", |folder| {
        folder.run("enc -des-cbc -K 0123456789abcde -iv 0102030405060708 -out new")
    }),
    ("key-short", |folder| folder.run("enc -des-cbc -K 0123 -iv 0102030405060708 -out new")),
    ("key-long", |folder| {
        folder.run("enc -des-cbc -K 0123456789abcdef01 -iv 0102030405060708 -out new")
    }),
    ("iv-short", |folder| folder.run("enc -des-cbc -K 0123456789abcdef -iv 01 -out new")),
    ("iv-long", |folder| {
        folder.run("enc -des-cbc -K 0123456789abcdef -iv 010203040506070809 -out new")
    }),
    ("salt-short", |folder| folder.run("enc -des-cbc -k pw -S 0102 -out new")),
    ("iv-missing", |folder| folder.run("enc -des-cbc -K 0123456789abcdef -out new")),
    ("iv-for-ecb", |folder| {
        folder.run("enc -des-ecb -K 0123456789abcdef -iv 0102030405060708 -out new")
    }),
    ("rc4-key-length", |folder| folder.run("enc -rc4 -K 0102 -out new")),
    ("saltlen", |folder| folder.run("enc -des3 -k pw -saltlen 16 -out new")),
    ("rc4-key-long", |folder| folder.run(&format!("enc -rc4 -K {} -out new", "00".repeat(257)))),
    ("weak-key", |folder| {
        folder.run("enc -des-ecb -K 0101010101010101 --strict-keys -quiet -out new")
    }),
    ("unknown-cipher", |folder| folder.run("dec -des-ede4-cbc -k pw -out new")),
    ("declined-cipher", |folder| folder.run("dec -des3-wrap -k pw -out new")),
    ("no-cipher", |folder| folder.run("dec -k pw -out new")),
    ("unknown-option", |folder| folder.run("dec -des3 -iteer 5 -k pw -out new")),
    ("value-missing", |folder| folder.run("dec -des3 -out new -k pw -in")),
    ("unknown-digest", |folder| folder.run("dec -des3 -k pw -md sha257 -out new")),
    ("too-many-threads", |folder| {
        for line in ["dec -des3 -k pw", "records -d -rc4 -K 00 -data-column 1", "migrate in new"] {
            let output = folder.run(&format!("{line} -T 1000000"));
            assert_eq!(output.status.code(), Some(2), "{line}");
            assert!(crate::common::says(&output).contains("1 to 1024"), "{line}");
        }
        folder.run("enc -des3 -k pw -T 1025 -out new")
    }),
    ("bad-count", |folder| folder.run("dec -des3 -k pw -iter 0 -out new")),
    ("no-password", |folder| {
        // A session of its own has no terminal.
        let mut command = Command::new("setsid");
        command.current_dir(folder.path()).args([
            "-w",
            CIPHERLOOM.path(),
            "dec",
            "-des3",
            "-out",
            "new",
        ]);
        feed(command, b"")
    }),
    ("bad-source", |folder| folder.run("dec -des3 -pass secret -out new")),
    ("no-variable", |folder| folder.run("dec -des3 -pass env:CIPHERLOOM_NONE -out new")),
    ("empty-kfile", |folder| {
        folder.file("empty", "");
        folder.run("dec -des3 -kfile empty -out new")
    }),
    ("auto-pipe", |folder| {
        let data = ok(folder.openssl("-des3 -k pw", TEXT));
        folder.run_with("dec -des3 -k pw -out new", &data)
    }),
    ("auto-no-padding", |folder| {
        folder.file("in", folder.salted_by_openssl("-rc4 -k pw", TEXT));
        folder.run("dec -rc4 -k pw -in in -out new")
    }),
    ("auto-ambiguous", |folder| {
        // See `where_two_ways_fit_nothing_is_written` for the password.
        let data = ok(folder.openssl("-des-ecb -k pw171 -nosalt -md md5", &noise(23)));
        folder.file("in", data);
        folder.run("dec -des-ecb -k pw171 -nosalt -in in -out new")
    }),
    ("auto-encrypt", |folder| folder.run("enc -des3 -k pw -md auto -out new")),
    ("salvage-no-file", |folder| folder.run("dec -des3 -k pw --salvage")),
];
