//! `migrate`: round trips through age, damaged sources, refused places.

use std::io::Read;

use crate::common::{Folder, noise, ok, says};
use age::secrecy::{ExposeSecret, SecretString};

/// A folder with an identity in `me.txt`, and what OpenSSL made of `plain` in `old.enc`, with the
/// key derivation of the years before 2016.
struct Old {
    folder: Folder,
    me: age::x25519::Identity,
    plain: Vec<u8>,
}

impl Old {
    fn new() -> Self {
        let plain: String = (1..=8000).map(|n| format!("{n}\n")).collect();
        let plain = plain.into_bytes();
        let folder = Folder::new();
        let me = age::x25519::Identity::generate();
        let line =
            format!("# public key: {}\n{}\n", me.to_public(), me.to_string().expose_secret());
        folder.file("me.txt", line);
        // With a salt at random a wrong padding would be right by chance, once in a while.
        let mut old = b"Salted__\x01\x02\x03\x04\x05\x06\x07\x08".to_vec();
        old.extend(ok(folder.openssl("-des3 -md md5 -k secret -S 0102030405060708", &plain)));
        folder.file("old.enc", old);
        Self { folder, me, plain }
    }

    /// The plaintext of a new file.
    fn open(&self, name: &str, identity: &dyn age::Identity) -> Vec<u8> {
        let file = self.folder.read(name);
        let decryptor = age::Decryptor::new_buffered(&file[..]).unwrap();
        let mut plaintext = Vec::new();
        decryptor.decrypt(std::iter::once(identity)).unwrap().read_to_end(&mut plaintext).unwrap();
        plaintext
    }

    /// The command must fail so, and leave everything as it was.
    #[track_caller]
    fn fails(&self, line: &str, input: &[u8], code: i32, what: &str) {
        let before: Vec<_> =
            self.folder.names().into_iter().map(|name| (self.folder.read(&name), name)).collect();
        let output = self.folder.run_with(&format!("migrate {line}"), input);
        assert_eq!(output.status.code(), Some(code), "{line}: {}", says(&output));
        assert!(says(&output).contains(what), "{line}: {}", says(&output));
        assert_eq!(output.stdout, b"", "{line}");
        let after: Vec<_> =
            self.folder.names().into_iter().map(|name| (self.folder.read(&name), name)).collect();
        assert!(before == after, "{line}: {:?}", self.folder.names());
    }
}

