//! RFC 6229.

use cipherloom_spec::rc4::Rc4;
use cipherloom_testkit::rfc6229;

#[test]
fn rfc_6229() {
    let mut count = 0;
    for vector in rfc6229::read() {
        for (offset, keystream) in vector.keystream {
            let mut rc4 = Rc4::new(&vector.key);
            rc4.drop_n(offset);
            assert_eq!(rc4.keystream(16), keystream, "{:02x?} at {offset}", vector.key);
            count += 1;
        }
    }
    assert_eq!(count, 14 * 18);
}

#[test]
fn crypt_adds_the_keystream() {
    let text: Vec<u8> = (0..=255).collect();
    let ciphertext = Rc4::new(b"key").crypt(&text);
    let keystream = Rc4::new(b"key").keystream(256);
    assert!(text.iter().zip(&ciphertext).zip(keystream).all(|((p, c), k)| p ^ c == k));
    assert_eq!(Rc4::new(b"key").crypt(&ciphertext), text);
}

#[test]
fn keys_of_1_and_256_bytes() {
    // A key of one byte is the same as that byte 256 times: the KSA repeats the key.
    assert_eq!(Rc4::new(&[7]).keystream(99), Rc4::new(&[7; 256]).keystream(99));
}
