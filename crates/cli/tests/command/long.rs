//! `dec --preset` on what is too long to be opened whole.

use cipherloom_formats::encoding::Encoding;
use cipherloom_formats::preset::{Given, Preset, Text};

use crate::common::{Folder, feed, ok, says};

/// More than is opened whole.
const LONG: usize = 17 << 20;

/// A long text as a program wrote it, in its usual form or as bytes.
fn sealed(preset: &str, text: Option<Text>) -> (Vec<u8>, Vec<u8>) {
    let plaintext: Vec<u8> =
        b"the loom stands still\n".iter().copied().cycle().take(LONG).collect();
    let given = Given { salt: Some(b"saltsalt"), text, ..Given::secret(b"Passw0rd") };
    let value = Preset::find(preset).unwrap().seal(&given, &plaintext).unwrap();
    (plaintext, value)
}

#[test]
fn slow_a_long_file_goes_through_in_pieces() {
    let folder = Folder::new();
    let raw = Some(Text::As(Encoding::Text));
    for (preset, text, salt) in [("ruby", raw, "-S 73616c7473616c74"), ("cryptojs", None, "")] {
        let (plaintext, value) = sealed(preset, text);
        folder.file("value", &value);
        let line = |password: &str| format!("dec --preset {preset} {salt} -k {password}");
        let output = folder.run(&format!("{} -in value -out plain", line("Passw0rd")));
        assert!(says(&output).contains("of padding are right"), "{}", says(&output));
        ok(output);
        assert!(folder.read("plain") == plaintext, "{preset}");
        std::fs::remove_file(folder.path().join("plain")).unwrap();

        // A wrong password shows at the end. No file is there; what went to a pipe is told.
        let wrong = folder.run(&format!("{} -in value -out plain", line("other")));
        assert_eq!(wrong.status.code(), Some(1));
        assert!(says(&wrong).contains("wrong key"), "{}", says(&wrong));
        assert!(says(&wrong).contains("nothing was written"), "{}", says(&wrong));
        assert_eq!(folder.names(), ["value"]);
        let wrong = feed(folder.command(&line("other")), &value);
        assert_eq!(wrong.status.code(), Some(1));
        assert!(says(&wrong).contains("were written before this was known"), "{}", says(&wrong));
        assert!(!says(&wrong).contains("nothing"), "{}", says(&wrong));
        let spooled = feed(folder.command(&format!("{} --spool", line("other"))), &value);
        assert!(spooled.stdout.is_empty() && says(&spooled).contains("nothing was written"));
        // From a pipe, of which the start was read before.
        assert!(ok(feed(folder.command(&line("Passw0rd")), &value)) == plaintext, "{preset}");
    }
}

#[test]
fn a_long_file_that_is_cut_gives_nothing() {
    let folder = Folder::new();
    let (_, value) = sealed("ruby", Some(Text::As(Encoding::Text)));
    folder.file("value", &value[..value.len() - 3]);
    let line = "dec --preset ruby -S 73616c7473616c74 -k Passw0rd -in value -out plain";
    let cut = folder.run(line);
    assert_eq!(cut.status.code(), Some(1));
    let words = format!("a ciphertext of {} bytes has no whole blocks", value.len() - 3);
    assert!(says(&cut).contains(&words), "{}", says(&cut));
    assert_eq!(folder.names(), ["value"]);
    let other = folder.run("dec --preset mcrypt -k Passw0rd -in value -out plain");
    assert!(says(&other).contains("another number than its format"), "{}", says(&other));
    assert_eq!(folder.names(), ["value"]);
}

/// What is opened whole has a limit, and says so.
#[test]
fn a_value_of_a_preset_without_pieces_has_a_limit() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.file("value", "")).unwrap();
    file.set_len((256 << 20) + 1).unwrap();
    let output = folder.run("dec --preset mysql -k pw -in value -out plain");
    assert_eq!(output.status.code(), Some(1));
    let words = "more than 256 MiB, and values of mysql are opened whole";
    assert!(says(&output).contains(words), "{}", says(&output));
}