#[test]
fn to_an_identity_and_back() {
    let old = Old::new();
    let source = old.folder.read("old.enc");
    let report = ok(old.folder.run("migrate -des3 -k secret old.enc new.age --identity me.txt"));
    let report = String::from_utf8(report).unwrap();
    for what in
        ["by -md md5", "its padding is right", "like text", "read back and decrypted", "kept"]
    {
        assert!(report.contains(what), "{what}: {report}");
    }
    assert_eq!(old.open("new.age", &old.me), old.plain);
    assert_eq!(old.folder.read("old.enc"), source);
    assert_eq!(old.folder.names(), ["me.txt", "new.age", "old.enc"]);
    #[cfg(unix)]
    if !crate::common::on_windows() {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            std::fs::metadata(old.folder.path().join("new.age")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn to_recipients_whose_keys_are_elsewhere() {
    let old = Old::new();
    let you = age::x25519::Identity::generate();
    let (me, you_public) = (old.me.to_public(), you.to_public());
    let line = format!("-des3 -k secret old.enc --recipient {me} --recipient {you_public}");
    let report = ok(old.folder.run(&format!("migrate {line} new.age")));
    let report = String::from_utf8(report).unwrap();
    assert!(report.contains("to 2 recipients") && report.contains("That is all"), "{report}");
    assert_eq!(old.open("new.age", &old.me), old.plain);
    assert_eq!(old.open("new.age", &you), old.plain);
    // With an identity it can do more, and says nothing if not asked.
    let report = ok(old.folder.run(&format!("migrate {line} both.age --identity me.txt")));
    assert!(String::from_utf8(report).unwrap().contains("read back and decrypted"));
    let quiet = old.folder.run(&format!("migrate {line} quiet.age --quiet"));
    assert!(quiet.status.success() && quiet.stdout.is_empty() && quiet.stderr.is_empty());
}

#[test]
fn slow_to_a_passphrase() {
    let old = Old::new();
    old.folder.file("words", "correct horse\r\nmore\n");
    let line = "migrate -des3 -k secret -md md5 old.enc new.age --passphrase-file words";
    let report = String::from_utf8(ok(old.folder.run(line))).unwrap();
    assert!(report.contains("with a passphrase") && report.contains("read back and decrypted"));
    // However busy this machine is, the work factor is the one that is documented.
    let new = old.folder.read("new.age");
    let stanza = String::from_utf8_lossy(&new[..200]).into_owned();
    let stanza = stanza.lines().nth(1).expect("a stanza").to_owned();
    assert!(stanza.starts_with("-> scrypt ") && stanza.ends_with(" 18"), "{stanza}");
    let mut identity = age::scrypt::Identity::new(SecretString::from("correct horse".to_owned()));
    identity.set_max_work_factor(18);
    assert_eq!(old.open("new.age", &identity), old.plain);

    old.folder.file("empty", "\n");
    old.fails("-des3 -k secret old.enc n --passphrase-file empty", b"", 2, "passphrase is empty");
    old.fails("-des3 -k secret old.enc n --passphrase-file none", b"", 1, "none");
    old.fails(
        "-des3 -k secret old.enc n --passphrase-env CIPHERLOOM_NONE",
        b"",
        2,
        "no environment",
    );
}

#[test]
fn every_form_of_old_data_is_read() {
    let old = Old::new();
    let raw = "-K 0123456789abcdef -iv 0011223344556677";
    for (name, line, input, options) in [
        ("a", "-des3 -a -pbkdf2 -k pw", &old.plain, "-des3 -a -k pw"),
        ("b", &format!("-des-cbc {raw}"), &old.plain, &*format!("-des-cbc {raw}")),
        ("c", "-rc4 -md md5 -k pw", &old.plain, "-rc4 -md md5 -k pw"),
        ("d", "-des-ede3-cbc -k pw", &Vec::new(), "-des-ede3-cbc -md sha256 -k pw"),
        ("e", "-des-ofb -nosalt -k pw", &noise(100_001), "-des-ofb -nosalt -md sha256 -k pw"),
    ] {
        old.folder.file(name, ok(old.folder.openssl(line, input)));
        let report =
            ok(old.folder.run(&format!("migrate {options} {name} {name}.age --identity me.txt")));
        let report = String::from_utf8(report).unwrap();
        assert_eq!(old.open(&format!("{name}.age"), &old.me), *input, "{line}");
        let is_judged = !matches!(name, "c" | "e");
        assert_eq!(report.contains("would show a wrong key"), !is_judged, "{report}");
    }
    let piped = old.folder.read("old.enc");
    let line = "migrate -des3 -md md5 -k secret - piped.age --identity me.txt";
    let report = ok(old.folder.run_with(line, &piped));
    assert!(!String::from_utf8(report).unwrap().contains("kept"));
    assert_eq!(old.open("piped.age", &old.me), old.plain);
}

#[test]
fn damaged_sources_make_no_file() {
    let old = Old::new();
    let source = old.folder.read("old.enc");
    let mut last = source.clone();
    *last.last_mut().unwrap() ^= 1;
    old.folder.file("last", &last);
    old.folder.file("cut", &source[..source.len() - 3]);
    old.folder.file("block", &source[..source.len() - 8]);
    old.folder.file("head", &source[1..]);
    old.folder.file("empty", "");
    for (options, file, what) in [
        ("-md md5 -k secret", "last", "wrong padding"),
        ("-k secret", "last", "wrong"),
        ("-k wrong", "old.enc", "wrong"),
        ("-md md5 -k secret", "cut", "no multiple of 8"),
        ("-md md5 -k secret", "block", "wrong padding"),
        ("-md md5 -k secret", "head", "Salted__"),
        ("-md md5 -k secret", "empty", "Salted__"),
        ("-md md5 -k secret", "missing", "missing"),
        ("-md md5 -k secret", ".", "directory"),
    ] {
        old.fails(&format!("-des3 {options} {file} n --identity me.txt"), b"", 1, what);
    }
    let piped = "-des3 -k secret - n --identity me.txt";
    old.fails(piped, &source, 2, "standard input");
}

#[test]
fn places_and_holders_that_cannot_be_are_refused_before_any_work() {
    let old = Old::new();
    let other = age::x25519::Identity::generate();
    old.folder.file("other.txt", other.to_string().expose_secret());
    old.folder.file("no.txt", "hello\n");
    old.folder.file("none.txt", "# nothing\n");
    old.folder.file("sealed.txt", "age-encryption.org/v1\n");
    let me = old.me.to_public();
    let secret = old.me.to_string();
    let null = if crate::common::on_windows() { "NUL" } else { "/dev/null" };
    for (options, code, what) in [
        ("old.enc old.enc --identity me.txt".to_owned(), 2, "the input itself"),
        ("old.enc no.txt --identity me.txt".into(), 1, "exists already"),
        ("old.enc me.txt --identity me.txt --force".into(), 2, "is read from"),
        ("old.enc . --identity me.txt".into(), 1, "is a directory"),
        ("old.enc none/new.age --identity me.txt".into(), 1, "none"),
        ("old.enc - --identity me.txt".into(), 2, "read back"),
        (format!("old.enc {null} --identity me.txt"), 2, "read back"),
        ("old.enc n".into(), 2, "--recipient age1"),
        ("old.enc".into(), 2, "OUT"),
        ("old.enc n --recipient age1nonsense".into(), 2, "no age public key"),
        (format!("old.enc n --recipient {}", secret.expose_secret()), 2, "a secret key"),
        (format!("old.enc n --recipient {me} --passphrase"), 2, "cannot be used with"),
        (format!("old.enc n --recipient {me} --identity other.txt"), 2, "no identity in other.txt"),
        ("old.enc n --identity no.txt".into(), 1, "line 1"),
        ("old.enc n --identity none.txt".into(), 1, "no identity in none.txt"),
        ("old.enc n --identity sealed.txt".into(), 1, "encrypted itself"),
        ("old.enc n --identity missing.txt".into(), 1, "missing.txt"),
    ] {
        old.fails(&format!("-des3 -k secret {options}"), b"", code, what);
    }
    let output = old
        .folder
        .run(&format!("migrate -des3 -k secret old.enc n --recipient {}", secret.expose_secret()));
    assert!(!says(&output).contains(secret.expose_secret()), "the secret key was printed");
    old.fails("old.enc n --identity me.txt -k secret", b"", 2, "no cipher");

    old.folder.file("n", "before");
    ok(old.folder.run("migrate -des3 -k secret old.enc n --identity me.txt --force"));
    assert_eq!(old.open("n", &old.me), old.plain);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_file() {
    let old = Old::new();
    let peak = |pieces| {
        let _ = std::fs::remove_file(old.folder.path().join("n"));
        let line =
            "migrate -des-ctr -K 0123456789abcdef -iv 0000000000000000 - n --identity me.txt";
        let (success, _, peak) = crate::memory::peak(
            &mut old.folder.command(line),
            std::iter::repeat_n(vec![0x5a; 1 << 20], pieces),
        );
        assert!(success);
        assert!(old.folder.read("n").len() > pieces << 20);
        peak
    };
    let (short, long) = (peak(12), peak(36));
    assert!(long < 64 * 1024, "{long} KiB");
    assert!(long < short + short / 4, "{short} KiB for 12 MiB, {long} KiB for 36 MiB");
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_page_are_true() {
    let old = Old::new();
    let you = age::x25519::Identity::generate();
    old.folder.file("you.pub", you.to_public().to_string());
    old.folder.file("pw.txt", "secret\n");
    let line = "-des-cbc -K 0123456789abcdef -iv 0011223344556677";
    old.folder.file("raw.des", ok(old.folder.openssl(line, &old.plain)));
    assert_eq!(crate::docs::run(&old.folder, "MIGRATE.md"), 4);
    assert_eq!(old.open("new2.age", &old.me), old.plain);
    assert_eq!(old.open("raw.age", &you), old.plain);
}
