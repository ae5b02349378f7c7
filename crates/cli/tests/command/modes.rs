//! Ciphers and modes that OpenSSL lacks, and options of our own.

use crate::common::{Folder, noise, ok, says};

#[test]
fn every_name_that_is_listed_works_both_ways() {
    let folder = Folder::new();
    let list = String::from_utf8(ok(folder.run("enc -list"))).unwrap();
    assert!(list.lines().any(|name| name == "des-ede3-cbc-cs1"));
    let plain = noise(1003);
    for name in list.lines() {
        let ciphertext = ok(folder.run_with(&format!("enc -{name} -k pw -quiet"), &plain));
        assert!(ciphertext[16..] != plain, "{name}");
        let back = ok(folder.run_with(&format!("dec -{name} -k pw -md sha256"), &ciphertext));
        assert!(back == plain, "{name}");
    }
}

/// CTR by hand: OpenSSL's ECB on the counters is the keystream. CS3 by hand from CBC.
#[test]
fn modes_that_openssl_lacks_are_built_of_modes_that_it_has() {
    let folder = Folder::new();
    let key = "-K 0123456789abcdef23456789abcdef01456789abcdef0123";
    let plain = noise(24);
    let counters: Vec<u8> =
        [u64::MAX, 0, 1].iter().flat_map(|counter: &u64| counter.to_be_bytes()).collect();
    let keystream = ok(folder.openssl(&format!("-des-ede3-ecb -nopad {key}"), &counters));
    let want: Vec<u8> = plain.iter().zip(&keystream).map(|(a, b)| a ^ b).collect();
    let ours =
        ok(folder.run_with(&format!("enc -des-ede3-ctr {key} -iv ffffffffffffffff"), &plain));
    assert_eq!(ours, want);

    let iv = "-iv 0011223344556677";
    let mut want = ok(folder.openssl(&format!("-des-ede3-cbc -nopad {key} {iv}"), &plain));
    let cs1 = ok(folder.run_with(&format!("enc -des-ede3-cbc-cs1 {key} {iv}"), &plain));
    assert_eq!(cs1, want);
    want[8..].rotate_left(8);
    let cs3 = ok(folder.run_with(&format!("enc -des-ede3-cbc-cs3 {key} {iv}"), &plain));
    assert_eq!(cs3, want);
}

#[test]
fn paddings() {
    let folder = Folder::new();
    for (padding, last) in [("iso7816", &[0x80, 0, 0][..]), ("zero", &[0, 0, 0])] {
        let line = "-des-ecb -K 0123456789abcdef";
        let ours = ok(folder.run_with(&format!("enc {line} --padding {padding}"), b"abcde"));
        let plain = ok(folder.run_with(&format!("dec {line} -nopad"), &ours));
        assert_eq!(plain, [b"abcde", last].concat());
        let back = ok(folder.run_with(&format!("dec {line} --padding {padding}"), &ours));
        assert_eq!(back, b"abcde");
    }
}

#[test]
fn withdrawn_ciphers_and_weak_keys_are_named() {
    let folder = Folder::new();
    let output = folder.run_with("enc -des-ecb -K 0101010101010101", b"x");
    assert!(says(&output).contains("withdrawn cipher") && says(&output).contains("weak DES key"));
    let output = folder.run_with("enc -des-ecb -K 0101010101010101 -quiet", b"x");
    assert_eq!(says(&output), "");
    let strict = folder.run_with("enc -des-ecb -K 0101010101010101 --strict-keys", b"x");
    assert_eq!(strict.status.code(), Some(1));
    assert!(strict.stdout.is_empty());
    let twice = format!("enc -des-ede-ecb -K {0}{0}", "0123456789abcdef");
    assert!(says(&folder.run_with(&twice, b"x")).contains("degenerate"));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = Folder::new();
    let plain = noise(5_000_003);
    let one = ok(folder.run_with("enc -des-ctr -k pw -nosalt -T 1 -quiet", &plain));
    for threads in ["-T 2", "-T3", "--threads 7"] {
        let line = format!("enc -des-ctr -k pw -nosalt {threads} -quiet");
        assert!(ok(folder.run_with(&line, &plain)) == one, "{threads}");
        let line = format!("dec -des-ctr -k pw -nosalt -md sha256 {threads}");
        assert!(ok(folder.run_with(&line, &one)) == plain, "{threads}");
    }
}

#[test]
fn help_and_version() {
    let folder = Folder::new();
    for line in ["--help", "enc --help", "enc -help", "dec -h", "--version"] {
        assert!(!ok(folder.run(line)).is_empty(), "{line}");
    }
}
