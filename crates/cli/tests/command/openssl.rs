//! The same command line gives the same bytes as OpenSSL 3.0's `openssl enc`.
//!
//! Needs the `openssl` command, with its legacy provider.

use crate::common::{Folder, noise, ok};

/// OpenSSL's names of DES, DESX, EDE and RC4 (`openssl list -cipher-algorithms`), with key and IV
/// bytes.
const CIPHERS: [(&str, usize, usize); 26] = [
    ("des", 8, 8),
    ("des-cbc", 8, 8),
    ("des-cfb", 8, 8),
    ("des-cfb1", 8, 8),
    ("des-cfb8", 8, 8),
    ("des-ecb", 8, 0),
    ("des-ofb", 8, 8),
    ("des-ede", 16, 0),
    ("des-ede-ecb", 16, 0),
    ("des-ede-cbc", 16, 8),
    ("des-ede-cfb", 16, 8),
    ("des-ede-ofb", 16, 8),
    ("des-ede3", 24, 0),
    ("des-ede3-ecb", 24, 0),
    ("des-ede3-cbc", 24, 8),
    ("des-ede3-cfb", 24, 8),
    ("des-ede3-cfb1", 24, 8),
    ("des-ede3-cfb8", 24, 8),
    ("des-ede3-ofb", 24, 8),
    ("des3", 24, 8),
    ("desx", 24, 8),
    ("desx-cbc", 24, 8),
    ("rc4", 16, 0),
    ("rc4-40", 5, 0),
    ("DES3", 24, 8),
    ("DES-EDE3-CBC", 24, 8),
];

const KEY: &str = "0123456789abcdef23456789abcdef01456789abcdef0123";
const IV: &str = "fedcba9876543210";

/// Both commands read `line`; the outputs are the same, and the other direction leads back.
#[track_caller]
fn same(folder: &Folder, line: &str, plain: &[u8]) {
    let theirs = ok(folder.openssl(line, plain));
    let ours = ok(folder.run_with(&format!("enc {line}"), plain));
    assert!(ours == theirs, "{line}: {} bytes: encryption differs", plain.len());
    let back = ok(folder.run_with(&format!("enc -d {line}"), &theirs));
    assert!(back == plain, "{line}: {} bytes: decryption differs", plain.len());
}

#[test]
fn every_cipher_with_raw_keys_and_with_passwords() {
    let folder = Folder::new();
    for (n, (name, key_len, iv_len)) in CIPHERS.iter().enumerate() {
        let key = &KEY[..key_len * 2];
        let iv = if *iv_len > 0 { format!("-iv {IV}") } else { String::new() };
        // Lengths around blocks, and one beyond a buffer of OpenSSL's.
        let len = [0, 1, 7, 8, 9, 4096, 10_001][n % 7];
        same(&folder, &format!("-{name} -K {key} {iv}"), &noise(len));
        same(&folder, &format!("-{name} -k secret -S 0102030405060708"), &noise(1001 + n));
    }
}

#[test]
fn every_digest_and_way_of_derivation() {
    let folder = Folder::new();
    let plain = noise(99);
    for md in [
        "md5",
        "sha1",
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "sha512-224",
        "sha512-256",
        "sha3-224",
        "sha3-256",
        "sha3-384",
        "sha3-512",
        "ripemd160",
        "rmd160",
        "md4",
        "whirlpool",
        "sm3",
        "blake2b512",
        "blake2s256",
        "SHA256",
        "sha-1",
        "sha2-256",
        "ssl3-md5",
    ] {
        same(&folder, &format!("-des3 -k secret -md {md} -S 0102030405060708"), &plain);
        same(&folder, &format!("-des3 -k secret -md {md} -iter 3 -S 0102030405060708"), &plain);
    }
    for options in ["-pbkdf2", "-pbkdf2 -iter 0x11", "-iter 011", "-nosalt", "-nosalt -pbkdf2"] {
        let salt = if options.contains("nosalt") { "" } else { "-S 0102030405060708" };
        same(&folder, &format!("-des-ede-cbc -k secret {options} {salt}"), &plain);
    }
}

#[test]
fn slow_base64_in_all_lengths() {
    let folder = Folder::new();
    for len in [0, 1, 2, 3, 40, 47, 48, 49, 95, 96, 100, 5000] {
        for form in ["-a", "-base64", "-a -A", "-A"] {
            same(&folder, &format!("-rc4 -k pw -nosalt {form}"), &noise(len));
            same(&folder, &format!("-des3 -k pw -nosalt {form}"), &noise(len));
        }
    }
}

