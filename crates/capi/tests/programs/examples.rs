//! The programs of `examples/`.

use crate::support::{Library, Program};

#[test]
fn a_program_for_openssl_prints_the_same_with_ours() {
    let source = "examples/libdes.c";
    let theirs = Program::new(source).library(Library::None).libcrypto();
    let theirs = theirs.option("-Wno-deprecated-declarations").build().run(&[]);
    assert!(theirs.contains("ncbc back: the same"), "{theirs}");
    for library in [Library::Static, Library::Shared] {
        let ours = Program::new(source).compat().library(library).build().run(&[]);
        assert_eq!(ours, theirs, "{library:?}");
    }
}

const KEY: &str = "0123456789abcdeffedcba98765432100011223344556677";
const IV: &str = "0102030405060708";

#[test]
fn decrypt_reads_what_openssl_wrote() {
    let program = Program::new("examples/decrypt.c").library(Library::Shared).build();
    let Some(openssl) = cipherloom_testkit::peers::openssl() else { return };
    for len in [0, 1, 8, 16_383, 16_384, 100_000] {
        let plaintext: Vec<u8> = (0..len).map(|n: u32| (n * 7 / 8) as u8).collect();
        let options = ["-des-ede3-cbc", "-K", KEY, "-iv", IV];
        let ciphertext = openssl.enc(&options, &plaintext).expect("OpenSSL encrypts");
        assert_eq!(program.pipe(&[KEY, IV], &ciphertext), (Some(0), plaintext), "{len} bytes");
        let mut damaged = ciphertext;
        damaged.pop();
        assert_eq!(program.pipe(&[KEY, IV], &damaged).0, Some(1));
    }
    assert_eq!(program.pipe(&["01"], b"").0, Some(2));
}

#[test]
fn records_have_results_of_their_own() {
    let said = Program::new("examples/records.c").build().run(&[]);
    let expected = "record 5: the input's length is no multiple of 8\n\
                    record 7: the key has not the cipher's length\n\
                    998 records are right\n";
    assert_eq!(said, expected);
}

/// RFC 6229, key of 40 bits: the bytes at offset 240.
#[test]
fn stream_drops_and_applies() {
    let program = Program::new("examples/stream.c").build();
    let stream = program.pipe(&["\u{1}\u{2}\u{3}\u{4}\u{5}", "240"], &[0; 16]);
    let expected = "28cb1132c96ce286421dcaadb8b69eae";
    assert_eq!(stream, (Some(0), hex::decode(expected).expect("hex")));
}
