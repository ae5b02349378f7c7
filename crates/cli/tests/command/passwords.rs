//! `-pass fd:N`: the descriptor that the command was given, of whatever kind.

use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use crate::common::{CIPHERLOOM, Folder, feed, ok, says};

const LINE: &str = "enc -d -rc4 -nosalt -md md5 -pass fd:3 -in in";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("in", ok(folder.openssl("-rc4 -nosalt -md md5 -k pw", b"Some text.")));
    folder
}

#[test]
fn a_socket() {
    let folder = folder();
    let (ours, theirs) = UnixStream::pair().unwrap();
    (&ours).write_all(b"pw\n").unwrap();
    let mut shell = Command::new("sh");
    shell
        .current_dir(folder.path())
        .args(["-c", &format!("exec {CIPHERLOOM} {LINE} 3<&0 </dev/null")]);
    let output = shell.stdin(Stdio::from(OwnedFd::from(theirs))).output().unwrap();
    assert_eq!(ok(output), b"Some text.");
}

/// It may be meant: OpenSSL takes it for a part of the password.
#[test]
fn a_byte_order_mark_is_told() {
    let folder = folder();
    for mark in [&b"\xef\xbb\xbf"[..], b"\xff\xfe"] {
        folder.file("pw", [mark, b"pw\n"].concat());
        for option in ["-kfile pw", "-pass file:pw"] {
            let output = folder.run(&LINE.replace("-pass fd:3", option));
            assert!(says(&output).contains("begins with a byte order mark"), "{}", says(&output));
        }
    }
}

#[test]
fn a_file_where_it_stands_and_what_follows_is_left() {
    let folder = folder();
    folder.file("passwords", "first\npw\nthird\n");
    let script = format!("exec 3<passwords; read line <&3; {CIPHERLOOM} {LINE}; cat <&3");
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path()).args(["-c", &script]);
    assert_eq!(ok(feed(shell, b"")), b"Some text.third\n");
}

#[test]
fn a_file_that_has_no_name_any_more() {
    let folder = folder();
    folder.file("passwords", "pw\n");
    let script = format!("exec 3<passwords; rm passwords; exec {CIPHERLOOM} {LINE}");
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path()).args(["-c", &script]);
    assert_eq!(ok(feed(shell, b"")), b"Some text.");
}

/// What the command opened itself is nobody's password, whatever number it got.
#[test]
fn a_descriptor_that_was_not_given() {
    let folder = folder();
    for number in [3, 4, 5, 6, 200] {
        let line = LINE.replace("fd:3", &format!("fd:{number}"));
        // Whoever runs the tests may have handed some on.
        let closed = "3<&- 4<&- 5<&- 6<&-";
        let mut shell = Command::new("sh");
        shell
            .current_dir(folder.path())
            .args(["-c", &format!("exec {CIPHERLOOM} {line} {closed}")]);
        let output = feed(shell, b"");
        assert_eq!(output.status.code(), Some(2));
        let says = says(&output);
        assert!(says.contains(&format!("was given no descriptor {number}")), "{says}");
    }
}
