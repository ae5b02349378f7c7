//! What is Windows' own: names, devices, files on standard input. Runs on Windows, and by Wine.

use std::ffi::OsString;
use std::fs::File;
use std::os::windows::ffi::OsStringExt;
use std::process::Stdio;

use crate::common::{Folder, feed, ok, says};

const KEY: &str = "-des-cbc -K 0123456789abcdef -iv 0011223344556677 -quiet";

/// A folder with a file of some text in `in`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("in", "What a name leads to, the system says.\n");
    folder
}

#[test]
fn the_input_is_no_output_whatever_its_name() {
    let folder = folder();
    let before = folder.read("in");
    std::fs::hard_link(folder.path().join("in"), folder.path().join("link")).unwrap();
    let whole = folder.path().join("in").display().to_string();
    for name in ["in", "link", "IN", r".\in", &whole] {
        let line = format!("enc {KEY} -in in --force -out");
        let mut command = folder.command(&line);
        command.arg(name);
        let output = feed(command, b"");
        assert_eq!(output.status.code(), Some(2), "{name}: {}", says(&output));
        assert!(says(&output).contains("is the input itself"), "{name}: {}", says(&output));
        let mut command = folder.command(&line.replace("-in in", ""));
        command.arg(name).stdin(File::open(folder.path().join("in")).unwrap());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {}", says(&output));
    }
    let appended = File::options().append(true).open(folder.path().join("link")).unwrap();
    let mut command = folder.command(&format!("enc {KEY} -in in"));
    let output = command.stdin(Stdio::null()).stdout(appended).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", says(&output));
    assert_eq!(folder.read("in"), before);
    assert_eq!(folder.names(), ["in", "link"]);
}

#[test]
fn a_file_on_standard_input_is_read_twice_to_find_the_derivation() {
    let folder = folder();
    let text = folder.read("in");
    ok(folder.run("enc -des3 -k pw -md md5 -quiet -in in -out old"));
    let mut command = folder.command("dec -des3 -k pw");
    let output = command.stdin(File::open(folder.path().join("old")).unwrap()).output().unwrap();
    assert!(says(&output).contains("-md md5"), "{}", says(&output));
    assert_eq!(ok(output), text);
}

#[test]
fn a_password_and_data_in_one_file_on_standard_input() {
    let folder = folder();
    ok(folder.run("enc -des3 -k pw -md md5 -quiet -in in -out data"));
    folder.file("both", [&b"pw\n"[..], &folder.read("data")].concat());
    for command in ["dec", "dec -md md5", "enc -d -md md5"] {
        let mut command = folder.command(&format!("{command} -des3 -pass stdin -quiet"));
        command.stdin(File::open(folder.path().join("both")).unwrap());
        assert_eq!(ok(command.output().unwrap()), folder.read("in"));
    }
}

#[test]
fn devices_are_written_to_and_streams_are_refused() {
    let folder = folder();
    ok(folder.run(&format!("enc {KEY} -in in -out NUL")));
    assert_eq!(folder.names(), ["in"]);
    // Nothing comes out of it, which is no error: padding of its own is one block.
    assert_eq!(ok(folder.run(&format!("enc {KEY} -in NUL"))).len(), 8);
    let output = folder.run(&format!("enc {KEY} -in in -out new:hidden"));
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("is a stream of another file"), "{}", says(&output));
    assert_eq!(folder.names(), ["in"]);
}

#[test]
fn passwords_are_utf_8_and_what_is_no_unicode_is_kept() {
    let folder = Folder::new();
    let derived = |word: OsString| {
        let mut command = folder.command("enc -des3 -nosalt -P");
        command.arg(word);
        ok(feed(command, b""))
    };
    folder.file("word", "pässwörd");
    let by_file = ok(folder.run("enc -des3 -nosalt -P -kfile word"));
    assert_eq!(derived("-k=pässwörd".into()), by_file);
    let alone = |unit| {
        let units: Vec<u16> = "-k=a".encode_utf16().chain([unit]).collect();
        derived(OsString::from_wide(&units))
    };
    assert_ne!(alone(0xd800), alone(0xdc00));
    assert_ne!(alone(0xd800), alone(0xfffd));
}

#[test]
fn descriptors_by_number_are_refused() {
    let output = Folder::new().run("enc -des3 -pass fd:3 -out new");
    assert_eq!(output.status.code(), Some(2));
    assert!(says(&output).contains("-pass fd: is for Unix"), "{}", says(&output));
}

#[test]
fn without_a_console_there_is_nobody_to_ask() {
    use std::os::windows::process::CommandExt;
    const DETACHED_PROCESS: u32 = 8;
    let folder = Folder::new();
    let mut command = folder.command("enc -des3 -out new");
    command.creation_flags(DETACHED_PROCESS).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", says(&output));
    assert!(says(&output).contains("there is no terminal to ask on"), "{}", says(&output));
}
