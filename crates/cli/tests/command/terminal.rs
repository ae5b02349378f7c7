//! On a terminal (made by util-linux's `script`): prompts, the progress bar, binary output.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::common::{CIPHERLOOM, Folder, code, feed, noise, ok, on_windows, plain, says};

const TEXT: &[u8] = b"What was typed is what opens it.\n";

/// Runs a shell's line on a terminal, with signals that end it even where whoever runs the tests ignores
/// them, as shells make their background jobs do; each answer is typed when its prompt has come. Returns
/// all that the terminal showed, and the exit code.
fn on_terminal(folder: &Folder, line: &str, answers: &[(&str, &str)]) -> (String, Option<i32>) {
    let mut script = Command::new("env")
        .current_dir(folder.path())
        // Where nobody named the terminal's kind, it is taken for one that cannot paint over a line.
        .env("TERM", "xterm")
        .args(["--default-signal=INT,QUIT,TERM,HUP", "script"])
        .args(["-qec", &format!("stty cols 200; {line}"), "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("util-linux's script makes the terminal");
    let mut keyboard = script.stdin.take().unwrap();
    let mut screen = script.stdout.take().unwrap();
    let (mut bytes, mut shown, mut answered) = (Vec::new(), String::new(), 0);
    let mut answers = answers.iter().peekable();
    let mut piece = [0; 4096];
    loop {
        // A terminal whose last program ended may give an error in place of an end.
        let count = screen.read(&mut piece).unwrap_or(0);
        if count == 0 {
            break;
        }
        bytes.extend_from_slice(&piece[..count]);
        shown = plain(&bytes);
        if let Some((prompt, answer)) = answers.peek()
            && let Some(place) = shown[answered..].find(prompt)
        {
            answered += place + prompt.len();
            keyboard.write_all(format!("{answer}\r").as_bytes()).unwrap();
            answers.next();
        }
    }
    assert!(answers.next().is_none(), "not every prompt came: {shown}");
    (shown, code(script.wait().unwrap()))
}

fn command(line: &str) -> String {
    format!("{CIPHERLOOM} {line}")
}

#[test]
fn a_password_is_asked_for_twice_to_encrypt_and_once_to_decrypt() {
    let folder = Folder::new();
    folder.file("in", TEXT);
    let encrypt = command("enc -des3 -quiet -in in -out new");
    let (shown, code) =
        on_terminal(&folder, &encrypt, &[("Password: ", "one"), ("Password, again: ", "two")]);
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("Password: the two answers differ; nothing was done"), "{shown}");
    let (shown, code) = on_terminal(&folder, &encrypt, &[("Password: ", "")]);
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("nothing was typed"), "{shown}");
    let (shown, code) = on_terminal(&folder, &encrypt, &[("Password: ", "\x03")]);
    assert_eq!(code, Some(130), "{shown}");
    assert_eq!(folder.names(), ["in"]);

    let (shown, code) =
        on_terminal(&folder, &encrypt, &[("Password: ", "one"), ("Password, again: ", "one")]);
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(ok(folder.openssl("-d -des3 -k one -in new", b"")), TEXT);
    let (shown, code) =
        on_terminal(&folder, &command("dec -des3 -in new"), &[("Password: ", "one")]);
    assert_eq!(code, Some(0), "{shown}");
    assert!(!shown.contains("again"), "{shown}");
    assert!(shown.contains("What was typed is what opens it."), "{shown}");
}

#[cfg(feature = "migrate")]
#[test]
fn migrate_asks_for_the_passphrase_twice() {
    let folder = Folder::new();
    folder.file("old", ok(folder.openssl("-des3 -k pw", TEXT)));
    let line = command("migrate -des3 old new --passphrase");
    let prompts = ["Password: ", "Passphrase for the new file: ", "the new file, again: "];
    let typed =
        |answers: [&'static str; 3]| -> Vec<_> { prompts.into_iter().zip(answers).collect() };
    let (shown, code) = on_terminal(&folder, &line, &typed(["pw", "new one", "another"]));
    assert_eq!(code, Some(1), "{shown}");
    assert_eq!(folder.names(), ["old"]);
    let (shown, code) = on_terminal(&folder, &line, &typed(["pw", "new one", "new one"]));
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(folder.names(), ["new", "old"]);
}

#[test]
fn binary_plaintext_is_kept_from_a_terminal() {
    let folder = Folder::new();
    folder.file("in", ok(folder.openssl("-des3 -k pw", &noise(1000))));
    let (shown, code) = on_terminal(&folder, &command("dec -des3 -k pw -quiet -in in"), &[]);
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.starts_with("cipherloom: the output is binary"), "{shown}");
    // On a busy machine Wine's console may leave out what was painted over before it came to it.
    let shows = |_| {
        let (shown, code) = on_terminal(&folder, &command("dec -des3 -k pw -in in --force"), &[]);
        assert_eq!(code, Some(0));
        shown.len() > 1000
    };
    assert!((0..if on_windows() { 20 } else { 1 }).any(shows));
}

#[test]
fn slow_long_work_shows_its_progress_on_a_terminal_only() {
    let folder = Folder::new();
    let line = |seconds: u32, options: &str| {
        let slow = format!("(printf data; sleep {seconds}; printf more)");
        format!("{slow} | {CIPHERLOOM} enc -rc4 -k pw {options} -out new --force")
    };
    // On a busy machine the command may start when some of the time is over.
    let shows = |seconds: &u32| {
        let (shown, code) = on_terminal(&folder, &line(*seconds, ""), &[]);
        assert_eq!(code, Some(0), "{shown}");
        shown.contains("B/s")
    };
    assert!([1, 2, 4, 8, 16, 32].iter().any(shows));
    let (shown, _) = on_terminal(&folder, &line(1, "-quiet"), &[]);
    assert_eq!(shown, "");
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path()).args(["-c", &line(1, "")]);
    let said = says(&feed(shell, b""));
    assert!(said.contains("withdrawn") && said.lines().count() == 1, "{said}");
}
