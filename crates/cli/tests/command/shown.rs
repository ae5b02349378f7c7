//! What the command says does not drive a terminal, whatever names and columns hold.

use crate::common::{Folder, says};

/// A window's title, a cleared screen by a C1 control, a line of its own, text written backwards.
const NASTY: &str = "a\u{1b}]0;owned\u{7}\u{9b}2J\ncipherloom: all is well\u{202e}b";
const SHOWN: &str = "a\\u{1b}]0;owned\\u{7}\\u{9b}2J\\ncipherloom: all is well\\u{202e}b";

#[track_caller]
fn check(text: &str) {
    assert!(text.contains(SHOWN), "{text:?}");
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{text:?}");
    assert!(!text.contains("\ncipherloom: all is well"), "{text:?}");
}

#[test]
fn columns_of_a_file() {
    let folder = Folder::new();
    let header = NASTY.replace('\n', "");
    let output = folder.run_with(
        "records -d -des-ecb -K 0123456789abcdef -data-column secret",
        format!("{header},b\n1,2\n").as_bytes(),
    );
    assert_eq!(output.status.code(), Some(2));
    let says = says(&output);
    assert!(
        says.contains("\\u{1b}]0;owned\\u{7}\\u{9b}2J") && says.contains("\\u{202e}"),
        "{says:?}"
    );
    assert!(!says.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{says:?}");
}

#[test]
fn names_in_errors_notes_and_accounts() {
    let folder = Folder::new();
    let run = |line: &str| {
        let mut command = folder.command("");
        command.args(line.split(' ').map(|word| word.replace("NASTY", NASTY)));
        command.output().unwrap()
    };
    check(&says(&run("dec -des3 -k pw -in NASTY")));
    check(&says(&run("enc -rc4 -nosalt -k pw -out NASTY/none")));
    check(&says(&run("dec -NASTY -k pw")));
    // A note: a password that is cut.
    folder.file(NASTY, "x".repeat(2000));
    check(&says(&run("enc -des3 -pass file:NASTY -P")));
    // Clap's own words.
    check(&says(&run("speed NASTY")));
    // The account on standard output.
    #[cfg(feature = "migrate")]
    {
        folder
            .file("in", crate::common::ok(folder.openssl("-des3 -k pw", b"Some text to migrate.")));
        let me = age::x25519::Identity::generate().to_public();
        let output = run(&format!("migrate -des3 -k pw in NASTY --force --recipient {me}"));
        check(&String::from_utf8(crate::common::ok(output)).unwrap());
    }
}
