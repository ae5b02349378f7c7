//! The prompt for passwords: what it takes, and what it does to the terminal.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::common::wait_for;
use crate::common::{CIPHERLOOM, Folder, ok};
use crate::pty::Session;

const TEXT: &[u8] = b"What was typed is what opens it.\n";

fn encrypt(folder: &Folder) -> Session {
    folder.file("in", TEXT);
    let line = "enc -des3 -nosalt -quiet -in in -out new";
    let words: Vec<&str> = [CIPHERLOOM.path()].into_iter().chain(line.split(' ')).collect();
    Session::start(folder, &words)
}

#[test]
fn an_interrupt_ends_the_command_as_such_and_gives_the_echo_back() {
    let folder = Folder::new();
    // What is typed right behind the interrupt must not turn it into an error.
    for (keys, number) in [("\x03", 2), ("\x03\r", 2), ("half\x03\r\r", 2), ("\x1c\r", 3)].repeat(8)
    {
        let mut session = encrypt(&folder);
        session.wait_for("Password: ");
        assert!(!session.has_echo());
        session.types(keys);
        let status = session.end();
        assert_eq!(status.signal(), Some(number), "{keys:?}: {}", session.shown);
        assert!(session.has_echo(), "{keys:?}");
        assert!(!session.shown.contains("cipherloom"), "{}", session.shown);
    }
    for (name, number) in [("TERM", 15), ("HUP", 1), ("INT", 2)] {
        let mut session = encrypt(&folder);
        session.wait_for("Password: ");
        session.types("one\r");
        session.wait_for("Password, again: ");
        let kill = Command::new("kill").args(["-s", name, &session.id()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(session.end().signal(), Some(number), "{name}");
        assert!(session.has_echo(), "{name}");
    }
    assert_eq!(folder.names(), ["in"]);
}

#[test]
fn a_stopped_command_leaves_the_echo_and_asks_again() {
    let folder = Folder::new();
    folder.file("in", ok(folder.openssl("-des3 -k one", TEXT)));
    // A shell with job control: `fg` continues what Ctrl-Z stopped.
    let line = format!("{CIPHERLOOM} dec -des3 -quiet -in in; echo stopped; read line; fg");
    let mut session = Session::start(&folder, &["bash", "-mc", &line]);
    session.wait_for("Password: ");
    session.types("forgotten\x1a");
    session.wait_for("stopped");
    wait_for(|| session.has_echo());
    session.types("\r");
    session.wait_for("Password: ");
    assert!(!session.has_echo());
    session.types("one\r");
    session.wait_for("What was typed is what opens it.");
    assert!(session.end().success(), "{}", session.shown);
    assert!(session.has_echo());
}

#[test]
fn in_the_background_nothing_is_asked_until_the_command_comes_to_the_front() {
    let folder = Folder::new();
    folder.file("in", ok(folder.openssl("-des3 -k one", TEXT)));
    // `jobs -s` names what is stopped.
    let wait = "until jobs -s | grep -q dec; do sleep 0.01; done";
    let line = format!(
        "{CIPHERLOOM} dec -des3 -quiet -in in & {wait}; echo stopped; read line; fg; echo code $?"
    );
    let mut session = Session::start(&folder, &["bash", "-mc", &line]);
    session.wait_for("stopped");
    assert!(!session.shown.contains("Password") && session.has_echo());
    session.types("\r");
    session.wait_for("Password: ");
    assert!(!session.has_echo());
    session.types("one\r");
    session.wait_for("What was typed is what opens it.");
    session.wait_for("code 0");
    session.end();
}

#[test]
fn a_stop_that_nobody_could_undo_is_ignored() {
    let folder = Folder::new();
    let mut session = encrypt(&folder);
    session.wait_for("Password: ");
    session.types("\x1aone\r");
    session.wait_for("Password, again: ");
    session.types("one\r");
    assert!(session.end().success(), "{}", session.shown);
}

#[test]
fn bytes_are_taken_as_they_are_typed() {
    let folder = Folder::new();
    // Latin-1, a tab, half a character of UTF-8; Ctrl-V takes the next one as it is, Ctrl-D in
    // mid-line takes it no further.
    for (typed, password) in [
        (&b"k\xe4se"[..], &b"k\xe4se"[..]),
        (b"a\tb c", b"a\tb c"),
        (b"\xc3", b"\xc3"),
        ("K\u{e4}se \u{20ac}".as_bytes(), "K\u{e4}se \u{20ac}".as_bytes()),
        (b"a\x16\x03b", b"a\x03b"),
        (b"wrong\x15ri\x04ght", b"right"),
        (&[b'x'; 512], &[b'x'; 512]),
    ] {
        let _ = std::fs::remove_file(folder.path().join("new"));
        let mut session = encrypt(&folder);
        for prompt in ["Password: ", "Password, again: "] {
            session.wait_for(prompt);
            session.types([typed, b"\r"].concat());
        }
        assert!(session.end().success(), "{typed:?}: {}", session.shown);
        folder.file("password", [password, b"\n"].concat());
        assert_eq!(ok(folder.openssl("-d -des3 -nosalt -pass file:password -in new", b"")), TEXT);
    }
}

#[test]
fn other_bytes_are_another_password() {
    let folder = Folder::new();
    let mut session = encrypt(&folder);
    session.wait_for("Password: ");
    session.types(b"k\xe4se\r");
    session.wait_for("Password, again: ");
    session.types(b"k\xf6se\r");
    assert_eq!(session.end().code(), Some(1));
    assert!(session.shown.contains("the two answers differ"), "{}", session.shown);
}

#[test]
fn a_line_that_is_too_long_is_no_password_and_nobodys_input() {
    let folder = Folder::new();
    folder.file("in", TEXT);
    let line = format!("{CIPHERLOOM} enc -des3 -in in -out new; read -t 1 rest; echo rest=$rest.");
    let mut session = Session::start(&folder, &["bash", "-c", &line]);
    session.wait_for("Password: ");
    session.types([&[b'x'; 513][..], b"secret tail\r"].concat());
    session.wait_for("Password: it has more than 512 bytes");
    session.wait_for("rest=.");
    session.end();
    assert_eq!(folder.names(), ["in"]);
}
