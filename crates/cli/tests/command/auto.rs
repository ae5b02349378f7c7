//! `dec` finds out how the key was derived; `--salvage` keeps what can be kept; `--spool`.

use crate::common::{Folder, noise, ok, says};

const TEXT: &[u8] = b"The quick brown fox jumps over the lazy dog, again and again and again.\n";

#[test]
fn every_way_of_derivation_is_found() {
    let folder = Folder::new();
    for (n, options) in ["-md md5", "-md sha256", "-md sha1", "-pbkdf2"].iter().enumerate() {
        for form in ["", " -a"] {
            let name = format!("{n}{form}");
            ok(folder
                .openssl(&format!("-des3 -k pw {options}{form} -out {n}{}", form.trim()), TEXT));
            let output = folder.run(&format!("dec -des3 -k pw{form} -in {n}{}", form.trim()));
            assert!(says(&output).contains(options), "{name}: {}", says(&output));
            assert_eq!(ok(output), TEXT, "{name}");
        }
    }
    // PBKDF2 with a count that is known, and a digest that is not.
    ok(folder.openssl("-des3 -k pw -iter 77 -md sha512 -out count", TEXT));
    assert_eq!(ok(folder.run("dec -des3 -k pw -iter 77 -in count")), TEXT);
    // `enc -d -md auto` is the same.
    assert_eq!(ok(folder.run("enc -d -md auto -des3 -k pw -in 0")), TEXT);
    // A file on standard input can be tried too, and by Windows' own programs (`windows.rs`): of one
    // that came from Unix, Wine knows no name, and then says nothing else of it.
    if crate::common::on_windows() {
        return;
    }
    let mut command = folder.command("dec -des3 -k pw");
    command.stdin(std::fs::File::open(folder.path().join("0")).unwrap());
    assert_eq!(ok(command.output().unwrap()), TEXT);
}

#[test]
fn without_padding_the_candidates_are_named_and_nothing_is_written() {
    let folder = Folder::new();
    folder.file("in", folder.salted_by_openssl("-rc4 -k pw -md md5", TEXT));
    let output = folder.run("dec -rc4 -k pw -in in -out out");
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("it may be -md md5 (the start looks like text)"));
    assert_eq!(folder.names(), ["in"]);
    assert_eq!(ok(folder.run("dec -rc4 -k pw -in in -md md5")), TEXT);
}

/// With this password the padding is right under MD5, and by chance under PBKDF2 too; the plaintext
/// looks like nothing. (The first of pw0, pw1, ... for which two ways fit.)
#[test]
fn where_two_ways_fit_nothing_is_written() {
    let folder = Folder::new();
    let plain = noise(23);
    let line = "-des-ecb -k pw171 -nosalt";
    folder.file("in", ok(folder.openssl(&format!("{line} -md md5"), &plain)));
    let output = folder.run(&format!("dec {line} -in in -out out"));
    assert_eq!(output.status.code(), Some(1));
    for way in ["more than one", "-md md5 (", "-pbkdf2 -md sha256 ("] {
        assert!(says(&output).contains(way), "{}", says(&output));
    }
    assert_eq!(folder.names(), ["in"]);
    assert_eq!(ok(folder.run(&format!("dec {line} -in in -md md5"))), plain);
}

#[test]
fn salvage_keeps_whole_blocks_of_a_truncated_file() {
    let folder = Folder::new();
    let plain = noise(10_000);
    let whole = ok(folder.openssl("-des3 -k pw", &plain));
    folder.file("in", &whole[..5003]);
    let output = folder.run("dec -des3 -k pw -md sha256 -in in -out out --salvage");
    assert_eq!(output.status.code(), Some(1));
    assert!(says(&output).contains("salvaged 4984 bytes"), "{}", says(&output));
    assert!(says(&output).contains("last 3 bytes"), "{}", says(&output));
    assert!(folder.read("out") == plain[..4984]);
    // A whole file has nothing missing.
    folder.file("whole", &whole);
    ok(folder.run("dec -des3 -k pw -md sha256 -in whole -out all --salvage"));
    assert!(folder.read("all") == plain);
}

#[test]
fn salvage_goes_past_a_damaged_header_and_damaged_base64() {
    let folder = Folder::new();
    let mut data = ok(folder.openssl("-des3 -k pw", TEXT));
    data[3] = b'X';
    folder.file("header", &data);
    // The start is text under one derivation only, so even that is found.
    let output = folder.run("dec -des3 -k pw -in header -out out --salvage");
    assert!(says(&output).contains("header is damaged"), "{}", says(&output));
    assert_eq!(folder.read("out"), TEXT);

    let plain = noise(1000);
    let mut text = ok(folder.openssl("-des3 -k pw -a", &plain));
    // The first character from here on that is not what is put into its place: the salt is OpenSSL's, and so all is.
    let at = (65 * 4 + 10..).find(|&at| text[at] != b'A').unwrap();
    text[at] = b'?';
    folder.file("text", &text);
    let output = folder.run("dec -des3 -k pw -md sha256 -a -in text -out partly --salvage");
    assert!(says(&output).contains("line 5"), "{}", says(&output));
    let partly = folder.read("partly");
    assert_eq!(partly.len(), plain.len());
    let wrong = partly.iter().zip(&plain).filter(|(a, b)| a != b).count();
    // The character's six bits may lie in two blocks: both are lost, and a byte of the third.
    assert!(
        (1..=17).contains(&wrong),
        "two blocks and a byte at most are damaged, not {wrong} bytes"
    );
}

#[test]
fn spool_gives_all_or_nothing() {
    let folder = Folder::new();
    let plain = noise(3_000_000);
    let mut data = ok(folder.openssl("-des3 -k pw", &plain));
    assert!(ok(folder.run_with("enc -d -des3 -k pw --spool", &data)) == plain);
    data.truncate(data.len() - 8);
    let output = folder.run_with("enc -d -des3 -k pw --spool", &data);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    // Without it the bytes are out, and the error says so.
    let output = folder.run_with("enc -d -des3 -k pw", &data);
    assert_eq!(output.status.code(), Some(1));
    let sent = format!("{} bytes were written before", output.stdout.len());
    assert!(!output.stdout.is_empty() && says(&output).contains(&sent), "{}", says(&output));
}