#[test]
fn option_forms() {
    let folder = Folder::new();
    folder.file("first-line", "secret\r\nother\n");
    folder.file("unix-line", "secret\n");
    folder.file("binary", [b"se\0cret".as_slice(), &noise(300)].concat());
    folder.file("long", "x".repeat(2000));
    let plain = noise(77);
    for options in [
        "--des3 --k pw --nosalt",
        "-des3 -k=pw -nosalt",
        "-des3 -k -in -nosalt",
        "-des3 -k -d -nosalt",
        "-des-ecb -des3 -k pw -nosalt",
        "-des3 -kfile first-line -nosalt",
        "-des3 -kfile binary -nosalt",
        "-des3 -kfile long -nosalt",
        "-des3 -pass file:first-line -nosalt",
        "-des3 -pass file:unix-line -nosalt",
        "-des3 -pass file:long -nosalt",
        "-des3 -pass file:binary -nosalt",
        "-des3 -pass pass:a:b -nosalt",
        "-des3 -pass pass: -nosalt",
        "-des3 -pass env:TEST_PASSWORD -nosalt",
        "-des3 -k one -kfile unix-line -nosalt",
        "-des3 -kfile unix-line -k one -nosalt",
        "-des3 -pass pass:two -k one -nosalt",
        "-des3 -salt -nosalt -k pw",
        "-nosalt -salt -des3 -k pw -S 0102030405060708",
        "-d -e -des3 -k pw -nosalt",
        "-des3 -k pw -nosalt -bufsize 1k",
        "-des3 -k pw -iv 0011223344556677 -nosalt",
        "-des-ecb -k pw -K 0011223344556677 -nosalt",
        "-nopad -des-cfb -k pw -nosalt",
        "-provider-path /nowhere -propquery ?provider=default -des3 -k pw -nosalt",
    ] {
        if options.contains("-d -e") {
            let theirs = ok(folder.openssl(options, &plain));
            assert_eq!(ok(folder.run_with(&format!("enc {options}"), &plain)), theirs, "{options}");
        } else {
            same(&folder, options, &plain);
        }
    }
    same(&folder, "-des3 -k pw -nosalt -nopad", &noise(64));
}

#[test]
fn headers_are_read_by_both_sides() {
    let folder = Folder::new();
    let plain = noise(3333);
    for options in [
        "-des3 -k pw",
        "-rc4 -k pw -a",
        "-des-ede3-cfb8 -k pw -pbkdf2 -A -a",
        "-desx -k pw -md md5",
    ] {
        let theirs = ok(folder.openssl(options, &plain));
        assert!(ok(folder.run_with(&format!("enc -d {options}"), &theirs)) == plain, "{options}");
        let ours = ok(folder.run_with(&format!("enc {options}"), &plain));
        assert_eq!(ours.len(), theirs.len());
        assert!(ok(folder.openssl(&format!("-d {options}"), &ours)) == plain, "{options}");
    }
}

#[test]
fn password_and_data_share_standard_input() {
    let folder = Folder::new();
    let input = [b"secret\n".as_slice(), &noise(100)].concat();
    let line = "-des3 -pass stdin -nosalt";
    assert_eq!(
        ok(folder.run_with(&format!("enc {line}"), &input)),
        ok(folder.openssl(line, &input))
    );
}

#[test]
fn printed_keys_are_the_same() {
    let folder = Folder::new();
    let plain = noise(50);
    for options in [
        "-des3 -k pw -S 0102030405060708 -P",
        "-des3 -k pw -S 0102030405060708 -p",
        "-des3 -k pw -S 0102030405060708 -p -a",
        "-des3 -k pw -nosalt -p",
        "-rc4 -k pw -nosalt -P",
        "-des-ecb -k pw -nosalt -pbkdf2 -P",
    ] {
        let theirs = ok(folder.openssl(options, &plain));
        assert_eq!(ok(folder.run_with(&format!("enc {options}"), &plain)), theirs, "{options}");
    }
    // The header goes out before what is printed.
    let header = ok(folder.openssl("-des3 -k pw", &plain));
    let theirs = ok(folder.openssl("-d -des3 -k pw -p", &header));
    assert_eq!(ok(folder.run_with("enc -d -des3 -k pw -p", &header)), theirs);
    let ours = ok(folder.run_with("enc -des3 -k pw -p", &plain));
    assert!(ours.starts_with(b"Salted__") && ours[16..].starts_with(b"salt="));
}

#[test]
fn counted_bytes_are_the_same() {
    let folder = Folder::new();
    let counts = |output: &std::process::Output| -> Vec<String> {
        let text = crate::common::says(output);
        text.lines().filter(|line| line.starts_with("bytes ")).map(str::to_owned).collect()
    };
    for options in ["-des3 -k pw -v", "-rc4 -k pw -a -v"] {
        let theirs = folder.openssl(options, &noise(1000));
        let ours = folder.run_with(&format!("enc {options}"), &noise(1000));
        assert!(counts(&theirs).len() == 2 && counts(&ours) == counts(&theirs), "{options}");
        let data = ok(theirs);
        let theirs = folder.openssl(&format!("-d {options}"), &data);
        let ours = folder.run_with(&format!("enc -d {options}"), &data);
        assert_eq!(counts(&ours), counts(&theirs), "-d {options}");
    }
}

#[test]
fn files_and_the_short_form_of_the_command() {
    let folder = Folder::new();
    let plain = noise(123_456);
    folder.file("plain", &plain);
    ok(folder.openssl("-des3 -k pw -in plain -out theirs", b""));
    ok(folder.run("des3 -d -k pw -in theirs -out ours"));
    assert!(folder.read("ours") == plain);
    assert!(ok(folder.run("dec -des3 -k pw -in theirs -out - -quiet")) == plain);
}
